"""Read ZIP, tar and 7z archives entry by entry, within limits."""

from __future__ import annotations

import bz2
import calendar
import errno
import gzip
import lzma
import shutil
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from engine.families.archives import zip_members
from engine.families.archives.damage import damaged, locked, wrong_password
from engine.families.archives.entries import COMMENTS, Budget, Entry, Names, UnmarkedNames, decoder
from engine.families.archives.seven_zip.archive import Archive
from engine.toolkit.archive import packed_otherwise
from engine.toolkit.formats import SEVEN_ZIP, TAR, TBZ2, TGZ, TXZ, TZST, ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

Reader = Callable[[Path, Format, Any, Names, Warn, Budget, bool], Iterator[Entry]]

_UTF_8 = 0x800
_LINKS = say("Links were left out")
_DEVICES = say("Devices and pipes were left out")
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, struct.error, NotImplementedError,
    tarfile.TarError, KeyError, IndexError, OverflowError,
)  # fmt: skip
_BROKEN_BY_NAME = ("ZstdError", "BadZipFile", "LargeZipFile")
"""Errors of libraries that are imported only when needed."""


class _Counted:
    """A stream that counts every byte read."""

    def __init__(self, stream: Any, budget: Budget) -> None:
        self._stream, self._budget, self.read_so_far = stream, budget, 0

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._stream.read(size)
        self._budget.take(len(data))
        self.read_so_far += len(data)
        return data


@contextmanager
def readable() -> Iterator[None]:
    """Turn the libraries' errors for damaged files into Unreadable."""
    try:
        yield
    except Exception as error:
        # A damaged directory may contain a negative offset, which the system reports as invalid.
        of_the_system = isinstance(error, OSError) and error.errno not in (None, errno.EINVAL)
        if of_the_system or not (isinstance(error, _BROKEN) or type(error).__name__ in _BROKEN_BY_NAME):
            raise
        raise damaged() from error


def _zip(
    source: Path, format: Format, options: Any, names: Names, warn: Warn, budget: Budget, listed: bool
) -> Iterator[Entry]:
    with readable(), zipfile.ZipFile(source) as plain:
        infos = plain.infolist()
        if plain.comment:
            names.drop(COMMENTS, "the archive's")
        for info in infos:
            budget.declare(0 if listed else info.file_size)
        raw = [each.orig_filename.encode("cp437", "replace") for each in infos if not each.flag_bits & _UTF_8]
        encoding = decoder(raw, options.name_encoding, warn, dos=True)
        encrypted = any(each.flag_bits & zip_members.ENCRYPTED for each in infos)
        password = getattr(options, "password", None)
        if encrypted and not listed and password is None:
            raise locked()
        archive: Any = zip_members.unlocked(source, password) if encrypted and not listed else plain
        with archive:
            for info in archive.infolist():
                entry = _zipped(info, encoding)
                kind = (info.external_attr >> 16) & 0o170000 if info.create_system == 3 else 0
                if _is_dropped(kind, entry.name, names):
                    continue
                if entry.folder or listed:
                    yield entry
                    continue
                try:
                    with zip_members.opened(archive, info) as stream:
                        entry.content = _Counted(stream, budget)  # type: ignore[assignment]  # only read() is asked for
                        yield entry
                except NotImplementedError as error:  # a RuntimeError, which stands for a wrong password, too
                    raise packed_otherwise(info) from error
                except RuntimeError as error:
                    raise wrong_password() from error


def _is_dropped(kind: int, name: str, names: Names) -> bool:
    """Whether an entry whose mode has this kind, 0 for none, is a link or a device, which are dropped."""
    if not kind or stat.S_ISREG(kind) or stat.S_ISDIR(kind):
        return False
    names.drop(_LINKS if stat.S_ISLNK(kind) else _DEVICES, name)
    return True


def _zipped(info: Any, encoding: str) -> Entry:
    name = info.orig_filename.partition("\0")[0]
    if not info.flag_bits & _UTF_8:
        name = name.encode("cp437", "replace").decode(encoding, "replace")
    folder = name.endswith(("/", "\\"))
    mode = (info.external_attr >> 16) & 0o7777 if info.create_system == 3 and info.external_attr >> 16 else None
    return Entry(name, info.file_size, folder, _moment(info), mode)


