"""Small documents and mails that ask for much more than they hold are refused in time, and honest ones are not."""

from __future__ import annotations

import base64

import pytest

from engine.families.registry import CONVERTERS
from tests.families.documents import files
from tests.hostile.costs import Meter
from tests.hostile.pictures import blank_png

SECONDS = 5
"""Processor seconds for what is refused by a count; all of it took over twice that before it was counted."""
_SLOW = 15
"""Processor seconds for what only the limit of pandoc stops: eight, and what is around it. It took 20 to 90."""

_NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
}
_DECLARED = "".join(f' xmlns:{name}="{address}"' for name, address in _NAMESPACES.items())
_CONTENT = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"


def _word(body: str, *, notes: str = "", picture: bytes = b"") -> bytes:
    """A Word document with this body, and perhaps the footnote 2 and a picture with the id `p`."""
    kind = _NAMESPACES["r"]
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="png" ContentType="image/png"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_CONTENT}document.main+xml"/>'
        f'<Override PartName="/word/footnotes.xml" ContentType="{_CONTENT}footnotes+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}relationships">'
        f'<Relationship Id="m" Type="{kind}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}relationships">'
        f'<Relationship Id="n" Type="{kind}/footnotes" Target="footnotes.xml"/>'
        f'<Relationship Id="p" Type="{kind}/image" Target="media/p.png"/></Relationships>',
        "word/document.xml": f"<w:document{_DECLARED}><w:body>{body}<w:sectPr/></w:body></w:document>",
        "word/footnotes.xml": f"<w:footnotes{_DECLARED}>{notes}</w:footnotes>",
        "word/media/p.png": picture,
    }
    return files.archive(parts)


_SHOWN = (
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="9525" cy="9525"/><wp:docPr id="1" name="a"/><a:graphic>'
    f'<a:graphicData uri="{_NAMESPACES["pic"]}"><pic:pic><pic:blipFill><a:blip r:embed="p"/></pic:blipFill>'
    "<pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
)


def _row(cells: int) -> bytes:
    return _word("<w:tbl><w:tr>" + "<w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>" * cells + "</w:tr></w:tbl>")


@pytest.mark.parametrize("slug", ["docx-to-html", "docx-to-pdf", "docx-to-odt"])
def test_rows_of_more_cells_than_are_told_apart_are_converted(measured: Meter, slug: str) -> None:
    cost = measured.cost(slug, _row(1_000), most=SECONDS)
    assert cost.end == "written", cost


def test_cells_of_one_row_are_read_in_linear_time(measured: Meter) -> None:
    cost = measured.cost("docx-to-html", _row(60_000), most=2 * SECONDS)
    assert cost.end == "written", cost


def test_a_picture_that_a_page_shows_often_is_counted_each_time(measured: Meter) -> None:
    often = _word(_SHOWN * 300, picture=blank_png(4_900, 4_900))
    cost = measured.cost("docx-to-pdf", often, most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "limit"), cost
    small = _word(_SHOWN * 300, picture=blank_png(300, 300))
    cost = measured.cost("docx-to-pdf", small, most=2 * SECONDS)
    assert cost.end == "written", cost


def test_copies_of_a_picture_in_a_page_are_counted(measured: Meter) -> None:
    picture = blank_png(9_000, 9_000, depth=8)
    cost = measured.cost("docx-to-html", _word(_SHOWN * 2_000, picture=picture), most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "memory"), cost


@pytest.mark.parametrize("slug", ["eml-to-html", "eml-to-pdf"])
def test_copies_of_an_attached_picture_are_counted(measured: Meter, slug: str) -> None:
    picture = base64.encodebytes(blank_png(9_000, 5_000, depth=8)).decode()
    mail = (
        "Subject: x\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n"
        + "<img src=cid:a>" * 1_500
        + "\n--b\nContent-Type: image/png\nContent-ID: <a>\nContent-Transfer-Encoding: base64\n\n"
        + f"{picture}\n--b--\n"
    )
    cost = measured.cost(slug, mail.encode(), most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "memory"), cost


def test_notes_that_a_text_refers_to_very_often_are_counted(measured: Meter) -> None:
    note = f'<w:footnote w:id="2"><w:p><w:r><w:t>{"word " * 300}</w:t></w:r></w:p></w:footnote>'
    often = _word("<w:p>" + '<w:r><w:footnoteReference w:id="2"/></w:r>' * 5_000 + "</w:p>", notes=note)
    cost = measured.cost("docx-to-odt", often, most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "limit"), cost


def test_slides_that_are_shown_again_and_again_are_counted(measured: Meter) -> None:
    names = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="{}"'.format(_NAMESPACES["r"])
    relations = f'<Relationships xmlns="{_PACKAGE}relationships"><Relationship Id="r" Type="{_NAMESPACES["r"]}/%s"'
    deck = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}content-types"><Override PartName="/a/p.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
        "_rels/.rels": f'{relations % "officeDocument"} Target="a/p.xml"/></Relationships>',
        "a/_rels/p.xml.rels": f'{relations % "slide"} Target="s.xml"/></Relationships>',
        "a/p.xml": f"<p:presentation {names}><p:sldIdLst>"
        + '<p:sldId r:id="r"/>' * 60_000
        + "</p:sldIdLst></p:presentation>",
        "a/s.xml": f"<p:sld {names}><p:cSld><p:spTree/></p:cSld></p:sld>",
    }
    cost = measured.cost("pptx-to-html", files.archive(deck), most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "limit"), cost


HEAVY = {
    "chapters": ("html-to-epub", b"<h1>a</h1>" * 9_000),
    "chapters of outlines": ("html-to-opml", b"<h1>a" * 19_000),
    "cells of a row": ("html-to-txt", b"<table><tr>" + b"<td>x" * 16_000),
}


@pytest.mark.parametrize("name", HEAVY)
def test_what_pandoc_takes_quadratic_time_for_is_stopped_by_the_size_of_the_file(measured: Meter, name: str) -> None:
    slug, data = HEAVY[name]
    cost = measured.cost(slug, data, most=_SLOW)
    assert (cost.end, cost.reason) == ("refused", "timeout"), cost


_OPEN_DOCUMENT = "".join(
    f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{rest}:1.0"'
    for name, rest in (("office", "office"), ("draw", "drawing"), ("svg", "svg-compatible"))
)
_MANY = 20_000
DRAWN = {
    "shapes": ("odg-to-svg", "drawing", "<draw:page>{}</draw:page>", '<draw:rect svg:width="9cm" svg:height="9cm"/>'),
    "pages": ("odp-to-pdf", "presentation", "{}", "<draw:page/>"),
}


@pytest.mark.skipif("odg-to-svg" not in CONVERTERS, reason="LibreOffice is not installed")
@pytest.mark.parametrize("name", DRAWN)
def test_shapes_and_pages_are_counted_before_they_are_laid_out(measured: Meter, name: str) -> None:
    slug, body, around, each = DRAWN[name]
    content = f"<office:{body}>{around.format(each * _MANY)}</office:{body}>"
    drawing = files.archive({
        "mimetype": f"application/vnd.oasis.opendocument.{'graphics' if body == 'drawing' else body}",
        "content.xml": f"<office:document-content{_OPEN_DOCUMENT}><office:body>{content}</office:body>"
        "</office:document-content>",
    })  # fmt: skip
    cost = measured.cost(slug, drawing, most=SECONDS)
    assert (cost.end, cost.reason) == ("refused", "limit"), cost
