"""ZIP archives: what may be opened, counted in real bytes, and one way to write them that is always the same."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from conversions.toolkit.failures import OverLimit, Unreadable

MAX_ENTRIES = 2_000
MAX_BYTES = 200_000_000
MAX_RATIO = 100
_SMALL = 10_000_000
_BLOCK = 1 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)


def preflight(source: Path, visit: Callable[[str, bytes], None] | None = None) -> None:
    """Unpack every entry of an untrusted archive once, to count its bytes, before any library opens it.

    `visit(name, data)` sees each XML entry whole. Raises Unreadable for what is no archive, is damaged or encrypted, or
    has names that are absolute, lead upwards or occur twice; OverLimit for more than MAX_ENTRIES entries, MAX_BYTES
    bytes, or a packing ratio over MAX_RATIO.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_ENTRIES:
                raise OverLimit(
                    "memory",
                    f"The file contains more than {MAX_ENTRIES:,} parts. Save it again without attachments or "
                    f"extra content.",
                )
            names: set[str] = set()
            for entry in entries:
                parts = entry.filename.replace("\\", "/").split("/")
                if entry.filename in names or ".." in parts or parts[0] == "" or ":" in parts[0]:
                    raise Unreadable("The archive is not safe to open: the name of a part is not allowed.")
                names.add(entry.filename)
            total = 0
            for entry in entries:
                if not entry.is_dir():
                    total = _count(archive, entry, total, visit)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        raise Unreadable("The file is damaged: it can't be unpacked. Save or download it again.") from error
    except RuntimeError as error:
        raise Unreadable("The file is protected by a password. Remove the password and try again.") from error


def _count(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, total: int, visit: Callable[[str, bytes], None] | None
) -> int:
    size, kept = 0, []
    keep = visit is not None and entry.filename.endswith((".xml", ".rels"))
    with archive.open(entry) as part:
        while block := part.read(_BLOCK):
            size += len(block)
            if total + size > MAX_BYTES or (size > _SMALL and size > MAX_RATIO * max(entry.compress_size, 1)):
                raise OverLimit(
                    "memory",
                    f"The file unpacks to more than {MAX_BYTES // 1_000_000} MB, or {MAX_RATIO} times its size.",
                )
            if keep:
                kept.append(block)
    if visit is not None and keep:
        visit(entry.filename, b"".join(kept))
    return total + size


def entry(name: str, *, stored: bool = False) -> zipfile.ZipInfo:
    """An entry to be written, with a fixed time and mode, so that the same content gives the same archive."""
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    info.create_system = 3
    return info


def pack(target: Path, files: Iterable[tuple[str, Path]]) -> None:
    """Write files under the given names into one archive."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files:
            with path.open("rb") as source, archive.open(entry(name), "w") as part:
                while block := source.read(_BLOCK):
                    part.write(block)
