"""Texts of shapes stand within them, groups turn over what they hold, and lines bend and end as they say."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from engine.families.documents.slides.deck import P
from engine.families.documents.word.names import A
from tests.converters.test_documents import Convert
from tests.converters.test_slides import deck, drawn_by_us, line, pages
from tests.converters.test_word_looks import drawn
from tests.families.documents import files

_INCH = 914_400
_FILL = '<a:solidFill><a:srgbClr val="FFCC00"/></a:solidFill>'
_RED = '<a:ln w="38100"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>{}</a:ln>'
_YELLOW, _WHITE = (255, 204, 0), (255, 255, 255)


def _shape(kind: str, text: str = "", *, left: float = 0, more: str = "", fill: str = _FILL, body: str = "") -> str:
    """A shape of 2 by 2 inches."""
    place = f'<a:xfrm {more}><a:off x="{int(left * _INCH)}" y="0"/><a:ext cx="{2 * _INCH}" cy="{2 * _INCH}"/></a:xfrm>'
    words = f"<p:txBody><a:bodyPr {body}/>{line(text)}</p:txBody>" if text else ""
    head = '<p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr/></p:nvSpPr>'
    return f'<p:sp>{head}<p:spPr>{place}<a:prstGeom prst="{kind}"/>{fill}</p:spPr>{words}</p:sp>'


def _page(folder: Path) -> pypdfium2.PdfPage:
    return pypdfium2.PdfDocument(folder / "output.pdf")[0]


def _seen(folder: Path) -> Image.Image:
    seen: Image.Image = _page(folder).render().to_pil().convert("RGB")
    return seen


def _start(page: pypdfium2.PdfPage, text: str) -> tuple[float, float]:
    """The left edge of a text, and its upper edge from the top of the page, in points."""
    words = page.get_textpage()
    at, _ = words.search(text).get_next() or (-1, 0)
    left, _, _, top = words.get_charbox(at)
    return left, page.get_height() - top


@drawn
@pytest.mark.parametrize(
    ("kind", "left", "top"),
    [("rect", 0, 0), ("diamond", 36, 36), ("ellipse", 21, 21), ("triangle", 36, 72), ("rightArrow", 0, 36)],
)
def test_texts_of_slides_stand_within_the_form_of_their_shape(tmp_path: Path, kind: str, left: int, top: int) -> None:
    pages(tmp_path, deck(_shape(kind, "Ab")))
    x, y = _start(_page(tmp_path), "Ab")
    assert x == pytest.approx(left + 7.2, abs=2)
    assert y == pytest.approx(top + 3.6, abs=7)


@drawn
def test_words_wider_than_their_shape_are_broken(tmp_path: Path) -> None:
    pages(tmp_path, deck(_shape("diamond", "Mississippi") + _shape("rect", "Mississippi", left=4)))
    words = _page(tmp_path).get_textpage()
    feet = [words.get_charbox(at)[1] for at in range(words.count_chars())]
    assert max(feet[:11]) - min(feet[:11]) > 10
    assert max(feet[-11:]) - min(feet[-11:]) < 10


@drawn
def test_a_group_that_is_turned_over_turns_over_its_shapes(tmp_path: Path) -> None:
    """An arrow at the left of its group points to the left at its right."""
    frame = (
        f'<a:xfrm {{}}><a:off x="0" y="0"/><a:ext cx="{6 * _INCH}" cy="{2 * _INCH}"/>'
        f'<a:chOff x="0" y="0"/><a:chExt cx="{6 * _INCH}" cy="{2 * _INCH}"/></a:xfrm>'
    )

    def group(more: str) -> Image.Image:
        inner = _shape("rtTriangle")
        pages(tmp_path, deck(f"<p:grpSp><p:grpSpPr>{frame.format(more)}</p:grpSpPr>{inner}</p:grpSp>"))
        return _seen(tmp_path)

    assert [group("").getpixel(each) for each in ((5, 100), (140, 10), (425, 100))] == [_YELLOW, _WHITE, _WHITE]
    over = group('flipH="1"')
    assert [over.getpixel(each) for each in ((5, 100), (295, 10), (425, 100))] == [_WHITE, _WHITE, _YELLOW]
    turned = group('rot="10800000"')
    assert [turned.getpixel(each) for each in ((5, 100), (427, 20), (295, 140))] == [_WHITE, _YELLOW, _WHITE]


@drawn
def test_a_gradient_fills_the_form_of_a_shape(tmp_path: Path) -> None:
    stops = "".join(
        f'<a:gs pos="{at}"><a:srgbClr val="{colour}"/></a:gs>' for at, colour in ((0, "FF0000"), (100_000, "0000FF"))
    )
    fill = f'<a:gradFill><a:gsLst>{stops}</a:gsLst><a:lin ang="0"/></a:gradFill>'
    pages(tmp_path, deck(_shape("homePlate", fill=fill)))
    left, right = (_seen(tmp_path).getpixel((x, 72)) for x in (5, 135))
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    assert left[0] > 200 > 50 > left[2]
    assert right[2] > 200 > 50 > right[0]


@drawn
def test_connectors_are_curved_and_end_in_the_heads_they_say(tmp_path: Path) -> None:
    """The middle of a curve lies within its bend; an open head has nothing between its sides."""
    curve = _shape("curvedConnector2", fill=_RED.format(""))
    heads = [
        _shape("line", left=at, fill=_RED.format(f'<a:tailEnd type="{kind}" w="lg" len="lg"/>'))
        for at, kind in ((3, "triangle"), (6, "arrow"))
    ]
    pages(tmp_path, deck(curve + "".join(heads)))
    seen = _seen(tmp_path)
    red = (255, 0, 0)
    assert seen.getpixel((142, 3)) == _WHITE
    assert red in {seen.getpixel((x, 144 - x)) for x in range(90, 125)}

    def reds(left: int) -> int:
        return sum(seen.getpixel((left + 128 + x, 128 + y)) == red for x in range(18) for y in range(18))

    filled, open_ = reds(216), reds(432)
    assert filled > open_ > 0


@drawn
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('numCol="2"', True), ('rot="5400000"', True), ('vert="wordArtVert"', True), ('vert="eaVert"', False),
        ('vert="vert270"', False), ('rot="0" numCol="1"', False),
    ],
)  # fmt: skip
def test_texts_that_are_placed_otherwise_than_drawn_are_counted(tmp_path: Path, body: str, named: bool) -> None:
    said = _messages(tmp_path, _shape("rect", "Text", body=body))
    assert ("no effect here: 1 (a:bodyPr)" in said) is named
    if "eaVert" in body:
        assert "no effect here: 1 (a:bodyPr)" in _messages(tmp_path, _shape("rect", "縦書き", body=body))


@pytest.mark.parametrize("root", ["p:txBody", "a:bodyPr"])
def test_a_part_that_is_no_slide_is_an_empty_page(tmp_path: Path, root: str) -> None:
    spaces = f'xmlns:a="{A[1:-1]}" xmlns:p="{P[1:-1]}"'
    part = f'<{root} {spaces} upright="1"><a:bodyPr upright="1"/></{root}>'
    assert drawn_by_us(tmp_path, deck("", {"ppt/slides/slide1.xml": part}), notes=False) == []
    assert len(pypdfium2.PdfDocument(tmp_path / "output.pdf")) == 1


def _messages(folder: Path, shapes: str) -> str:
    from engine.families.documents.slides import pages as slides
    from engine.families.documents.slides.options import PresentationOptions
    from engine.toolkit.warnings import Warn

    warn = Warn()
    source = folder / "input.pptx"
    source.write_bytes(deck(shapes))
    slides.to_pdf(source, folder / "output.pdf", PresentationOptions(), warn)
    return "\n".join(str(each.message) for each in warn.warnings)


def _boxed(kind: str, text: str) -> str:
    """A shape of 2 by 2 inches in a line of a Word document."""
    drawing = "http://schemas.openxmlformats.org/drawingml/2006"
    box = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
    words = f"<wps:txbx><w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent></wps:txbx>"
    return (
        f'<w:r><w:drawing><wp:inline xmlns:wp="{drawing}/wordprocessingDrawing"><wp:extent cx="{2 * _INCH}" '
        f'cy="{2 * _INCH}"/><a:graphic xmlns:a="{drawing}/main"><a:graphicData uri="{box}"><wps:wsp xmlns:wps="{box}">'
        f'<wps:spPr><a:prstGeom prst="{kind}"/>{_FILL}</wps:spPr>{words}<wps:bodyPr/></wps:wsp></a:graphicData>'
        "</a:graphic></wp:inline></w:drawing></w:r>"
    )


@drawn
def test_shapes_of_word_stand_side_by_side_with_their_texts_within_them(tmp_path: Path) -> None:
    body = f"<w:p>{_boxed('diamond', 'Aa')}{_boxed('rect', 'Bb')}{_boxed('triangle', 'Cc')}</w:p>"
    data: Any = Convert(tmp_path, "docx-to-pdf", files.word(body)).data
    page = pypdfium2.PdfDocument(io.BytesIO(data))[0]
    diamond, box, triangle = (_start(page, each) for each in ("Aa", "Bb", "Cc"))
    assert diamond[0] == pytest.approx(72 + 36 + 7.2, abs=2)
    assert box[0] == pytest.approx(72 + 144 + 7.2, abs=2)
    assert triangle[0] == pytest.approx(72 + 288 + 36 + 7.2, abs=2)
    assert diamond[1] - box[1] == pytest.approx(36, abs=2)
    assert triangle[1] - box[1] == pytest.approx(72, abs=2)


@pytest.mark.parametrize("target", ["markdown", "odt", "txt"])
def test_shapes_of_word_without_text_and_boxes_that_move_are_counted_each(tmp_path: Path, target: str) -> None:
    words = "<wps:txbx><w:txbxContent><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:txbxContent></wps:txbx>"
    line_ = _boxed("line", "x").replace(words.format("x"), "")
    body = f"<w:p>{_boxed('diamond', 'Aa')}{_boxed('rect', 'Bb')}{line_}</w:p>"
    done = Convert(tmp_path, f"docx-to-{target}", files.word(body))
    assert "Drawn shapes without text were left out: 1." in done.messages
    assert "2 text boxes were moved after their paragraphs." in done.messages


def test_emphasis_marks_and_vertical_text_that_another_format_loses_are_named(tmp_path: Path) -> None:
    section = '<w:sectPr><w:textDirection w:val="tbRl"/></w:sectPr>'
    body = f'<w:p><w:r><w:rPr><w:em w:val="dot"/></w:rPr><w:t>x</w:t></w:r></w:p>{section}'
    done = Convert(tmp_path, "docx-to-odt", files.word(body))
    assert "Formatting was left out: emphasis marks, vertical text." in done.messages
    plain = files.word('<w:p><w:r><w:t>x</w:t></w:r></w:p><w:sectPr><w:textDirection w:val="lrTb"/></w:sectPr>')
    assert "left out" not in Convert(tmp_path, "docx-to-odt", plain).messages
