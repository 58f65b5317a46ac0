"""Metafiles drawn as SVG: each kind of record, what is counted, and files that are damaged or endless."""

from __future__ import annotations

import base64
import contextlib
import io
import re
import struct
import time
from collections.abc import Callable

import pytest
from PIL import Image

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.metafiles import drawing
from tests.families.images import metafiles as files
from tests.families.images.metafiles import emf, record, word

RED, BLUE = files.colour(255, 0, 0), files.colour(0, 0, 255)


def svg(data: bytes) -> str:
    return drawing.drawn(data).svg.decode()


def lost(data: bytes) -> dict[str, int]:
    return {kind.code: count for kind, count in drawing.drawn(data).lost.items()}


def pictures(data: bytes) -> list[Image.Image]:
    found = re.findall(r'xlink:href="data:image/png;base64,([^"]+)"', svg(data))
    return [Image.open(io.BytesIO(base64.b64decode(each))).convert("RGBA") for each in found]


def test_shapes_without_a_pen_have_no_outline_and_a_black_pen_is_black() -> None:
    black_pen = record(37, struct.pack("<I", 0x80000007))
    assert "stroke=" not in svg(emf(files.NO_PEN, files.brush(1, RED), files.rectangle(1, 1, 9, 9)))
    assert 'stroke="#000000"' in svg(emf(black_pen, files.rectangle(1, 1, 9, 9)))


def test_a_transfer_without_a_bitmap_fills_its_area() -> None:
    made = svg(emf(files.brush(1, RED), files.filled(4, 5, 10, 12)))
    assert re.search(r'<path d="M4 5L14(\.\d+)? 5L14(\.\d+)? 17L4 17Z" fill="#ff0000"', made)
    assert 'fill="#000000"' in svg(emf(files.filled(4, 5, 10, 12, 0x42)))


def test_a_text_without_letters_fills_its_area() -> None:
    ground = record(25, struct.pack("<I", BLUE))
    rectangle = record(84, struct.pack("<4iIffiiIII4iI", 0, 0, -1, -1, 1, 1, 1, 0, 0, 0, 76, 2, 3, 4, 20, 30, 0))
    assert 'fill="#0000ff"' in svg(emf(ground, rectangle))
    opaque = word(0x0A32, 0, 0, 0, 2, 3, 4, 20, 30)
    assert 'fill="#0000ff"' in svg(files.wmf(word(0x0201, BLUE & 0xFFFF, BLUE >> 16), opaque))


@pytest.mark.parametrize(
    ("letters", "face", "charset", "shown"),
    [
        ("abD", "Symbol", 2, "αβΔ"),
        ("\u00e6\u00e7\u00e8\u00ae", "Symbol", 2, "⎛⎜⎝→"),
        ("\uf0e9\uf0ce", "Symbol", 2, "⎡∈"),
        ("a", "Euclid Symbol", 2, "α"),
        ("L", "MT Extra", 2, "⋯"),
        ("ab", "Arial", 0, "ab"),
    ],
)
def test_letters_of_symbol_fonts_become_unicode(letters: str, face: str, charset: int, shown: str) -> None:
    made = emf(files.font(1, face, charset=charset), files.text(5, 5, letters))
    assert f">{shown}</text>" in svg(made)
    assert "GLYPH_MISSING" not in lost(made)


def test_symbols_without_a_counterpart_are_counted() -> None:
    made = emf(files.font(1, "MT Extra", charset=2), files.text(5, 5, "LLz"))
    assert "•" in svg(made)
    assert lost(made) == {"GLYPH_MISSING": 1}


def test_a_text_of_windows_1252_in_symbol_is_read_by_its_bytes() -> None:
    face = b"Symbol".ljust(32, b"\0")
    font = word(0x02FB, -12, 0, 0, 0, 400, 0, 2 << 8, 0, 0, rest=face)
    made = files.wmf(font, word(0x012D, 0), word(0x0521, 1, rest=b"\xae\0" + struct.pack("<hh", 9, 9)))
    assert ">→</text>" in svg(made)


def test_a_turned_text_reads_upwards() -> None:
    made = svg(emf(files.font(1, "Arial", escapement=900), files.text(20, 40, "Up")))
    assert "rotate(-90 20" in made


def test_a_turned_text_on_a_mirrored_axis_reads_downwards() -> None:
    mirrored = record(17, struct.pack("<I", 8)) + b"".join(
        record(kind, struct.pack("<ii", *pair)) for kind, pair in ((11, (64, 48)), (9, (64, -48)), (12, (0, 48)))
    )
    assert "rotate(90 20" in svg(emf(mirrored, files.font(1, "Arial", escapement=900), files.text(20, 40, "Down")))


def test_letters_are_where_the_file_puts_them() -> None:
    made = svg(emf(files.font(1, "Arial"), files.text(10, 10, "abc", [5, 11, 7])))
    assert re.search(r'<text x="10 15(\.\d+)? 26(\.\d+)?" ', made)


