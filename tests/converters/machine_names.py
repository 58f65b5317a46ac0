"""What a result may not tell of the machine that it was made on: the folders of the work."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator

FOLDERS = (b"conversions-", b"/dev/shm")
"""What the sandbox calls the folders of jobs, and where they lie on most machines."""
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)


def told(data: bytes, *names: bytes) -> list[bytes]:
    """Those of these names that are in the data, packed or not."""
    return [name for name in names if any(name in part for part in _unpacked(data))]


def _unpacked(data: bytes, depth: int = 0) -> Iterator[bytes]:
    yield data
    if data.startswith(b"PK\3\4") and depth < 2:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as parts:
                for name in parts.namelist():
                    yield from _unpacked(parts.read(name), depth + 1)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, zlib.error):
            return  # protected by a password, or not all of it is an archive
    elif data.startswith(b"\x1f\x8b"):
        yield gzip.decompress(data)
    elif data.startswith(b"%PDF-"):
        for packed in _STREAM.findall(data):
            try:
                yield zlib.decompress(packed)
            except zlib.error:
                continue
