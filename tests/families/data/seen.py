"""Reading every output format of the data family back into cells, with another library than the one that wrote it.

Parquet is the exception: polars reads what polars wrote.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import tomllib
import zipfile
from collections.abc import Callable
from datetime import datetime, time
from typing import Any

import cmarkgfm
import fastavro
import html5lib
import openpyxl
import polars
import pyarrow
import xmltodict
import yaml
from odf import table as odf_table
from odf.opendocument import load
from odf.text import P
from pyarrow.orc import ORCFile

from tests.families.data.files import text

Cells = list[list[str]]


def from_csv(data: bytes, delimiter: str = ",") -> Cells:
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=delimiter, strict=True))


def from_tsv(data: bytes) -> Cells:
    return from_csv(data, "\t")


def from_xlsx(data: bytes, sheet: int = 0) -> Cells:
    rows = openpyxl.load_workbook(io.BytesIO(data)).worksheets[sheet].iter_rows(values_only=True)
    return filled([[_shown(cell) for cell in row] for row in rows])


def _shown(cell: Any) -> str:
    if isinstance(cell, datetime):
        return str(cell.date()) if cell.time() == time() else cell.isoformat()
    return text(cell)


def filled(rows: Cells) -> Cells:
    """The rows without those that are empty, and without empty columns at the right."""
    rows = [row for row in rows if any(row)]
    width = max((at + 1 for row in rows for at, cell in enumerate(row) if cell), default=0)
    return [(row + [""] * width)[:width] for row in rows]


def from_ods(data: bytes, sheet: int = 0) -> Cells:
    found = load(io.BytesIO(data)).spreadsheet.getElementsByType(odf_table.Table)[sheet]
    return filled(
        [
            [_ods_text(cell) for cell in row.getElementsByType(odf_table.TableCell)]
            for row in found.getElementsByType(odf_table.TableRow)
        ]
    )


def _ods_text(cell: Any) -> str:
    kind = cell.getAttribute("valuetype")
    if kind in ("date", "boolean", "float", "time"):
        return str(cell.getAttribute({"float": "value"}.get(kind, f"{kind}value")))
    lines = []
    for paragraph in cell.getElementsByType(P):
        pieces = []
        for node in paragraph.childNodes:
            name = node.tagName if node.nodeType == 1 else ""
            spaces = int(node.getAttribute("c") or 1) if name == "text:s" else 0
            pieces.append(" " * spaces if spaces else "\t" if name == "text:tab" else str(node))
        lines.append("".join(pieces))
    return "\n".join(lines)


def from_parquet(data: bytes) -> Cells:
    frame = polars.read_parquet(io.BytesIO(data))
    return [frame.columns, *([_shown(cell) for cell in row] for row in frame.rows())]


def from_arrow(data: bytes) -> Cells:
    frame = polars.read_ipc(io.BytesIO(data))
    return [frame.columns, *([_shown(cell) for cell in row] for row in frame.rows())]


def from_orc(data: bytes) -> Cells:
    table = ORCFile(pyarrow.BufferReader(data)).read()
    return [table.column_names, *([_shown(cell) for cell in row.values()] for row in table.to_pylist())]


def from_avro(data: bytes) -> Cells:
    reader = fastavro.reader(io.BytesIO(data))
    schema: Any = reader.writer_schema
    return [[each["name"] for each in schema["fields"]], *([text(cell) for cell in row.values()] for row in reader)]


def from_sqlite(data: bytes, table: int = 0) -> Cells:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data)
    assert list(connection.execute("PRAGMA integrity_check")) == [("ok",)]
    name = [each for (each,) in connection.execute("SELECT name FROM sqlite_schema")][table]
    columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
    shown = [(lambda cell: text(bool(cell))) if each[2] == "BOOLEAN" else text for each in columns]
    rows = connection.execute(f'SELECT * FROM "{name}"')
    return [
        [each[1] for each in columns],
        *([show(cell) for show, cell in zip(shown, row, strict=True)] for row in rows),
    ]


def from_html(data: bytes) -> Cells:
    tree = html5lib.parse(data.decode("utf-8"), namespaceHTMLElements=False)
    return [[_inner(cell) for cell in row if cell.tag in ("td", "th")] for row in tree.iter("tr")]


def _inner(element: Any) -> str:
    pieces = [element.text or ""]
    for child in element:
        pieces += ["\n" if child.tag == "br" else _inner(child), child.tail or ""]
    return "".join(pieces)


def from_markdown(data: bytes) -> Cells:
    # Unsafe, so that a line break in a cell is shown and markup that was not escaped would be.
    page = cmarkgfm.github_flavored_markdown_to_html(data.decode("utf-8"), cmarkgfm.Options.CMARK_OPT_UNSAFE)
    return from_html(page.encode())


def rows_in(value: Any) -> Cells:
    """The first list of objects from the top of a document down, as cells; a missing key is an empty cell."""
    level = [value]
    while level:
        for each in level:
            if isinstance(each, list) and each and isinstance(each[0], dict):
                header = list(dict.fromkeys(key for row in each for key in row))
                return [header, *([text(row.get(key)) for key in header] for row in each)]
        level = [inner for each in level if isinstance(each, dict) for inner in each.values()]
    raise AssertionError("no rows")


def from_json(data: bytes) -> Cells:
    return rows_in(json.loads(data))


def from_ndjson(data: bytes) -> Cells:
    values = [json.loads(line) for line in data.decode().splitlines()]
    return rows_in(values if len(values) > 1 else values[0])


def from_yaml(data: bytes) -> Cells:
    return rows_in(yaml.load(data, Loader=YamlOfJson))


class YamlOfJson(yaml.SafeLoader):
    """A loader that knows no dates, and so keeps the text of those that stand without quotes."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def from_toml(data: bytes) -> Cells:
    return rows_in(tomllib.loads(data.decode("utf-8")))


def from_xml(data: bytes) -> Cells:
    return rows_in(xmltodict.parse(data, strip_whitespace=False, postprocessor=_without_layout))


def _without_layout(path: Any, key: str, value: Any) -> tuple[str, Any] | None:
    return None if key == "#text" and not value.strip() else (key, value)


SEEN: dict[str, Callable[[bytes], Cells]] = {
    "csv": from_csv,
    "tsv": from_tsv,
    "xlsx": from_xlsx,
    "ods": from_ods,
    "arrow": from_arrow,
    "orc": from_orc,
    "parquet": from_parquet,
    "avro": from_avro,
    "sqlite": from_sqlite,
    "html": from_html,
    "markdown": from_markdown,
    "json": from_json,
    "ndjson": from_ndjson,
    "yaml": from_yaml,
    "toml": from_toml,
    "xml": from_xml,
}


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}
