"""No warning of what is no loss: pictures that a file never had, letters drawn as one, properties of workbooks."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pikepdf
import pytest

from engine.families import auditing
from engine.toolkit.formats import ODT
from tests.engine.losing import change, each_part, lost
from tests.engine.test_false_alarms import _DOT, missing, warned
from tests.engine.test_torn_structures import converted


def open_text(address: str, *, inside: str = "", stored: str = "") -> bytes:
    """A text with a picture at this address, and perhaps a part of the package."""
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
        for name, space in (("office", "office"), ("text", "text"), ("draw", "drawing"))
    )
    image = f'<draw:frame><draw:image xlink:href="{address}">{inside}</draw:image></draw:frame>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr(
            "content.xml",
            f'<office:document-content{names} xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text>'
            f"<text:p>Words {image}</text:p></office:text></office:body></office:document-content>",
        )
        if stored:
            archive.writestr(stored, b"x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("address", "stored", "pictures"),
    [
        ("Pictures/a.png", "Pictures/a.png", 1),
        ("./Pictures/a.png", "Pictures/a.png", 1),
        ("Pictures/a.png", "", 0),
        ("", "", 0),
        ("../a.png", "", 0),
        ("https://example.org/a.png", "", 0),
    ],
)
def test_a_picture_that_is_not_stored_is_none(tmp_path: Path, address: str, stored: str, pictures: int) -> None:
    path = tmp_path / "a.odt"
    path.write_bytes(open_text(address, stored=stored))
    assert auditing.countings()[ODT].count(path).total("pictures") == pictures


def test_a_picture_inside_the_text_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.odt"
    path.write_bytes(open_text("", inside="<office:binary-data>AA==</office:binary-data>"))
    assert auditing.countings()[ODT].count(path).total("pictures") == 1


@pytest.mark.parametrize("output", ["docx", "html", "markdown", "epub"])
def test_a_picture_without_an_address_is_not_missing(tmp_path: Path, output: str) -> None:
    whole = converted(tmp_path, "html-to-odt", f"<p>Words <img src='{_DOT}'></p>".encode())
    without = each_part('(?<=<draw:image xlink:href=")[^"]+')(whole)
    assert missing(tmp_path, f"odt-to-{output}", without) == []


def drawn_apart() -> bytes:
    """A page whose letters “fi” and “fl” are one glyph each, with gaps around them."""
    document, out = pikepdf.new(), io.BytesIO()
    page = document.add_blank_page(page_size=(300, 200))
    name = pikepdf.Name
    font = pikepdf.Dictionary(
        Type=name.Font, Subtype=name.Type1, BaseFont=name.Helvetica, Encoding=name.StandardEncoding
    )
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=document.make_indirect(font)))
    text = rb"[(The of) -150 (\256) -150 (ces are ) (\256) -150 (ling all)] TJ"
    page.Contents = document.make_stream(b"BT /F 12 Tf 20 100 Td " + text + b" ET")
    document.save(out)
    return out.getvalue()


def test_letters_that_a_page_draws_as_one_belong_to_their_word(tmp_path: Path) -> None:
    joined = change("fi (?=ling|ces)", "fi")
    assert lost(tmp_path, "pdf-to-txt", drawn_apart(), None) == set()
    assert lost(tmp_path, "pdf-to-txt", drawn_apart(), joined) == set()
    assert lost(tmp_path, "pdf-to-txt", drawn_apart(), change("of fi ces", "offices")) == set()
    assert lost(tmp_path, "pdf-to-txt", drawn_apart(), change("fi ling", "fi")) == {"words"}


@pytest.mark.parametrize("output", ["json", "yaml", "csv", "ini", "properties", "env"])
@pytest.mark.parametrize("code", [0x01, 0x08, 0x0C, 0x1B, 0x1C, 0x7F, 0x85, 0xFEFF])
def test_a_value_with_a_control_character_is_not_missing(tmp_path: Path, code: int, output: str) -> None:
    data = f'a = "w\\u{code:04x}ord one"\nb = "back\\u{code:04x}"\nc = "{"word " * 20}\\u{code:04x}end"\n'.encode()
    assert lost(tmp_path, f"toml-to-{output}", data, None) == set()
    assert lost(tmp_path, f"toml-to-{output}", data, change(r"ord one", "ord two")) >= {"values"}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Basic/Standard/script-lb.xml", "Scripts/python/"], []),
        (["Basic/Standard/script-lb.xml", "Basic/Standard/One.xml", "Scripts/python/two.py"],
         ["Macros were left out: 2."]),
    ],
)  # fmt: skip
def test_macros_of_a_workbook_are_counted_and_an_empty_library_is_none(
    tmp_path: Path, names: list[str], said: list[str]
) -> None:
    file = io.BytesIO()
    openpyxl.Workbook().save(file)
    made = io.BytesIO(converted(tmp_path, "xlsx-to-ods", file.getvalue()))
    with zipfile.ZipFile(made, "a") as archive:
        for name in names:
            archive.writestr(name, b"" if name.endswith("/") else b"<x/>")
    warn = warned(tmp_path, "ods-to-csv", made.getvalue())
    assert [str(each.message) for each in warn.warnings if each.code == "SCRIPT_REMOVED"] == said
