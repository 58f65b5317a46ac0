"""The metadata in JPEG 2000 boxes (ISO/IEC 15444-1, annexes A and I)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageFile, ImagePalette

_CODESTREAM = b"\xff\x4f\xff\x51"
_EXIF = b"JpgTiffExif->JP2"
_XMP = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
_LARGEST = 16_000_000
"""The maximum size of a profile or of metadata that is read; a box can claim any length."""


def complete(image: Image.Image) -> None:
    """Store the colour profile and the metadata of an opened JPEG 2000 file as for other formats."""
    if bytes(image.info.get("comment", b"")).startswith(b"Created by OpenJPEG"):
        del image.info["comment"]  # the encoder's name, not the user's text
    with _file(image) as file:
        if file.read(4) == _CODESTREAM:
            return
        file.seek(0)
        found: dict[bytes, bytes] = {}
        for kind, at, size in _boxes(file, 0, None):
            if kind == b"uuid" and size > 16:
                file.seek(at)
                name = file.read(16)
                if name == _EXIF:
                    image.info["exif"] = file.read(min(size - 16, _LARGEST))
                elif name == _XMP:
                    image.info["xmp"] = file.read(min(size - 16, _LARGEST))
            elif kind == b"jp2h":
                for inner, place, length in _boxes(file, at, at + size):
                    file.seek(place)
                    if inner == b"colr" and length > 3 and file.read(3)[0] == 2:
                        image.info["icc_profile"] = file.read(min(length - 3, _LARGEST))
                    elif inner in (b"pclr", b"cdef"):
                        file.seek(place)
                        found[inner] = file.read(min(length, _LARGEST))
        if image.mode == "P" and b"pclr" in found:
            _set_palette(image, found[b"pclr"], found.get(b"cdef", b""))


def _set_palette(image: Image.Image, palette: bytes, definition: bytes) -> None:
    """Set the palette with all entries and in the order red, green, blue: Pillow merges equal entries, and ignores the
    declared order of the columns."""
    count, columns = struct.unpack_from(">HB", palette)
    rows = palette[3 + columns : 3 + columns + count * columns]
    if columns != 3 or len(rows) < 3 * count:
        return
    whole = max(0, len(definition) - 2) // 6 * 6
    channels = {each[2]: each[0] for each in struct.iter_unpack(">HHH", definition[2 : 2 + whole]) if not each[1]}
    order = [channels.get(colour, colour - 1) for colour in (1, 2, 3)]
    if sorted(order) != [0, 1, 2]:
        return
    triples = zip(*(rows[each::3] for each in order), strict=True)
    image.palette = ImagePalette.ImagePalette("RGB", bytes(value for triple in triples for value in triple))
    image.palette.dirty = 1


def bits(image: Image.Image) -> int:
    """The largest bit depth of the components of an opened JPEG 2000 file, 8 if unknown."""
    with _file(image) as file:
        start = 0
        if file.read(4) != _CODESTREAM:
            file.seek(0)
            start = next((at for kind, at, _ in _boxes(file, 0, None) if kind == b"jp2c"), -1)
            if start < 0:
                return 8
        file.seek(start + 4 + 36)
        count = file.read(2)
        (components,) = struct.unpack(">H", count) if len(count) == 2 else (0,)
        depths = file.read(3 * components)[::3]
    return max(((each & 0x7F) + 1 for each in depths), default=8)


def _file(image: Image.Image) -> BinaryIO:
    assert isinstance(image, ImageFile.ImageFile)
    return Path(str(image.filename)).open("rb")


def _boxes(file: BinaryIO, start: int, end: int | None) -> Iterator[tuple[bytes, int, int]]:
    """The type, offset and length of each box's content from `start` on; a box without an end extends to `end`."""
    while end is None or start + 8 <= end:
        file.seek(start)
        head = file.read(16)
        if len(head) < 8:
            return
        size, kind = struct.unpack_from(">I4s", head)
        offset = 8
        if size == 1 and len(head) == 16:
            (size,) = struct.unpack_from(">Q", head, 8)
            offset = 16
        if size == 0:
            yield kind, start + offset, _LARGEST
            return
        if size < offset:
            return
        yield kind, start + offset, size - offset
        start += size
