"""A file that is not of the format that it was sent as is told what it is instead."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from engine.toolkit import formats, lookalikes
from engine.toolkit.formats import Format
from tests.conftest import Person


def package(*names: str, kind: str = "") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        if kind:
            archive.writestr("mimetype", kind)
        for name in names:
            archive.writestr(name, b"<a/>")
    return file.getvalue()


LOOKS: dict[str, tuple[bytes, Format | None]] = {
    "a page": (b"\xef\xbb\xbf\r\n<!DOCTYPE HTML><p>", formats.HTML),
    "a table with nothing around it": (b"<meta charset=utf-8><TABLE border=1><tr>", formats.HTML),
    "a page of two bytes a letter": ("\ufeff<html><body>".encode("utf-16-le"), formats.HTML),
    "a workbook of XML": (b'<?xml version="1.0"?><Workbook xmlns="urn:a">', formats.XML),
    "a drawing": (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">', formats.SVG),
    "objects": (b' [ {"a": 1}]', formats.JSON),
    "cells and tabs": (b"a\tb\n1\t2\n", formats.TSV),
    "rich text": (b"{\\rtf1 a}", formats.RTF),
    "a workbook": (package("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"), formats.XLSX),
    "a document": (package("[Content_Types].xml", "word/document.xml"), formats.DOCX),
    "slides": (package("[Content_Types].xml", "ppt/presentation.xml"), formats.PPTX),
    "an open sheet": (package("content.xml", kind=formats.ODS.content_type), formats.ODS),
    "a book": (package(kind="application/epub+zip"), formats.EPUB),
    "an archive": (package("a.txt"), formats.ZIP),
    "an archive with another type": (package(kind="text/x-mine"), formats.ZIP),
    "a page to print": (b"%PDF-1.7\n", formats.PDF),
    "a database": (b"SQLite format 3\0" + bytes(84), formats.SQLITE),
    "words": (b"nothing in particular, really", None),
    "white space": (b" \n\n", None),
    "noise": (bytes(range(256)), None),
}


@pytest.mark.parametrize("name", LOOKS)
def test_first_bytes_tell_a_format_where_they_can(name: str) -> None:
    head, expected = LOOKS[name]
    assert lookalikes.recognised(head[: formats.HEAD_BYTES]) == expected


def test_an_html_page_named_xlsx_is_reported_as_html(paying: Person, tmp_path: Path) -> None:
    answer = paying.convert("xls-to-csv", b"<html><table><tr><td>1</td></tr></table></html>", "bank.xls")
    assert (answer.status_code, answer.json()["code"]) == (422, "UNSUPPORTED_FORMAT")
    assert "HTML" in answer.json()["message"]
    assert ".html" in answer.json()["message"]
    assert paying.convert("xls-to-csv", b"words", "words.xls").json()["code"] == "UNSUPPORTED_FORMAT"
