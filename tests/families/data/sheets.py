"""Vectors of workbooks and Parquet: sheets, types, nested values."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta

import polars

from tests.converters.vector import SAMPLES, Vector, fail, refuse, take
from tests.families.data.checks import equal, gives, ods_is, row_is
from tests.families.data.files import ORDINARY, ORDINARY_HEADER, Rows, parquet, spreadsheet, texts, workbook
from tests.families.data.locked_workbooks import cut_lock, locked_ods, locked_xlsx
from tests.families.data.seen import from_csv, from_xlsx, unzipped

_THREE: Mapping[str, Rows] = {"First sheet": [["a"], [1]], "O'Neil & co": [["b"], [2.5]], "第三": [["c"], [True]]}
_REPORT: Mapping[str, Rows] = {
    "Report": [
        [None, None, None],
        [None, "day", "moment", "time", "span", "big", "share"],
        [
            None,
            date(2024, 2, 29),
            datetime(2024, 2, 29, 13, 5, 9),
            time(7, 30),
            timedelta(hours=30),
            123456789012,
            0.25,
        ],
        [None, None, None, None, None, None, None],
        [None, date(1999, 12, 31), datetime(2024, 3, 1), None, None, 1.0, -1e-9],
    ]
}


def _is_report(data: bytes) -> None:
    assert json.loads(data, parse_float=str) == [
        {
            "day": "2024-02-29",
            "moment": "2024-02-29T13:05:09",
            "time": "07:30:00",
            "span": "P1DT21600S",
            "big": 123456789012,
            "share": "0.25",
        },
        {"day": "1999-12-31", "moment": "2024-03-01T00:00:00", "time": None, "span": None, "big": 1, "share": "-1e-9"},
    ]


def _with_breaks(data: bytes) -> bytes:
    """The workbook with elements in its texts, spelled in several ways (OpenDocument 1.3, part 3, section 6.1)."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as book, zipfile.ZipFile(file, "w") as target:
        for name in book.namelist():
            part = book.read(name)
            if name == "content.xml":
                part = part.replace(b"TAB", b'<text:tab text:tab-ref="1"/>')
                part = part.replace(b"BREAK2", b"<text:line-break/>2<text:line-break></text:line-break>3")
            target.writestr(name, part)
    return file.getvalue()


def _is_all_sheets(data: bytes) -> None:
    files = unzipped(data)
    assert list(files) == ["First sheet.csv", "O'Neil & co.csv", "第三.csv"]
    assert [from_csv(each) for each in files.values()] == [[["a"], ["1"]], [["b"], ["2.5"]], [["c"], ["true"]]]


def _is_copy(data: bytes) -> None:
    assert [from_xlsx(data, sheet) for sheet in range(3)] == [[["a"], ["1"]], [["b"], ["2.5"]], [["c"], ["true"]]]


def _nested_parquet() -> bytes:
    file = io.BytesIO()
    frame = polars.DataFrame(
        {
            "s": [{"x": 1, "y": ["a"]}],
            "l": [[1, 2]],
            "b": [b"\x01\x02"],
            "t": ["2024-01-02T03:04:05.000000006"],
            "d": ["1.10"],
            "f": polars.Series([0.1], dtype=polars.Float32),
            "z": ["2024-01-02T03:04:05+00:00"],
        }
    )
    frame.with_columns(
        polars.col("t").str.to_datetime(time_unit="ns"),
        polars.col("d").cast(polars.Decimal(10, 2)),
        polars.col("z").str.to_datetime(time_zone="UTC"),
    ).write_parquet(file)
    return file.getvalue()


