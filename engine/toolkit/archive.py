"""Safe reading and reproducible writing of ZIP archives."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from engine.toolkit import one_directory, plain_xml
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

MAX_ENTRIES = 20_000
"""19,900 parts are counted in 0.6 s."""
MAX_BYTES = 200_000_000
"""196 MB of words are unpacked in 1 s."""
MAX_RATIO = 100
_SMALL = 10_000_000
_BLOCK = 1 << 20
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def preflight(
    source: Path,
    visit: Callable[[str, bytes], None] | None = None,
    *,
    visited: tuple[str, ...] = (".xml", ".rels"),
    max_ratio: int | None = MAX_RATIO,
) -> None:
    """Unpack every entry of an untrusted archive once, counting its bytes, before any library opens it.

    `visit(name, data)` receives the whole content of each entry whose name ends with one of `visited`. Raises
    Unreadable if the file is not an archive, is damaged or encrypted, has names that are absolute, contain `..` or
    occur twice, has relationships that readers may understand in several ways, or may show other entries to other
    readers; OverLimit for more than MAX_ENTRIES entries, MAX_BYTES bytes or a compression ratio over `max_ratio`.
    Pass None for `max_ratio` where repetitive content is normal, as in rows of a table.
    """
    _refuse_compound(source)
    try:
        with zipfile.ZipFile(source) as archive:
            entries = archive.infolist()
            if entries and one_directory.is_ambiguous(source, archive):
                raise _damaged()
            if len(entries) > MAX_ENTRIES:
                raise OverLimit(
                    "memory",
                    say(
                        "The file contains more than {max_entries} parts. Save it again without attachments or "
                        "extra content.",
                        max_entries=MAX_ENTRIES,
                    ),
                )
            names: set[str] = set()
            for entry in entries:
                parts = entry.filename.replace("\\", "/").split("/")
                if entry.filename in names or ".." in parts or parts[0] == "" or ":" in parts[0]:
                    raise Unreadable(
                        "The archive is not safe to open: it has a file name that is not allowed.", reason="damaged"
                    )
                names.add(entry.filename)
            total = 0
            endings = tuple(map(str.lower, visited))
            for entry in entries:
                if not entry.is_dir():
                    wanted = entry.filename.lower().endswith(endings)
                    total = _count(archive, entry, total, visit if wanted else None, max_ratio)
    except NotImplementedError as error:
        raise packed_otherwise(entry) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        raise _damaged() from error
    except RuntimeError as error:
        raise Unreadable(
            "The file is protected by a password. Remove the password and try again.", reason="password"
        ) from error


def _damaged() -> Unreadable:
    return Unreadable("The file is damaged: it can't be unpacked. Save or download it again.", reason="damaged")


def packed_otherwise(entry: zipfile.ZipInfo) -> Unreadable:
    """The refusal of an entry whose compression zipfile does not read."""
    method = zipfile.compressor_names.get(entry.compress_type, str(entry.compress_type))  # type: ignore[attr-defined]
    return Unreadable(
        say(
            "The archive uses a compression method that is not supported ({method}). Create it with "
            "Deflate, the usual method.",
            method=method,
        ),
        reason="unsupported_feature",
    )


def _refuse_compound(source: Path) -> None:
    with source.open("rb") as file:
        if file.read(len(_COMPOUND)) != _COMPOUND:
            return
    if is_locked(source):
        raise Unreadable("The file is protected by a password. Remove the password and try again.", reason="password")
    raise Unreadable(
        "The file has an older Office format. Rename it to that format's extension, such as .xls.", reason="format"
    )


def is_locked(source: Path) -> bool:
    """Whether a file is a password-protected Office file, which is a compound file (MS-OFFCRYPTO, section 2.3)."""
    data = source.read_bytes()
    return data.startswith(_COMPOUND) and _ENCRYPTED in data


def _count(
    archive: zipfile.ZipFile,
    entry: zipfile.ZipInfo,
    total: int,
    visit: Callable[[str, bytes], None] | None,
    max_ratio: int | None,
) -> int:
    size, kept = 0, []
    related = entry.filename.lower().endswith(".rels")
    most = MAX_BYTES if max_ratio is None else max(_SMALL, max_ratio * entry.compress_size)
    with archive.open(entry) as part:
        while block := part.read(_BLOCK):
            size += len(block)
            if total + size > MAX_BYTES or size > most:
                times = "" if max_ratio is None else say(", or {max_ratio} times its size", max_ratio=max_ratio)
                raise OverLimit(
                    "memory",
                    say(
                        "The file unpacks to more than {max_bytes} MB{times}.",
                        max_bytes=MAX_BYTES // 1_000_000,
                        times=times,
                    ),
                )
            if visit is not None or related:
                kept.append(block)
    data = b"".join(kept)
    if related:
        data = plain_xml.plain(data)
    if visit is not None:
        visit(entry.filename, data)
    return total + size


def entry(name: str, *, stored: bool = False) -> zipfile.ZipInfo:
    """An entry with a fixed time and mode, so that the same content always gives the same archive."""
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    info.create_system = 3
    return info


def pack(target: Path, files: Iterable[tuple[str, Path]]) -> None:
    """Write files into one archive under the given names."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files:
            with path.open("rb") as source, archive.open(entry(name), "w") as part:
                while block := source.read(_BLOCK):
                    part.write(block)
