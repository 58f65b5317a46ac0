"""Read the XML workbooks of Excel 2002 and 2003 as rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, time
from typing import Any

from engine.families.data.features import Feature, Found
from engine.families.data.row_lists import TEXT
from engine.families.data.table import Table, batched, check_width, unique_names
from engine.families.data.values import Value, integer, number, text
from engine.families.data.workbooks.facts import BESIDE_SHEETS, without_cells
from engine.toolkit.number_formats import is_formatted
from engine.toolkit.warnings import Kind, Warn

_NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"
_PREFIX = "ss:"
_INTEGER = re.compile(r"-?\d+")
_FORMATTED = ("Percent", "Currency", "Euro Currency")
"""Named number formats that add to the number."""
_OTHER_SHEETS = Kind("SHEET_SKIPPED", "Other sheets are not in the output: {count}{places}. Use sheets=all.")
_FORMATS = Kind("VALUE_CONVERTED", "Number formats are not in the output, only the values: {count}{places}.")
_DAYS_BEGIN = 1900
"""Before this year, a timestamp is a time without a date."""

_Row = dict[int, Value]
"""The values of a row by column from 0."""


def tables(document: Value, options: Any, found: Found, warn: Warn) -> list[Table] | None:
    """Return the first sheet of an XML workbook, or all with `options.sheets`; None for any other document.

    The first row of a sheet names its columns. Features besides values are put into `found`.
    """
    if not isinstance(document, dict) or len(document) != 1:
        return None
    ((name, root),) = document.items()
    prefix = options.attribute_prefix
    declared = [root.get(f"{prefix}{each}") for each in ("xmlns", "xmlns:ss")] if isinstance(root, dict) else []
    if name not in ("Workbook", f"{_PREFIX}Workbook") or _NAMESPACE not in declared:
        return None
    book = _Workbook(root, prefix)
    chosen, empty = book.names, list[str]()
    if options.sheets != "all":
        first = next(filter(book.has_cells, book.names), book.names[0])
        chosen, empty = [first], book.names[: book.names.index(first)]
        warn.tally(without_cells(first), len(empty), (f"“{each}”" for each in empty))
    others = [each for each in book.names if each not in (*chosen, *empty)]
    warn.tally(_OTHER_SHEETS, len(others), (f"“{each}”" for each in others))
    warn.parts_left_out |= {BESIDE_SHEETS, *others, *empty}
    return [book.table(each, found, warn) for each in chosen]


class _Workbook:
    """The elements of a workbook with prefixed attributes."""

    def __init__(self, root: Mapping[str, Value], prefix: str) -> None:
        self._prefix = prefix
        self._sheets = {str(self._attribute(each, "Name") or ""): each for each in self._all(root, "Worksheet")}
        self._filled: set[Value] = set()
        self._formatted: dict[Value, str] = {}
        for style in self._all(self._one(root, "Styles"), "Style"):
            name, code = self._attribute(style, "ID"), self._attribute(self._one(style, "NumberFormat"), "Format")
            if self._attribute(self._one(style, "Interior"), "Color"):
                self._filled.add(name)
            if isinstance(code, str) and (code in _FORMATTED or is_formatted(code)):
                self._formatted[name] = code

    @property
    def names(self) -> list[str]:
        return list(self._sheets)

    def has_cells(self, name: str) -> bool:
        """Whether a sheet has a value."""
        rows = self._all(self._one(self._sheets[name], "Table"), "Row")
        return any(self._row(each, Counter(), Counter()) for each in rows)

    def table(self, name: str, found: Found, warn: Warn) -> Table:
        """A sheet without empty rows, and without columns before the first value."""
        sheet = self._one(self._sheets[name], "Table")
        seen = Counter(
            {Feature.WIDTH: sum(self._attribute(each, "Width") is not None for each in self._all(sheet, "Column"))}
        )
        formatted: Counter[str] = Counter()
        rows = [row for each in self._all(sheet, "Row") if (row := self._row(each, seen, formatted))]
        for feature, count in seen.items():
            found.put(feature, count, [f"“{name}”"], part=name)
        warn.tally(_FORMATS, formatted.total(), [f"“{name}” has {each}" for each in formatted], part=name)
        places = range(min(map(min, rows)), 1 + max(map(max, rows))) if rows else range(0)
        check_width(len(places))
        named = [text(rows[0].get(at)) for at in places]
        columns = unique_names(named, warn, name)

        def batches() -> Iterator[list[list[Value]]]:
            return batched([row.get(at) for at in places] for row in rows[1:])

        return Table(name, columns, batches, nulls=False, found=found)

    def _row(self, row: Any, seen: Counter[Feature], formatted: Counter[str]) -> _Row:
        """The values of a row that has any."""
        found: _Row = {}
        at = 0
        for cell in self._all(row, "Cell"):
            index = self._attribute(cell, "Index")
            at = max(at, int(index) - 1) if isinstance(index, str) and index.isdecimal() and len(index) < 7 else at
            data, style = self._one(cell, "Data"), self._attribute(cell, "StyleID")
            value = self._value(data)
            if value is not None:
                found[at] = value
            merged = self._attribute(cell, "MergeAcross")
            seen[Feature.FORMULA] += self._attribute(cell, "Formula") is not None
            seen[Feature.NOTE] += self._one(cell, "Comment") is not None
            seen[Feature.LINK] += self._attribute(cell, "HRef") is not None
            seen[Feature.MERGED] += merged is not None or self._attribute(cell, "MergeDown") is not None
            seen[Feature.COLOUR] += style in self._filled
            if style in self._formatted and isinstance(value, int | float):
                formatted[self._formatted[style]] += 1
            at += 1 + (int(merged) if isinstance(merged, str) and merged.isdecimal() and len(merged) < 7 else 0)
        return found

    def _value(self, data: Any) -> Value:
        content = "".join(self._texts(data))
        kind = self._attribute(data, "Type")
        try:
            if kind == "Number":
                return integer(content) if _INTEGER.fullmatch(content) else number(content)
            if kind == "DateTime":
                moment = datetime.fromisoformat(content)
                if moment.year < _DAYS_BEGIN:
                    return moment.time()
                return moment.date() if moment.time() == time() else moment
        except ValueError:
            return content
        return content == "1" if kind == "Boolean" else content or None

    def _texts(self, element: Any) -> Iterator[str]:
        """The texts of an element, including formatted runs."""
        if isinstance(element, str):
            yield element
        elif isinstance(element, list):
            for each in element:
                yield from self._texts(each)
        elif isinstance(element, dict):
            for name, inner in element.items():
                if name == TEXT or not name.startswith(self._prefix):
                    yield from self._texts(inner)

    def _one(self, element: Any, name: str) -> Any:
        """The first child element of this name, or None."""
        return next(iter(self._all(element, name)), None)

    def _all(self, element: Any, name: str) -> list[Any]:
        if not isinstance(element, dict):
            return []
        found = element.get(name, element.get(f"{_PREFIX}{name}", []))
        return found if isinstance(found, list) else [found]

    def _attribute(self, element: Any, name: str) -> Value:
        """An attribute of an element, or None."""
        if not isinstance(element, dict):
            return None
        return element.get(f"{self._prefix}{_PREFIX}{name}", element.get(f"{self._prefix}{name}"))
