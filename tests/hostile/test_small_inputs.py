"""Small inputs that would take minutes are refused by a count, before the work."""

from __future__ import annotations

import base64
import io
import json
import plistlib
import random
import tarfile
import time
from collections.abc import Iterable

import numpy
import pikepdf
import pyarrow
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable
from PIL import Image
from pyarrow import feather, orc, parquet

from engine.families.fonts import drawn_glyphs
from engine.families.models import headers
from engine.toolkit.data_uris import data_uri
from engine.toolkit.failures import OverLimit
from engine.toolkit.formats import GLB, OBJ
from engine.toolkit.warnings import Warn
from tests.families.data.avro.vectors import block, record, zigzag
from tests.families.documents import files
from tests.hostile import record_shapes
from tests.hostile.bombs import sheet_of, sheet_row
from tests.hostile.costs import Meter
from tests.hostile.pictures import blank_png
from tests.hostile.shapes import SHAPES
from tests.hostile.small_pdfs import DRAWN, PACKED, document, stream

SECONDS = 5
"""What each may take, of processor time; all of them took far more before they were counted."""


def refused(measured: Meter, slug: str, data: bytes, reason: str = "limit") -> None:
    cost = measured.cost(slug, data, most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", reason), cost


_NULLS = {"type": "array", "items": "null"}
_NOTHING = {"type": "fixed", "name": "nothing", "size": 0}
_MANY = zigzag(2**40) + zigzag(0)
_DOUBLED = record("r0", x="null")
for _number in range(1, 40):
    _DOUBLED = record(f"r{_number}", x=_DOUBLED, y=f"r{_number - 1}")


@pytest.mark.parametrize("slug", ["avro-to-json", "avro-to-csv"])
@pytest.mark.parametrize(
    ("schema", "body"),
    [
        (record(a=_NULLS), _MANY),
        (record(a={"type": "array", "items": record("empty")}), _MANY),
        (record(a={"type": "array", "items": _NOTHING}), _MANY),
        (record(a={"type": "array", "items": ["int", _NULLS]}), zigzag(1) + zigzag(1) + _MANY),
        (record(a=_DOUBLED), b""),
        (record(a={"type": "map", "values": _DOUBLED}), zigzag(1) + zigzag(1) + b"a" + zigzag(0)),
    ],
    ids=["nulls", "empty records", "fixed values of no byte", "nulls in a union", "records in records", "in a map"],
)  # fmt: skip
def test_values_of_avro_without_bytes_are_counted(measured: Meter, slug: str, schema: object, body: bytes) -> None:
    refused(measured, slug, block(schema, 1, body))


@pytest.mark.parametrize("slug", ["pdf-to-png", "pdf-to-docx"])
@pytest.mark.parametrize("name", DRAWN)
def test_what_draws_itself_or_others_without_end_is_refused(measured: Meter, slug: str, name: str) -> None:
    refused(measured, slug, DRAWN[name]())


@pytest.mark.parametrize("slug", ["pdf-to-pdf", "pdf-to-png"])
@pytest.mark.parametrize("name", PACKED)
def test_streams_packed_more_than_once_are_refused(measured: Meter, slug: str, name: str) -> None:
    refused(measured, slug, PACKED[name]())


def test_the_characters_of_a_page_are_counted_before_they_are_read(measured: Meter) -> None:
    lines = b"".join(b"1 0 0 1 20 %d Tm (%s) Tj " % (at, b"word " * 60) for at in range(1_400))
    font = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    refused(measured, "pdf-to-docx", document(b"BT /F 1 Tf " + lines + b"ET", resources=font))


_HELVETICA = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"


def _texts(places: Iterable[tuple[float, float]]) -> bytes:
    """A page with a letter at each place."""
    shown = b"".join(b"1 0 0 1 %.3f %.3f Tm (%c) Tj " % (x, y, 97 + at % 26) for at, (x, y) in enumerate(places))
    return document(b"BT /F 9 Tf " + shown + b"ET", resources=_HELVETICA)


TEXTS = {
    "in one place": [(20 + at % 2, 20) for at in range(44_000)],
    "from right to left": [(550 - at / 100, 20) for at in range(44_000)],
    "up and down a little": [(20 + at % 2, 20 + at % 3) for at in range(44_000)],
}


@pytest.mark.parametrize("slug", ["pdf-to-docx", "pdf-to-txt"])
@pytest.mark.parametrize("name", TEXTS)
def test_texts_in_no_order_on_one_line_are_counted(measured: Meter, slug: str, name: str) -> None:
    refused(measured, slug, _texts(TEXTS[name]))


def test_texts_in_no_order_of_a_form_are_counted(measured: Meter) -> None:
    shown = b"".join(b"1 0 0 1 %.2f 20 Tm (a) Tj " % (550 - at / 100) for at in range(44_000))
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<<%s>>" % _HELVETICA
    inside = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X %d 0 R>>>>"
    around = [stream(b"/X Do", inside % number) for number in range(6, 15)]
    page = document(b"/X Do", *around, stream(b"BT /F 9 Tf " + shown + b"ET", form), resources=b"/XObject<</X 5 0 R>>")
    refused(measured, "pdf-to-txt", page)


def test_a_pdf_whose_texts_are_in_no_order_is_compressed(measured: Meter) -> None:
    cost = measured.cost("pdf-to-pdf", _texts(TEXTS["from right to left"]), most=SECONDS)
    assert cost.end == "written", cost


def test_a_page_of_letters_in_columns_is_read(measured: Meter) -> None:
    page = _texts([(20 + at % 110 * 5, 780 - at // 110 * 8) for at in range(10_000)])
    assert measured.cost("pdf-to-txt", page, most=SECONDS).end == "written"


def test_words_on_top_of_one_another_are_removed_in_linear_time(measured: Meter) -> None:
    font = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    entries = b"/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<<%s>>" % font
    form = stream(b"BT /F 9 Tf 9 9 Td (secret words) Tj ET", entries)
    page = document(b"/X Do " * 1_000, form, resources=b"/XObject<</X 5 0 R>>")
    options = {"operation": "redact", "redactText": "secret"}
    cost = measured.cost("pdf-to-pdf", page, options, most=SECONDS)
    assert cost.end == "written", cost


_ANNOTATIONS = {"fields": b"/Subtype/Widget/FT/Tx/T(a%d)", "links": b"/Subtype/Link/Dest[3 0 R/Fit]/NM(%d)"}
_AGAIN = {
    "in files": ("pdf-to-zip", {"by": "ranges", "pages": ",".join("1" * 400)}),
    "in one file": ("zip-to-pdf", {"pages": ",".join("1" * 100)}),
    "of those left": ("pdf-to-pdf", {"operation": "pages", "pages": ",".join("1" * 100)}),
}


@pytest.mark.parametrize("place", _AGAIN)
@pytest.mark.parametrize(("kind", "count"), [("fields", 1_050), ("links", 1_100)])
def test_copies_of_what_is_on_repeated_pages_are_counted(measured: Meter, place: str, kind: str, count: int) -> None:
    numbers = b" ".join(b"%d 0 R" % number for number in range(5, 5 + count))
    each = b"<</Type/Annot/Rect[0 0 9 9]" + _ANNOTATIONS[kind] + b">>"
    form = b"/AcroForm<</Fields[" + (numbers if kind == "fields" else b"") + b"]>>"
    annotations = (each % number for number in range(count))
    page = document(b"", *annotations, of_page=b"/Annots[" + numbers + b"]", catalog=form)
    slug, options = _AGAIN[place]
    data = files.archive({"a.pdf": page}) if slug == "zip-to-pdf" else page
    cost = measured.cost(slug, data, options, most=SECONDS)
    assert cost.end == "refused", cost
    assert cost.said == "Pages with links, comments or form fields are repeated too often.", cost


@pytest.mark.parametrize(
    "about", [b"/Title(" + b"x" * 5_000_000 + b")", b"".join(b"/K%d 1" % at for at in range(10_000))]
)
def test_large_descriptions_that_all_parts_have_are_counted(measured: Meter, about: bytes) -> None:
    made = document(b"", b"<<" + about + b">>")
    with pikepdf.open(io.BytesIO(made)) as pdf:
        pdf.trailer.Info = pdf.get_object(5, 0)
        for _ in range(399):
            pdf.add_blank_page(page_size=(9, 9))
        out = io.BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    cost = measured.cost("pdf-to-zip", out.getvalue(), most=3 * SECONDS)
    assert (cost.end, cost.reason) == ("refused", "timeout"), cost


def test_dollars_that_no_dollar_follows_are_read_in_linear_time(measured: Meter) -> None:
    for text in ("$a" + "=" * 100_000, "$a" + "=b " * 40_000, "$a=" * 40_000):
        cost = measured.cost("markdown-to-html", text.encode(), most=2 * SECONDS)
        assert cost.end == "written", cost


@pytest.mark.parametrize("slug", ["pdf-to-zip", "pdf-to-pdf", "pdf-to-png"])
def test_fields_in_one_another_are_counted(measured: Meter, slug: str) -> None:
    around = b"".join(b"/Parent %d 0 R/Kids[%d 0 R]\n" % (at - 1, at + 1) for at in range(5, 3_205)).splitlines()
    fields = (b"<</T(a)/FT/Tx" + each + b">>" for each in around)
    last = b"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/T(a)/Parent 3204 0 R>>"
    page = document(b"", *fields, last, of_page=b"/Annots[3205 0 R]", catalog=b"/AcroForm<</Fields[5 0 R]>>")
    refused(measured, slug, page)


def test_an_expression_that_tries_too_many_ways_is_refused_in_time(measured: Meter) -> None:
    page = document(b"BT /F 1 Tf 9 9 Td (" + b"a" * 60 + b"b) Tj ET", resources=_HELVETICA)
    options = {"operation": "redact", "redactPattern": "(a+)+$"}
    cost = measured.cost("pdf-to-pdf", page, options, most=4 * SECONDS)
    assert (cost.end, cost.said.partition(".")[0]) == ("refused", "Matching this expression takes too long"), cost


_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000">%s</svg>'
_RECT = '<rect %s width="3000" height="3000"/>'
_FILTER = '<filter id="f">%s</filter>' + _RECT % 'filter="url(#f)"'
_PATTERN = '<pattern id="p" patternUnits="userSpaceOnUse" width="%s" height="%s"><path d="M0 0h9v9"/></pattern>'
_BLUR = '<feGaussianBlur stdDeviation="500"/>'
DRAWINGS = {
    "blurs": _FILTER % (_BLUR * 300),
    "turbulences": _FILTER % ('<feTurbulence baseFrequency="9" numOctaves="100000"/>' * 300),
    "thick lines": _FILTER % ('<feMorphology radius="900"/>' * 300),
    "neighbours": _FILTER % (f'<feConvolveMatrix order="19" kernelMatrix="{"1 " * 361}"/>' * 30),
    "one filter of many": _FILTER % _BLUR + _RECT % 'style="filter:url(#f)"' * 100,
    "a filter in a group used again": f'<g id="g">{_FILTER % _BLUR}</g>' + '<use href="#g"/>' * 100,
    "a group enlarged": f'<filter id="f">{_BLUR}</filter><g transform="scale(3000)">'
    + '<rect width="1" height="1" filter="url(#f)"/>' * 100
    + "</g>",
    "masks": f'<mask id="m">{_RECT % ""}</mask>' + _RECT % 'mask="url(#m)"' * 400,
    "blending": _RECT % 'style="mix-blend-mode:luminosity"' * 400,
    "opacity": _RECT % 'opacity=".5"' * 400,
    "patterns": _PATTERN % (3000, 3000) + _RECT % 'fill="url(#p)"' * 400,
    "patterns between pixels": _PATTERN % (30.5, 30.5) + _RECT % 'fill="url(#p)"' * 20,
    "a large pattern in small shapes": _PATTERN % (9000, 9000) + '<rect width="9" height="9" fill="url(#p)"/>' * 100,
    "a pattern of a group": f'{_PATTERN % (30.5, 30.5)}<g fill="url(#p)">{_RECT % "" * 20}</g>',
    "gradients": '<radialGradient id="p"><stop offset="1"/></radialGradient>' + _RECT % 'fill="url(#p)"' * 400,
    "a long text used again": f'<text id="t">{"word " * 600}</text>' + '<use href="#t"/>' * 500,
    "texts used again": '<g id="a0"><text>word</text></g>'
    + "".join(f'<g id="a{level}">{f"""<use href="#a{level - 1}"/>""" * 19}</g>' for level in range(1, 5)),
    "large markers": '<marker id="m" markerWidth="3000" markerHeight="3000"><circle r="3000"/></marker>'
    + f'<path marker-mid="url(#m)" d="M0 0{"h1" * 40_000}"/>',
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_effects_of_drawings_are_counted_by_area(measured: Meter, name: str) -> None:
    refused(measured, "svg-to-png", (_SVG % DRAWINGS[name]).encode())


@pytest.mark.parametrize("slug", ["svg-to-png", "svg-to-pdf"])
def test_markers_of_many_parts_count_for_each_vertex(measured: Meter, slug: str) -> None:
    markers = f'<marker id="m">{"<path/>" * 1_000}</marker><path marker-mid="url(#m)" d="M0 0{"h1" * 5_000}"/>'
    refused(measured, slug, (_SVG % markers).encode(), "timeout")


def _places(count: int, side: int = 3000, seed: int = 0) -> list[str]:
    chance = random.Random(seed)
    return [f"{chance.randrange(side)} {chance.randrange(side)}" for _ in range(count)]


def _strokes(count: int) -> str:
    pairs = zip(_places(count), _places(count, seed=1), strict=True)
    return " ".join(f"M{start}L{end}" for start, end in pairs)


_STROKED = '<path fill="none" stroke="#000" d="%s"/>'
CROSSING = {
    "strokes": _STROKED % _strokes(2_500),
    "strokes after much space": _STROKED % (" " * 1_000_000 + _strokes(2_500)),
    "one line": _STROKED % f"M{'L'.join(_places(4_000))}",
    "a polygon": f'<polygon points="{" ".join(_places(4_000))}"/>',
    "strokes used again": f'<g id="g">{_STROKED % _strokes(800)}</g>' + '<use href="#g"/>' * 20,
    "small strokes enlarged": f'<g transform="scale(10)">{_STROKED % f"M{chr(76).join(_places(4_000, 300))}"}</g>',
    "a long graph of noise": _STROKED
    % ("M0 0" + "".join(f"L{at / 20} {place.split()[0]}" for at, place in enumerate(_places(60_000)))),
}


@pytest.mark.parametrize("name", CROSSING)
def test_crossing_lines_of_drawings_are_counted(measured: Meter, name: str) -> None:
    refused(measured, "svg-to-png", (_SVG % CROSSING[name]).encode())


def test_pictures_in_drawings_are_counted_each_time_they_are_drawn(measured: Meter) -> None:
    picture = base64.b64encode(blank_png(8_000, 8_000)).decode()
    image = f'<image id="i" width="900" height="900" href="data:image/png;base64,{picture}"/>'
    refused(measured, "svg-to-png", (_SVG % (image + '<use href="#i"/>' * 3_000)).encode())
    cost = measured.cost("svg-to-png", (_SVG % (image + '<use href="#i"/>' * 3)).encode(), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("name", ["strokes", "one line"])
def test_crossing_lines_are_written_to_a_pdf_as_they_are(measured: Meter, name: str) -> None:
    assert measured.cost("svg-to-pdf", (_SVG % CROSSING[name]).encode(), most=SECONDS).end == "written"


def test_a_pdf_has_as_many_elements_of_a_drawing_as_a_picture(measured: Meter) -> None:
    drawing = (_SVG % ('<rect width="9" height="9"/>' * 25_000)).encode()
    assert measured.cost("svg-to-pdf", drawing, most=2 * SECONDS).end == "written"
    cost = measured.cost("svg-to-pdf", (_SVG % ("<g/>" * 200_001)).encode(), most=SECONDS)
    assert (cost.end, cost.reason, cost.said) == ("refused", "timeout", "The SVG has more than 200,000 elements."), cost


def test_a_pdf_has_drawings_as_deep_as_a_picture(measured: Meter) -> None:
    drawing = (_SVG % ("<g>" * 200 + '<rect width="9" height="9"/>' + "</g>" * 200)).encode()
    assert measured.cost("svg-to-pdf", drawing, most=SECONDS).end == "written"


_STEPS = range(0, 3000, 300)
HONEST = {
    "dots": _PATTERN % (15, 15) + _RECT % 'fill="url(#p)"' * 40,
    "hatched lands": _PATTERN % (30.5, 30.5)
    + "".join(
        f'<path d="M{x} {y}h180v180z" fill="url(#p)"/>' for x in range(0, 3000, 300) for y in range(0, 3000, 300)
    ),
    "thin lines with gradients": '<linearGradient id="p"/>' + '<path d="M0 0L3000 3000" stroke="url(#p)"/>' * 3_000,
    "a pattern of itself": '<pattern id="p" width="1" height="1"><rect width="9" fill="url(#p)"/></pattern>'
    + _RECT % 'fill="url(#p)"',
    "labels": '<text y="9">Main Street</text>' * 10_000,
    "hatching": _STROKED % "".join(f"M{at * 0.6:.1f} 0L{at * 0.6 + 5:.1f} 3000" for at in range(5_000)),
    "squared paper": _STROKED % "".join(f"M{at * 5} 0V3000M0 {at * 5}H3000" for at in range(600)),
    "a graph of 5,000 values": _STROKED
    % ("M0 0" + "".join(f"L{at * 0.6:.1f} {place.split()[0]}" for at, place in enumerate(_places(5_000)))),
    "a web of 600 lines": _STROKED % _strokes(600),
    "a map of 500 lands": "".join(
        f'<path stroke="#000" fill="#eee" d="M{place}l{" ".join(_places(200, 9, seed))}z"/>'
        for seed, place in enumerate(_places(500))
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_what_maps_and_posters_have_is_drawn(measured: Meter, name: str) -> None:
    cost = measured.cost("svg-to-png", (_SVG % HONEST[name]).encode(), most=4 * SECONDS)
    assert cost.end == "written", cost


def test_masks_in_a_pdf_are_counted_by_area(measured: Meter) -> None:
    refused(measured, "svg-to-pdf", (_SVG % DRAWINGS["masks"]).encode())


def test_filters_that_a_pdf_does_not_have_are_not_counted(measured: Meter) -> None:
    cost = measured.cost("svg-to-pdf", (_SVG % DRAWINGS["blurs"]).encode(), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("child", ["<script/> ", "<foreignObject/>", "<style/>"])
@pytest.mark.parametrize("slug", ["svg-to-png", "svg-to-pdf"])
def test_children_that_a_drawing_loses_are_taken_away_in_linear_time(measured: Meter, slug: str, child: str) -> None:
    cost = measured.cost(slug, (_SVG % (child * 100_000)).encode(), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("text", ["x", "x "])
def test_long_texts_of_drawings_are_counted(measured: Meter, text: str) -> None:
    refused(measured, "svg-to-png", (_SVG % f"<text>{text * 8_000}</text>").encode())


_RULES = "<style>%s</style>"
STYLED = {
    "rules by name": _RULES % "".join(f".a{at} .b{at} rect{{fill:red}}" for at in range(4_000))
    + '<rect class="a b"/>' * 4_000,
    "rules by class": _RULES % "".join(f".x{at} .b{{fill:red}}" for at in range(6_000)) + '<rect class="b"/>' * 6_000,
    "siblings": _RULES % ".x ~ rect ~ rect{fill:red}" + "<rect/>" * 2_500,
    "ancestors": _RULES % ".x g g g g g g rect{fill:red}" + "<g>" * 150 + "<rect/>" + "</g>" * 150,
    "what others have": _RULES % "rect:not(:has(.x)) a, g:has(.x) a{fill:red}"
    + "<g>" * 200
    + "<a/>" * 5_000
    + "</g>" * 200,
}


@pytest.mark.parametrize("slug", ["svg-to-png", "svg-to-pdf"])
@pytest.mark.parametrize("name", STYLED)
def test_rules_of_drawings_are_counted_by_what_they_go_through(measured: Meter, slug: str, name: str) -> None:
    cost = measured.cost(slug, (_SVG % STYLED[name]).encode(), most=2 * SECONDS)
    assert (cost.end, cost.reason) == ("refused", "timeout"), cost


def test_a_sheet_of_many_classes_is_applied(measured: Meter) -> None:
    sheet = _RULES % "".join(f"g .cls-{at}{{fill:#{at:06x}}}" for at in range(2_000))
    shapes = "".join(f'<path class="cls-{at % 2_000}" d="M0 0h9v9z"/>' for at in range(10_000))
    cost = measured.cost("svg-to-png", (_SVG % f"{sheet}<g>{shapes}</g>").encode(), most=2 * SECONDS)
    assert cost.end == "written", cost


def test_small_shapes_with_effects_are_drawn(measured: Meter) -> None:
    shadows = "".join(
        f'<g transform="translate({x} {y})" filter="url(#f)"><path d="M0 0h9v9z"/></g>'
        for x in range(0, 3000, 200)
        for y in range(0, 3000, 200)
    )
    drawing = _SVG % f'<filter id="f"><feDropShadow dx="2" dy="2" stdDeviation="3"/></filter>{shadows}'
    cost = measured.cost("svg-to-png", drawing.replace("3000", "600").encode(), most=SECONDS)
    assert cost.end == "written", cost


_COLUMN = "display:flex;flex-direction:column"
STACKED = {
    "columns of boxes": f"<div style='{_COLUMN}'>" * 24 + "x",
    "in capitals": f"<div style='{_COLUMN.upper()}'>" * 24 + "x",
    "in escapes": "<div style='display:flex;flex-d\\69rection:c\\6f lumn'>" * 24 + "x",
    "by a class": "<style>.a{display:flex;flex-direction:column}</style>" + "<div class=a>" * 24 + "<p>x",
    "of several boxes": f"<div style='{_COLUMN}'><p>one</p>" * 24 + "<p>x",
    "around a table": f"<div style='{_COLUMN}'>" * 12 + "<table style='width:100%'>" + "<tr><td>x<td>y" * 500,
    "much in few columns": f"<div style='{_COLUMN}'>" * 12 + "<p>word word word" * 1_000,
}


@pytest.mark.parametrize("slug", ["html-to-pdf", "html-to-png"])
@pytest.mark.parametrize("name", STACKED)
def test_boxes_stacked_in_columns_are_laid_out_in_linear_time(measured: Meter, slug: str, name: str) -> None:
    cost = measured.cost(slug, STACKED[name].encode(), most=SECONDS)
    assert (cost.end, cost.warned) == ("written", ()), cost


PAGES = {
    "columns that wrap": f"<div style='{_COLUMN};flex-wrap:wrap'>" * 24 + "x",
    "columns of texts and boxes": f"<div style='{_COLUMN}'>word" * 24 + "x",
    "by a class": "<style>.a{display:flex;flex-flow:column wrap}</style>" + "<div class=a>" * 24 + "x",
    "in capitals": f"<div style='{_COLUMN.upper()};FLEX-WRAP:WRAP'>" * 24 + "x",
    "in escapes": "<div style='display:flex;flex-d\\69rection:c\\6f lumn;flex-wrap:wrap'>" * 24 + "x",
    "by a variable": "<style>:root{--a:column}div{display:flex;flex-direction:var(--a)}</style>" + "<div>" * 24 + "x",
    "inherited": f"<style>div{{display:flex;flex-direction:inherit}}</style><div style='{_COLUMN}'>"
    + "<div>" * 23
    + "x",
    "by all but the last": f"<div style='{_COLUMN};flex-direction:sideways;display:none-such'>" * 24 + "x",
    "by importance": "<style>div{flex-direction:column!important}</style>"
    + "<div style='display:flex;flex-direction:row'>" * 24
    + "x",
    "much in few columns": f"<div style='{_COLUMN};flex-wrap:wrap'>" * 12 + "<p>word word word" * 1_000,
    "columns of text": "<div style='columns:2'>" * 24 + "x",
    "boxes like tables": "<div style='display:table'>" * 24 + "x",
    "floats": "<div style='float:left'>x</div>" * 20_000,
    "floats by a class": "<style>.a{float:left}</style>" + "<i class=a>x</i>" * 20_000,
    "a million columns": "<div style='columns:1000000;column-gap:0'>" + "x " * 50_000,
    "a million columns by a class": "<style>.a{column-count:1000000}</style><div class=a>" + "x " * 50_000,
}


@pytest.mark.parametrize("slug", ["html-to-pdf", "html-to-png"])
@pytest.mark.parametrize("name", PAGES)
def test_boxes_that_take_more_than_their_number_are_laid_out_plainly(measured: Meter, slug: str, name: str) -> None:
    cost = measured.cost(slug, PAGES[name].encode(), most=SECONDS)
    assert cost.end == "written", cost
    assert "CSS_UNSUPPORTED" in cost.warned


def _layers(picture: bytes, kind: str, *, count: int) -> str:
    """A page with a background of two layers for each box, all at places of their own."""
    rules = "".join(
        f".c{at}{{background:var(--a) {at}px 0 no-repeat,linear-gradient(red,blue)}}" for at in range(count)
    )
    boxes = "".join(f"<p class=c{at}>x" for at in range(count))
    return f"<style>:root{{--a:url({data_uri(kind, picture)})}}{rules}</style>{boxes}"


def _png(side: int) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (side, side), "red").save(target, "PNG")
    return target.getvalue()


_GRADIENT = "linear-gradient(red,blue)"
LAYERED = {
    "many": _layers(_png(40), "image/png", count=2_000),
    "of a picture of 25 megapixels": _layers(_png(5_000), "image/png", count=1_000),
    "of a long picture": _layers(_png(40) + b"x" * 1_000_000, "image/png", count=500),
    "many layers": f"<p style='background:{','.join([_GRADIENT] * 2_000)}'>x",
    "many colours": f"<p style='background:linear-gradient({','.join(['red', 'blue'] * 20_000)}),{_GRADIENT}'>x",
    "by text sizes": f"<style>p{{background:{_GRADIENT} 1em 0/1em,{_GRADIENT}}}</style>"
    + "".join(f"<p style='font-size:{10 + at / 1_000}px'>x" for at in range(1_000)),
    "small tiles": f"<style>p{{height:900px;background:{_GRADIENT} 0 0/.01px .01px,{_GRADIENT} 0 0/.1% .1%}}</style>"
    + "<p>x" * 300,
    "selected by attributes": "<style>[class=a]{color:red}</style>" + _layers(_png(40), "image/png", count=2_000),
}


@pytest.mark.parametrize("name", LAYERED)
def test_layers_of_backgrounds_are_drawn_in_linear_time(measured: Meter, name: str) -> None:
    cost = measured.cost("html-to-pdf", LAYERED[name].encode(), most=SECONDS)
    assert (cost.end, set(cost.warned) <= {"NOT_UNDERSTOOD"}) == ("written", True), cost


def test_drawings_in_layers_of_backgrounds_are_counted_for_each_box(measured: Meter) -> None:
    drawing = _SVG % ('<rect width="9" height="9"/>' * 9_000)
    style = f"p{{background:url({data_uri('image/svg+xml', drawing.encode())}) no-repeat,{_GRADIENT}}}"
    refused(measured, "html-to-pdf", f"<style>{style}</style>{'<p>x' * 500}".encode(), "timeout")


_BLENDED = "mix-blend-mode:luminosity"
APART = {
    "masks": _SVG % DRAWINGS["masks"],
    "blended shapes": _SVG % DRAWINGS["blending"],
    "blended boxes": f"<style>i{{{_BLENDED}}}</style><div style='width:3000px;height:3000px'>" + "<i>x</i>" * 400,
}


@pytest.mark.parametrize("name", APART)
def test_what_is_drawn_apart_from_a_page_is_counted_by_area(measured: Meter, name: str) -> None:
    refused(measured, "html-to-png", APART[name].encode())


def test_small_masks_of_a_long_page_are_drawn(measured: Meter) -> None:
    icon = '<svg width="24" height="24" viewBox="0 0 24 24"><mask id="m"><rect width="24" height="24"/></mask>'
    page = (icon + '<g mask="url(#m)"><path d="M0 0h24v24z"/></g></svg><p>word ') * 200
    assert measured.cost("html-to-png", page.encode(), most=2 * SECONDS).end == "written"


def test_much_on_the_longest_line_is_refused(measured: Meter) -> None:
    page = (
        "<body style='margin:0;font-size:1px;line-height:1px;white-space:nowrap;letter-spacing:90px'>" + "x" * 900_000
    )
    refused(measured, "html-to-png", page.encode())


def test_elements_that_rules_go_through_again_and_again_are_counted(measured: Meter) -> None:
    page = "<style>div:has(i.a) b{color:red}</style><div>" + "<b>x</b> " * 5_000
    cost = measured.cost("html-to-pdf", page.encode(), most=4 * SECONDS)
    assert (cost.end, cost.reason) == ("refused", "limit"), cost


def test_rules_that_match_something_are_counted(measured: Meter) -> None:
    matching, others = ("".join(f"{name}{{margin:{at}px}}" for at in range(20_100)) for name in ("p", ".none"))
    cost = measured.cost("html-to-pdf", f"<style>{matching}</style><p>x".encode(), most=SECONDS)
    assert (cost.end, cost.said.partition(".")[0]) == ("refused", "The page has more than 20,000 style rules"), cost
    cost = measured.cost("html-to-pdf", f"<style>{others}</style><p>x".encode(), most=SECONDS)
    assert cost.end == "written", cost


def test_rules_about_what_small_boxes_have_are_obeyed(measured: Meter) -> None:
    page = "<style>div:has(i) b{color:red}</style>" + "<div><b>x</b> <i>y</i></div>" * 3_000
    cost = measured.cost("html-to-pdf", page.encode(), most=4 * SECONDS)
    assert cost.end == "written", cost


def test_hindi_words_behind_elements_are_searchable_in_linear_time(measured: Meter) -> None:
    cost = measured.cost("html-to-pdf", ("<b>x</b>\u0928\u093f " * 10_000).encode(), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("slug", ["html-to-pdf", "html-to-png"])
@pytest.mark.parametrize("word", ["<i>x</i>", "<a href=#a>x</a>", "<i>x</i>\N{NO-BREAK SPACE}"])
def test_words_of_many_elements_are_laid_out_in_linear_time(measured: Meter, slug: str, word: str) -> None:
    cost = measured.cost(slug, (word * 20_000).encode(), most=SECONDS)
    assert cost.end == "written", cost


DOTTED = {
    "words": "<style>i{border:1px dotted}</style>" + "<i>x</i> " * 10_000,
    "words with styles of their own": "<i style='border:1px dashed'>x</i> " * 10_000,
    "cells": "<style>td{border:1px dotted}</style><table>" + ("<tr>" + "<td>x" * 10) * 1_500,
    "a page of small words": "<style>body{font-size:2px}i{border:1px dotted}</style>" + "<i>x</i> " * 25_000,
}


@pytest.mark.parametrize("name", DOTTED)
def test_dotted_lines_of_small_boxes_are_counted(measured: Meter, name: str) -> None:
    cost = measured.cost("html-to-pdf", DOTTED[name].encode(), most=3 * SECONDS)
    assert cost.end == "written", cost
    assert "CSS_UNSUPPORTED" in cost.warned


def test_some_dotted_words_and_cells_stay_dotted(measured: Meter) -> None:
    page = "<style>i,td{border:1px dotted}</style>" + "<i>x</i> " * 2_000 + "<table>" + "<tr><td>x<td>y" * 500
    cost = measured.cost("html-to-pdf", page.encode(), most=2 * SECONDS)
    assert (cost.end, cost.warned) == ("written", ()), cost


def test_columns_of_a_few_boxes_stay_as_they_are(measured: Meter) -> None:
    page = f"<div style='{_COLUMN}'>" * 8 + "<p>x" * 100 + "</div>" * 8 + "<div style='columns:3'>x</div>"
    assert measured.cost("html-to-pdf", page.encode(), most=SECONDS).warned == ()


def test_much_in_tables_in_one_another_is_refused(measured: Meter) -> None:
    refused(measured, "html-to-pdf", ("<table><tr><td>" * 16 + "<p>word" * 1_000).encode())


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("org-to-html", "/a *b "), ("rst-to-html", "*a "), ("rst-to-docx", "``a **b "), ("jira-to-html", "*a "),
        ("textile-to-html", "_a "),
    ],
)  # fmt: skip
def test_emphasis_that_is_never_closed_is_read_in_linear_time(measured: Meter, slug: str, text: str) -> None:
    cost = measured.cost(slug, (text * 20_000).encode(), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("text", ["*a_ ", "a**b", "*a **a ", "> *a_\n"])
def test_emphasis_of_markdown_is_read_in_linear_time(measured: Meter, text: str) -> None:
    cost = measured.cost("markdown-to-docx", (text * 30_000).encode(), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("slug", ["json-to-csv", "json-to-yaml"])
@pytest.mark.parametrize("text", ['\\"', "/* "], ids=["quotes", "comments"])
def test_json_that_nothing_closes_is_refused_in_linear_time(measured: Meter, slug: str, text: str) -> None:
    cost = measured.cost(slug, b'"' * (text != "/* ") + text.encode() * 20_000, most=SECONDS)
    assert cost.end == "refused", cost


MARKUP = {
    "tables in tables": ("mediawiki-to-docx", SHAPES["mediawiki"]["tables"]),
    "conditions of LaTeX": ("latex-to-asciidoc", SHAPES["latex"]["conditions"]),
    "rules of Typst": ("typst-to-docx", SHAPES["typst"]["shows"]),
    "options of a man page": ("man-to-docx", SHAPES["man"]["mdoc openings"]),
    "links of DocBook": ("docbook-to-docx", SHAPES["docbook"]["many sections"]),
    "pictures of FictionBook": ("fb2-to-docx", SHAPES["fb2"]["picture of many binaries"]),
}


@pytest.mark.parametrize("name", MARKUP)
def test_markup_that_pandoc_reads_again_and_again_is_refused_early(measured: Meter, name: str) -> None:
    slug, make = MARKUP[name]
    cost = measured.cost(slug, make(600_000), most=SECONDS)
    assert (cost.end, cost.seconds < 2) == ("refused", True), cost


@pytest.mark.parametrize("table", ["1000*|a\n" * 10, "2*<|a\n" * 3_000, "9" * 5_000 + "*|a\n", "1" + "0" * 9 + "*|a\n"])
def test_repeated_cells_of_asciidoc_are_counted(measured: Meter, table: str) -> None:
    cost = measured.cost("asciidoc-to-html", f"|===\n{table}|===\n".encode(), most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "limit"), cost


def test_a_few_repeated_cells_of_asciidoc_are_read(measured: Meter) -> None:
    cost = measured.cost("asciidoc-to-html", ("|===\n" + "4*|a\n" * 500 + "|===\n").encode(), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("name", ["points of nodes", "primitives of nodes"])
def test_parts_that_a_scene_places_are_counted_before_they_are_made(name: str) -> None:
    with pytest.raises(OverLimit, match="147,852 parts"):
        headers.check(record_shapes.SHAPES["glb"][name](20_000), GLB, Warn())


def test_meshes_in_deep_scenes_are_counted_before_their_places_are_found() -> None:
    with pytest.raises(OverLimit, match="too complex"):
        headers.check(record_shapes.SHAPES["glb"]["meshes in nodes in nodes"](28_000), GLB, Warn())


def test_materials_of_an_obj_are_counted_before_its_parts_are_named() -> None:
    with pytest.raises(OverLimit, match="parts"):
        headers.check(record_shapes.SHAPES["obj"]["materials"](200_000), OBJ, Warn())


def test_pieces_of_a_paragraph_of_rtf_are_styled_in_linear_time(measured: Meter) -> None:
    cost = measured.cost("rtf-to-docx", SHAPES["rtf"]["bookmarks"](300_000), most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize("slug", ["html-to-asciidoc", "latex-to-asciidoc"])
def test_long_words_are_written_as_asciidoc_in_linear_time(measured: Meter, slug: str) -> None:
    cost = measured.cost(slug, b"a**b" * 20_000, most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize(
    "mail",
    [
        "Subject: " + "=?utf-8?q?a?= " * 300_000,
        "Content-Type: text/plain" + "; a=b" * 400_000,
        "Content-Type: multipart/mixed" + ";\n a=b" * 400_000,
        "Content-Disposition: attachment" + "".join(f"; filename*{number}=a" for number in range(150_000)),
    ],
    ids=["encoded words", "parameters", "parameters of several parts", "pieces of a name"],
)
def test_words_and_parameters_of_headers_are_counted(measured: Meter, mail: str) -> None:
    refused(measured, "eml-to-json", f"{mail}\n\nx".encode())


ODD_MAILS = {
    "a parameter in one piece and in several": (b"Content-Type: text/plain; a*=b; a*0=c\n\nx", "written"),
    "a parameter of which there is only the name": (b"Content-Type: text/plain; a*0=c; a*\n\nx", "written"),
    "bytes above 127 in the name of a picture": (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\nContent-ID: <\x8a>\n\nx\n--b--\n",
        "written",
    ),
    "mails in mails": (b"Subject: x\n" + b"Content-Type: message/rfc822\n\n" * 280, "refused"),
}


@pytest.mark.parametrize("slug", ["eml-to-json", "eml-to-html"])
@pytest.mark.parametrize("name", ODD_MAILS)
def test_odd_mails_are_read_or_refused(measured: Meter, slug: str, name: str) -> None:
    mail, end = ODD_MAILS[name]
    cost = measured.cost(slug, mail, most=SECONDS)
    assert cost.end == end, cost


def test_lines_of_one_subtitle_are_read_in_linear_time(measured: Meter) -> None:
    cost = measured.cost("srt-to-ass", b"1\n00:00:01,000 --> 00:00:02,000\n" + b"a <b>\n" * 300_000, most=SECONDS)
    assert cost.end == "written", cost


def test_lines_of_an_env_file_are_read_in_linear_time(measured: Meter) -> None:
    cost = measured.cost("env-to-csv", b"A=1\n" * 240_000, most=SECONDS)
    assert cost.end == "written", cost


def _files(names: list[str]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    return out.getvalue()


_KEYS = {chr(0x4E00 + number): 1 for number in range(20_000)}
SAME = {
    "files": ("tgz-to-json", _files(["a.txt"] * 20_000)),
    "variables": ("json-to-env", json.dumps(_KEYS).encode()),
    "columns": ("json-to-avro", json.dumps([_KEYS]).encode()),
}


@pytest.mark.parametrize("name", SAME)
def test_many_things_of_one_name_are_numbered_in_linear_time(measured: Meter, name: str) -> None:
    slug, data = SAME[name]
    cost = measured.cost(slug, data, most=SECONDS)
    assert cost.end == "written", cost


def _made_of_two(glyphs: int) -> bytes:
    """A font whose glyphs are each made of two of the next."""
    names = [".notdef", *(f"g{number}" for number in range(glyphs))]
    table = newTable("glyf")
    table.glyphOrder, table.glyphs = names, {}
    for name, part in zip(names, [None, *names[2:], None], strict=True):
        pen = TTGlyphPen(dict.fromkeys(names))
        for shift in (0, 1) if part else ():
            pen.addComponent(part, (1, 0, 0, 1, shift, 0))
        if not part:
            pen.moveTo((0, 0))
            pen.lineTo((500, 0))
            pen.lineTo((0, 500))
            pen.closePath()
        glyph = table.glyphs[name] = pen.glyph()
        glyph.xMin = glyph.yMin = 0
        glyph.xMax = glyph.yMax = 500
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord("A"): "g0"})
    builder.font.recalcBBoxes = False
    builder.font["glyf"], builder.font["loca"] = table, newTable("loca")
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader()
    builder.setupNameTable({"familyName": "x", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.setupMaxp()
    builder.font["maxp"].recalc = lambda font: None
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def test_glyphs_in_a_chain_are_followed_once() -> None:
    chain = [[at + 1] for at in range(65_000)]
    began = time.process_time()
    assert drawn_glyphs.drawing([*chain, True]) == 65_001
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("slug", ["ttf-to-otf", "ttf-to-pdf"])
def test_glyphs_made_of_others_are_counted(measured: Meter, slug: str) -> None:
    refused(measured, slug, _made_of_two(40))


def _called(times: int, deep: int) -> bytes:
    """A PostScript font with subroutines that each call the next this often."""
    names = [".notdef", "A"]
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord("A"): "A"})
    outline = [0, 0, "rmoveto", -107, "callgsubr", "endchar"]
    builder.setupCFF("x", {}, {name: T2CharString(program=list(outline)) for name in names}, {})
    table = builder.font["CFF "].cff
    for number in range(deep):
        last = number == deep - 1
        program = [9, 9, "rlineto"] if last else [number + 1 - 107, "callgsubr"] * times
        table.GlobalSubrs.append(T2CharString(program=[*program, "return"], globalSubrs=table.GlobalSubrs))
    for name in names:
        table.topDictIndex[0].CharStrings[name].globalSubrs = table.GlobalSubrs
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader()
    builder.setupNameTable({"familyName": "x", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.font.recalcBBoxes = False
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


@pytest.mark.parametrize("slug", ["otf-to-ttf", "otf-to-woff", "otf-to-pdf", "otf-to-png"])
@pytest.mark.parametrize(("times", "deep"), [(20, 8), (1, 12)], ids=["often", "deep"])
def test_subroutines_of_outlines_are_counted(measured: Meter, slug: str, times: int, deep: int) -> None:
    refused(measured, slug, _called(times, deep))


@pytest.mark.parametrize("slug", ["otf-to-ttf", "otf-to-woff", "otf-to-pdf", "otf-to-png"])
def test_a_few_subroutines_in_one_another_are_drawn(measured: Meter, slug: str) -> None:
    assert measured.cost(slug, _called(2, 10), most=SECONDS).end == "written"


_FRACTIONS = "<m:f><m:num>" * 60 + "<m:r><m:t>x</m:t></m:r>" + "</m:num><m:den/></m:f>" * 60


def test_fractions_in_one_another_are_drawn_in_linear_time(measured: Meter) -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    formula = f"<m:oMath {math}>{_FRACTIONS}</m:oMath>"
    cost = measured.cost("docx-to-pdf", files.word(f"<w:p>{formula * 25}</w:p>"), most=SECONDS)
    assert cost.end == "written", cost


def test_columns_of_wide_tables_are_drawn_without_the_others(measured: Meter) -> None:
    rows = ",".join(f"c{number}" for number in range(15_000)) + "\n1,2\n"
    cost = measured.cost("csv-to-pdf", rows.encode(), most=2 * SECONDS)
    assert cost.end == "written", cost


def test_a_long_first_column_is_not_drawn_whole_with_each_part_of_a_wide_table(measured: Meter) -> None:
    rows = (",".join(["word " * 8_000, *(f"c{number}" for number in range(1_000))]) + "\n") * 2
    cost = measured.cost("csv-to-pdf", rows.encode(), most=SECONDS)
    assert cost.end == "written", cost


def test_rows_of_wide_tables_are_read_once(measured: Meter) -> None:
    rows = (",".join(f"a name of column {number}" for number in range(9_000)) + "\n") * 18
    cost = measured.cost("csv-to-pdf", rows.encode(), most=SECONDS)
    assert cost.end == "refused", cost  # for its characters, once they are put on pages


@pytest.mark.parametrize("slug", ["json-to-xlsx", "json-to-html", "json-to-parquet"])
def test_rows_that_have_a_column_of_their_own_each_are_counted(measured: Meter, slug: str) -> None:
    items = ",".join(f'{{"k{number}": 1}}' for number in range(9_990))
    cost = measured.cost(slug, f"[{items}]".encode(), most=8 * SECONDS)
    assert (cost.end, cost.reason) == ("refused", "limit"), cost


_REPEATED = {
    "spaces": (b"", b'<text:s text:c="2000000000"/>'),
    "long cells": (b'table:number-columns-repeated="1000"', b"x" * 900),
}


@pytest.mark.parametrize("name", _REPEATED)
@pytest.mark.parametrize("slug", ["ods-to-csv", "ods-to-xlsx"])
def test_what_is_repeated_in_a_sheet_is_counted(measured: Meter, slug: str, name: str) -> None:
    cell = b'<table:table-cell office:value-type="string" %b><text:p>%b</text:p></table:table-cell>' % _REPEATED[name]
    refused(measured, slug, sheet_of(sheet_row(cell, 10_000)))


def test_rows_that_are_styled_to_the_end_of_a_sheet_are_read(measured: Meter) -> None:
    rows = sheet_row(b'<table:table-cell table:style-name="a"/>' * 5, 1_000_000)
    assert measured.cost("ods-to-csv", sheet_of(rows), most=SECONDS).end == "written"


def _same(rows: int) -> pyarrow.Table:
    return pyarrow.table({"a": numpy.zeros(rows, dtype="int8")})


def _packed(kind: str, table: pyarrow.Table) -> bytes:
    out = io.BytesIO()
    if kind == "parquet":
        parquet.write_table(table, out, compression="zstd", row_group_size=table.num_rows)
    elif kind == "arrow":
        feather.write_feather(table, out, compression="zstd", chunksize=table.num_rows)
    else:
        orc.write_table(table, out, compression="zlib")
    return out.getvalue()


PACKING = ["parquet", "arrow", "orc"]


@pytest.mark.parametrize("kind", PACKING)
def test_one_value_in_millions_of_rows_is_counted(measured: Meter, kind: str) -> None:
    refused(measured, f"{kind}-to-csv", _packed(kind, _same(30_000_000)))


@pytest.mark.parametrize("kind", PACKING[:2])  # beside the libraries of the others, that of ORC has too little room
def test_millions_of_rows_that_differ_are_written(measured: Meter, kind: str) -> None:
    rows = numpy.arange(4_000_000)
    table = pyarrow.table({"number": rows, "day": rows // 7, "flag": rows % 2 == 0})
    cost = measured.cost(f"{kind}-to-csv", _packed(kind, table), most=3 * SECONDS)
    assert cost.end == "written", cost


LONG = {
    "contacts": ("vcf-to-json", b"BEGIN:VCARD\nVERSION:3.0\nFN:a\nEND:VCARD\n" * 80_000),
    "an address of many commas": (
        "vcf-to-json",
        b"BEGIN:VCARD\nFN:a\nADR:" + b"ab\\,ab\\," * 200_000 + b"\nEND:VCARD\n",
    ),
    "flowing lines": ("eml-to-html", b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 800_000),
    "a name of many words": ("bibtex-to-csljson", b"@article{a, author={" + b"A " * 500_000 + b"}}"),
}


@pytest.mark.parametrize("name", LONG)
def test_lists_of_records_and_words_are_read_in_linear_time(measured: Meter, name: str) -> None:
    slug, data = LONG[name]
    cost = measured.cost(slug, data, most=SECONDS)
    assert cost.end == "written", cost


@pytest.mark.parametrize(
    ("head", "options"),
    [
        ("", {"headerLeft": "{page}"}),
        ("<style>.m { position: fixed; top: -20px }</style>" + "<i class=m>x</i>" * 10, {}),
    ],
)
def test_what_is_in_the_margins_of_many_pages_is_laid_out_in_linear_time(
    measured: Meter, head: str, options: dict[str, str]
) -> None:
    page = head + "<p style='break-after:page'>x" * 2_500
    assert measured.cost("html-to-pdf", page.encode(), options, most=SECONDS).end == "written"


@pytest.mark.parametrize(
    "page",
    ["<div style='columns:2'><p>x<p>y</div>" * 2_500, "<div style='columns:2'>" * 20 + "<p>x" * 12_000],
    ids=["many", "nested"],
)
def test_columns_over_pages_are_laid_out_again_as_often_as_the_page_affords(measured: Meter, page: str) -> None:
    assert measured.cost("html-to-pdf", page.encode(), most=SECONDS).end == "written"


NESTED = "<div style='width:calc(99% - 1px)'>" * 6 + "x" + "</div>" * 6
MEASURED = (
    f"{NESTED}<div style='display:grid;grid-template-columns:1fr 1fr'><i>a</i><div>{NESTED}</div></div>"
    "<p style='overflow:hidden;text-overflow:ellipsis;white-space:nowrap;width:50px'>longer than fifty pixels</p>"
)


@pytest.mark.parametrize("rest", ["<p>x" * 24_000, "<ul>" + "<li>x" * 16_000], ids=["paragraphs", "items"])
def test_boxes_of_large_pages_are_measured_as_often_as_the_page_affords(measured: Meter, rest: str) -> None:
    assert measured.cost("html-to-pdf", (MEASURED + rest).encode(), most=2 * SECONDS).end == "written"


def test_a_paragraph_of_formulas_is_released_in_linear_time(measured: Meter) -> None:
    assert measured.cost("markdown-to-pdf", b"$x^2$ " * 8_000, most=SECONDS).end == "written"


_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def test_long_labels_of_word_lists_are_not_repeated_whole(measured: Meter) -> None:
    level = f'<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="{"%1" * 48_000}"/></w:lvl>'
    lists = (
        f'<w:numbering {_WORD}><w:abstractNum w:abstractNumId="0">{level}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    item = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>'
    document = files.word(item * 1_000, {"rN": ("numbering", "numbering.xml", lists)})
    assert measured.cost("docx-to-markdown", document, most=SECONDS).end == "written"


def test_rows_of_a_long_word_table_are_followed_by_notes_in_linear_time(measured: Meter) -> None:
    row = "<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr>"
    noted = '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
    notes = f'<w:footnotes {_WORD}><w:footnote w:id="1"><w:p><w:r><w:t>n</w:t></w:r></w:p></w:footnote></w:footnotes>'
    document = files.word(f"{noted}<w:tbl>{row * 7_000}</w:tbl>", {"rF": ("footnotes", "footnotes.xml", notes)})
    assert measured.cost("docx-to-pdf", document, most=SECONDS).end == "written"


def test_a_style_sheet_that_is_linked_very_often_is_refused(measured: Meter) -> None:
    def resource(data: bytes, kind: str, address: str) -> dict[str, object]:
        return {"WebResourceData": data, "WebResourceMIMEType": kind, "WebResourceURL": f"http://example.com/{address}"}

    page = {
        "WebMainResource": resource(b"<link rel=stylesheet href=a.css>" * 1_000, "text/html", ""),
        "WebSubresources": [resource(b".a{color:red}" * 2_500, "text/css", "a.css")],
    }
    data = plistlib.dumps(page, fmt=plistlib.FMT_BINARY)
    refused(measured, "webarchive-to-pdf", data)


_LANGUAGES = ("bg", "cs", "da", "de", "el", "en", "es", "fr", "hr", "hu", "it", "nl", "pl", "pt", "ru", "sk", "uk")
BOUNDED = {
    "small capitals of one line": (
        "<style>p { font-variant: small-caps }</style><p>" + "aB" * 10_000,
        "NOT_UNDERSTOOD",
    ),
    "footnotes": ("<style>i { float: footnote }</style><p>" + "<i>x</i>" * 11_000, "NOT_UNDERSTOOD"),
    "footnotes within many elements": (
        "<style>i { float: footnote }</style><p>" + "<b>" * 25 + "<i>x</i>" * 9_000,
        "NOT_UNDERSTOOD",
    ),
    "breaks of rows in cells": (
        "<style>tr { break-before: page; break-after: page }</style><table>"
        + ("<tr><td rowspan=199>x" + "<tr><td>x" * 198) * 60,
        "CSS_UNSUPPORTED",
    ),
    "rules of named pages": (
        "<style>"
        + "@page :left { @top-left { content: 'x' } }" * 1_200
        + "p { page: a } div { page: b }</style>"
        + "<p>x</p><div>x</div>" * 600,
        "CSS_UNSUPPORTED",
    ),
    "languages": (
        "<style>p { hyphens: auto }</style>" + "".join(f"<p lang={each}>wonderful</p>" for each in _LANGUAGES),
        "NOT_UNDERSTOOD",
    ),
}


@pytest.mark.parametrize("name", BOUNDED)
def test_styles_that_small_pages_ask_for_very_often_are_named_beyond_a_number(measured: Meter, name: str) -> None:
    page, code = BOUNDED[name]
    cost = measured.cost("html-to-pdf", page.encode(), most=2 * SECONDS)
    assert cost.end == "written", cost
    assert code in cost.warned


def test_many_heads_of_a_table_are_looked_at_once(measured: Meter) -> None:
    page = "<table>" + "<thead><tr><th>h</thead>" * 1_200 + "<tr><td>" * 2_000
    assert measured.cost("html-to-pdf", page.encode(), most=2 * SECONDS).end == "written"


def test_a_long_name_of_a_language_is_read_in_linear_time(measured: Meter) -> None:
    page = "<style>p { hyphens: auto; width: 20px }</style><p lang=" + "a-" * 45_000 + ">wonderful"
    assert measured.cost("html-to-pdf", page.encode(), most=2 * SECONDS).end == "written"
