"""Read 7z archives: headers and streams (7zFormat.txt of 7-Zip)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from engine.families.archives.damage import damaged
from engine.families.archives.seven_zip import coders
from engine.families.archives.seven_zip.fields import MAX_COUNT, Fields
from engine.families.archives.seven_zip.folders import Folder, folder
from engine.families.archives.seven_zip.locks import Lock
from engine.families.archives.seven_zip.streams import BLOCK, Part, Stream, blocks
from engine.toolkit.failures import OverLimit, Unreadable

_MARK = b"7z\xbc\xaf\x27\x1c"
_MAX_HEADER = 20_000_000
_EPOCH = 116_444_736_000_000_000
"""The Unix epoch in 7z time: units of 100 ns since 1601."""
_UNIX = 0x8000
_FOLDER = 0x10


@dataclass
class Member:
    """A file of the archive; `attributes` are Windows attributes, with Unix mode bits in the upper half if `_UNIX` is
    set."""

    name: str
    size: int = 0
    stream: bool = True
    folder: bool = False
    modified: int | None = None
    attributes: int = 0
    crc: int | None = None

    @property
    def mode(self) -> int | None:
        return self.attributes >> 16 if self.attributes & _UNIX else None


class Archive:
    """The files of a 7z archive in stream order.

    Raises Unreadable if the file is not one, InvalidOption if its list of files needs another password.
    """

    def __init__(self, file: IO[bytes], password: str | None = None) -> None:
        self._file = file
        self._lock = Lock(password)
        self._packed: list[int] = []
        self._start = 32
        self._folders: list[Folder] = []
        self._crcs: list[int | None] = []
        self._sizes: list[int] = []
        try:
            self.members = self._read()
        except coders.BROKEN as error:
            raise damaged() from error

    def _read(self) -> list[Member]:
        head = self._file.read(32)
        if head[:6] != _MARK:
            raise Unreadable("The file is not a 7z archive.", reason="format")
        offset, size, crc = struct.unpack("<QQI", head[12:32])
        if size == 0:
            return []
        if size > _MAX_HEADER:
            raise OverLimit("memory", "The list of files in the archive is too long.")
        self._file.seek(32 + offset)
        data = self._file.read(size)
        if zlib.crc32(data) != crc:
            raise damaged()
        for _ in range(4):
            reader = Fields(data)
            kind = reader.byte()
            if kind == 1:
                return self._header(reader)
            if kind != 0x17:
                break
            self._streams(reader)
            packed = self._folders[0]
            if packed.size > _MAX_HEADER:
                raise OverLimit("memory", "The list of files in the archive is too long.")
            data = Part(self._unpacked(packed, 0), packed.size, packed.crc).read()
            self._folders, self._packed, self._crcs, self._sizes = [], [], [], []
        raise damaged()

    def contents(self) -> Iterator[tuple[Member, IO[bytes]]]:
        """Each file with a stream, which must be read or skipped before the next is requested."""
        waiting = iter([each for each in self.members if each.stream])
        first = 0
        for packed in self._folders:
            stream = self._unpacked(packed, first)
            first += len(packed.packed)
            for _ in range(packed.files):
                member = next(waiting, None)
                if member is None:
                    raise damaged()
                part = Part(stream, member.size, member.crc)
                yield member, part  # type: ignore[misc]  # all that is asked of it is read()
                while part.read(BLOCK):
                    pass

    def _header(self, reader: Fields) -> list[Member]:
        kind = reader.byte()
        while kind == 2:  # archive properties
            while reader.byte():
                reader.take(reader.number())
            kind = reader.byte()
        if kind == 3:
            raise Unreadable(
                "The archive has additional streams, which are not supported.", reason="unsupported_feature"
            )
        if kind == 4:
            self._streams(reader)
            kind = reader.byte()
        return self._files(reader) if kind == 5 else []

    def _streams(self, reader: Fields) -> None:
        kind = reader.byte()
        if kind == 6:
            self._start = 32 + reader.number()
            count = reader.count()
            kind = reader.byte()
            if kind == 9:
                self._packed = [reader.number() for _ in range(count)]
                kind = reader.byte()
            if kind == 10:
                reader.digests(count)
                kind = reader.byte()
            kind = reader.byte()
        if kind == 7:
            self._unpack_info(reader)
            kind = reader.byte()
        if sum(len(each.packed) for each in self._folders) > len(self._packed):
            raise damaged()
        self._sizes = [each.size for each in self._folders]
        self._crcs = [each.crc for each in self._folders]
        if kind == 8:
            self._substreams(reader)
            reader.byte()

    def _unpack_info(self, reader: Fields) -> None:
        if reader.byte() != 0x0B:
            raise damaged()
        count = reader.count()
        if reader.byte():
            raise Unreadable(
                "The archive stores its file list externally, which is not supported.", reason="unsupported_feature"
            )
        self._folders = [folder(reader) for _ in range(count)]
        if reader.byte() != 0x0C:
            raise damaged()
        for each in self._folders:
            each.sizes = [reader.number() for _ in each.coders]
        kind = reader.byte()
        if kind == 10:
            for each, crc in zip(self._folders, reader.digests(count), strict=True):
                each.crc = crc
            kind = reader.byte()

    def _substreams(self, reader: Fields) -> None:
        kind = reader.byte()
        if kind == 13:
            for each in self._folders:
                each.files = reader.count()
            kind = reader.byte()
        if sum(each.files for each in self._folders) > MAX_COUNT:
            raise OverLimit("memory", "The archive has too many files.")
        self._sizes = []
        for each in self._folders:
            inner = [reader.number() for _ in range(each.files - 1)] if kind == 9 else []
            last = each.size - sum(inner)
            if last < 0:
                raise damaged()
            self._sizes += [*inner, last][: each.files]
        if kind == 9:
            kind = reader.byte()
        unknown = sum(each.files for each in self._folders if each.files != 1 or each.crc is None)
        found: Iterator[int | None] = iter(())
        if kind == 10:
            found = iter(reader.digests(unknown))
            kind = reader.byte()
        self._crcs = [
            each.crc if each.files == 1 and each.crc is not None else next(found, None)
            for each in self._folders
            for _ in range(each.files)
        ]

    def _files(self, reader: Fields) -> list[Member]:
        members = [Member("") for _ in range(reader.count())]
        empty: list[bool] = [False] * len(members)
        files: list[bool] = []
        while kind := reader.byte():
            inner = Fields(reader.take(reader.number()))
            if kind == 0x0E:
                empty = inner.bits(len(members))
            elif kind == 0x0F:
                files = inner.bits(sum(empty))
            elif kind == 0x11:
                inner.byte()
                names = inner.rest().decode("utf-16-le", "replace").split("\0")
                for member, name in zip(members, names, strict=False):
                    member.name = name
            elif kind in (0x14, 0x15):
                known = inner.known(len(members))
                inner.byte()
                for member in (each for each, there in zip(members, known, strict=True) if there):
                    if kind == 0x14:
                        member.modified = (inner.unpack("<Q") - _EPOCH) // 10_000_000
                    else:
                        member.attributes = inner.unpack("<I")
        hollow = iter([*files, *[False] * len(members)])
        sizes, crcs = iter(self._sizes), iter(self._crcs)
        for member, nothing in zip(members, empty, strict=True):
            member.stream = not nothing
            if nothing:
                member.folder = not next(hollow) or bool(member.attributes & _FOLDER)
            else:
                size = next(sizes, None)
                if size is None:
                    raise damaged()
                member.size, member.crc = size, next(crcs, None)
        return members

    def _unpacked(self, packed: Folder, first: int) -> Stream:
        """The unpacked bytes of a folder, whose streams in the file begin with the one numbered `first`."""
        start = self._start + sum(self._packed[:first])
        streams = []
        for size in self._packed[first : first + len(packed.packed)]:
            streams.append(blocks(self._file, start, size))
            start += size
        return Stream(lambda: packed.opened(streams, self._lock), self._lock if packed.locked else None)
