"""The files a script may touch: ``load`` and ``save`` of numbers, below folders that were allowed.

The suffix names the format. A path is resolved through ``..`` and symbolic links before it is judged, and what is
written appears at once or not at all. Paths are plain strings: importing pathlib would cost each start 5 ms.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from importlib import import_module
from typing import Any

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

    def __init__(self, folder: str, read: Iterable[str] = (), write: Iterable[str] = ()) -> None:
        self._folder = folder
        self._read = (folder, *read)
        self._write = (folder, *write)

    def load(self, path: str) -> Any:
        """Return the tensor, or the tensors by name, that the file at ``path`` holds.

        Numbers of text formats take the default dtype when they are floats. Raises ValueError, TypeError or
        OSError, each with the file's name and what is wrong with it.
        """
        return load(self._resolve(path, self._read, "read"), path)

    def save(self, path: str, value: Any) -> None:
        """Write a tensor, or tensors by name (.npz, .safetensors, .json), to ``path``: completely or not at all."""
        save(self._resolve(path, self._write, "write"), value, path)

    def _resolve(self, path: str, roots: Iterable[str], verb: str) -> str:
        if not isinstance(path, str):
            raise error(TypeError, "file-name", f"a file name is a string, got {type(path).__name__}")
        if not path or "\0" in path:
            raise error(ValueError, "file-name", f"{path!r} is not a file name")
        resolved = os.path.realpath(os.path.join(self._folder, path))
        if not any(_is_below(resolved, os.path.realpath(root)) for root in roots):
            raise error(
                PermissionError,
                "file-outside",
                f"a script may {verb} only below its own folder, and {path!r} is outside of it",
                hint=f"allow the folder: --allow-{verb} DIR",
            )
        return resolved


def load(path: str, name: str | None = None) -> Any:
    """Return what the file at ``path`` holds as tensors, in any folder; messages call it ``name``."""
    content = read_content(path, name or path)
    return _tensors(content, default.dtype if _suffix(path) in _TEXT else None)


def only_array(content: Any) -> Any:
    """Return the array of a file that holds one by name, else what is given; ValueError where it holds several."""
    if not isinstance(content, dict) or not all(isinstance(array, Tensor) for array in content.values()):
        return content
    if len(content) != 1:
        words = f"several arrays: {', '.join(map(str, content))}" if content else "no array"
        hint = f"take one: load('FILE')[{next(iter(content))!r}]" if content else None
        raise error(ValueError, "several-arrays", f"one array is needed, and there are {words}", hint=hint)
    return next(iter(content.values()))


def read_content(path: str, name: str) -> Any:
    """Return the array, or arrays by name, of a file; the errors of ``Files.load``."""
    reader = _format(path, name)
    try:
        kind = os.stat(path).st_mode
        if not stat.S_ISREG(kind):
            what = "a folder" if stat.S_ISDIR(kind) else "not a regular file"
            raise error(ValueError, "file-kind", f"{name} is {what}")
        with open(path, "rb") as file:
            return reader.read(file, name)
    except OSError as problem:
        raise _os_error(problem, name, "read") from None


def save(path: str, value: Any, name: str | None = None) -> None:
    """Write tensors to ``path``, whatever folder it is in: completely, or the file stays as it was."""
    name = name or path
    writer, content = _format(path, name), _arrays(value)
    suffix = _suffix(path)
    if suffix in _ONE_ARRAY and isinstance(content, dict):
        raise error(TypeError, "file-content", f"a {suffix} file holds one array, got several by name", hint="use .npz")
    if suffix in _NAMED_ARRAYS and not isinstance(content, dict):
        raise error(TypeError, "file-content", f"a {suffix} file holds named arrays", hint='save a dict: {"x": x}')
    target = os.path.realpath(path)
    folder, base = os.path.split(target)
    beside = os.path.join(folder, f".{base}.{os.getpid()}.part")
    try:
        with open(beside, "xb") as file:
            writer.write(file, content, name)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except OSError as problem:
        raise _os_error(problem, name, "written") from None
    finally:
        if os.path.exists(beside):
            os.unlink(beside)


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _is_below(path: str, root: str) -> bool:
    return path.startswith(os.path.join(root, ""))


def _format(path: str, name: str) -> Any:
    suffix = _suffix(path)
    if suffix in _PICKLES:
        raise error(
            ValueError,
            "file-pickle",
            f"{name}: {suffix} files are pickles, which are never loaded or written: reading one can run any code",
            hint="save the numbers as .npy, .npz or .safetensors instead",
        )
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        what = f"the suffix {suffix!r} names no known format" if suffix else "the name has no suffix to tell the format"
        message = f"{name}: {what}"
        raise error(ValueError, "file-format", message, hint=f"one of {known}")
    return import_module(f"gradcli.lang.formats.{FORMATS[suffix]}")


def _tensors(content: Any, dtype: Any) -> Any:
    if isinstance(content, dict):
        return {key: _tensors(inner, dtype) for key, inner in content.items()}
    return tensor(content, dtype=dtype if content.dtype == "float64" else None)


def _arrays(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _arrays(inner) for key, inner in value.items()}
    return value.detach().numpy() if isinstance(value, Tensor) else tensor(value).numpy()


def _os_error(problem: OSError, name: str, verb: str) -> Exception:
    if getattr(problem, "detail", None) is not None:
        return problem
    if isinstance(problem, FileNotFoundError):
        message = f"there is no file {name}" if verb == "read" else f"there is no folder for {name}"
        return error(FileNotFoundError, "file-missing", message)
    reason = (problem.strerror or str(problem)).lower()
    return error(type(problem), "file-access", f"{name} can't be {verb}: {reason}")
