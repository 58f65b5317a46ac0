"""Redacting PDFs whose pages, annotations and fonts share what has to be searched."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import pytest

from tests.hostile.costs import Cost, Meter
from tests.hostile.small_pdfs import stream

SECONDS = 10
_FONT = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
_SHOWS = b"BT /F 9 Tf 9 9 Td (secret) Tj ET "
_PARSED = b"1 0 0 % a comment\n rg "
_FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<%s>>" % _FONT
_LETTERS = b"BT /F 9 Tf 9 99 Td " + b"(a) Tj " * 4_500 + b"ET "


def pdf(pages: Sequence[bytes], *others: bytes, resources: bytes = _FONT) -> bytes:
    """Pages with these entries; `others` are the objects from 4 on."""
    kids = b" ".join(b"%d 0 R" % (4 + len(others) + number) for number in range(len(pages)))
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d/MediaBox[0 0 600 800]/Resources 3 0 R>>" % (kids, len(pages)),
        b"<<%s>>" % resources,
        *others,
        *(b"<</Type/Page/Parent 2 0 R%s>>" % each for each in pages),
    )
    return (
        b"%PDF-1.7\n"
        + b"".join(b"%d 0 obj\n%s\nendobj\n" % each for each in enumerate(objects, 1))
        + (b"trailer<</Root 1 0 R/Size %d>>\n%%%%EOF\n" % (len(objects) + 1))
    )


def packed(content: bytes) -> bytes:
    return stream(zlib.compress(content, 9), b"/Filter/FlateDecode")


def redacted(measured: Meter, data: bytes, text: str = "secret") -> Cost:
    assert len(data) <= 100_000
    return measured.cost("pdf-to-pdf", data, {"operation": "redact", "redactText": text}, most=SECONDS)


_SAME = [b"/Contents 4 0 R"] * 200
_OTHER = [b"/Contents 4 0 R/UserUnit 1.%03d" % number for number in range(200)]
SHARED = {
    "graphics": pdf(_SAME, stream(_PARSED + _SHOWS + b"q Q " * 8_000)),
    "letters": pdf(_SAME, stream(_PARSED + _SHOWS + _LETTERS)),
    "nothing to remove": pdf(_SAME, stream(_PARSED + _LETTERS)),
    "a form on other pages": pdf(
        _OTHER[:100],
        stream(_SHOWS + b"/X Do"),
        stream(_PARSED + b"q Q " * 8_000, _FORM),
        resources=_FONT + b"/XObject<</X 5 0 R>>",
    ),
}


@pytest.mark.parametrize("name", SHARED)
def test_what_is_shared_is_searched_and_rewritten_once(measured: Meter, name: str) -> None:
    cost = redacted(measured, SHARED[name])
    assert cost.end == "written", cost
    assert cost.seconds < SECONDS / 2, cost


_WIDE = (
    b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2"
    b"/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(I)/Supplement 0>>/W[0 65535 500]>>]>>"
)


def test_the_widths_of_a_font_are_read_once(measured: Meter) -> None:
    shown = b"BT /W 9 Tf " + b"9 9 Td (ab) Tj " * 4_000 + b"ET "
    cost = redacted(
        measured, pdf([b"/Contents 4 0 R"], stream(_SHOWS + shown), resources=_FONT[:-2] + b"/W%s>>" % _WIDE)
    )
    assert cost.end == "written", cost


MANY = {
    "pages of other units with the same letters": pdf(_OTHER, stream(_PARSED + _SHOWS + _LETTERS)),
    "pictures of a negative width": pdf(
        _OTHER[:60],
        stream(_PARSED + _SHOWS + b"q 99 0 0 99 0 0 cm /P Do Q " + _LETTERS),
        stream(b"", b"/Type/XObject/Subtype/Image/Width -99999999/Height 999/BitsPerComponent 1/ColorSpace/DeviceGray"),
        resources=_FONT + b"/XObject<</P 5 0 R>>",
    ),
    "packed graphics": pdf(
        [b"/Contents %d 0 R" % (4 + number) for number in range(30)],
        *(packed(b"%d w " % number + _PARSED + _SHOWS + b"q Q " * 250_000) for number in range(30)),
    ),
    "packed letters": pdf(
        [b"/Contents %d 0 R" % (4 + number) for number in range(60)],
        *(packed(b"%d w " % number + _SHOWS + _LETTERS * 3) for number in range(60)),
    ),
    "pictures in the content over many letters": pdf(
        [b"/Contents 4 0 R"],
        packed(
            b"BT /F 1 Tf 99 99 Td " + b".1 0 Td (a) Tj " * 5_000 + b"ET "
            b"q 900 0 0 90 0 0 cm " + b"BI/W 1/H 1/BPC 1/CS/G ID x EI " * 30_000 + b"Q"
        ),
    ),
}
_CLOSE = b"BT /F .01 Tf " + b".001 0 Td (a) Tj " * 12_000 + b"9 0 Td " + b".001 0 Td (b) Tj " * 12_000 + b"ET"


def test_letters_close_to_one_another_are_compared_with_few_boxes(measured: Meter) -> None:
    cost = redacted(measured, pdf([b"/Contents 4 0 R"], packed(_CLOSE)), "a")
    assert cost.end == "written", cost


@pytest.mark.parametrize("name", MANY)
def test_more_content_than_a_file_of_its_size_has_is_refused(measured: Meter, name: str) -> None:
    cost = redacted(measured, MANY[name], "secret\na")
    assert (cost.end, cost.reason) == ("refused", "limit"), cost
