"""Repeat rows for each item of a list in one of their columns."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engine.families.data.picking.evaluation import Column
from engine.families.data.table import MAX_CELLS, Row
from engine.families.data.values import Value, integer, number
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_JSON = json.JSONDecoder(parse_float=number, parse_int=integer)


def unwound(batches: Iterator[list[Row]], column: Column, warn: Warn) -> Iterator[list[Row]]:
    """Yield a row for each item of a list in this column; other rows, and those of empty lists, stay."""
    at = column.at
    cells = lists = 0
    for batch in batches:
        rows = []
        for row in batch:
            items = _items(row[at])
            if items is None:
                rows.append(row)
                continue
            lists += 1
            cells += len(row) * len(items)
            if cells > MAX_CELLS:
                raise OverLimit(
                    "output",
                    say("The table has more than {max_cells} cells when unwound.", max_cells=MAX_CELLS),
                )
            rows += [[*row[:at], item, *row[at + 1 :]] for item in items or [None]]
        yield rows
    if not lists:
        report_none(column, warn)


def report_none(column: Column, warn: Warn) -> None:
    """Warn of a column without a list."""
    warn("OPTION_IGNORED", say("The column “{unwind}” has no lists: nothing was unwound.", unwind=column.name))


def _items(cell: Value) -> list[Value] | None:
    """Return the items of a list, or of a text that is a JSON array; None for any other cell."""
    if isinstance(cell, list):
        return cell
    if isinstance(cell, str) and cell[:1] == "[" and cell[-1:] == "]":
        try:
            found = _JSON.decode(cell)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, list) else None
    return None
