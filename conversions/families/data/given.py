"""What other families have found as rows, written as a workbook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from conversions.families.data.table import Row, Table, batched, check_width, column_name
from conversions.families.data.writers import xlsx
from conversions.families.data.writers.options import XlsxOut
from conversions.toolkit.warnings import Warn


def write_xlsx(sheets: Sequence[tuple[str, list[Row]]], target: Path, warn: Warn) -> None:
    """Write each named list of rows as a sheet, its rows as they are; raises OverLimit for what no sheet holds."""
    tables = [_table(name, rows) for name, rows in sheets]
    xlsx.write(tables, target, XlsxOut(header=False, freeze_header=False), warn)


def _table(name: str, rows: list[Row]) -> Table:
    width = max((len(row) for row in rows), default=0)
    check_width(width)
    filled: list[Row] = [[*row, *([None] * (width - len(row)))] for row in rows]
    return Table(name, [column_name(at) for at in range(width)], lambda: batched(filled), named=False)
