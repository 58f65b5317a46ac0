"""Pictures of few colours in PDFs: stored as what they are, a bit or a number for each pixel, whatever they came as."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageChops, ImageDraw

from tests.converters.test_pdf_compression import difference, shown
from tests.converters.test_pdfs import convert

SIDE, PAGE = 400, 192
PIXELS = SIDE / PAGE
"""The scale at which a picture of the whole page is shown pixel by pixel, 150 an inch."""

COLOURS = ["#fefefe", "#203040", "#c02030", "#108030", "#e0e0ff"]


def drawn(mode: str, colours: list[str]) -> Image.Image:
    """Thin lines and areas of these colours, with nothing between them."""
    image = Image.new("RGB", (SIDE, SIDE), colours[0])
    draw = ImageDraw.Draw(image)
    for at in range(90):
        x, y = at * 37 % SIDE, at * 71 % SIDE
        draw.line((x, y, x + 60, y + 25), fill=colours[at % len(colours)], width=1 + at % 3)
        draw.rectangle((y, x, y + 9, x + 14), fill=colours[(at + 1) % len(colours)])
    return image.convert(mode)


def placed(image: Image.Image, points: int, *, mask: Image.Image | None = None) -> bytes:
    """A page with the picture, stored without loss, on an area of so many points a side."""

    def stored(each: Image.Image) -> pikepdf.Stream:
        space = Name.DeviceRGB if each.mode == "RGB" else Name.DeviceGray
        return pikepdf.Stream(
            pdf, zlib.compress(each.tobytes(), 1), Filter=Name.FlateDecode, Type=Name.XObject, Subtype=Name.Image,
            Width=SIDE, Height=SIDE, BitsPerComponent=8, ColorSpace=space,
        )  # fmt: skip

    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(PAGE, PAGE))
    picture = pdf.make_indirect(stored(image))
    if mask is not None:
        picture.SMask = pdf.make_indirect(stored(mask))
    page.Resources = Dictionary(XObject=Dictionary(I=picture))
    page.Contents = pdf.make_stream(b"0.9 0.8 0.4 rg 0 0 200 200 re f %d 0 0 %d 0 0 cm /I Do" % (points, points))
    file = io.BytesIO()
    pdf.save(file)
    return file.getvalue()


def picture_of(data: bytes) -> dict[str, object]:
    """The entries of the picture, and the colour space of its mask."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        found = pdf.pages[0].Resources.XObject.I
        space = found.ColorSpace
        return {
            "width": int(found.Width),
            "bits": int(found.BitsPerComponent),
            "space": str(space) if isinstance(space, pikepdf.Name) else str(space[0]),
            "mask": str(found.SMask.ColorSpace) if Name.SMask in found else None,
        }


@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("level", ["screen", "archive"])
@pytest.mark.parametrize(("count", "bits"), [(1, 1), (2, 1), (4, 2), (5, 4)])
def test_what_has_few_colours_takes_few_bits_and_looks_the_same(
    mode: str, level: str, count: int, bits: int, tmp_path: Path
) -> None:
    source = placed(drawn(mode, COLOURS[:count]), PAGE)
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level=level)
    assert picture_of(result)["bits"] == bits
    assert len(result) < len(source)
    assert difference(source, result) < 0.5
    assert ImageChops.difference(shown(source, PIXELS), shown(result, PIXELS)).getbbox() is None


def test_a_palette_of_two_colours_keeps_to_them_however_fine_it_is(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(placed(drawn("L", ["white", "black"]), 48))) as pdf:
        picture = pdf.pages[0].Resources.XObject.I
        ones = bytes(each & 1 for each in picture.read_bytes())
        picture.write(zlib.compress(ones, 1), filter=Name.FlateDecode)
        picture.ColorSpace = Array([Name.Indexed, Name.DeviceRGB, 1, pikepdf.String(b"\x20\x30\x40\xfe\xf0\xe0")])
        file = io.BytesIO()
        pdf.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    # Twice as fine as other pictures, as all are that have a bit for each pixel.
    assert picture_of(result) == {"width": 200, "bits": 1, "space": "/Indexed", "mask": None}
    assert difference(file.getvalue(), result) < 2.5


def test_black_and_white_needs_no_palette(tmp_path: Path) -> None:
    source = placed(drawn("L", ["white", "black"]), PAGE)
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level="screen")
    found = picture_of(result)
    assert (found["space"], found["bits"]) == ("/DeviceGray", 1)
    assert ImageChops.difference(shown(source, PIXELS), shown(result, PIXELS)).getbbox() is None


def test_drawings_get_fewer_pixels_and_stay_of_few_colours(tmp_path: Path) -> None:
    source = placed(drawn("RGB", COLOURS), 48)  # at 600 pixels an inch
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level="screen")
    assert picture_of(result)["width"] == 100
    assert difference(source, result) < 2.5


@pytest.mark.parametrize(("dark", "light"), [("black", "white"), ("#202020", "#d0d0d0")])
def test_masks_of_few_colours_are_still_masks(dark: str, light: str, tmp_path: Path) -> None:
    source = placed(drawn("RGB", COLOURS), PAGE, mask=drawn("L", [dark, light]))
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level="archive")
    assert picture_of(result)["mask"] == "/DeviceGray"
    assert ImageChops.difference(shown(source, PIXELS), shown(result, PIXELS)).getbbox() is None


def test_numbers_that_are_read_in_another_way_are_left_alone(tmp_path: Path) -> None:
    with pikepdf.open(io.BytesIO(placed(drawn("RGB", COLOURS[:2]), PAGE))) as pdf:
        pdf.pages[0].Resources.XObject.I.Decode = Array([1, 0] * 3)
        file = io.BytesIO()
        pdf.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="archive")
    assert ImageChops.difference(shown(file.getvalue(), PIXELS), shown(result, PIXELS)).getbbox() is None


def test_pictures_that_are_equal_are_one_wherever_they_are_drawn(tmp_path: Path) -> None:
    # Only one of them is drawn, and so only for one it is known how many pixels show.
    with pikepdf.open(io.BytesIO(placed(drawn("RGB", COLOURS), 48))) as pdf:
        images = pdf.pages[0].Resources.XObject
        images.J = pdf.make_indirect(pikepdf.Stream(pdf, images.I.read_raw_bytes(), images.I.stream_dict))
        file = io.BytesIO()
        pdf.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    with pikepdf.open(io.BytesIO(result)) as pdf:
        found = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and Name.Width in each]
        assert len(found) == 1
