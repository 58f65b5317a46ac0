"""Vectors of pages drawn as pictures, and of drawings put on a page."""

from __future__ import annotations

import io

import pypdf
import pypdfium2
import pyvips

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from tests.converters.pairs import Given, Wanted, Writer, Writers, pairs
from tests.converters.vector import Check, Vector
from tests.families.documents.vectors import READERS
from tests.families.images import files as pictures
from tests.families.images import metafiles
from tests.families.images.looks import look

PAGE = b"""<!DOCTYPE html><style>
body { margin: 0; background: #e0e8ff }
.cards { display: grid; grid-template-columns: 1fr 1fr }
.cards div { height: 100px; background: #c00000 } .cards div:last-child { background: #00a000 }
.tail { height: 1500px } .end { height: 50px; background: #202020 }
@media (max-width: 500px) { .cards { grid-template-columns: 1fr } }
@media print { .end { display: none } }
</style><div class=cards><div></div><div></div></div><div class=tail></div><div class=end></div>"""
BARE = b"<!DOCTYPE html><body style='margin:0'><div style='width:100px;height:100px;background:#c00000'></div>"
_SHAPES = (
    pictures.SVG_HEAD
    + b'width="100mm" height="50mm" viewBox="0 0 200 100"><title>A plan</title>'
    + b'<rect x="10" y="10" width="80" height="80" fill="#c00000"/><path d="M110 10L190 90" stroke="#00a000"/>'
    + '<text x="100" y="60" font-size="12" font-family="sans-serif">Größe 東京</text></svg>'.encode()
)
_MASKED = (
    pictures.SVG_HEAD
    + b'viewBox="0 0 16 8"><mask id="m"><rect width="8" height="8" fill="white"/></mask>'
    + b'<rect width="16" height="8" fill="#c00000" mask="url(#m)"/></svg>'
)


def _close(found: tuple[int, ...], wanted: tuple[int, int, int]) -> bool:
    return all(abs(one - other) <= 6 for one, other in zip(found[:3], wanted, strict=True))


def _page(output: str, width: int, height: int, *points: tuple[int, int, tuple[int, int, int]]) -> Check:
    def check(data: bytes) -> None:
        seen = look(data, output)
        assert (seen.width, seen.height) == (width, height)
        assert [each for each in points if not _close(seen.at(each[0], each[1]), each[2])] == []

    return check


def _inked(data: bytes) -> float:
    """The share of a picture that is dark, in per cent."""
    image = pyvips.Image.new_from_buffer(data, "").extract_band(0)
    return float((image < 100).avg() / 2.55)


def _text(output: str, width: int) -> Check:
    """A picture of the window's width with something written in it, on white."""

    def check(data: bytes) -> None:
        seen = look(data, output)
        assert seen.width == width
        assert seen.height > 60
        assert _close(seen.at(1, 1), (255, 255, 255))
        assert _inked(data) > 0.1

    return check


def _transparent(output: str) -> Check:
    def check(data: bytes) -> None:
        seen = look(data, output)
        assert (seen.width, seen.height) == (640, 200)
        assert seen.at(600, 100)[3] == 0
        assert _close(seen.at(100, 100), (192, 0, 0))
        assert seen.at(100, 100)[3] == 255

    return check


def _own_page(data: bytes) -> None:
    reader = pypdf.PdfReader(io.BytesIO(data))
    (page,) = reader.pages
    assert abs(page.mediabox.width - 100 / 25.4 * 72) < 0.1
    assert abs(page.mediabox.height - 50 / 25.4 * 72) < 0.1
    assert len(page.images) == 0
    with pypdfium2.PdfDocument(data) as pdf:
        assert pdf[0].get_textpage().get_text_range().split() == ["Größe", "東京"]
        shown = pdf[0].render(scale=200 / (100 / 25.4 * 72)).to_pil().convert("RGB")
    assert _close(shown.getpixel((50, 50)), (192, 0, 0))
    assert _close(shown.getpixel((100, 20)), (255, 255, 255))


def _small_page(data: bytes) -> None:
    (page,) = pypdf.PdfReader(io.BytesIO(data)).pages
    assert (float(page.mediabox.width), float(page.mediabox.height)) == (12.0, 6.0)
    with pypdfium2.PdfDocument(data) as pdf:
        shown = pdf[0].render(scale=10).to_pil().convert("RGB")
    assert _close(shown.getpixel((30, 30)), (192, 0, 0))
    assert _close(shown.getpixel((90, 30)), (255, 255, 255))


