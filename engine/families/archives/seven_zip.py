"""Read 7z archives: headers and streams (7zFormat.txt of 7-Zip)."""

from __future__ import annotations

import bz2
import io
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

_MARK = b"7z\xbc\xaf\x27\x1c"
_MAX_HEADER = 20_000_000
_MAX_COUNT = 100_000
_BLOCK = 1 << 16
_FILTERS = {
    b"\x03": 3, b"\x04": 4, b"\x05": 5, b"\x06": 6, b"\x07": 7, b"\x08": 8, b"\x09": 9, b"\x0a": 10, b"\x0b": 11,
    b"\x03\x03\x01\x03": 4, b"\x03\x03\x02\x05": 5, b"\x03\x03\x04\x01": 6, b"\x03\x03\x05\x01": 7,
    b"\x03\x03\x07\x01": 8, b"\x03\x03\x08\x05": 9,
}  # fmt: skip
"""Delta and the branch filters of x86, PowerPC, Itanium, ARM, Thumb, SPARC, ARM64 and RISC-V, as .xz numbers them."""
_UNREAD = {b"\x03\x04\x01": "PPMd", b"\x03\x03\x01\x1b": "BCJ2", b"\x04\x01\x09": "Deflate64"}
_AES = b"\x06\xf1\x07\x01"
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


@dataclass
class _Folder:
    """Several files packed as one stream: coders from the outermost on, each an id and its properties."""

    coders: list[tuple[bytes, bytes]]
    sizes: list[int] = field(default_factory=list)
    main: int = 0
    crc: int | None = None
    files: int = 1
    order: list[int] = field(default_factory=list)