VECTORS: tuple[Vector, ...] = (
    take(
        "xlsx-to-json",
        "dates, times, an empty row and empty borders",
        lambda: workbook(_REPORT),
        _is_report,
        "CONTENT_DROPPED",
    ),
    take(
        "xlsx-to-json",
        "a sheet by its name",
        lambda: workbook({"A": [["x"]], "B": [["b"], ["y"]]}),
        gives([{"b": "y"}]),
        "SHEET_SKIPPED",
        sheet="B",
    ),
    take(
        "ods-to-json",
        "a sheet by its number",
        lambda: spreadsheet({"A": [["x"]], "B": [["b"], ["y"]]}),
        gives([{"b": "y"}]),
        "SHEET_SKIPPED",
        sheet="2",
    ),
    take(
        "ods-to-json",
        "tabs and line breaks inside of cells",
        lambda: _with_breaks(spreadsheet({"A": [["a", "b"], ["xTABy", "1BREAK2"]]})),
        gives([{"a": "x\ty", "b": "1\n2\n3"}]),
    ),
    take(
        "xlsx-to-json",
        "empty rows kept",
        lambda: workbook({"A": [["a"], [], ["y"]]}),
        gives([{"a": None}, {"a": "y"}]),
        emptyRows=True,
    ),
    take("xlsx-to-json", "an empty sheet", lambda: workbook({"A": []}), gives([])),
    take("xlsx-to-csv", "every sheet", lambda: workbook(_THREE), _is_all_sheets, output="zip", sheets="all"),
    take("ods-to-xlsx", "every sheet", lambda: spreadsheet(_THREE), _is_copy),
    take(
        "xlsx-to-ods",
        "one sheet of three",
        lambda: workbook(_THREE),
        lambda data: ods_is(data, [["c"], ["true"]]),
        "SHEET_SKIPPED",
        sheet="3",
    ),
    take(
        "xlsx-to-json",
        "a workbook with a password",
        lambda: locked_xlsx("Grüße 1"),
        gives([{"column1": "secret", "column2": 1}]),
        headerRow=False,
        password="Grüße 1",
    ),
    take(
        "ods-to-csv",
        "a workbook with a password",
        lambda: locked_ods("Grüße 1"),
        lambda data: equal(from_csv(data), [["secret", "1"]]),
        headerRow=False,
        header=False,
        password="Grüße 1",
    ),
    fail("xlsx-to-json", "no password", lambda: locked_xlsx("x")),
    fail("xlsx-to-json", "a lock that is cut", lambda: cut_lock(locked_xlsx("x")), password="x"),
    fail(
        "ods-to-csv",
        "a locked archive that lost 40 bytes",
        lambda: (lambda data: data[:38] + data[78:])(locked_ods("x")),
        password="x",
    ),
    refuse("xlsx-to-json", "another password", lambda: locked_xlsx("x"), password="y"),
    take(
        "xlsx-to-csv",
        "a range with its merged cells filled",
        lambda: workbook({"A": [["t"], ["a", "b", "c"], ["x", 1, 2], [None, 3, 4]]}, merge="A3:A4"),
        lambda data: equal(from_csv(data), [["a", "b"], ["x", "1"], ["x", "3"]]),
        range="A2:B4",
        fillMerged=True,
    ),
    take(
        "xlsx-to-csv",
        "values as they are shown",
        lambda: workbook({"A": [["n", "d"], [1234.5, date(2024, 2, 29)]]}),
        lambda data: equal(from_csv(data), [["n", "d"], ["1234.5", "2024-02-29"]]),
        values="shown",
    ),
    refuse("xlsx-to-csv", "a range that is none", lambda: workbook({"A": [["t"]]}), range="A0"),
    refuse("xlsx-to-csv", "a sheet that is not there", lambda: workbook(_THREE), sheet="4"),
    refuse("xls-to-xlsx", "a sheet that is not there", lambda: (SAMPLES / "members.xls").read_bytes(), sheet="Nobody"),
    take(
        "parquet-to-xlsx",
        "real dates and numbers",
        lambda: parquet(ORDINARY_HEADER, ORDINARY),
        lambda data: row_is(data, 2, ["0007", "Ada Lovelace", "London", datetime(2024, 2, 29), 12.5, 3, True]),
    ),
    take(
        "parquet-to-ods",
        "real dates and numbers",
        lambda: parquet(ORDINARY_HEADER, ORDINARY),
        lambda data: ods_is(data, texts(ORDINARY_HEADER, ORDINARY)),
    ),
    take(
        "parquet-to-json",
        "nested values, bytes and nanoseconds",
        lambda: _nested_parquet(),
        gives(
            [
                {
                    "s": {"x": 1, "y": ["a"]},
                    "l": [1, 2],
                    "b": "AQI=",
                    "t": "2024-01-02T03:04:05.000000006",
                    "d": "1.10",
                    "f": "0.1",
                    "z": "2024-01-02T03:04:05Z",
                }
            ]
        ),
        "VALUE_CONVERTED",
    ),
    take(
        "parquet-to-csv",
        "nested values as JSON text",
        lambda: _nested_parquet(),
        lambda data: equal(from_csv(data)[1][:2], ['{"x":1,"y":["a"]}', "[1,2]"]),
        "VALUE_CONVERTED",
    ),
)