def test_a_text_in_short_form_is_drawn() -> None:
    short = record(108, struct.pack("<iiIIIff", 5, 9, 3, 0x300, 1, 1, 1) + b"abc")
    assert ">abc</text>" in svg(emf(short))


def test_texts_that_name_glyphs_are_counted() -> None:
    made = emf(files.text(5, 5, "abc", options=0x10))
    assert lost(made) == {"TEXT_UNREADABLE": 1}


def _disc(ground: tuple[int, int, int], inner: tuple[int, int, int]) -> Image.Image:
    image = Image.new("RGB", (8, 8), ground)
    image.paste(inner, (2, 2, 6, 6))
    return image


MASK, SHOWN = _disc((255, 255, 255), (0, 0, 0)), _disc((0, 0, 0), (250, 10, 20))


@pytest.mark.parametrize(
    "operations", [((MASK, files.AND), (SHOWN, files.OR)), ((SHOWN, files.XOR), (MASK, files.AND), (SHOWN, files.XOR))]
)
def test_a_bitmap_with_its_mask_is_one_with_transparency(operations: tuple[tuple[Image.Image, int], ...]) -> None:
    made = emf(*(files.stretched(image, (0, 0, 16, 16), operation) for image, operation in operations))
    (picture,) = pictures(made)
    assert picture.getpixel((4, 4)) == (250, 10, 20, 255)
    assert picture.getchannel("A").getpixel((0, 0)) == 0
    assert lost(made) == {}


def test_a_mask_alone_is_black_where_it_is_black() -> None:
    (picture,) = pictures(emf(files.stretched(MASK, (0, 0, 16, 16), files.AND)))
    assert picture.getpixel((4, 4)) == (0, 0, 0, 255)
    assert picture.getchannel("A").getpixel((0, 0)) == 0


def test_the_bitmaps_of_wmf_are_drawn() -> None:
    header, bits = files.bitmap(SHOWN)
    stretched = word(0x0B41, files.COPY & 0xFFFF, files.COPY >> 16, 8, 8, 0, 0, 16, 16, 4, 4, rest=header + bits)
    (picture,) = pictures(files.wmf(stretched))
    assert picture.getpixel((4, 4)) == (250, 10, 20, 255)
    assert picture.size == (8, 8)


def test_pattern_brushes_and_hatches_become_patterns() -> None:
    header, bits = files.bitmap(MASK)
    pattern = record(94, struct.pack("<6I", 1, 0, 32, len(header), 32 + len(header), len(bits)) + header + bits)
    made = svg(emf(pattern, record(37, struct.pack("<I", 1)), files.rectangle(0, 0, 20, 20)))
    assert '<pattern id="fill1"' in made
    assert 'fill="url(#fill1)"' in made
    hatch = record(39, struct.pack("<IIII", 1, 2, RED, 4)) + record(37, struct.pack("<I", 1))
    assert '<path d="M0 4.5H8M4.5 0V8" stroke="#ff0000"' in svg(emf(hatch, files.rectangle(0, 0, 20, 20)))


def test_a_gradient_goes_from_one_colour_to_the_other() -> None:
    corners = b"".join(
        struct.pack("<iiHHHH", *place, red << 8, 0, blue << 8, 0)
        for *place, red, blue in ((0, 0, 255, 0), (64, 48, 0, 255))
    )
    made = svg(emf(record(118, struct.pack("<4iIII", 0, 0, -1, -1, 2, 1, 0) + corners + struct.pack("<II", 0, 1))))
    assert '<stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/>' in made


def test_palettes_and_regions_of_wmf_keep_the_numbers_of_objects() -> None:
    region = word(0x06FF, 0, 6, 0, 0, 28, 1, 2, 0, 0, 9, 9, 2, 0, 9, 0, 9, 2)
    made = files.wmf(
        word(0x00F7, 0x300, 0), region, word(0x02FC, 0, RED & 0xFFFF, RED >> 16, 0), word(0x012D, 2),
        word(0x041B, 20, 20, 1, 1),
    )  # fmt: skip
    assert 'fill="#ff0000"' in svg(made)


def test_lines_of_one_style_are_one_element() -> None:
    lines = [record(27, struct.pack("<ii", at, 0)) + record(54, struct.pack("<ii", at, 40)) for at in range(50)]
    assert svg(emf(*lines)).count("<path") == 1


def test_the_size_is_that_of_the_frame() -> None:
    assert drawing.drawn(emf(files.filled(0, 0, 9, 9), frame=(2540, 1270))).size == (96, 48)
    assert drawing.drawn(files.photo_wmf()).size == files.SIZE


