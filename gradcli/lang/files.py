"""The files a script may touch: ``load`` and ``save`` of numbers, below folders that were allowed.

The suffix names the format. A path is resolved through ``..`` and symbolic links before it is judged, and what is
written appears at once or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gradcli.autograd.construct import tensor
from gradcli.autograd.dtypes import default
from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor

FORMATS = {".npy": "npy", ".npz": "npz", ".csv": "csv", ".json": "json", ".safetensors": "safetensors"}
"""The module below ``formats`` that reads and writes each suffix."""

_PICKLES = (".pt", ".pth", ".pkl", ".pickle", ".ckpt")
_ONE_ARRAY, _NAMED_ARRAYS = (".npy", ".csv"), (".npz", ".safetensors")
_TEXT = (".csv", ".json")


class Files:
    """What one script may reach: its own folder, and folders that the shell allows for reading or writing."""

    def __init__(self, folder: Path, read: Iterable[Path] = (), write: Iterable[Path] = ()) -> None:
        self._folder = folder
        self._read = _roots([folder, *read])
        self._write = _roots([folder, *write])

    def load(self, path: str) -> Any:
        """Return the tensor, or the tensors by name, that the file at ``path`` holds.

        Numbers of text formats take the default dtype when they are floats. Raises ValueError, TypeError or
        FileNotFoundError, each with the file's name and what is wrong with it.
        """
        return load(self._resolve(path, self._read, "read"), str(path))

    def save(self, path: str, value: Any) -> None:
        """Write a tensor, or tensors by name (.npz, .safetensors, .json), to ``path``; the old file goes only then."""
        save(self._resolve(path, self._write, "write"), value, str(path))

    def _resolve(self, path: str, roots: list[Path], verb: str) -> Path:
        if not isinstance(path, str):
            raise error(TypeError, "file-name", f"a file name is a string, got {type(path).__name__}")
        if not path or "\0" in path:
            raise error(ValueError, "file-name", f"{path!r} is not a file name")
        resolved = _real(self._folder / path)
        if not any(resolved.is_relative_to(root) for root in roots):
            raise error(
                PermissionError,
                "file-outside",
                f"a script may {verb} only below its own folder, and {path!r} is outside of it",
                hint=f"allow the folder: --allow-{verb} DIR",
            )
        return resolved


def load(path: Path, name: str | None = None) -> Any:
    """Return what the file at ``path`` holds as tensors, in any folder; messages call it ``name``."""
    content = read_content(path, name or str(path))
    return _tensors(content, default.dtype if path.suffix.lower() in _TEXT else None)


def read_content(path: Path, name: str) -> Any:
    """Return the array, or arrays by name, of a file; the errors of ``Files.load``."""
    reader = _format(path, name)
    if path.is_dir():
        raise error(ValueError, "file-kind", f"{name} is a folder, not a file")
    try:
        if not path.is_file():
            path.stat()
            raise error(ValueError, "file-kind", f"{name} is not a regular file")
        with path.open("rb") as file:
            return reader.read(file, name)
    except OSError as problem:
        raise _os_error(problem, name, "read") from None


def save(path: Path, value: Any, name: str | None = None) -> None:
    """Write tensors to ``path``, whatever folder it is in: completely, or the file stays as it was."""
    name = name or str(path)
    writer = _format(path, name)
    content = _arrays(value, name)
    suffix = path.suffix.lower()
    if suffix in _ONE_ARRAY and isinstance(content, dict):
        raise error(TypeError, "file-content", f"a {suffix} file holds one array, got several by name", hint="use .npz")
    if suffix in _NAMED_ARRAYS and not isinstance(content, dict):
        raise error(TypeError, "file-content", f"a {suffix} file holds named arrays", hint='save a dict: {"x": x}')
    path = _real(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as file:
            writer.write(file, content, name)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as problem:
        raise _os_error(problem, name, "written") from None
    finally:
        beside.unlink(missing_ok=True)


def _format(path: Path, name: str) -> Any:
    suffix = path.suffix.lower()
    if suffix in _PICKLES:
        raise error(
            ValueError,
            "file-pickle",
            f"{name}: {suffix} files are pickles, which are never loaded or written: reading one can run any code",
            hint="save the numbers as .npy, .npz or .safetensors instead",
        )
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise error(
            ValueError, "file-format", f"{name}: the suffix {suffix!r} names no known format", hint=f"one of {known}"
        )
    return import_module(f"gradcli.lang.formats.{FORMATS[suffix]}")


def _tensors(content: Any, dtype: Any) -> Any:
    if isinstance(content, dict):
        return {key: _tensors(inner, dtype) for key, inner in content.items()}
    return tensor(content, dtype=dtype if content.dtype == np.float64 else None)


def _arrays(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {str(key): _arrays(inner, name) for key, inner in value.items()}
    return value.detach().numpy() if isinstance(value, Tensor) else tensor(value).numpy()


def _roots(folders: Iterable[Path]) -> list[Path]:
    return [_real(folder) for folder in folders]


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _os_error(problem: OSError, name: str, verb: str) -> Exception:
    if getattr(problem, "detail", None) is not None:
        return problem
    if isinstance(problem, FileNotFoundError):
        return error(
            FileNotFoundError, "file-missing", f"there is no file {name}" if verb == "read" else f"no folder for {name}"
        )
    return error(type(problem), "file-access", f"{name} can't be {verb}: {(problem.strerror or str(problem)).lower()}")
