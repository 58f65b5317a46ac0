"""The same two tables in every input format of the data family: one real-looking, one awkward; and broken files."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from html import escape

import fastavro
import openpyxl
import polars
import pyarrow
from odf import table as odf_table
from odf.opendocument import OpenDocumentSpreadsheet
from odf.text import P
from pyarrow.orc import write_table

from tests.converters.vector import SAMPLES
from tests.families.data import binary_workbooks

Rows = Sequence[Sequence[object]]

ORDINARY_HEADER = ["id", "name", "city", "joined", "balance", "visits", "active"]
ORDINARY = [
    ["0007", "Ada Lovelace", "London", date(2024, 2, 29), 12.5, 3, True],
    ["0012", "Jürgen Müller", "Köln", date(2023, 11, 5), -1200.75, 0, False],
    ["0100", "山田 太郎", "東京", date(2022, 1, 31), 0.1, 12, True],
]

AWKWARD_HEADER = ["id", "full name", "note"]
AWKWARD = [
    ["123456789012345678901234567890", "NA", "no"],
    ["007", 'a,b;"q" | x', "line1\nline2"],
    ["1e5", "=1+1", "😀 <b>&amp;</b>"],
    ["", "O'Neil \\ co", "2024-01-01"],
]


def text(value: object) -> str:
    """A value as every text format should show it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def texts(header: list[str], rows: Rows) -> list[list[str]]:
    return [header, *([text(cell) for cell in row] for row in rows)]


@dataclass(frozen=True)
class Input:
    """One input format: its files, the codes that its awkward file brings, and where its broken file breaks."""

    ordinary: Callable[[], bytes]
    awkward: Callable[[], bytes]
    broken: Callable[[], bytes]
    codes: frozenset[str] = frozenset()
    to_workbook_codes: frozenset[str] | None = None
    line: int | None = None
    column: int | None = None
    awkward_header: list[str] = field(default_factory=lambda: AWKWARD_HEADER)
    nulls: bool = False


def delimited(delimiter: str, header: list[str], rows: Rows) -> bytes:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(texts(header, rows))
    return file.getvalue().encode()


def objects(header: list[str], rows: Rows) -> list[dict[str, object]]:
    return [
        dict(zip(header, (str(cell) if isinstance(cell, date) else cell for cell in row), strict=True)) for row in rows
    ]


def missing(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """The rows with a null in place of each empty text."""
    return [{key: None if value == "" else value for key, value in row.items()} for row in rows]


def json_lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def yaml_rows(rows: list[dict[str, object]]) -> bytes:
    # Strings of JSON are strings of YAML.
    lines = ["# rows"]
    for row in rows:
        pairs = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in row.items()]
        lines += [("- " if at == 0 else "  ") + pair for at, pair in enumerate(pairs)]
    return "\n".join(lines).encode()


def toml_rows(header: list[str], rows: Rows) -> bytes:
    lines = []
    for row in rows:
        lines.append("[[rows]]")
        for key, value in zip(header, row, strict=True):
            shown = str(value) if isinstance(value, date) else json.dumps(value, ensure_ascii=False)
            lines.append(f"{json.dumps(key)} = {shown}")
    return "\n".join(lines).encode()


def xml_rows(header: list[str], rows: Rows, extra: str = "") -> bytes:
    people = []
    for row in rows:
        cells = "".join(f"<{key}>{escape(text(cell))}</{key}>" for key, cell in zip(header, row, strict=True))
        people.append(f"<person>{cells}</person>\n")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<people>{extra}\n{"".join(people)}</people>\n'.encode()


def html_rows(header: list[str], rows: Rows, before: str = "") -> bytes:
    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>".replace("\n", "<br>") for cell in cells) + "</tr>"

    lines = [line(header, "th"), *(line([text(cell) for cell in row], "td") for row in rows)]
    return f"<!doctype html><meta charset=utf-8>{before}<table>{''.join(lines)}</table>".encode()