def _moment(info: Any) -> int | None:
    """The extended timestamp (UTC), else the MS-DOS time, read as UTC."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == 0x5455 and size >= 5 and extra[4] & 1 and len(extra) >= 9:
            return int(struct.unpack("<i", extra[5:9])[0])
        extra = extra[4 + size :]
    try:
        return calendar.timegm((*info.date_time, 0, 0, 0))
    except (ValueError, OverflowError):
        return None


def _opened(source: Path, format: Format) -> IO[bytes]:
    if format is TAR:
        return source.open("rb")
    if format is TGZ:
        return gzip.open(source)  # type: ignore[return-value]
    if format is TBZ2:
        return bz2.open(source)
    if format is TXZ:
        return lzma.open(source)
    from backports import zstd

    return zstd.open(source)  # type: ignore[return-value]


class _Header(tarfile.TarInfo):
    """Remembers why reading stopped: tarfile treats a damaged header as the end of the archive."""

    ended: Exception | None = None

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: Any, errors: str) -> Self:
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            cls.ended = error
            raise


def _tar(
    source: Path, format: Format, options: Any, names: Names, warn: Warn, budget: Budget, listed: bool
) -> Iterator[Entry]:
    asked = decoder([], options.name_encoding, warn, dos=False)
    unmarked = UnmarkedNames(warn)
    header: Any = type("Header", (_Header,), {})
    links: dict[str, list[Entry]] = {}
    first: dict[str, str] = {}
    """The file that each hard link refers to, which may be a link, too."""
    with readable(), _opened(source, format) as packed:
        counted: Any = _Counted(packed, budget)
        with tarfile.open(
            fileobj=counted, mode="r|", encoding="utf-8", errors="surrogateescape", tarinfo=header
        ) as archive:
            for member in archive:
                archive.members = []  # type: ignore[attr-defined]  # else it would keep them all
                budget.declare(max(0, member.size))
                # One header can give all entries names of a megabyte, so each counts like content.
                budget.take(sum(map(len, (member.name, member.linkname, member.uname, member.gname))))
                name = member.name
                raw = name.encode("utf-8", "surrogateescape")
                try:
                    name = raw.decode(asked)
                except UnicodeDecodeError:
                    name = unmarked.read(raw)
                if member.issym():
                    names.drop(_LINKS, name)
                    continue
                if not (member.isreg() or member.isdir() or member.islnk()):
                    names.drop(_DEVICES, name)
                    continue
                owner = (member.uid, member.gid, member.uname, member.gname)
                entry = Entry(name, member.size, member.isdir(), int(member.mtime), member.mode & 0o7777, owner)
                if member.islnk():
                    first[member.name] = first.get(member.linkname, member.linkname)
                    links.setdefault(first[member.name], []).append(entry)
                    continue
                if member.isreg() and not listed:
                    entry.content = archive.extractfile(member)
                yield entry
            whole = type(header.ended).__name__ == "EmptyHeaderError" and counted.read_so_far >= archive.offset
            if not (whole or type(header.ended).__name__ == "EOFHeaderError"):
                raise damaged()
    if links:
        yield from _linked(source, format, links, names, budget, listed)


def _linked(
    source: Path, format: Format, links: dict[str, list[Entry]], names: Names, budget: Budget, listed: bool
) -> Iterator[Entry]:
    """The hard links of a tar as files of their own, with the bytes of the earlier entry that each refers to.

    The file is read once more: a link follows its file, which may be anywhere before it.
    """
    with readable(), _opened(source, format) as packed, tempfile.TemporaryFile() as content:
        with tarfile.open(fileobj=packed, mode="r|", encoding="utf-8", errors="surrogateescape") as archive:
            for member in archive:
                archive.members = []  # type: ignore[attr-defined]  # else it would keep them all
                for at, entry in enumerate(links.pop(member.name, ()) if member.isreg() else ()):
                    if at == 0 and not listed:
                        content.seek(0)
                        content.truncate()
                        shutil.copyfileobj(archive.extractfile(member), content)  # type: ignore[arg-type]
                    content.seek(0)
                    budget.declare(member.size)
                    entry.size, entry.content = member.size, None if listed else content
                    yield entry
                if not links:
                    return
    for entry in (each for lost in links.values() for each in lost):
        names.drop(_LINKS, entry.name)


def _seven(
    source: Path, format: Format, options: Any, names: Names, warn: Warn, budget: Budget, listed: bool
) -> Iterator[Entry]:
    with source.open("rb") as file:
        archive = Archive(file, options.password)
        for member in archive.members:
            budget.declare(0 if listed else member.size)
        contents = archive.contents()
        for member in archive.members:
            content: Any = None
            if member.stream and not listed:
                member, content = next(contents)
            entry = Entry(member.name, member.size, member.folder, member.modified, member.mode)
            if _is_dropped((member.mode or 0) & 0o170000, entry.name, names):
                continue
            entry.content = _Counted(content, budget) if content else None  # type: ignore[assignment]
            yield entry


READERS: dict[Format, Reader] = {
    ZIP: _zip, TAR: _tar, TGZ: _tar, TBZ2: _tar, TXZ: _tar, TZST: _tar, SEVEN_ZIP: _seven,
}  # fmt: skip
