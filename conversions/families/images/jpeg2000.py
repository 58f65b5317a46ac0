"""JPEG 2000: what its boxes say beside the pixels (ISO/IEC 15444-1, annexes A and I)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageFile

_CODESTREAM = b"\xff\x4f\xff\x51"
_EXIF = b"JpgTiffExif->JP2"
_XMP = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
_LARGEST = 16_000_000
"""Bytes of a profile or of metadata that are read; a box can claim any length."""


def complete(image: Image.Image) -> None:
    """Put the colour profile and the metadata of an opened JPEG 2000 file where those of other formats are."""
    if bytes(image.info.get("comment", b"")).startswith(b"Created by OpenJPEG"):
        del image.info["comment"]  # the encoder's name, which nobody put there
    with _file(image) as file:
        if file.read(4) == _CODESTREAM:
            return
        file.seek(0)
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


def bits(image: Image.Image) -> int:
    """The largest number of bits that a component of an opened JPEG 2000 file has, 8 where it does not say."""
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
    """Kind, place and length of what is in each box from `start` on; a box without an end is taken to reach far."""
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
