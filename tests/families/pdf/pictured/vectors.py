"""Vectors of pictures on the pages of a PDF: every format that is read, its pixels as they were."""

from __future__ import annotations

from tests.converters.pairs import Given, Wanted, pairs
from tests.converters.vector import Check, refuse, take
from tests.families.images import extras, read_only
from tests.families.images import files as pictures
from tests.families.images import vectors as images
from tests.families.images.checks import Picture, tolerance_of
from tests.families.images.files import CORNERS, SIZE
from tests.families.images.looks import near, pdf


def page_shows_the_photo(source: str, *, size: tuple[int, int] = SIZE, turn: int = 0) -> Check:
    def check(data: bytes) -> None:
        pages = pdf(data).pages
        assert len(pages) == 1
        assert pages[0].rotation == turn
        assert (round(pages[0].mediabox.width / 0.75), round(pages[0].mediabox.height / 0.75)) == size
        picture = pages[0].images[0].image.convert("RGB")
        assert picture.size == size
        for (x, y), colour in CORNERS.items() if not turn else ():
            place = (x * size[0] // SIZE[0], y * size[1] // SIZE[1])
            assert near(picture.getpixel(place), colour, max(8 * (size != SIZE), tolerance_of(source))), (x, y)

    return check


def has_a_page(size: tuple[int, int] = SIZE, count: int = 1) -> Check:
    def check(data: bytes) -> None:
        pages = pdf(data).pages
        assert len(pages) == count
        assert (round(pages[0].mediabox.width / 0.75), round(pages[0].mediabox.height / 0.75)) == size
        assert len(pages[0].images) == 1

    return check


def _is_untouched(data: bytes) -> None:
    page = pdf(data).pages[0]
    assert page.rotation == 90
    picture = page["/Resources"]["/XObject"]["/Im0"]  # type: ignore[index]
    assert picture["/Filter"] == "/DCTDecode"
    stored = picture._data
    # The coded pixels are those of the input, bit by bit; what names the place is gone.
    scan = pictures.sideways()[pictures.sideways().index(b"\xff\xda") :]
    assert stored.endswith(scan)
    assert b"Exif" not in stored


def _has_paper(data: bytes) -> None:
    sizes = [(round(page.mediabox.width), round(page.mediabox.height)) for page in pdf(data).pages]
    assert sizes == [(595, 842), (842, 595), (842, 595)]


def _page(source: str, given: Given) -> Wanted:
    assert isinstance(given, Picture)
    size, codes = given.size, frozenset(given.lost("pdf"))
    if given.name == images.SCAN:
        return Wanted(_has_paper, options={"pageSize": "A4", "margin": 10.0})
    if given.kind == "ordinary" and source != "raw":
        return Wanted(page_shows_the_photo("jpg" if source in ("gif", "jxl") else source, size=size), codes)
    if source == "jpg":
        return Wanted(_is_untouched, codes)
    return Wanted(has_a_page((64, 64) if source == "ico" and given.kind == "awkward" else size), codes)


VECTORS = (
    *pairs("pdf.pictured", {**images.READERS, **read_only.READERS, **extras.READERS}, {"pdf": _page}),
    take(
        "jpg-to-pdf",
        "a mirrored photo",
        lambda: pictures.sideways(2),
        page_shows_the_photo("jpg"),
        "METADATA_DROPPED",
        dpi=96,
    ),
    take("jpg-to-pdf", "CMYK", pictures.cmyk, has_a_page()),
    refuse("png-to-pdf", "a margin larger than the paper", lambda: pictures.photo("png"), pageSize="A5", margin=80.0),
)
