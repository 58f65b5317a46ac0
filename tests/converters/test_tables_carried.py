"""Tables of word processor files in each other's formats: merged cells, places, row heights and heads."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from engine.families.documents.odf.names import STYLE, TABLE, TEXT
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt
from tests.families.documents import files

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LINES = "".join(
    f'<w:{side} w:val="single" w:sz="12" w:color="FF0000"/>' for side in ("top", "left", "bottom", "right")
)


def _cell(text: str, more: str = "") -> str:
    run = f"<w:r><w:t>{text}</w:t></w:r>" if text else ""
    look = f'<w:tcW w:w="1500" w:type="dxa"/>{more}<w:tcBorders>{_LINES}</w:tcBorders>'
    return f"<w:tc><w:tcPr>{look}</w:tcPr><w:p>{run}</w:p></w:tc>"


def _word(place: str = "") -> bytes:
    """A narrow table with a tall first row, whose first cell is merged with the one below."""
    return files.word(
        f'<w:tbl><w:tblPr><w:tblW w:w="3000" w:type="dxa"/>{place}<w:tblLook w:val="04A0"/></w:tblPr><w:tblGrid>'
        '<w:gridCol w:w="1500"/><w:gridCol w:w="1500"/></w:tblGrid><w:tr><w:trPr><w:trHeight w:val="900"/></w:trPr>'
        + _cell("tall", '<w:vMerge w:val="restart"/>')
        + _cell("beside")
        + "</w:tr><w:tr>"
        + _cell("", "<w:vMerge/>")
        + _cell("below")
        + "</w:tr></w:tbl><w:p><w:r><w:t>after</w:t></w:r></w:p>"
    )


_OPEN = odt(
    '<table:table table:style-name="T"><table:table-column table:style-name="C"/><table:table-column '
    'table:style-name="C"/><table:table-row table:style-name="R"><table:table-cell table:style-name="L" '
    'table:number-rows-spanned="2"><text:p>tall</text:p></table:table-cell><table:table-cell><text:p>beside</text:p>'
    "</table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell><text:p>below"
    "</text:p></table:table-cell></table:table-row></table:table>",
    '<style:style style:name="T" style:family="table"><style:table-properties style:width="4cm" table:align="right"/>'
    '</style:style><style:style style:name="C" style:family="table-column"><style:table-column-properties '
    'style:column-width="2cm"/></style:style><style:style style:name="R" style:family="table-row">'
    '<style:table-row-properties style:min-row-height="45pt"/></style:style><style:style style:name="L" '
    'style:family="table-cell"><style:table-cell-properties fo:border="1.5pt solid #ff0000"/></style:style>',
)


def _part(data: bytes, name: str) -> Any:
    with zipfile.ZipFile(BytesIO(data)) as parts:
        return etree.fromstring(parts.read(name))


@pytest.mark.parametrize(("place", "shown"), [("", "left"), ('<w:jc w:val="center"/>', "center")])
def test_a_table_of_a_word_document_keeps_its_place_height_and_plain_head_in_open_document(
    tmp_path: Path, place: str, shown: str
) -> None:
    root = _part(Convert(tmp_path, "docx-to-odt", _word(place)).data, "content.xml")
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}
    table, row = next(root.iter(f"{TABLE}table")), next(root.iter(f"{TABLE}table-row"))
    assert styles[table.get(f"{TABLE}style-name")][0].get(f"{TABLE}align") == shown
    assert styles[row.get(f"{TABLE}style-name")][0].get(f"{STYLE}min-row-height") == "45pt"
    assert {each.get(f"{TEXT}style-name") for each in table.iter(f"{TEXT}p")} == {"Table_20_Contents"}


def test_merged_cells_of_an_open_document_text_have_their_borders_in_each_row_in_word(tmp_path: Path) -> None:
    root = _part(Convert(tmp_path, "odt-to-docx", _OPEN).data, "word/document.xml")
    first, below = next(root.iter(f"{W}tbl")).findall(f"{W}tr")
    merged = below.find(f"{W}tc/{W}tcPr")
    assert merged.find(f"{W}vMerge").get(f"{W}val") == "continue"
    assert {each.tag.removeprefix(W): each.get(f"{W}color") for each in merged.find(f"{W}tcBorders")} == dict.fromkeys(
        ("top", "left", "bottom", "right"), "FF0000"
    )
    assert first.find(f"{W}trPr/{W}trHeight").get(f"{W}val") == "900"
    assert next(root.iter(f"{W}tblPr")).find(f"{W}jc").get(f"{W}val") == "right"


@pytest.mark.parametrize(
    ("slug", "source", "place"),
    [("docx-to-rtf", _word('<w:jc w:val="center"/>'), r"\trqc"), ("odt-to-rtf", _OPEN, r"\trqr")],
)
def test_merged_cells_are_merged_in_rtf_with_borders_in_each_row(
    tmp_path: Path, slug: str, source: bytes, place: str
) -> None:
    text = Convert(tmp_path, slug, source).text
    first, below = (each.partition(r"\trkeep")[0] for each in text.split(r"\trowd")[1:])
    assert r"\trrh900" in first
    assert r"\trrh" not in below
    for row, word in ((first, r"\clvmgf"), (below, r"\clvmrg")):
        assert place in row
        cell = row.partition(r"\cellx")[0]
        assert word in cell
        assert len(re.findall(r"\\clbrdr[tlbr]\\brdrs\\brdrw30", cell)) == 4
