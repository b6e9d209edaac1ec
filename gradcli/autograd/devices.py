"""Where tensors live: the CPU. Programs that name it run as they are; any other place is an error."""

from __future__ import annotations

from typing import Any

from gradcli.autograd.errors import error


class device(str):
    """A place for tensors, as ``torch.device("cpu")``: its name, with ``type`` and ``index``.

    RuntimeError for any other place than the CPU.
    """

    __slots__ = ()

    def __new__(cls, type: str = "cpu", index: int | None = None) -> device:
        """Return the device of a name such as ``cpu`` or ``cpu:0``."""
        if type.partition(":")[0] != "cpu":
            raise error(
                RuntimeError,
                "no-such-device",
                f"there is no device {str(type)!r} here: tensors live on the CPU",
                hint="leave the device out",
            )
        return super().__new__(cls, type if index is None else f"{type}:{index}")

    @property
    def type(self) -> str:
        """Always ``cpu``."""
        return "cpu"

    @property
    def index(self) -> int | None:  # type: ignore[override]
        """The number behind the colon, None where there is none."""
        number = self.partition(":")[2]
        return int(number) if number else None

    def __repr__(self) -> str:
        return f"device(type='cpu'{'' if self.index is None else f', index={self.index}'})"


CPU = device()


def check_device(place: Any) -> None:
    """Raise unless ``place`` is None or names the CPU: RuntimeError for another device, TypeError for what is none."""
    if isinstance(place, str):
        device(place)
    elif place is not None:
        raise error(TypeError, "no-such-device", f"a device is a name, got {type(place).__name__}", hint='device="cpu"')


def set_default_device(place: Any) -> None:
    """Do nothing for the CPU; RuntimeError for another device."""
    check_device(place)


def get_default_device() -> device:
    """Return the CPU."""
    return CPU


def is_available() -> bool:
    """Tell whether there are devices of another kind: never."""
    return False


def is_built() -> bool:
    """Tell whether another kind of device could be used: never."""
    return False


def device_count() -> int:
    """Return how many devices of another kind there are: none."""
    return 0


def current_accelerator(check_available: bool = False) -> None:
    """Return the device of another kind in use: None."""
    return None
