"""Space of word processor files: paragraphs without text are kept with their borders, and automatic space."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

from engine.families.documents.odf.names import TEXT
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import declared, odt, paragraph_style
from tests.families.documents import files

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_RULE = '<w:pBdr><w:bottom w:val="single" w:sz="12" w:space="1" w:color="0000FF"/></w:pBdr>'


def _p(text: str = "", look: str = "") -> str:
    return f"<w:p><w:pPr>{look}</w:pPr>" + (f"<w:r><w:t>{text}</w:t></w:r>" if text else "") + "</w:p>"


_CELL = f'<w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>{_p("cell")}</w:tc>'
_TABLE = f'<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid><w:tr>{_CELL}</w:tr></w:tbl>'
_SOURCES: dict[str, bytes] = {
    "docx": files.word(
        _p() + _p("one") + _p() + _p() + _p("two") + _p(look=_RULE) + _p("three") + _TABLE + _p() + _TABLE
    ),
    "odt": odt(
        '<text:p/><text:p>one</text:p><text:p/><text:p/><text:p>two</text:p><text:p text:style-name="L"/>'
        "<text:p>three</text:p>",
        paragraph_style("L", 'fo:border-bottom="1.5pt solid #0000ff"'),
    ),
    "rtf": (
        rb"{\rtf1{\fonttbl{\f0 Arial;}}{\colortbl;\red0\green0\blue255;}\pard\par one\par\par\par two\par"
        rb"\pard\brdrb\brdrs\brdrw30\brdrcf1\par\pard three\par}"
    ),
}
_EDGES = {"docx": 'w:color="0000FF"', "odt": "#0000ff", "rtf": r"\brdrb\brdrs\brdrw30"}


def _paragraphs(data: bytes, format: str) -> list[str]:
    if format == "rtf":
        found = re.findall(r"\\pard (?!\\intbl)[^{}]*?\\fi0 ((?:\\\w+)*) ?(\w*)\\par", data.decode())
        return [text or "-" for _, text in found]
    name, tag = {"odt": ("content.xml", f"{TEXT}p"), "docx": ("word/document.xml", f"{W}p")}[format]
    with zipfile.ZipFile(BytesIO(data)) as parts:
        root = etree.fromstring(parts.read(name))
    return ["".join(each.itertext()).strip() or "-" for each in root.iter(tag)]


def _shown(data: bytes, format: str) -> str:
    if format == "rtf":
        return data.decode()
    with zipfile.ZipFile(BytesIO(data)) as parts:
        return parts.read("content.xml" if format == "odt" else "word/document.xml").decode()


@pytest.mark.parametrize(("source", "target"), [(one, other) for one in _SOURCES for other in _EDGES if one != other])
def test_paragraphs_without_text_make_the_same_space_with_their_borders(
    tmp_path: Path, source: str, target: str
) -> None:
    data = Convert(tmp_path, f"{source}-to-{target}", _SOURCES[source]).data
    found = _paragraphs(data, target)
    assert found[found.index("one") :][:6] == ["one", "-", "-", "two", "-", "three"]
    assert _EDGES[target] in _shown(data, target)


def test_the_space_between_two_tables_is_kept_once(tmp_path: Path) -> None:
    texts = Convert(tmp_path, "docx-to-rtf", _SOURCES["docx"]).text
    assert len(re.findall(r"\\row\}\s*\{\\pard[^{}]*\\par\}\s*\{\s*\\trowd", texts)) == 1
    content = _shown(Convert(tmp_path, "docx-to-odt", _SOURCES["docx"]).data, "odt")
    assert re.search(r"</table:table>\s*<text:p [^>]*>\s*</text:p>\s*<table:table ", content)


@pytest.mark.parametrize("target", ["odt", "rtf"])
def test_a_paragraph_without_text_does_not_cut_a_list_in_two(tmp_path: Path, target: str) -> None:
    numbers = (
        f'<w:numbering xmlns:w="{W[1:-1]}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1">'
        '<w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    body = _p("before") + _p("one", item) + _p() + _p("two", item)
    data = Convert(tmp_path, f"docx-to-{target}", files.word(body, {"n": ("numbering", "numbering.xml", numbers)})).data
    if target == "odt":
        assert _shown(data, "odt").count("<text:list ") == 1
    else:
        assert re.search(r"2\.\\tx\d+\\tab (?:\\\w+ )*two", data.decode())


def test_items_of_a_list_have_no_automatic_space_between_them(tmp_path: Path) -> None:
    numbers = f'<w:numbering xmlns:w="{W[1:-1]}"><w:num w:numId="1"/></w:numbering>'
    automatic = '<w:spacing w:before="100" w:beforeAutospacing="1" w:after="100" w:afterAutospacing="1"/>'
    item = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>{automatic}'
    body = "".join(_p(each, automatic if each == "usual" else item) for each in ("usual", "first", "second", "third"))
    source = files.word(body, {"n": ("numbering", "numbering.xml", numbers)})
    page = Convert(tmp_path, "docx-to-html", source).text
    looks = [declared(page, each) for each in ("usual", "first", "second", "third")]
    assert [re.findall("margin:([^;]*)", each)[-1:] for each in looks] == [
        ["14pt 0 14pt 0"],
        ["14pt 0 0 0"],
        ["0 0 0 0"],
        ["0 0 14pt 0"],
    ]
