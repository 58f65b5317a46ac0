"""Readers know what they understand: any other element that carries something is named, once, with a count."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pypdfium2
import pytest

from engine.families.documents.odf import vocabulary as odf
from engine.families.documents.slides import pages
from engine.families.documents.slides import vocabulary as slides
from engine.families.documents.slides.options import PresentationOptions
from engine.families.documents.word import vocabulary as word
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.vocabulary import Vocabulary
from engine.toolkit.warnings import Warn
from tests.families.documents import files

_ENGINE = Path(word.__file__).parents[3]
_NAMES = re.compile(r"[\w:/ .*{}-]+")

VOCABULARIES: dict[str, tuple[Vocabulary, tuple[str, ...]]] = {
    "odf": (odf.ODF, ("families/documents/odf",)),
    "slides": (
        slides.SLIDES,
        ("families/documents/slides", "families/documents/word", "families/documents/ooxml", "toolkit/shapes"),
    ),
    "word": (word.WORD, ("families/documents/word", "families/documents/ooxml", "toolkit/shapes")),
}
"""Each vocabulary, and the folders of the reader that it is about."""


def literals(folders: Iterable[str]) -> frozenset[str]:
    """The names that a reader's modules have as texts, those of a vocabulary left aside."""
    found: set[str] = set()
    for folder in folders:
        for module in (_ENGINE / folder).glob("*.py"):
            if module.stem != "vocabulary":
                for node in ast.walk(ast.parse(module.read_text())):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAMES.fullmatch(node.value):
                        found.update(re.split(r"[\s/:}]+", node.value))
    return frozenset(found)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_the_list_has_no_name_that_the_reader_does_not_handle(name: str) -> None:
    vocabulary, folders = VOCABULARIES[name]
    there = literals(folders)
    assert [each for each in sorted(vocabulary.understood) if each.partition(":")[2] not in there] == []
    assert vocabulary.understood.isdisjoint(vocabulary.unseen)
    assert {each.partition(":")[0] for each in vocabulary.understood | vocabulary.unseen} <= {
        *vocabulary.prefixes.values()
    }


def converted(source: Path, slug: str) -> dict[str, str]:
    """The messages of a conversion by their codes."""
    converter, warn = CONVERTERS[slug], Warn()
    converter.run(source, source.with_name(f"made.{slug.rpartition('-')[2]}"), build(converter.options, {}), warn)
    return {each.code: each.message for each in warn.warnings}


WORD_UNKNOWN = {
    "borders of pages made of pictures": (
        '<w:sectPr><w:pgBorders><w:top w:val="apples"/></w:pgBorders></w:sectPr>',
        "w:pgBorders",
    ),
    "floating tables in cells": (
        "<w:tbl><w:tr><w:tc><w:tbl><w:tblPr><w:tblpPr w:tblpX='5000'/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr>"
        "</w:tbl><w:p/></w:tc></w:tr></w:tbl><w:p/>",
        "w:tblpPr",
    ),
    "documents within": ('<w:altChunk r:id="rId9"/>', "w:altChunk"),
    "what nobody knows": ("<w:p><w:r><w:invented/></w:r></w:p>", "w:invented"),
}
WORD_KNOWN = {
    "a paragraph": '<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>x</w:t></w:r></w:p>',
    "line numbers": '<w:sectPr><w:lnNumType w:countBy="1"/></w:sectPr>',
    "vertical pages": '<w:sectPr><w:textDirection w:val="tbRl"/></w:sectPr>',
    "a grid of characters": '<w:sectPr><w:docGrid w:type="snapToChars" w:linePitch="400"/></w:sectPr>',
    "frames": '<w:p><w:pPr><w:framePr w:x="500"/></w:pPr><w:r><w:t>O</w:t></w:r></w:p>',
    "emphasis": '<w:p><w:r><w:rPr><w:em w:val="dot"/></w:rPr><w:t>x</w:t></w:r></w:p>',
    "floating tables":
        '<w:tbl><w:tblPr><w:tblpPr w:tblpX="5000"/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p/>',
    "a grid of lines": '<w:sectPr><w:docGrid w:type="lines" w:linePitch="400"/></w:sectPr>',
    "a grid without a kind": '<w:sectPr><w:docGrid w:linePitch="360"/></w:sectPr>',
    "what is said not to be": '<w:p><w:r><w:rPr><w:em w:val="none"/></w:rPr><w:t>x</w:t></w:r></w:p>',
    "what editors note": '<w:p><w:proofErr w:type="spellStart"/><w:r><w:lastRenderedPageBreak/></w:r></w:p>',
    "a namespace of others": '<w:p><x:y xmlns:x="urn:other"/></w:p>',
}  # fmt: skip