def _report(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        if given.kind == "ordinary":
            return Wanted(_text(output, 1280))
        # The picture is not fetched; what styles can't be drawn is not seen in a narrow window.
        codes = frozenset({"REMOTE_RESOURCE_BLOCKED"} if source == "html" else ())
        return Wanted(_text(output, 360), codes, frozenset({"CSS_UNSUPPORTED"}), {"viewportWidth": 360})

    return wanted


WRITERS: Writers = {id: _report(id) for id in ("png", "jpg", "webp")}


def _pages(output: str) -> tuple[Vector, ...]:
    slug, behind = f"html-to-{output}", (224, 232, 255)
    return (
        Vector(
            slug, "the whole page", "ordinary", lambda: PAGE, {"viewportWidth": 800},
            check=_page(
                output, 800, 1650, (200, 50, (192, 0, 0)), (600, 50, (0, 160, 0)), (400, 800, behind),
                (400, 1625, (32, 32, 32)),
            ),
        ),
        Vector(
            slug, "a telephone's window, twice as sharp", "ordinary", lambda: PAGE,
            {"viewportWidth": 400, "viewportHeight": 300, "scale": 2, "fullPage": False},
            check=_page(output, 800, 600, (400, 100, (192, 0, 0)), (400, 300, (0, 160, 0)), (400, 500, behind)),
        ),
        Vector(
            slug, "a window higher than the page, as for print", "ordinary", lambda: PAGE,
            {"viewportWidth": 200, "viewportHeight": 2000, "fullPage": False, "mediaType": "print"},
            check=_page(output, 200, 2000, (100, 1750, behind), (100, 1990, behind)),
        ),
        Vector(
            slug, "a colour behind it", "ordinary", lambda: BARE, {"background": "#00a000", "viewportWidth": 200},
            check=_page(output, 200, 100, (50, 50, (192, 0, 0)), (150, 50, (0, 160, 0))),
        ),
        Vector(
            slug, "more pixels than are written", "failing", lambda: BARE + b"<div style='height:30000px'></div>",
            {"scale": 4}, error="UNSUPPORTED_FORMAT",
        ),
    )  # fmt: skip


def _page_of(data: bytes, width: int, height: int) -> None:
    (page,) = pypdf.PdfReader(io.BytesIO(data)).pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (width, height)
    assert b"passwd" not in data


def _four_squares(data: bytes) -> None:
    (page,) = pypdf.PdfReader(io.BytesIO(data)).pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (48, 36)
    assert "Aa" in page.extract_text().replace(" ", "")


VECTORS: tuple[Vector, ...] = (
    *pairs("html_pdf", READERS, WRITERS),
    *(each for output in WRITERS for each in _pages(output)),
    *(
        Vector(
            f"html-to-{output}", "nothing behind it", "awkward", lambda: BARE,
            {"background": "transparent", "viewportWidth": 320, "scale": 2}, check=_transparent(output),
        )
        for output in ("png", "webp")
    ),
    Vector(
        "html-to-webp", "a page longer than the format can have", "awkward",
        lambda: BARE + b"<div style='height:20000px'></div>", {"viewportWidth": 1000},
        check=_page("webp", 815, 16_383), warnings=frozenset({"SIZE_REDUCED"}),
    ),
    Vector(
        "html-to-png", "wider than its window", "awkward",
        lambda: BARE + b"<div style='width:500px;height:9px;background:#00a000'></div>",
        {"viewportWidth": 300, "viewportHeight": 200, "fullPage": False},
        check=_page("png", 300, 200, (299, 104, (0, 160, 0))), warnings=frozenset({"CONTENT_CLIPPED"}),
    ),
    Vector("svg-to-pdf", "a plan in millimetres", "ordinary", lambda: _SHAPES, check=_own_page),
    *(
        Vector(
            "svg-to-pdf", "a small one with a mask", "awkward", lambda: _MASKED, check=_small_page,
            warnings=frozenset({"DRAWING_RASTERIZED"}),
        )
        for _ in range(HTML_PDF is PLUTOPRINT)  # the other engine draws no masks
    ),
    Vector(
        "svg-to-pdf", "scripts, files and addresses", "awkward", lambda: pictures.TRAPPED,
        check=lambda data: _page_of(data, 48, 36), warnings=frozenset({"SCRIPT_REMOVED", "REMOTE_RESOURCE_BLOCKED"}),
    ),
    *(
        each
        for id, photo in (("emf", metafiles.photo_emf), ("wmf", metafiles.photo_wmf))
        for each in (
            Vector(f"{id}-to-pdf", "a drawing with a text", "ordinary", photo, check=_four_squares),
            Vector(f"{id}-to-pdf", "two of its letters apart", "awkward", photo, check=_four_squares),
            Vector(
                f"{id}-to-pdf", "a drawing that ends early", "failing", lambda photo=photo: pictures.half(photo()),
                error="UNSUPPORTED_FORMAT",
            ),
        )
    ),
    Vector("svg-to-pdf", "without a size", "failing", lambda: pictures.SVG_HEAD + b"/>", error="UNSUPPORTED_FORMAT"),
    Vector(
        "svg-to-pdf", "not well-formed", "failing",
        lambda: pictures.SVG_HEAD + b'width="9" height="9">\n<g><g></g></svg>', error="UNSUPPORTED_FORMAT",
        line=2, column=13,
    ),
)  # fmt: skip
