"""Vectors of tables drawn as PDF: the words of every cell, numbers to the right, and what fits no page."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pypdf
import pypdfium2

from engine.families.registry import ALTERNATIVES, CONVERTERS
from engine.toolkit.options import Value
from tests.converters.pairs import Given, Wanted, pairs, vector
from tests.converters.vector import Vector, fail, refuse, take
from tests.families.data.files import AWKWARD, INPUTS, ORDINARY, ORDINARY_HEADER, texts
from tests.families.data.vectors import READERS

WORKBOOKS = ("xlsx", "xlsm", "xls", "ods")
_OF_SHEETS = (*WORKBOOKS, "xlsb")
_PAGED = tuple(each for each in (*CONVERTERS.values(), *ALTERNATIVES) if each.profile == "pdf")


def words(data: bytes) -> list[list[str]]:
    """The words of each page."""
    with pypdfium2.PdfDocument(data) as pdf:
        return [page.get_textpage().get_text_range().split() for page in pdf]


def edges(data: bytes, word: str) -> tuple[float, float]:
    """The left and right edge, in points, of a text on the first page."""
    with pypdfium2.PdfDocument(data) as pdf:
        text = pdf[0].get_textpage()
        at, count = text.search(word).get_next() or (-1, 0)
        assert at >= 0, word
        boxes = [text.get_charbox(each) for each in range(at, at + count)]
    return min(each[0] for each in boxes), max(each[2] for each in boxes)


def paper(data: bytes) -> list[tuple[int, int]]:
    """Width and height of each page in points."""
    return [
        (round(each.mediabox.width), round(each.mediabox.height)) for each in pypdf.PdfReader(io.BytesIO(data)).pages
    ]


def _says(rows: list[list[str]]) -> Callable[[bytes], None]:
    wanted = [word for row in rows for cell in row for word in cell.split()]

    def check(data: bytes) -> None:
        assert [each for page in words(data) for each in page] == wanted

    return check


def _numbers_to_the_right(data: bytes) -> None:
    _says(texts(ORDINARY_HEADER, ORDINARY))(data)
    assert abs(edges(data, "12.5")[1] - edges(data, "-1200.75")[1]) < 0.5
    assert edges(data, "12.5")[0] > edges(data, "-1200.75")[0] + 5
    assert abs(edges(data, "London")[0] - edges(data, "Köln")[0]) < 1


def _wide() -> bytes:
    return json.dumps([{f"column {name}": f"cell-{row}-{name}" for name in range(60)} for row in range(3)]).encode()


def _every_column(data: bytes) -> None:
    found = [word for page in words(data) for word in page]
    for row in range(3):
        assert [each for name in range(60) if (each := f"cell-{row}-{name}") not in found] == []
    assert found.count("cell-0-0") > 1, "each part begins with the first column"
    assert all(width > height for width, height in paper(data))


def _long() -> bytes:
    return b"number,word\n" + b"".join(b"%d,row-%d\n" % (each, each) for each in range(150))


def _header_on_every_page(data: bytes) -> None:
    found = words(data)
    assert len(found) > 2
    assert all((page.count("number"), page.count("word")) == (1, 1) for page in found)
    assert [each for page in found for each in page if each.startswith("row-")] == [
        f"row-{each}" for each in range(150)
    ]


def _header_once(data: bytes) -> None:
    found = words(data)
    assert [page.count("number") for page in found] == [1] + [0] * (len(found) - 1)
    assert paper(data)[0] == (595, 420)  # A5, lying


def _page(source: str, given: Given) -> Wanted:
    alone: dict[str, Value] = {"sheet": "1"} if source in _OF_SHEETS else {}
    if source in ("xlsx", "xlsm", "ods"):
        alone["layout"] = "table"
    if given.kind == "ordinary":
        return Wanted(_numbers_to_the_right, options=alone)
    seen = INPUTS[source]
    codes = seen.codes - {"CONTENT_DROPPED"} if source in _OF_SHEETS else seen.codes
    return Wanted(_says(texts(seen.awkward_header, AWKWARD)), codes, options=alone)


def workbook_vectors(source: str) -> tuple[Vector, ...]:
    """Those of a workbook, for where it is drawn without an office suite."""
    return (*(vector(f"{source}-to-pdf", each, source, _page) for each in READERS[source]), _no_such_sheet(source))


def _no_such_sheet(source: str) -> Vector:
    given = INPUTS[source].ordinary
    return Vector(f"{source}-to-pdf", "no such sheet", "failing", given, {"sheet": "Costs"}, error="VALIDATION_ERROR")


VECTORS: tuple[Vector, ...] = (
    *pairs("data.pages", READERS, {"pdf": _page}),
    *(_no_such_sheet(source) for source in ("xlsx", "xlsm", "ods")),
    *(workbook_vectors("xls") if CONVERTERS["xls-to-pdf"] in _PAGED else ()),
    take("json-to-pdf", "more columns than a page is wide", _wide, _every_column, "WIDTH_FITTED", "COLUMNS_SPLIT"),
    take(
        "json-to-pdf",
        "more columns than a page is wide, in full size",
        _wide,
        _every_column,
        "COLUMNS_SPLIT",
        fitToWidth=False,
        orientation="landscape",
    ),
    Vector("csv-to-pdf", "several pages", "ordinary", _long, check=_header_on_every_page),
    Vector(
        "csv-to-pdf",
        "several small pages with one header",
        "ordinary",
        _long,
        {"repeatHeader": False, "pageSize": "A5", "orientation": "landscape", "zebra": False},
        _header_once,
    ),
    refuse("csv-to-pdf", "no room", _long, pageSize="A6", margin="60mm"),
    fail("csv-to-pdf", "more cells than can be drawn", lambda: b"a,b,c,d\n" + b"1,2,3,4\n" * 40_000),
)