@pytest.mark.parametrize("case", WORD_UNKNOWN)
def test_what_word_documents_have_without_effect_is_named(case: str, tmp_path: Path) -> None:
    body, name = WORD_UNKNOWN[case]
    source = tmp_path / "input.docx"
    source.write_bytes(files.word(f"<w:p><w:r><w:t>Text</w:t></w:r></w:p>{body}"))
    assert (
        converted(source, "docx-to-pdf")["NOT_UNDERSTOOD"] == f"Elements in the file have no effect here: 1 ({name})."
    )


@pytest.mark.parametrize("case", WORD_KNOWN)
def test_what_word_documents_have_with_an_effect_is_not_named(case: str, tmp_path: Path) -> None:
    source = tmp_path / "input.docx"
    source.write_bytes(files.word(f"<w:p><w:r><w:t>Text</w:t></w:r></w:p>{WORD_KNOWN[case]}"))
    assert "NOT_UNDERSTOOD" not in converted(source, "docx-to-pdf")


def test_old_forms_show_their_boxes_and_what_was_chosen(tmp_path: Path) -> None:
    def field(data: str) -> str:
        begin = f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'
        return (
            f'<w:p>{begin}<w:r><w:instrText> FORM </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
        )

    box = '<w:checkBox><w:default w:val="{}"/>{}</w:checkBox>'
    entries = '<w:listEntry w:val="red"/><w:listEntry w:val="green"/>'
    source = tmp_path / "input.docx"
    source.write_bytes(
        files.word(
            field(box.format(1, ""))
            + field(box.format(1, '<w:checked w:val="0"/>'))
            + field(f'<w:ddList><w:result w:val="1"/>{entries}</w:ddList>')
        )
    )
    converted(source, "docx-to-html")
    text = re.sub("<style.*?</style>|<[^>]*>", " ", (tmp_path / "made.html").read_text(), flags=re.DOTALL)
    assert text.split()[-3:] == ["\u2612", "\u2610", "green"]


RTF_UNKNOWN = {
    "line numbers": (r"\linemod1 ", r"\linemod"),
    "emphasis": (r"{\accdot x}", r"\accdot"),
    "what nobody knows": (r"\invented5 ", r"\invented"),
}


@pytest.mark.parametrize("case", RTF_UNKNOWN)
def test_control_words_without_effect_are_named(case: str, tmp_path: Path) -> None:
    text, name = RTF_UNKNOWN[case]
    source = tmp_path / "input.rtf"
    source.write_text(rf"{{\rtf1\ansi\ansicpg1252 Text {text}\par}}")
    assert converted(source, "rtf-to-pdf")["NOT_UNDERSTOOD"] == f"Elements in the file have no effect here: 1 ({name})."


@pytest.mark.parametrize(
    "text", [r"{\b bold} \fs40 large", r"\lang1031\langfe1033 x", r"\invented0 x", r"\insrsid12 x"]
)
def test_control_words_that_are_read_or_carry_nothing_are_not_named(text: str, tmp_path: Path) -> None:
    source = tmp_path / "input.rtf"
    source.write_text(rf"{{\rtf1\ansi {text}\par}}")
    assert "NOT_UNDERSTOOD" not in converted(source, "rtf-to-pdf")


def _odt(folder: Path, body: str, styles: str = "") -> Path:
    names = " ".join(
        f'xmlns:{key}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for key, name in (("office", "office"), ("text", "text"), ("style", "style"), ("fo", "xsl-fo-compatible"))
    )
    content = (
        f"<office:document-content {names}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    source = folder / "input.odt"
    source.write_bytes(files.archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}))
    return source


def test_what_opendocument_texts_have_without_effect_is_named(tmp_path: Path) -> None:
    style = '<style:style style:name="T" style:family="text"><style:text-properties {}/></style:style>'
    marked = style.format('style:text-emphasize="dot above"')
    found = converted(_odt(tmp_path, "<text:p>Text<text:invented/></text:p>", marked), "odt-to-pdf")
    named = "Elements in the file have no effect here: 2 (text:invented, style:text-emphasize)."
    assert found["NOT_UNDERSTOOD"] == named
    plain = style.format('style:text-emphasize="none" fo:font-weight="bold"')
    assert "NOT_UNDERSTOOD" not in converted(_odt(tmp_path, "<text:p>A<text:tab/>b</text:p>", plain), "odt-to-pdf")