def test_a_wrong_checksum_or_length_in_the_head_of_a_wmf_is_no_damage() -> None:
    made = bytearray(files.photo_wmf())
    made[20] ^= 0xFF
    struct.pack_into("<I", made, 28, 12)
    assert ">Aa</text>" in svg(bytes(made))


def test_emf_is_drawn_though_its_emf_plus_is_damaged() -> None:
    comment = record(70, struct.pack("<I", 16) + b"EMF+" + struct.pack("<HHII", 0x4001, 1, 5, 9))
    assert 'fill="#ff0000"' in svg(emf(comment, files.brush(1, RED), files.filled(0, 0, 9, 9)))


def test_records_that_are_not_drawn_are_counted() -> None:
    assert lost(emf(files.filled(0, 0, 9, 9), record(200), record(200))) == {"CONTENT_DROPPED": 2}
    assert lost(files.wmf(word(0x0548, 1), files.word(0x041B, 9, 9, 0, 0))) == {"CONTENT_DROPPED": 1}


def _cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def _endless() -> bytes:
    data = bytearray(emf(record(200), files.filled(0, 0, 9, 9)))
    struct.pack_into("<I", data, 92, 0)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (_cut(files.photo_emf()), "damaged"),
        (_cut(files.photo_wmf()), "damaged"),
        (_endless(), "damaged"),
        (b"", "damaged"),
        (emf(), "empty"),
        (files.wmf(), "empty"),
    ],
)
def test_files_that_end_early_or_have_nothing_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as refused:
        drawing.drawn(data)
    assert refused.value.reason == reason


def _moved_clips() -> bytes:
    """A region of 20,000 rectangles that is moved 20,000 times."""
    count = 20_000
    region = struct.pack("<IIII4i", 32, 1, count, count * 16, 0, 0, 9, 9) + struct.pack("<4i", 0, 0, 9, 9) * count
    clip = record(75, struct.pack("<II", len(region), 5) + region)
    return emf(clip, *[record(26, struct.pack("<ii", 1, 1))] * count, files.filled(0, 0, 9, 9))


def _painted_through_a_region() -> bytes:
    count = 20_000
    region = struct.pack("<IIII4i", 32, 1, count, count * 16, 0, 0, 9, 9) + struct.pack("<4i", 0, 0, 9, 9) * count
    clip = record(75, struct.pack("<II", len(region), 5) + region)
    return emf(clip, *[files.filled(0, 0, 9, 9)] * 20_000)


def _far() -> bytes:
    line = record(27, struct.pack("<ii", -(10**9), -(10**9))) + record(54, struct.pack("<ii", 10**9, 10**9))
    return emf(line, files.filled(-(2**31), -(2**31), 2**31 - 1, 2**31 - 1))


def _huge_bitmap() -> bytes:
    header, bits = files.bitmap(Image.new("RGB", (4, 4)))
    header = header[:4] + struct.pack("<ii", 100_000, 100_000) + header[12:]
    return emf(
        record(81, struct.pack("<4i10iIIii", 0, 0, -1, -1, 0, 0, 0, 0, 4, 4, 80, len(header), 80 + len(header),
                               len(bits), 0, files.COPY, 9, 9) + header + bits),
        files.filled(0, 0, 9, 9),
    )  # fmt: skip


@pytest.mark.parametrize(
    "make",
    [
        _moved_clips,
        _painted_through_a_region,
        _far,
        _huge_bitmap,
        lambda: emf(*[record(33)] * 100_000, files.filled(0, 0, 9, 9)),
        lambda: emf(*[files.filled(0, 0, 9, 9)] * 150_000),
        lambda: emf(*[record(200)] * 1_100_000),
        lambda: emf(files.filled(0, 0, 9, 9), frame=(2**31 - 1, 2**31 - 1)),
        lambda: emf(record(4, struct.pack("<4iI", 0, 0, 0, 0, 2**32 - 1)), files.filled(0, 0, 9, 9)),
    ],
)
def test_what_would_take_too_long_ends_in_time(make: Callable[[], bytes]) -> None:
    data = make()
    start = time.process_time()
    with contextlib.suppress(OverLimit):
        made = drawing.drawn(data)
        assert len(made.svg) < 70_000_000
        assert max(made.size) <= 10_000
    assert time.process_time() - start < 10


def test_a_pattern_of_two_colours_has_those_of_the_text_and_its_ground() -> None:
    header = struct.pack("<IiiHHIIiiII", 40, 8, 8, 1, 1, 0, 32, 0, 0, 0, 0)
    pattern = record(93, struct.pack("<6I", 1, 2, 32, 40, 72, 32) + header + bytes(32))
    colours = record(24, struct.pack("<I", BLUE)) + record(25, struct.pack("<I", RED))
    (picture,) = pictures(emf(pattern, record(37, struct.pack("<I", 1)), colours, files.rectangle(0, 0, 20, 20)))
    assert picture.getpixel((1, 1)) == (255, 0, 0, 255)
