"""Objects embedded in office files, such as workbooks, are named by number where a result doesn't have them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.conversion import convert
from engine.families.libreoffice import parts
from engine.families.registry import CONVERTERS
from engine.toolkit.formats import ODP, PPTX, XLSX, Format
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.test_documents import Convert
from tests.families.documents import files
from tests.families.libreoffice import files as suite

_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PREVIEWED = "Embedded objects became their preview pictures, if they have any: {}."
_OBJECT = (
    '<w:p><w:r><w:t>Some words</w:t></w:r><w:r><w:object xmlns:o="urn:schemas-microsoft-com:office:office">'
    f'<o:OLEObject Type="Embed" ProgID="Excel.Sheet.12" r:id="own" xmlns:r="{_TYPES}"/></w:object></w:r></w:p>'
)
_SLIDE = (
    '<p:graphicFrame xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:nvGraphicFramePr>'
    '<p:cNvPr id="99" name="Sheet"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="9" y="9"/>'
    '<a:ext cx="914400" cy="914400"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/'
    'presentationml/2006/ole"><p:oleObj name="Sheet" r:id="own" progId="Excel.Sheet.12" '
    f'xmlns:r="{_TYPES}"><p:embed/></p:oleObj></a:graphicData></a:graphic></p:graphicFrame>'
)


def _changed(data: bytes, **parts_: tuple[str, str]) -> bytes:
    """The archive with a text put before a mark in the parts whose names end so."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            for ending, (mark, text) in parts_.items():
                if name.replace(".", "_").endswith(ending):
                    content = content.replace(mark.encode(), text.encode() + mark.encode(), 1)
            new.writestr(name, content)
    return out.getvalue()


def _relation(kind: str, target: str = "../embeddings/book.xlsx", rest: str = "") -> str:
    return f'<Relationship Id="own" Type="{_TYPES}/{kind}" Target="{target}" {rest}/>'


def _archive(extra: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        for name, content in extra.items():
            new.writestr(name, content)
    return out.getvalue()


def _told(folder: Path, slug: str, data: bytes) -> list[str]:
    converter, warn = CONVERTERS[slug], Warn()
    source = folder / f"input.{converter.input.id}"
    source.write_bytes(data)
    converter.run(source, folder / f"output.{converter.output.id}", build(converter.options, {}), warn)
    return [str(each.message) for each in warn.warnings if "mbedded objects" in str(each.message)]


@pytest.mark.parametrize("output", ["markdown", "txt", "odt"])
def test_objects_in_word_are_counted(output: str, tmp_path: Path) -> None:
    said = _told(tmp_path, f"docx-to-{output}", files.word(2 * _OBJECT))
    assert said == ["Embedded objects were left out: 2."]


@pytest.mark.parametrize("output", ["markdown", "txt", "odt", "epub"])
def test_documents_within_a_word_document_are_counted(output: str, tmp_path: Path) -> None:
    chunk = f'<w:altChunk r:id="own" xmlns:r="{_TYPES}"/>'
    relation = ("aFChunk", "part.html", b"<p>Words of a page</p>")
    done = Convert(tmp_path, f"docx-to-{output}", files.word(chunk * 2, {"own": relation}))
    assert "Other documents within the file (altChunk) were left out: 2." in done.messages


@pytest.mark.parametrize("output", ["markdown", "docx", "rtf"])
def test_objects_in_open_documents_are_counted(output: str, tmp_path: Path) -> None:
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    entry = f'<manifest:file-entry manifest:full-path="Object 1/" manifest:media-type="{kind}"/>'
    data = _changed(files.odt(), manifest_xml=("</manifest:manifest>", entry))
    assert _told(tmp_path, f"odt-to-{output}", data) == ["Embedded objects were left out: 1."]


def test_objects_in_rich_text_are_counted(tmp_path: Path) -> None:
    data = rb"{\rtf1\ansi Words {\object\objemb{\*\objdata 00}{\result first}} {\object\objemb{\result second}}\par}"
    assert _told(tmp_path, "rtf-to-markdown", data) == [_PREVIEWED.format(2)]


@pytest.mark.skipif("pptx-to-pdf" not in CONVERTERS, reason="There is no LibreOffice.")
def test_a_workbook_on_a_slide_is_named_where_the_slide_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "base.md").write_text("# A slide\n\nSome words\n")
    base = convert(tmp_path / "base.md", tmp_path / "base.pptx", sandbox=False).path.read_bytes()
    data = _changed(
        base, slide1_xml=("</p:spTree>", _SLIDE), slide1_xml_rels=("</Relationships>", _relation("package"))
    )
    assert _told(tmp_path, "pptx-to-pdf", data) == [_PREVIEWED.format(1)]


_RELS = "<Relationships>{}</Relationships>"
_ON_SLIDE, _ON_SHEET = "ppt/slides/_rels/slide1.xml.rels", "xl/worksheets/_rels/sheet1.xml.rels"
_FILES: dict[str, tuple[Format, str, str, int]] = {
    "slides": (PPTX, _ON_SLIDE, _relation("oleObject") + _relation("image"), 1),
    "sheets": (XLSX, _ON_SHEET, 2 * _relation("package"), 2),
    "charts, whose data are in a workbook": (PPTX, "ppt/charts/_rels/chart1.xml.rels", _relation("package"), 0),
    "links": (PPTX, _ON_SLIDE, _relation("oleObject", rest='TargetMode="External"'), 0),
}


@pytest.mark.parametrize("which", _FILES)
def test_objects_are_counted_by_their_relationships(which: str, tmp_path: Path) -> None:
    format, part, relations, count = _FILES[which]
    kind = "presentationml." if format is PPTX else "spreadsheetml."
    source = tmp_path / f"input.{format.id}"
    source.write_bytes(_archive({"[Content_Types].xml": f"<Types>{kind}</Types>", part: _RELS.format(relations)}))
    warn = Warn()
    parts.inspect(source, format, warn, drawn=True)
    assert [str(each.message) for each in warn.warnings if "mbedded" in str(each.message)] == (
        [_PREVIEWED.format(count)] if count else []
    )


@pytest.mark.parametrize("drawn", [True, False])
def test_objects_of_an_open_presentation_are_named_if_it_is_drawn(drawn: bool, tmp_path: Path) -> None:
    entry = '<manifest:file-entry manifest:full-path="Obj1" manifest:media-type="application/vnd.sun.star.oleobject"/>'
    source = tmp_path / "input.odp"
    source.write_bytes(_changed(suite.odp(), manifest_xml=("</manifest:manifest>", entry)))
    warn = Warn()
    parts.inspect(source, ODP, warn, drawn=drawn)
    assert [str(each.message) for each in warn.warnings] == ([_PREVIEWED.format(1)] if drawn else [])