def markdown_rows(header: list[str], rows: Rows, before: str = "") -> bytes:
    def line(cells: list[str]) -> str:
        return (
            "|" + "|".join(re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", cell).replace("\n", "<br>") for cell in cells) + "|\n"
        )

    lines = [line(header), "|---" * len(header) + "|\n", *(line([text(cell) for cell in row]) for row in rows)]
    return (before + "".join(lines)).encode()


def workbook(sheets: Mapping[str, Rows], merge: str | None = None, formula: str | None = None) -> bytes:
    """An xlsx file; the cell `formula` gets one whose last value is the text that it held."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
            for cell in sheet[sheet.max_row]:
                if cell.value == "":
                    cell.value = None
                elif isinstance(cell.value, str):
                    cell.data_type = "s"
    first = book.worksheets[0]
    if merge:
        first.merge_cells(merge)
    cached = first[formula].value if formula else None
    if formula:
        first[formula] = '=UPPER("x")'
    file = io.BytesIO()
    book.save(file)
    if not formula:
        return file.getvalue()
    return edited(
        file.getvalue(),
        "xl/worksheets/sheet1.xml",
        lambda data: re.sub(
            rb'<c r="%b"([^>]*)>(<f>.*?</f>)<v ?/?>(</v>)?' % formula.encode(),
            rb'<c r="%b" t="str">\2<v>%b</v>' % (formula.encode(), str(cached).encode()),
            data,
        ),
    )


def with_macros(archive: bytes) -> bytes:
    """A workbook with a part that would hold its macros."""
    file = io.BytesIO(archive)
    with zipfile.ZipFile(file, "a") as book:
        book.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0 no macro at all")
    return file.getvalue()


def edited(archive: bytes, part: str, edit: Callable[[bytes], bytes]) -> bytes:
    """A ZIP archive with one part changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, edit(old.read(name)) if name == part else old.read(name))
    return file.getvalue()


def spreadsheet(sheets: Mapping[str, Rows]) -> bytes:
    """An ods file, by odfpy."""
    document = OpenDocumentSpreadsheet()
    for name, rows in sheets.items():
        sheet = odf_table.Table(name=name)
        for row in rows:
            line = odf_table.TableRow()
            for cell in row:
                line.addElement(_ods_cell(cell))
            sheet.addElement(line)
        document.spreadsheet.addElement(sheet)
    file = io.BytesIO()
    document.write(file)
    return file.getvalue()


def _ods_cell(value: object) -> odf_table.TableCell:
    if value is None or value == "":
        return odf_table.TableCell()
    if isinstance(value, bool):
        return odf_table.TableCell(valuetype="boolean", booleanvalue=text(value))
    if isinstance(value, date):
        return odf_table.TableCell(valuetype="date", datevalue=str(value))
    if isinstance(value, int | float):
        return odf_table.TableCell(valuetype="float", value=value)
    cell = odf_table.TableCell(valuetype="string")
    for line in str(value).split("\n"):
        cell.addElement(P(text=line))
    return cell


def parquet(header: list[str], rows: Rows) -> bytes:
    file = io.BytesIO()
    polars.DataFrame(rows, schema=header, orient="row").write_parquet(file)
    return file.getvalue()


def arrow(header: list[str], rows: Rows) -> bytes:
    file = io.BytesIO()
    polars.DataFrame(rows, schema=header, orient="row").write_ipc(file)
    return file.getvalue()


def orc(header: list[str], rows: Rows) -> bytes:
    file = pyarrow.BufferOutputStream()
    write_table(polars.DataFrame(rows, schema=header, orient="row").to_arrow(), file)
    return bytes(file.getvalue())


def database(*statements: str, **tables: Rows) -> bytes:
    """A SQLite file: each table with its header first, its columns of the type that its first row has."""
    connection = sqlite3.connect(":memory:")
    for name, (header, *rows) in tables.items():
        kinds = (_SQL_TYPES.get(type(value), "TEXT") for value in (rows[0] if rows else header))
        columns = ", ".join(f'"{column}" {kind}' for column, kind in zip(header, kinds, strict=True))
        connection.execute(f'CREATE TABLE "{name}" ({columns})')
        for row in rows:
            cells = [str(cell) if isinstance(cell, date) else cell for cell in row]
            connection.execute(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(row))})', cells)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    return connection.serialize()


_SQL_TYPES = {int: "INTEGER", float: "REAL", bool: "BOOLEAN", date: "DATE"}


def avro(header: list[str], rows: Rows) -> bytes:
    """An Avro file, each column of the type that its first row has, or null."""
    fields = [
        {"name": name, "type": ["null", _AVRO_TYPES.get(type(value), "string")]}
        for name, value in zip(header, rows[0], strict=True)
    ]
    file = io.BytesIO()
    records = [dict(zip(header, row, strict=True)) for row in rows]
    fastavro.writer(file, {"type": "record", "name": "row", "fields": fields}, records, codec="snappy")
    return file.getvalue()


_AVRO_TYPES: Mapping[type, object] = {
    int: "long",
    float: "double",
    bool: "boolean",
    date: {"type": "int", "logicalType": "date"},
}


def _awkward_sheet() -> Rows:
    """The awkward rows with an empty one among them."""
    return [list(AWKWARD_HEADER), *AWKWARD[:2], [], *AWKWARD[2:]]


