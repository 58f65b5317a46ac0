"""Vectors of what a PDF becomes to be edited: documents of word processors, books, and the rows of its tables."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

import openpyxl

from tests.converters.pairs import pairs, refused
from tests.converters.vector import Vector, fail, take
from tests.families.images.looks import members
from tests.families.pdf import files as documents
from tests.families.pdf import page_files as pages
from tests.families.pdf.vectors import MARKED, READERS, UNREADABLE

WORDS = ("docx", "odt", "rtf", "epub")
ROWS = ("xlsx", "csv", "json")
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
PARAGRAPHS = [
    ("Heading1", "Annual report"),
    ("", "Sales grew in every region, and the number of customers passed 1,000 * 2."),
    ("Heading2", "Goals"),
    ("ListParagraph", "fewer returns"),
    ("ListParagraph", "<more> repairs"),
    ("ListParagraph", "first"),
    ("ListParagraph", "second"),
    ("", "Important"),
    ("Heading1", "Second chapter"),
]
TABLE = pages.RULED[16]
NUMBERS = [list(TABLE.rows[0]), *([int(year), int(units), share] for year, units, share in TABLE.rows[1:])]


def docx(data: bytes) -> ElementTree.Element:
    """The body of a Word document; every part of its package is well-formed, and every id it refers to is there."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if name.endswith((".xml", ".rels")):
                ElementTree.fromstring(archive.read(name))  # our own output
        relations = archive.read("word/_rels/document.xml.rels").decode()
        text = archive.read("word/document.xml").decode()
    assert set(re.findall(r'r:(?:id|embed)="([^"]+)"', text)) <= set(re.findall(r' Id="([^"]+)"', relations))
    for target in re.findall(r'Target="([^":]+)"', relations):
        assert f"word/{target}" in members(data)
    body = ElementTree.fromstring(text).find(f"{W}body")  # our own output
    assert body is not None
    return body


def paragraphs(body: ElementTree.Element) -> list[tuple[str, str]]:
    """Style and text of every paragraph that has one."""
    found = []
    for each in body.iter(f"{W}p"):
        style = each.find(f"{W}pPr/{W}pStyle")
        text = "".join(part.text or "" for part in each.iter(f"{W}t"))
        if text:
            found.append(("" if style is None else style.attrib[f"{W}val"], text))
    return found


def _texts_of(data: bytes, output: str) -> str:
    """The words of a document, its marks taken out."""
    if output == "rtf":
        text = data.decode("ascii")
    elif output == "docx":
        text = " ".join(text for _, text in paragraphs(docx(data)))
    else:
        files = members(data)
        text = " ".join(
            files[name].decode()
            for name in sorted(files)
            if name.endswith(("content.xml", ".xhtml")) and "nav" not in name
        )
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def _holds_in_order(output: str, *words: str) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        text = _texts_of(data, output)
        at = -1
        for each in words:
            found = text.find(each, at + 1)
            assert found > at, each
            at = found

    return check


def _documents() -> Iterator[Vector]:
    def is_report(data: bytes) -> None:
        assert paragraphs(docx(data)) == PARAGRAPHS

    for output in WORDS:
        texts = ("Annual report", "Sales grew in every region, and the number of", "Goals", "fewer returns", "second")
        check = is_report if output == "docx" else _holds_in_order(output, *texts, "Important", "Second chapter")
        yield Vector(f"pdf-to-{output}", "a report", "ordinary", documents.report, check=check)
        yield take(
            f"pdf-to-{output}",
            "a page with a link and a form",
            pages.linked,
            _holds_in_order(output, "See", "the site", "everybody", "Nothing runs here.", "Surname", "Muster"),
            *(() if output == "txt" else ("VALUE_CONVERTED",)),
            pages="1",
            images="drop",
        )

    def is_a_picture(data: bytes) -> None:
        assert [name for name in members(data) if "media/" in name] == ["word/media/picture-001.jpg"]
        assert paragraphs(docx(data)) == []

    yield take("pdf-to-docx", "a scan", documents.scanned, is_a_picture, "NO_TEXT")

    def is_exact(data: bytes) -> None:
        frames = {
            text: (int(frame.attrib[f"{W}x"]) / 20, int(frame.attrib[f"{W}y"]) / 20)
            for each in docx(data).iter(f"{W}p")
            if (frame := each.find(f"{W}pPr/{W}framePr")) is not None
            and (text := "".join(part.text or "" for part in each.iter(f"{W}t")))
        }
        x, y = frames["Goals"]
        assert abs(x - 30) < 2
        assert abs(y - (420 - 310 - 11.4)) < 3

    yield take("pdf-to-docx", "a report line by line", documents.report, is_exact, layout="exact")


def _slides() -> Iterator[Vector]:
    def holds(*texts: str) -> Callable[[bytes], None]:
        def check(data: bytes) -> None:
            slides = [text.decode() for name, text in members(data).items() if name.startswith("ppt/slides/slide")]
            found = " ".join(re.sub(r"<[^>]+>", "", slide) for slide in slides)
            assert all(text in found for text in texts)

        return check

    yield Vector(
        "pdf-to-pptx",
        "a report",
        "ordinary",
        documents.report,
        check=holds("Annual report", "Sales grew in every region", "fewer returns", "Second chapter"),
    )
    yield take(
        "pdf-to-pptx",
        "a page with a link and a form",
        pages.linked,
        holds("See", "the site", "everybody"),
        "CONTENT_DROPPED",
        "STYLE_DROPPED",
        pages="1",
        images="drop",
    )


def _rows() -> Iterator[Vector]:
    def sheet(data: bytes) -> None:
        book = openpyxl.load_workbook(io.BytesIO(data))
        assert book.sheetnames == ["Table 1"]
        assert [[cell.value for cell in row] for row in book.worksheets[0].rows] == NUMBERS

    def delimited(data: bytes) -> None:
        assert list(csv.reader(io.StringIO(data.decode(), newline=""))) == [list(row) for row in TABLE.rows]

    def listed(data: bytes) -> None:
        assert json.loads(data) == [{"page": 1, "rows": NUMBERS}]

    def as_text(data: bytes) -> None:
        texts = [list(row) for row in TABLE.rows]
        if data.startswith(b"PK"):
            book = openpyxl.load_workbook(io.BytesIO(data))
            assert [[cell.value for cell in row] for row in book.worksheets[0].rows] == texts
        elif data.startswith(b"["):
            assert json.loads(data) == [{"page": 1, "rows": texts}]
        else:
            delimited(data)

    for output, check in zip(ROWS, (sheet, delimited, listed), strict=True):
        slug = f"pdf-to-{output}"
        lost = frozenset({"CONTENT_DROPPED"})
        source = lambda: pages.table_page(TABLE)  # noqa: E731
        yield Vector(slug, "a table", "ordinary", source, check=check, warnings=lost)
        yield take(slug, "a table as text", source, as_text, *lost, numbers="text")
        yield fail(slug, "no table", documents.report)


_WRITTEN = (*(f"pdf-to-{id}" for id in (*WORDS, "pptx", *ROWS)),)

VECTORS: tuple[Vector, ...] = (
    *pairs("pdf.writers", READERS, MARKED),
    *_documents(),
    *_slides(),
    *_rows(),
    *(each for slug in _WRITTEN for each in refused(slug, UNREADABLE)),
)
