"""There and back: what goes through two conversions is the same, cell by cell; each stop is read by another library."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml

from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

HEADER = ["id", "Name, of the person", 'quoted "name"', "No", "ünïcode", "last"]
AWKWARD = [
    HEADER,
    ["007", "123456789012345678901234567890", "NA", "no", "2024-02-29", "01/02/2024"],
    ["1e5", "1.10", "+49 30 123", "TRUE", "null", "~"],
    ["", "x", "", "y", "", ""],
    [" space before", "space after ", "two  inside", "tab\there", "line\nbreak", 'a "quote"'],
    ["=1+1", "-5", "@home", "+1", "-x", "'apostrophe"],
    ["😀", "東京", "é", "_x000D_", "<b>&amp;</b>", "a,b;c|d"],
    ["0x1F", "12:30", "0.1", "-0", "9007199254740993", "18446744073709551616"],
]
WIDE = [
    [f"column {number}" for number in range(2000)],
    *([str(row * number) for number in range(2000)] for row in (1, 2)),
]
TALL = [["n", "text"], *([str(number), f"text {number % 7}, or so"] for number in range(5001))]
TABLES = {
    "awkward": AWKWARD,
    "2,000 columns": WIDE,
    "5,001 rows": TALL,
    "one cell": [["a"], ["1"]],
    "no rows": [["a", "b"]],
}


def through(folder: Path, data: bytes, slug: str, **options: Any) -> bytes:
    """What a converter makes of `data`, to which it must have nothing to say but that a text looks like a formula."""
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    target.unlink(missing_ok=True)
    assert converter.run(source, target, build(converter.options, options), warn) is None
    assert {each.code for each in warn.warnings} <= {"FORMULA_TEXT"}
    return target.read_bytes()


def written(rows: list[list[str]]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


@pytest.mark.parametrize("name", [name for name in TABLES if name != "no rows"])
def test_csv_to_json_and_back(name: str, tmp_path: Path) -> None:
    rows = TABLES[name]
    there = through(tmp_path, written(rows), "csv-to-json")
    assert json.loads(there) == [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert read(through(tmp_path, there, "json-to-csv")) == rows


@pytest.mark.parametrize("name", TABLES)
def test_csv_to_xlsx_and_back(name: str, tmp_path: Path) -> None:
    rows = TABLES[name]
    there = through(tmp_path, written(rows), "csv-to-xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(there)).active
    found = [
        [openpyxl.utils.escape.unescape(str("" if cell is None else cell)) for cell in row]
        for row in sheet.iter_rows(values_only=True)
    ]
    assert found == rows
    assert read(through(tmp_path, there, "xlsx-to-csv")) == rows


@pytest.mark.parametrize("name", TABLES)
def test_csv_to_ods_and_back(name: str, tmp_path: Path) -> None:
    rows = TABLES[name]
    assert read(through(tmp_path, through(tmp_path, written(rows), "csv-to-ods"), "ods-to-csv")) == rows


@pytest.mark.parametrize("name", TABLES)
def test_csv_to_tsv_and_back(name: str, tmp_path: Path) -> None:
    rows = TABLES[name]
    there = through(tmp_path, written(rows), "csv-to-tsv")
    assert list(csv.reader(io.StringIO(there.decode(), newline=""), delimiter="\t")) == rows
    assert read(through(tmp_path, there, "tsv-to-csv")) == rows


@pytest.mark.parametrize("name", [name for name in TABLES if name != "2,000 columns"])
def test_csv_to_markdown_and_back(name: str, tmp_path: Path) -> None:
    rows = [[re.sub(r"[ \t]+", " ", cell).strip() for cell in row] for row in TABLES[name]]
    assert read(through(tmp_path, through(tmp_path, written(rows), "csv-to-markdown"), "markdown-to-csv")) == rows


PLAIN = """\
no: 'no'
yes: ["yes", 'on', "off", "y", "N", "~", "null", "true"]
numbers: [0, -1, 1.5, 1.0e+300, 123456789012345678, 0.1]
texts:
- "007"
- '1e5'
- "0x1F"
- "0o17"
- 1_000
- 12:30
- 2024-02-29
- ".5"
- "+1"
- "-"
- ""
- ' '
- "#x"
- "a: b"
- '%'
lines: |
  one
  two

    three
folded: >-
  some long
  text
trailing: "x \\ny\\t\\n"
others: [null, true, false, {}, [], [[]], {"": {"": ""}}]
é 😀: "\\u0085\\u2028\\ufeff"
"1": {"true": key, "null": key, "- x": key, "[": "]"}
"""
DOCUMENT = {
    "no": "no",
    "yes": ["yes", "on", "off", "y", "N", "~", "null", "true"],
    "numbers": [0, -1, 1.5, 1e300, 123456789012345678, 0.1],
    "texts": [
        "007",
        "1e5",
        "0x1F",
        "0o17",
        "1_000",
        "12:30",
        "2024-02-29",
        ".5",
        "+1",
        "-",
        "",
        " ",
        "#x",
        "a: b",
        "%",
    ],
    "lines": "one\ntwo\n\n  three\n",
    "folded": "some long text",
    "trailing": "x \ny\t\n",
    "others": [None, True, False, {}, [], [[]], {"": {"": ""}}],
    "é 😀": "\u0085\u2028\ufeff",
    "1": {"true": "key", "null": "key", "- x": "key", "[": "]"},
}


def test_yaml_to_json_and_back(tmp_path: Path) -> None:
    there = through(tmp_path, PLAIN.encode(), "yaml-to-json")
    assert json.loads(there) == DOCUMENT
    back = through(tmp_path, there, "json-to-yaml")
    # The loader in Python, not the library in C that our reader and writer use.
    assert yaml.load(back, Loader=yaml.SafeLoader) == DOCUMENT
    assert json.loads(through(tmp_path, back, "yaml-to-json")) == DOCUMENT


def test_json_to_yaml_and_back_keeps_every_digit(tmp_path: Path) -> None:
    text = b'{"a": 1.10, "b": 18446744073709551616, "c": 1e400, "d": -0.0, "e": 1E5}'
    back = through(tmp_path, through(tmp_path, text, "json-to-yaml"), "yaml-to-json", indent=0)
    assert json.loads(back, parse_float=str) == json.loads(text, parse_float=str)