_MAIN = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _slide(folder: Path, shapes: str) -> tuple[Path, Warn]:
    """A slide of 4 by 3 inches, drawn."""
    names = f'xmlns:p="{_MAIN}" xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}"'
    package = "http://schemas.openxmlformats.org/package/2006"
    relation = (
        '<Relationships xmlns="{}/relationships"><Relationship Id="r1" Type="{}/{}" Target="{}"/></Relationships>'
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": relation.format(package, _OFFICE, "officeDocument", "ppt/presentation.xml"),
        "ppt/presentation.xml": f'<p:presentation {names}><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'
        '<p:sldSz cx="3657600" cy="2743200"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relation.format(package, _OFFICE, "slide", "slides/slide1.xml"),
        "ppt/slides/slide1.xml": f"<p:sld {names}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>",
    }
    source, target, warn = folder / "input.pptx", folder / "made.pdf", Warn()
    source.write_bytes(files.archive(parts))
    pages.to_pdf(source, target, PresentationOptions(), warn)
    return target, warn


def _shape(kind: str, text: str = "", more: str = "", body: str = "", tag: str = "sp") -> str:
    place = '<a:xfrm><a:off x="914400" y="914400"/><a:ext cx="1828800" cy="914400"/></a:xfrm>'
    words = f"<p:txBody><a:bodyPr {body}/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody>" if text else ""
    return f'<p:{tag}><p:spPr>{place}<a:prstGeom prst="{kind}"/>{more}</p:spPr>{words}</p:{tag}>'


_FILLED = '<a:solidFill><a:srgbClr val="FFE599"/></a:solidFill>'


@pytest.mark.parametrize("kind", ["rightArrow", "diamond", "chevron", "homePlate", "hexagon", "rect"])
def test_text_of_a_shape_is_above_its_fill(kind: str, tmp_path: Path) -> None:
    target, warn = _slide(tmp_path, _shape(kind, "STEP", _FILLED))
    assert warn.warnings == ()
    with pypdfium2.PdfDocument(target) as document:
        page = document[0].render(scale=1).to_pil().convert("L").crop((72, 72, 216, 144))
    darkest, _ = page.getextrema()
    assert darkest < 100


def test_a_connector_is_a_line_with_its_bend_and_its_head(tmp_path: Path) -> None:
    line = '<a:ln w="25400"><a:solidFill><a:srgbClr val="C00000"/></a:solidFill><a:tailEnd type="triangle"/></a:ln>'
    target, warn = _slide(tmp_path, _shape("bentConnector3", more=line, tag="cxnSp"))
    assert warn.warnings == ()
    with pypdfium2.PdfDocument(target) as document:
        page = document[0].render(scale=1).to_pil().convert("L")
    dark = {at for at in ((100, 72), (144, 100), (180, 144), (212, 142)) if page.getpixel(at) < 150}
    assert dark == {(100, 72), (144, 100), (180, 144), (212, 142)}
    assert all(page.getpixel(at) > 250 for at in ((72, 100), (216, 100), (100, 144), (180, 72)))


@pytest.mark.parametrize(("said", "above"), [("vert", False), ("vert270", True)])
def test_vertical_text_of_a_shape_is_turned(said: str, above: bool, tmp_path: Path) -> None:
    target, _ = _slide(tmp_path, _shape("rect", "ABCD", body=f'vert="{said}"'))
    with pypdfium2.PdfDocument(target) as document:
        text = document[0].get_textpage()
        first, last = text.get_charbox(0), text.get_charbox(3)
    assert abs(first[0] - last[0]) < 8
    assert (last[1] > first[1] + 30) is above
    assert (first[1] > last[1] + 30) is not above


def test_what_slides_have_without_effect_is_named(tmp_path: Path) -> None:
    glow = f"{_FILLED}<a:effectLst><a:glow/></a:effectLst><a:invented/>"
    _, warn = _slide(tmp_path, _shape("rect", "x", glow))
    named = "Elements in the file have no effect here: 2 (a:invented, a:glow)."
    assert [each.message for each in warn.warnings if each.code == "NOT_UNDERSTOOD"] == [named]


@pytest.mark.parametrize(("element", "named"), [("switch", True), ("hatch", True), ("circle r=9", False)])
def test_what_drawings_have_without_effect_is_named(element: str, named: bool, tmp_path: Path) -> None:
    source = tmp_path / "input.html"
    source.write_text(f"<!DOCTYPE html><p>x<svg width=9 height=9><{element}></{element.split()[0]}></svg>")
    assert ("CONTENT_DROPPED" in converted(source, "html-to-pdf")) is named