class Archive:
    """The files of a 7z archive in stream order. Raises Unreadable if the file is not one."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._packed: list[int] = []
        self._start = 32
        self._folders: list[_Folder] = []
        self._crcs: list[int | None] = []
        self._sizes: list[int] = []
        try:
            self.members = self._read()
        except (struct.error, IndexError, ValueError, EOFError, lzma.LZMAError, zlib.error, OSError) as error:
            raise damaged() from error

    def _read(self) -> list[Member]:
        head = self._file.read(32)
        if head[:6] != _MARK:
            raise Unreadable("The file is not a 7z archive.")
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
            reader = _Reader(data)
            kind = reader.byte()
            if kind == 1:
                return self._header(reader)
            if kind != 0x17:
                break
            self._streams(reader)
            if sum(self._folders[0].sizes[:1]) > _MAX_HEADER:
                raise OverLimit("memory", "The list of files in the archive is too long.")
            data = b"".join(self._unpacked(0))
            self._folders, self._packed, self._crcs, self._sizes = [], [], [], []
        raise damaged()

    def contents(self) -> Iterator[tuple[Member, IO[bytes]]]:
        """Each file with a stream, which must be read or skipped before the next is requested."""
        waiting = iter([each for each in self.members if each.stream])
        for number, folder in enumerate(self._folders):
            stream = _Stream(self._unpacked(number))
            for _ in range(folder.files):
                member = next(waiting, None)
                if member is None:
                    raise damaged()
                part = _Part(stream, member.size, member.crc)
                yield member, part  # type: ignore[misc]  # all that is asked of it is read()
                while part.read(_BLOCK):
                    pass

    def _header(self, reader: _Reader) -> list[Member]:
        kind = reader.byte()
        while kind == 2:  # archive properties
            while reader.byte():
                reader.take(reader.number())
            kind = reader.byte()
        if kind == 3:
            raise Unreadable("The archive has additional streams, which are not read.")
        if kind == 4:
            self._streams(reader)
            kind = reader.byte()
        return self._files(reader) if kind == 5 else []

    def _streams(self, reader: _Reader) -> None:
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
        self._sizes = [each.sizes[each.main] for each in self._folders]
        self._crcs = [each.crc for each in self._folders]
        if kind == 8:
            self._substreams(reader)
            reader.byte()

    def _unpack_info(self, reader: _Reader) -> None:
        if reader.byte() != 0x0B:
            raise damaged()
        count = reader.count()
        if reader.byte():
            raise Unreadable("The archive keeps its list elsewhere, which is not read.")
        self._folders = [_folder(reader) for _ in range(count)]
        if reader.byte() != 0x0C:
            raise damaged()
        for each in self._folders:
            each.sizes = [reader.number() for _ in each.coders]
        kind = reader.byte()
        if kind == 10:
            for each, crc in zip(self._folders, reader.digests(count), strict=True):
                each.crc = crc
            kind = reader.byte()

    def _substreams(self, reader: _Reader) -> None:
        kind = reader.byte()
        if kind == 13:
            for each in self._folders:
                each.files = reader.count()
            kind = reader.byte()
        if sum(each.files for each in self._folders) > _MAX_COUNT:
            raise OverLimit("memory", "The archive has too many files.")
        self._sizes = []
        for each in self._folders:
            inner = [reader.number() for _ in range(each.files - 1)] if kind == 9 else []
            last = each.sizes[each.main] - sum(inner)
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

    def _files(self, reader: _Reader) -> list[Member]:
        members = [Member("") for _ in range(reader.count())]
        empty: list[bool] = [False] * len(members)
        files: list[bool] = []
        while kind := reader.byte():
            inner = _Reader(reader.take(reader.number()))
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
                member.size, member.crc = next(sizes, 0), next(crcs, None)
        return members

    def _unpacked(self, number: int) -> Iterator[bytes]:
        """The unpacked bytes of a folder, through its coders."""
        folder = self._folders[number]
        self._file.seek(self._start + sum(self._packed[:number]))
        stream = _blocks(self._file, self._packed[number])
        for at in reversed(folder.order):
            stream = _decoded(stream, *folder.coders[at], folder.sizes[at])
        return stream


def damaged() -> Unreadable:
    return Unreadable("The archive is damaged or incomplete. Pack or download it again.")


class _Reader:
    """Reads the numbers, bits and checksums of the header."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def take(self, size: int) -> bytes:
        data = self._data.read(size)
        if len(data) != size:
            raise EOFError
        return data

    def rest(self) -> bytes:
        return self._data.read()

    def byte(self) -> int:
        return self.take(1)[0]

    def unpack(self, form: str) -> int:
        return int(struct.unpack(form, self.take(struct.calcsize(form)))[0])

    def number(self) -> int:
        """A variable-length integer: the leading ones of the first byte count the bytes that follow."""
        first, mask, value = self.byte(), 0x80, 0
        for at in range(8):
            if not first & mask:
                return value | (first & (mask - 1)) << 8 * at
            value |= self.byte() << 8 * at
            mask >>= 1
        return value

    def count(self) -> int:
        value = self.number()
        if value > _MAX_COUNT:
            raise OverLimit("memory", "The archive has too many files.")
        return value

    def bits(self, count: int) -> list[bool]:
        data = self.take((count + 7) // 8)
        return [bool(data[at // 8] & 0x80 >> at % 8) for at in range(count)]

    def known(self, count: int) -> list[bool]:
        return [True] * count if self.byte() else self.bits(count)

    def digests(self, count: int) -> list[int | None]:
        return [self.unpack("<I") if there else None for there in self.known(count)]


def _folder(reader: _Reader) -> _Folder:
    coders: list[tuple[bytes, bytes]] = []
    for _ in range(min(reader.number(), 32)):
        flags = reader.byte()
        name = reader.take(flags & 15)
        if name in _UNREAD:
            raise Unreadable(
                say("The archive is packed with {unread}, which is not read. Pack it with LZMA2.", unread=_UNREAD[name])
            )
        if name == _AES:
            raise Unreadable("The archive is protected by a password, and 7z archives are read without one only.")
        if flags & 16 and (reader.number(), reader.number()) != (1, 1):
            raise _unread()
        coders.append((name, reader.take(reader.number()) if flags & 32 else b""))
    pairs = {reader.number(): reader.number() for _ in range(len(coders) - 1)}
    main = next((each for each in range(len(coders)) if each not in pairs.values()), None)
    order: list[int] = []
    while main is not None and main not in order and main < len(coders):
        order.append(main)
        main = pairs.get(main)
    if len(order) != len(coders) or not order:
        raise damaged()
    return _Folder(coders, main=order[0], order=order)


def _blocks(file: IO[bytes], size: int) -> Iterator[bytes]:
    while size > 0 and (block := file.read(min(size, _BLOCK))):
        size -= len(block)
        yield block


def _decoded(stream: Iterator[bytes], name: bytes, properties: bytes, size: int) -> Iterator[bytes]:
    if name == b"\0":
        return stream
    if name == b"\x21":
        bits = properties[0]
        dictionary = 0xFFFFFFFF if bits == 40 else (2 | bits & 1) << bits // 2 + 11
        return _lzma(stream, {"id": lzma.FILTER_LZMA2, "dict_size": max(4096, dictionary)}, size)
    if name == b"\x03\x01\x01":
        kind, dictionary = struct.unpack("<BI", properties[:5])
        filter = {"id": lzma.FILTER_LZMA1, "dict_size": max(4096, dictionary), "lc": kind % 9, "lp": kind // 9 % 5}
        return _lzma(stream, {**filter, "pb": kind // 45}, size)
    if name in _FILTERS:
        # Only Delta has properties that .xz knows; other filters may have a start address, which 7-Zip never writes.
        return _filtered(stream, _FILTERS[name], properties if name == b"\x03" else b"", size)
    if name == b"\x04\x02\x02":
        return _with(stream, bz2.BZ2Decompressor(), size, again=bz2.BZ2Decompressor)
    if name == b"\x04\x01\x08":
        return _deflate(stream, size)
    if name == b"\x04\xf7\x11\x01":
        from backports import zstd

        return _with(stream, zstd.ZstdDecompressor(), size, again=zstd.ZstdDecompressor)
    raise _unread()


def _unread() -> Unreadable:
    return Unreadable("The archive is packed in a way that is not read. Pack it with LZMA2.")


def _lzma(stream: Iterator[bytes], filter: dict[str, Any], size: int) -> Iterator[bytes]:
    return _with(stream, lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[filter]), size)


def _filtered(stream: Iterator[bytes], number: int, properties: bytes, size: int) -> Iterator[bytes]:
    """The bytes passed through one filter of liblzma; older versions lack ARM64 (before 5.4) or RISC-V (before 5.6).

    Python's raw decoder knows neither, but an .xz block may name any filter by its number (.xz file format, 3.1).
    """
    block = bytes([1, number, len(properties)]) + properties + b"\x21\x01\x08"
    block = bytes([(len(block) + 4) // 4]) + block
    block += bytes(-len(block) % 4)
    flags = bytes(2)
    head = b"\xfd7zXZ\0" + flags + struct.pack("<I", zlib.crc32(flags)) + block + struct.pack("<I", zlib.crc32(block))
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        unpacker.decompress(head)
    except lzma.LZMAError as error:
        raise _unread() from error
    return _with(_stored(stream), unpacker, size)


def _with(stream: Iterator[bytes], unpacker: Any, size: int, again: Callable[[], Any] | None = None) -> Iterator[bytes]:
    left = size
    data = b""
    while left > 0:
        if unpacker.eof:
            if again is None:
                break
            data, unpacker = unpacker.unused_data, again()
        if unpacker.needs_input and not data:
            data = next(stream, b"")
            if not data:
                break
        block = unpacker.decompress(data, min(left, _BLOCK))
        data = b""
        left -= len(block)
        yield block


def _deflate(stream: Iterator[bytes], size: int) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-15)
    for data in stream:
        while data and size > 0:
            block = unpacker.decompress(data, min(size, _BLOCK))
            size -= len(block)
            data = unpacker.unconsumed_tail
            yield block


def _stored(stream: Iterator[bytes]) -> Iterator[bytes]:
    """The bytes as an LZMA2 stream of stored chunks, so that a single filter can be run to its end."""
    kind = 1
    for block in stream:
        for at in range(0, len(block), _BLOCK):
            piece = block[at : at + _BLOCK]
            yield struct.pack(">BH", kind, len(piece) - 1) + piece
            kind = 2
    yield b"\0"


class _Stream:
    """A file object over an iterator of blocks."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._left = b""

    def read(self, size: int) -> bytes:
        try:
            while not self._left:
                self._left = next(self._blocks)
        except StopIteration:
            return b""
        except (lzma.LZMAError, zlib.error, OSError, EOFError, ValueError) as error:
            raise damaged() from error
        data, self._left = self._left[:size], self._left[size:]
        return data


class _Part:
    """A slice of a stream with a checksum that is verified at its end."""

    def __init__(self, stream: _Stream, size: int, crc: int | None) -> None:
        self._stream, self._left, self._crc, self._sum = stream, size, crc, 0

    def read(self, size: int = -1) -> bytes:
        want = self._left if size < 0 else min(size, self._left)
        pieces = []
        while want > 0:
            data = self._stream.read(want)
            if not data:
                raise damaged()
            pieces.append(data)
            want -= len(data)
            self._left -= len(data)
            self._sum = zlib.crc32(data, self._sum)
        if not self._left and self._crc is not None and self._crc != self._sum:
            raise damaged()
        return b"".join(pieces)
