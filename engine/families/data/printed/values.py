"""The values of cells by reference, for charts that do not store them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.families.data import cell_references as places
from engine.families.data.printed.boxes import Texts
from engine.families.data.printed.looks import Looks
from engine.toolkit.charts.stored import MOST_POINTS

_REFERENCE = re.compile(r"(?:'((?:[^']|'')++)'|([^'!,]++))!([$A-Za-z0-9:]++)")
_MOST = MOST_POINTS + 1
"""Values of one area: a chart with more of them is left out."""


class Values:
    """Finds the values of areas in the sheets that were read."""

    def __init__(self, sheets: Mapping[str, Looks], texts: Mapping[str, Texts]) -> None:
        self._sheets, self._texts = sheets, texts

    def of(self, reference: str) -> list[str]:
        """The values of an area such as `Sheet1!$A$1:$A$5`, row by row; numbers with all their digits."""
        match = _REFERENCE.fullmatch(reference.strip())
        area = places.area(match[3]) if match else None
        name = "" if match is None else (match[1] or match[2]).replace("''", "'")
        looks, texts = self._sheets.get(name), self._texts.get(name, {})
        if area is None or looks is None:
            return []
        found: list[str] = []
        for row in range(area.top, min(area.bottom, area.top + _MOST) + 1):
            for column in range(area.left, min(area.right, area.left + _MOST) + 1):
                if len(found) >= _MOST:
                    return found
                cell = looks.cells.get(row, {}).get(column)
                if cell is not None and cell.kind == "n" and cell.value is not None:
                    found.append(f"{cell.value:.15g}")
                else:
                    found.append(texts.get(row, {}).get(column, ""))
        return found
