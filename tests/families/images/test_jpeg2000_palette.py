"""The palette of a JPEG 2000 has its colours in the order of its channel definition (ISO/IEC 15444-1, I.5.3)."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest
from PIL import Image

from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn


def indexed(colours: tuple[int, int, int]) -> bytes:
    """A picture of one orange colour (240, 120, 30) whose palette has columns for these colours, red being 1."""
    out = io.BytesIO()
    Image.new("L", (16, 16), 3).save(out, "JPEG2000", irreversible=False)
    made = out.getvalue().replace(b"colr\1\0\0\0\0\0\x11", b"colr\1\0\0\0\0\0\x10")  # of colours, not of greys
    orange = bytes((240, 120, 30)[each - 1] for each in colours)
    boxes = (
        (b"pclr", struct.pack(">HB3B", 4, 3, 7, 7, 7) + bytes(9) + orange),
        (b"cmap", b"".join(struct.pack(">HBB", 0, 1, each) for each in range(3))),
        (b"cdef", struct.pack(">H", 3) + b"".join(struct.pack(">HHH", at, 0, each) for at, each in enumerate(colours))),
    )
    more = b"".join(struct.pack(">I4s", 8 + len(body), kind) + body for kind, body in boxes)
    at = made.index(b"jp2h") - 4
    (size,) = struct.unpack_from(">I", made, at)
    return made[:at] + struct.pack(">I", size + len(more)) + made[at + 4 : at + size] + more + made[at + size :]


@pytest.mark.parametrize("colours", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_colours_of_a_palette_are_those_that_it_names(tmp_path: Path, colours: tuple[int, int, int]) -> None:
    source, target = tmp_path / "input.jp2", tmp_path / "output.png"
    source.write_bytes(indexed(colours))
    converter = CONVERTERS["jp2-to-png"]
    converter.run(source, target, build(converter.options, {}), Warn())
    with Image.open(target) as image:
        assert image.convert("RGB").getpixel((8, 8)) == (240, 120, 30)
