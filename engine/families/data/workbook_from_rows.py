"""Write rows that other families extracted as a workbook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.families.data.table import Row, Table, batched, check_width, column_name
from engine.families.data.writers import xlsx
from engine.families.data.writers.options import XlsxOut
from engine.toolkit.warnings import Warn


def write_xlsx(sheets: Sequence[tuple[str, list[Row]]], target: Path, warn: Warn) -> None:
    """Write each named list of rows as a sheet. Raises OverLimit for rows that a sheet can't hold."""
    tables = [_table(name, rows) for name, rows in sheets]
    xlsx.write(tables, target, XlsxOut(header=False, freeze_header=False), warn)


def _table(name: str, rows: list[Row]) -> Table:
    width = max((len(row) for row in rows), default=0)
    check_width(width)
    filled: list[Row] = [[*row, *([None] * (width - len(row)))] for row in rows]
    return Table(name, [column_name(at) for at in range(width)], lambda: batched(filled), named=False)
