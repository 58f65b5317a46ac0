"""Table rows: CSV to JSON compared with the standard library, workbooks with the libraries that people use for them."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.row import Row

_NAMES = ("Anna Müller", "Björn Ng", "Chloé O'Neil", "David Smith", "Ivanova, Eve", 'Farid "Fred" García', "")
_CITIES = ("Berlin", "New York", "San Francisco, CA", "Tokyo", "São Paulo")
_HEADER = ("id", "name", "email", "zip", "balance", "active", "city", "created", "score", "note")
_FIRST_DAY = datetime(2024, 1, 1)


def _orders(path: Path, size: int) -> None:
    """A CSV file of about `size` bytes: ten columns of numbers, words, dates, and cells that need quotes."""
    pick = random.Random(2)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_HEADER)
        number = 0
        while file.tell() < size:
            writer.writerows(_order(pick, each) for each in range(number, number + 5))
            number += 5


def _order(pick: random.Random, number: int) -> tuple[str | int | float, ...]:
    return (
        number,
        pick.choice(_NAMES),
        f"user{number}@example.com",
        f"{number % 9999:05}",
        round(pick.uniform(-1000, 100_000), 2),
        "true" if pick.random() < 0.7 else "false",
        pick.choice(_CITIES),
        f"{_FIRST_DAY + timedelta(hours=number % 8000):%Y-%m-%d}",
        pick.random(),
        pick.choice(("", "", "plain note text", "two\nlines")),
    )


def workbook(path: Path, rows: int, columns: int = 10) -> None:
    """A workbook of one sheet: texts, numbers, dates, booleans and empty cells in at most ten columns."""
    from xlsxwriter import Workbook

    pick = random.Random(3)
    with Workbook(path, {"constant_memory": True, "default_date_format": "yyyy-mm-dd"}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, _HEADER[:columns])
        for number in range(rows):
            row: list[object] = [*_order(pick, number)]
            row[5], row[7] = row[5] == "true", _FIRST_DAY + timedelta(hours=number % 8000)
            for column, value in enumerate(row[:columns]):
                sheet.write(number + 1, column, value)


def _of(make: Callable[[Path, int], None], size: int) -> Callable[[Path], None]:
    return lambda path: make(path, size)


_STDLIB = """
import csv, json
with open(r"{input}", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
with open(r"{output}", "w", encoding="utf-8") as file:
    file.write(json.dumps(rows, ensure_ascii=False))
"""
_XLSXWRITER = """
import csv, xlsxwriter
with open(r"{input}", encoding="utf-8", newline="") as file:
    with xlsxwriter.Workbook(r"{output}", {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(csv.reader(file)):
            for column, cell in enumerate(row):
                sheet.write_string(number, column, cell)
"""
_OPENPYXL = """
import csv, openpyxl
sheet = openpyxl.load_workbook(r"{input}", read_only=True, data_only=True).worksheets[0]
with open(r"{output}", "w", encoding="utf-8", newline="") as file:
    csv.writer(file).writerows(sheet.iter_rows(values_only=True))
"""


def _row(
    name: str, slug: str, file: str, make: Callable[[Path], None], peer: tuple[str, str], goal: float, *needs: str
) -> Row:
    peer_name, script = peer
    return Row(
        name=name,
        input=file,
        make=make,
        slug=slug,
        peer_name=peer_name,
        peer=("{python}", "-c", script),
        goal=goal,
        needs=needs,
    )


_CSV = ("csv and json", _STDLIB)
_WRITER = ("XlsxWriter", _XLSXWRITER)
_READER = ("openpyxl", _OPENPYXL)

# XlsxWriter and openpyxl take a minute for a workbook of 100 MB of cells: a tenth is enough for a ratio.
_WORKBOOKS = ("xlsxwriter", "openpyxl")

ROWS: tuple[Row, ...] = (
    _row("30 MB", "csv-to-json", "orders-30.csv", _of(_orders, 30_000_000), _CSV, 0.60),
    _row("100 MB", "csv-to-json", "orders-100.csv", _of(_orders, 100_000_000), _CSV, 0.60),
    _row("10 MB", "csv-to-xlsx", "orders-10.csv", _of(_orders, 10_000_000), _WRITER, 0.25, "xlsxwriter"),
    replace(
        _row(
            "100,000 rows",
            "xlsx-to-csv",
            "orders.xlsx",
            _of(workbook, 100_000),
            _READER,
            0.20,
            "xlsxwriter",
            "openpyxl",
        ),
        job=True,
    ),
)
