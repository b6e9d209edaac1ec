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
