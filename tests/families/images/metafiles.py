"""Metafiles record by record: [MS-EMF] and [MS-WMF]."""

from __future__ import annotations

import gzip
import io
import struct
from collections.abc import Sequence

from PIL import Image

from tests.families.images.files import CORNERS

SIZE = (64, 48)
COPY, AND, OR, XOR, FILL = 0xCC0020, 0x8800C6, 0xEE0086, 0x660046, 0xF00021


def colour(red: int, green: int, blue: int) -> int:
    return red | green << 8 | blue << 16


def emf(*records: bytes, size: tuple[int, int] = SIZE, frame: tuple[int, int] | None = None) -> bytes:
    """An EMF of a size in pixels of 1/96 inch, with a header and an end."""
    frame = frame or tuple(round(each * 2540 / 96) for each in size)
    body = b"".join((*records, record(14, struct.pack("<III", 0, 16, 20))))
    return (
        struct.pack(
            "<II4i4iIIIIHHIIIiiii", 1, 88, 0, 0, *size, 0, 0, *frame, 0x464D4520, 0x10000, 88 + len(body),
            len(records) + 2, 64, 0, 0, 0, 0, 960, 960, 254, 254,
        )
        + body
    )  # fmt: skip


def record(kind: int, parameters: bytes = b"") -> bytes:
    parameters += bytes(-len(parameters) % 4)
    return struct.pack("<II", kind, 8 + len(parameters)) + parameters


def wmf(*records: bytes, size: tuple[int, int] = SIZE, placeable: bool = True) -> bytes:
    """A WMF of a size in pixels of 1/96 inch, with its headers, its window and an end."""
    shown = (word(0x020B, 0, 0), word(0x020C, size[1], size[0]), *records, word(0))
    body = b"".join(shown)
    words = struct.pack("<IHhhhhHI", 0x9AC6CDD7, 0, 0, 0, *size, 96, 0)
    checksum = 0
    for each in struct.unpack("<10H", words):
        checksum ^= each
    largest = max(map(len, shown)) // 2
    head = struct.pack("<HHHIHIH", 1, 9, 0x300, 9 + len(body) // 2, 16, largest, 0)
    return (words + struct.pack("<H", checksum) if placeable else b"") + head + body


def word(function: int, *parameters: int, rest: bytes = b"") -> bytes:
    """A record of WMF with 16-bit parameters."""
    data = struct.pack(f"<{len(parameters)}H", *(each & 0xFFFF for each in parameters)) + rest
    data += bytes(len(data) % 2)
    return struct.pack("<IH", 3 + len(data) // 2, function) + data


def brush(handle: int, value: int) -> bytes:
    """A solid brush of EMF, selected."""
    return record(39, struct.pack("<IIII", handle, 0, value, 0)) + record(37, struct.pack("<I", handle))


def rectangle(left: int, top: int, right: int, bottom: int) -> bytes:
    return record(43, struct.pack("<4i", left, top, right, bottom))


NO_PEN = record(37, struct.pack("<I", 0x80000008))


def font(handle: int, face: str, *, height: int = -12, charset: int = 0, escapement: int = 0) -> bytes:
    """A font of EMF, selected."""
    name = face.encode("utf-16-le").ljust(64, b"\0")
    parts = struct.pack("<Iiiiii8B", handle, height, 0, escapement, escapement, 400, 0, 0, 0, charset, 0, 0, 0, 0)
    return record(82, parts + name) + record(37, struct.pack("<I", handle))


def text(x: int, y: int, letters: str, advances: Sequence[int] | None = None, *, options: int = 0) -> bytes:
    """A text of EMF."""
    raw = letters.encode("utf-16-le")
    raw += bytes(-len(raw) % 4)
    dx = advances if advances is not None else [8] * len(letters)
    return record(
        84,
        struct.pack("<4iIffiiIII4iI", 0, 0, -1, -1, 1, 1.0, 1.0, x, y, len(letters), 76, options, 0, 0, 0, 0,
                    76 + len(raw) if dx else 0)
        + raw + struct.pack(f"<{len(dx)}I", *dx),
    )  # fmt: skip


def bitmap(image: Image.Image) -> tuple[bytes, bytes]:
    """The header and the pixels of a bitmap."""
    file = io.BytesIO()
    image.save(file, "BMP")
    data = file.getvalue()
    start = struct.unpack_from("<I", data, 10)[0]
    return data[14:start], data[start:]


def stretched(image: Image.Image, area: tuple[int, int, int, int], operation: int = COPY) -> bytes:
    """A bitmap of EMF at left, top, width and height."""
    header, bits = bitmap(image)
    left, top, width, height = area
    return record(
        81,
        struct.pack("<4i10i", 0, 0, -1, -1, left, top, 0, 0, image.width, image.height, 80, len(header),
                    80 + len(header), len(bits))
        + struct.pack("<IIii", 0, operation, width, height) + header + bits,
    )  # fmt: skip


def filled(left: int, top: int, width: int, height: int, operation: int = FILL) -> bytes:
    """A BitBlt of EMF without a bitmap."""
    area = struct.pack("<4i4iI", 0, 0, -1, -1, left, top, width, height, operation)
    return record(76, area + struct.pack("<ii6fIIIIII", 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0))


def photo_emf() -> bytes:
    """The photo of the other pictures: four squares, with a text."""
    parts = [NO_PEN]
    for number, ((x, y), value) in enumerate(CORNERS.items(), 1):
        parts += [brush(number, colour(*value)), rectangle(x - 8, y - 8, x + 8, y + 8)]
    return emf(*parts, record(18, struct.pack("<I", 1)), font(9, "Arial"), text(20, 18, "Aa"))


def photo_wmf() -> bytes:
    """The same as WMF, whose objects have numbers by order: a pen, a palette and brushes."""
    parts = [word(0x02FA, 5, 0, 0, 0, 0), word(0x012D, 0), word(0x00F7, 0x300, 0)]
    for number, ((x, y), value) in enumerate(CORNERS.items(), 2):
        red, green, blue = value
        parts += [word(0x02FC, 0, red | green << 8, blue, 0), word(0x012D, number)]
        parts += [word(0x041B, y + 8, x + 8, y - 8, x - 8)]
    return wmf(*parts, word(0x0102, 1), word(0x0521, 2, rest=b"Aa" + struct.pack("<hh", 18, 20)))


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
