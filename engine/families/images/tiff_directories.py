"""Add nested TIFF directories (Exif, GPS) to a written file."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from PIL import TiffImagePlugin

_LONG = 4


def nest(
    target: Path, nested: Mapping[int, Mapping[int, Any]], further: Mapping[int, Any] = MappingProxyType({})
) -> None:
    """Append these directories, by the tag that points to them, to a TIFF of one page (TIFF 6.0, section 2).

    Its first directory is rewritten after them, with the tags in `further` added; the pixels stay in place.
    """
    with target.open("r+b") as file:
        head = file.read(8)
        order = "<" if head[:2] == b"II" else ">"
        file.seek(struct.unpack(order + "I", head[4:])[0])
        (count,) = struct.unpack(order + "H", file.read(2))
        entries = {struct.unpack_from(order + "H", entry)[0]: entry for entry in (file.read(12) for _ in range(count))}
        for tag, values in nested.items():
            directory = TiffImagePlugin.ImageFileDirectory_v2(head, group=tag)
            for each, value in values.items():
                directory[each] = value
            place = _end(file)
            file.write(directory.tobytes(place))
            entries[tag] = struct.pack(order + "HHII", tag, _LONG, 1, place)
        if further:
            directory = TiffImagePlugin.ImageFileDirectory_v2(head)
            for each, value in further.items():
                directory[each] = value
            place = _end(file)
            data = directory.tobytes(place)
            file.write(data)
            for at in range(struct.unpack_from(order + "H", data)[0]):
                entry = data[2 + 12 * at : 14 + 12 * at]
                entries.setdefault(struct.unpack_from(order + "H", entry)[0], entry)
        place = _end(file)
        rows = b"".join(entries[tag] for tag in sorted(entries))
        file.write(struct.pack(order + "H", len(entries)) + rows + bytes(4))
        file.seek(4)
        file.write(struct.pack(order + "I", place))


def _end(file: BinaryIO) -> int:
    """Seek to the end of the file, padded to an even offset: directories start on a word boundary."""
    place = file.seek(0, 2)
    return place if place % 2 == 0 else place + file.write(b"\0")
