"""What the outputs of the data family are checked for."""

from __future__ import annotations

import io
import json
from xml.etree import ElementTree

import openpyxl
import polars

from tests.converters.vector import Check
from tests.families.data.seen import from_ods


def gives(expected: object) -> Check:
    """The output is this JSON value, each number spelled as in it."""

    def check(data: bytes) -> None:
        assert json.loads(data, parse_float=str) == expected

    return check


def is_text(expected: str) -> Check:
    def check(data: bytes) -> None:
        assert data.decode("utf-8") == expected

    return check


def last_is(data: bytes, expected: object) -> None:
    assert json.loads(data)[-1] == expected


def column_is(data: bytes, expected: list[object]) -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert [row[0].value for row in sheet.iter_rows()] == expected


def row_is(data: bytes, number: int, expected: list[object]) -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    found = [cell.value for cell in sheet[number]]
    assert found == expected
    assert [type(cell) for cell in found] == [type(cell) for cell in expected]


def ods_is(data: bytes, expected: list[list[str]]) -> None:
    assert from_ods(data) == expected


def xml_is(data: bytes, expected: dict[str, str]) -> None:
    assert {element.tag: element.text for element in ElementTree.fromstring(data)[0]} == expected


def equal(found: object, expected: object) -> None:
    assert found == expected


def contains(data: bytes, expected: str) -> None:
    assert expected in data.decode()


def schema_is(data: bytes, expected: dict[str, object]) -> None:
    assert dict(polars.read_parquet(io.BytesIO(data)).schema) == expected
