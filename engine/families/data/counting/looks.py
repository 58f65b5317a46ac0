"""The looks and rules of sheets that are counted, and how a sheet's are collected with their first places."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.toolkit.census import Census
from engine.toolkit.warnings import MAX_EXAMPLES

OF_CELLS = frozenset({"fonts", "runs", "fills", "borders", "alignments", "formats"})
RULES = frozenset(
    {"conditions", "validations", "filters", "panes", "heads", "names", "pivots", "setups", "protections"}
)
KINDS = OF_CELLS | RULES | {"merges", "widths", "hidden", "shifts"}
"""What a workbook has beside its contents."""
FORMATTING = frozenset({"fonts", "runs", "borders", "alignments"})
"""Kinds that are counted together, as cells with formatting, for outputs without any; readers name the others."""
TOGETHER = frozenset({"formatting", "rules"})
USUAL_WIDTH, SAME_WIDTH = 12.19, 0.28
"""The width of columns in OpenDocument if none is set, in characters, and what still counts as this width."""
NO_VALUES = Area(0, 0, -1, -1)
"""The part of a sheet that has values, if none has any: no widths, merges or hidden rows are counted."""
_CODE = re.compile(r'&(?:"[^"]*"|K[0-9A-Fa-f]{6}|\d+|[LCRBIUESXYGOH+-])')
_FIELD = re.compile(r"&[PNADTFZ]")


def is_telling(head: str) -> bool:
    """Whether a head or foot of printed pages (ECMA-376, part 1, 18.3.1.46) has more than numbers and names with a
    word for each, as LibreOffice writes on all sheets."""
    text = _CODE.sub("", head)
    return len(_FIELD.sub("", text).split()) > len(_FIELD.findall(text))


class Looks:
    """Adds the looks and rules of a sheet to its census; those of the whole workbook have no name of a sheet."""

    def __init__(self, census: Census, sheet: str = "") -> None:
        self._census, self.sheet = census, sheet

    def add(self, kind: str, count: int = 1, place: object = "") -> None:
        """Add to the count of a kind, whose first items are at this place."""
        for each in (kind, "rules") if kind in RULES else (kind,):
            self._add(each, count, place)

    def _add(self, kind: str, count: int, place: object) -> None:
        if count <= 0:
            return
        shown = f"{self.sheet}!{place}" if self.sheet and place != self.sheet else str(place)
        if place != "" and len(self._census.items.get(kind, ())) < MAX_EXAMPLES:
            self._census.add(kind, label=shown)
            count -= 1
        self._census.add(kind, count)

    def cells(self, found: Iterable[tuple[object, frozenset[str]]]) -> None:
        """Add cells, each with its place and the kinds of looks that it has."""
        first: dict[frozenset[str], list[object]] = {}
        counts: Counter[frozenset[str]] = Counter()
        for place, kinds in found:
            counts[kinds] += 1
            if counts[kinds] <= MAX_EXAMPLES:
                first.setdefault(kinds, []).append(place)
        for kinds, count in counts.items():
            self.alike(kinds, count, first[kinds])

    def alike(self, kinds: frozenset[str], count: int, first: Sequence[object] = ()) -> None:
        """Add cells that all have these kinds of looks, with the places of the first ones."""
        for kind in kinds | ({"formatting"} if kinds & FORMATTING else set()):
            for place in first:
                self._add(kind, 1, place)
            self._add(kind, count - len(first), "")

    def merged(self, areas: Iterable[Area | None], used: Area) -> None:
        """Add merged areas that begin in the part of the sheet that has values."""
        for each in areas:
            if each and (each.top, each.left) != (each.bottom, each.right) and used.holds((each.top, each.left)):
                self.add("merges", place=f"{places.cell(each.top, each.left)}:{places.cell(each.bottom, each.right)}")

    def shifted(self, used: Area) -> None:
        """Add the empty rows above the part of the sheet that has values, and the columns left of it."""
        if used != NO_VALUES:
            self.add("shifts", used.top + used.left, self.sheet)

    def columns(self, widths: Mapping[int, float], hidden: Collection[int], used: Area) -> None:
        """Add the columns in this part with a width of their own, in characters, and those that are hidden."""
        for at in sorted({*widths, *hidden}):
            if not used.left <= at <= used.right:
                continue
            if at in hidden:
                self.add("hidden", place=places.column_name(at))
            elif abs(widths[at] - USUAL_WIDTH) > SAME_WIDTH:
                self.add("widths", place=places.column_name(at))


def of_style(
    *, font: object, alignment: object, usual: tuple[object, object] | None, filled: bool, bordered: bool, code: bool
) -> frozenset[str]:
    """The kinds of looks of a style; font and alignment are compared with the `usual` ones of the workbook."""
    usual = usual or (font, alignment)
    kinds = {
        "fonts": font != usual[0],
        "alignments": alignment != usual[1],
        "fills": filled,
        "borders": bordered,
        "formats": code,
    }
    return frozenset(kind for kind, present in kinds.items() if present)


def of_cell(kinds: frozenset[str], *, has_value: bool, is_number: bool) -> frozenset[str]:
    """The kinds that show in a cell: font and alignment only with a value, a number format only with a number."""
    if not has_value:
        return kinds - {"fonts", "alignments", "formats"}
    return kinds if is_number else kinds - {"formats"}
