"""NumPy's ``.npz``: a zip archive of ``.npy`` members."""

from __future__ import annotations

import io
import zlib
from typing import BinaryIO, cast

from gradcli.lang.formats import npy
from gradcli.lang.formats.common import Content, malformed, pickled


def read(file: BinaryIO, name: str) -> Content:
    """Return the arrays of an archive by name; ValueError for a damaged archive or member."""
    import zipfile

    arrays = {}
    try:
        with zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                member = f"{name}[{info.filename.removesuffix('.npy')}]"
                if info.filename.endswith((".pkl", ".pickle")):
                    raise pickled(name)
                if not info.filename.endswith(".npy"):
                    raise malformed(name, f"its member {info.filename!r} is not an .npy array")
                if info.flag_bits & 1:
                    raise malformed(name, f"its member {info.filename!r} is encrypted")
                data = archive.read(info)
                arrays[info.filename.removesuffix(".npy")] = npy.read(io.BytesIO(data), member)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as bad:
        hint = "it was probably cut off while it was written or copied; get it again"
        reason = f" ({str(bad).rstrip('.')})" if "CRC" in str(bad) else ""
        raise malformed(name, f"the archive is incomplete or damaged{reason}", hint) from None
    return arrays


def write(file: BinaryIO, content: Content, name: str) -> None:
    """Write named arrays, uncompressed, with a fixed time stamp: equal contents give equal files."""
    import zipfile

    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for key, array in cast("dict[str, Content]", content).items():
            with archive.open(zipfile.ZipInfo(f"{key}.npy"), "w", force_zip64=True) as member:
                npy.write(cast(BinaryIO, member), array, name)
