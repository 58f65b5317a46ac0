"""Archives: refuse a ZIP that would be a bomb or a trap before anything reads into it."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from conversions.converters.base import OverLimit, Unreadable

MAX_ENTRIES = 2_000
MAX_BYTES = 200_000_000
MAX_RATIO = 100
SMALL = 1_000_000
"""Bytes below which an entry's ratio does not matter: a sheet of blanks packs well and harms nobody."""

_CHUNK = 1 << 20
_ENCRYPTED = 0x1


def check(path: Path) -> None:
    """Make sure that the ZIP at `path` is whole and small: the real bytes are counted, not the declared ones.

    Raises Unreadable for a file that is no ZIP or is damaged, for an encrypted one, and for names that occur twice or
    leave the folder; OverLimit("memory") for more than MAX_ENTRIES entries, more than MAX_BYTES in all, or an entry
    of more than MAX_RATIO times its packed size.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _check(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError, KeyError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise Unreadable("The file is damaged: the archive inside it can't be unpacked.") from error


def _check(archive: zipfile.ZipFile) -> None:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise OverLimit("memory", f"The file holds {len(entries):,} parts; at most {MAX_ENTRIES:,} are taken.")
    seen: set[str] = set()
    total = 0
    for entry in entries:
        name = entry.filename.replace("\\", "/")
        if name in seen:
            raise Unreadable("The file is damaged: it holds two parts of the same name.")
        seen.add(name)
        if name.startswith("/") or ".." in name.split("/") or "\0" in name:
            raise Unreadable("The file is not safe: the name of a part leads outside of it.")
        if entry.flag_bits & _ENCRYPTED:
            raise Unreadable("The file is encrypted: remove its password and try again.")
        real = 0
        with archive.open(entry) as part:
            while chunk := part.read(_CHUNK):
                real += len(chunk)
                if real > SMALL and real > MAX_RATIO * max(entry.compress_size, 1):
                    raise OverLimit("memory", f"A part of the file unpacks to more than {MAX_RATIO} times its size.")
                if total + real > MAX_BYTES:
                    raise OverLimit("memory", f"The file unpacks to more than {MAX_BYTES // 1_000_000} MB.")
        total += real