_OTHERS: Mapping[str, Rows] = {"Second": [["x"]], "Third": [["y"]]}
_SHEET_CODES = frozenset({"SHEET_SKIPPED", "CONTENT_DROPPED"})
_XML_HEADER = ["id", "full_name", "note"]
_BROKEN_CSV = b'a,b\n1,2\n3,"never closed\n4,5\n'

_INPUTS: dict[str, Input] = {
    "csv": Input(
        lambda: delimited(",", ORDINARY_HEADER, ORDINARY),
        lambda: delimited(";", AWKWARD_HEADER, AWKWARD).replace(b"\r\n1e5", b"\r\n\r\n1e5"),
        lambda: _BROKEN_CSV,
        line=3,
    ),
    "tsv": Input(
        lambda: delimited("\t", ORDINARY_HEADER, ORDINARY),
        lambda: "﻿".encode() + delimited("\t", AWKWARD_HEADER, AWKWARD),
        lambda: _BROKEN_CSV.replace(b",", b"\t"),
        line=3,
    ),
    "xlsx": Input(
        lambda: workbook({"Members": [ORDINARY_HEADER, *ORDINARY]}),
        lambda: workbook({"Awkward": _awkward_sheet(), **_OTHERS}, merge="E2:F3", formula="B2"),
        lambda: workbook({"Members": [ORDINARY_HEADER, *ORDINARY]})[:3000],
        codes=_SHEET_CODES | {"MERGED_CELLS", "FORMULA_VALUE"},
        to_workbook_codes=frozenset({"FORMULA_VALUE"}),
        nulls=True,
    ),
    "xlsm": Input(
        lambda: workbook({"Members": [ORDINARY_HEADER, *ORDINARY]}),
        lambda: with_macros(workbook({"Awkward": _awkward_sheet(), **_OTHERS}, merge="E2:F3", formula="B2")),
        lambda: with_macros(workbook({"Members": [ORDINARY_HEADER, *ORDINARY]}))[:3000],
        codes=_SHEET_CODES | {"MERGED_CELLS", "FORMULA_VALUE", "SCRIPT_REMOVED"},
        to_workbook_codes=frozenset({"FORMULA_VALUE", "SCRIPT_REMOVED"}),
        nulls=True,
    ),
    "xlsb": Input(
        lambda: binary_workbooks.workbook({"Members": [ORDINARY_HEADER, *ORDINARY]}),
        lambda: binary_workbooks.workbook(
            {"Awkward": _awkward_sheet(), **_OTHERS}, formula=(1, 1), merged=(1, 4, 2, 5)
        ),
        lambda: binary_workbooks.workbook({"Members": [ORDINARY_HEADER, *ORDINARY]})[:900],
        codes=_SHEET_CODES | {"MERGED_CELLS", "FORMULA_VALUE"},
        to_workbook_codes=frozenset({"FORMULA_VALUE"}),
        nulls=True,
    ),
    "xls": Input(
        lambda: (SAMPLES / "members.xls").read_bytes(),
        lambda: (SAMPLES / "awkward.xls").read_bytes(),
        lambda: (SAMPLES / "members.xls").read_bytes()[:700],
        codes=_SHEET_CODES | {"MERGED_CELLS"},
        to_workbook_codes=frozenset(),
        nulls=True,
    ),
    "ods": Input(
        lambda: spreadsheet({"Members": [ORDINARY_HEADER, *ORDINARY]}),
        lambda: spreadsheet({"Awkward": _awkward_sheet(), **_OTHERS}),
        lambda: spreadsheet({"Members": [ORDINARY_HEADER, *ORDINARY]})[:1500],
        codes=_SHEET_CODES,
        to_workbook_codes=frozenset(),
        nulls=True,
    ),
    "arrow": Input(
        lambda: arrow(ORDINARY_HEADER, ORDINARY),
        lambda: arrow(AWKWARD_HEADER, [[cell or None for cell in row] for row in AWKWARD]),
        lambda: arrow(ORDINARY_HEADER, ORDINARY)[:400],
        nulls=True,
    ),
    "orc": Input(
        lambda: orc(ORDINARY_HEADER, ORDINARY),
        lambda: orc(AWKWARD_HEADER, [[cell or None for cell in row] for row in AWKWARD]),
        lambda: orc(ORDINARY_HEADER, ORDINARY)[:400],
        nulls=True,
    ),
    "parquet": Input(
        lambda: parquet(ORDINARY_HEADER, ORDINARY),
        lambda: parquet(AWKWARD_HEADER, [[cell or None for cell in row] for row in AWKWARD]),
        lambda: parquet(ORDINARY_HEADER, ORDINARY)[:400],
        nulls=True,
    ),
    "avro": Input(
        lambda: avro(ORDINARY_HEADER, ORDINARY),
        lambda: avro(_XML_HEADER, [[cell or None for cell in row] for row in AWKWARD]),
        lambda: avro(ORDINARY_HEADER, ORDINARY)[:-20],
        awkward_header=_XML_HEADER,
        nulls=True,
    ),
    "sqlite": Input(
        lambda: database(members=[ORDINARY_HEADER, *ORDINARY]),
        lambda: database(
            "CREATE VIEW v AS SELECT 1",
            awkward=[AWKWARD_HEADER, *([cell or None for cell in row] for row in AWKWARD)],
            **_OTHERS,
        ),
        lambda: database(members=[ORDINARY_HEADER, *ORDINARY])[:5000],
        codes=_SHEET_CODES,
        to_workbook_codes=frozenset({"CONTENT_DROPPED"}),
        nulls=True,
    ),
    "html": Input(
        lambda: html_rows(ORDINARY_HEADER, ORDINARY),
        lambda: html_rows(AWKWARD_HEADER, AWKWARD, "<table><tr></table><script><table><tr><td>x</script>"),
        lambda: b"<!doctype html><p>No table on this page.",
    ),
    "markdown": Input(
        lambda: markdown_rows(ORDINARY_HEADER, ORDINARY),
        lambda: markdown_rows(AWKWARD_HEADER, AWKWARD, "# Title\n\n    | no | table |\n    |---|---|\n\n"),
        lambda: b"# No table here\n\n| one | row |\n",
    ),
    "json": Input(
        lambda: json.dumps(objects(ORDINARY_HEADER, ORDINARY)).encode(),
        lambda: json.dumps(missing(objects(AWKWARD_HEADER, AWKWARD)), ensure_ascii=False).encode("utf-16"),
        lambda: b'[\n  {"a": 1},\n  {"a": nan}\n]',
        line=3,
        column=9,
        nulls=True,
    ),
    "ndjson": Input(
        lambda: json_lines(objects(ORDINARY_HEADER, ORDINARY)),
        lambda: json_lines(missing(objects(AWKWARD_HEADER, AWKWARD))).replace(b"}\n{", b"}\r\n\r\n{"),
        lambda: b'{"a": 1}\n\n{"a": 2,,}\n',
        line=3,
        column=9,
        nulls=True,
    ),
    "yaml": Input(
        lambda: yaml_rows(objects(ORDINARY_HEADER, ORDINARY))[7:],
        lambda: yaml_rows(missing(objects(AWKWARD_HEADER, AWKWARD))).replace(b'"note": "no"', b'"note": no'),
        lambda: b"- a: &x 1\n- b: *y\n",
        codes=frozenset({"COMMENTS_DROPPED"}),
        line=2,
        column=6,
        nulls=True,
    ),
    "toml": Input(
        lambda: toml_rows(ORDINARY_HEADER, ORDINARY),
        lambda: b"# rows\n" + toml_rows(AWKWARD_HEADER, AWKWARD),
        lambda: b'[[rows]]\na = "x"\na = "y"\n',
        codes=frozenset({"COMMENTS_DROPPED"}),
        line=3,
        column=8,
    ),
    "xml": Input(
        lambda: xml_rows(ORDINARY_HEADER, ORDINARY),
        lambda: xml_rows(_XML_HEADER, AWKWARD, "<!-- people -->"),
        lambda: b'<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b SYSTEM "c">]>\n<a>&b;</a>\n',
        codes=frozenset({"COMMENTS_DROPPED"}),
        line=3,
        column=4,
        awkward_header=_XML_HEADER,
        nulls=True,
    ),
}


def _made_once(each: Input) -> Input:
    return Input(
        lru_cache(each.ordinary),
        lru_cache(each.awkward),
        each.broken,
        each.codes,
        each.to_workbook_codes,
        each.line,
        each.column,
        each.awkward_header,
        each.nulls,
    )


INPUTS = {name: _made_once(each) for name, each in _INPUTS.items()}

TABLES: dict[str, Callable[[list[str], Rows], bytes]] = {
    "csv": lambda header, rows: delimited(",", header, rows),
    "tsv": lambda header, rows: delimited("\t", header, rows),
    "json": lambda header, rows: json.dumps(objects(header, rows)).encode(),
    **dict.fromkeys(("xlsx", "xlsm"), lambda header, rows: workbook({"Rows": [header, *rows]})),
    "ods": lambda header, rows: spreadsheet({"Rows": [header, *rows]}),
    "parquet": parquet,
}
"""The same rows in formats that other families read, too."""

NO_ROWS: dict[str, tuple[bytes, int | None]] = {
    "csv": (b'"a', 1), "json": (b"[1]", None),
    **dict.fromkeys(("xlsx", "xlsm", "ods"), (b"PK\x03\x04 no", None)),
}  # fmt: skip
"""What is no table in each of them, and the line where that is seen."""
