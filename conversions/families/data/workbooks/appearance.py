"""Appearance: cells as a spreadsheet shows them, and what is lost of that where only their values are kept."""

from __future__ import annotations

from array import array
from collections import defaultdict
from pathlib import Path
from typing import Any

from conversions.families.data.features import MERGES, NOTHING, PLACED, Feature, Found
from conversions.families.data.table import Row
from conversions.families.data.workbooks import cell_styles, number_formats, ods_texts, places
from conversions.families.data.workbooks.facts import Seen, WorkbookFacts
from conversions.families.data.workbooks.look import Look, apart
from conversions.families.data.workbooks.places import Area
from conversions.families.data.workbooks.sheet_rows import Show

_PLAIN = (number_formats.GENERAL, "@", "")
_MOST_FORMATS, _MOST_MERGED = 2_000_000, 1_000_000
"""Cells of a sheet beyond which these are not carried, but told."""


def lost(file: Path, facts: WorkbookFacts, sheet: str, options: Any, found: Found) -> None:
    """Take note of number formats that say more than the values, and of cells filled with a colour."""
    formats = facts.styles.formats
    telling = frozenset(at for at, code in enumerate(formats) if number_formats.says_more(code))
    if options.values == "shown":
        telling = frozenset()
    wanted = telling | facts.styles.filled
    if not wanted:
        return
    shown, filled = Seen(), Seen()
    for cell in cell_styles.styled(file, facts, sheet, wanted):
        place = f"{sheet}!{places.cell(cell.row, cell.column)}"
        if cell.number and cell.style in telling:
            shown.add(f"{place} is shown by {formats[cell.style]}")
        if cell.style in facts.styles.filled:
            filled.add(place)
    found.put(Feature.NUMBER_FORMAT, shown.count, shown.examples, part=sheet)
    found.put(Feature.COLOUR, filled.count, filled.examples, part=sheet)


def look(file: Path, facts: WorkbookFacts, sheet: str, area: Area, options: Any) -> Look:
    """The number formats and merged areas of the cells in an area; each only where there are not too many."""
    merged = () if options.fill_merged else apart(facts.part(sheet).merged, area)
    merges = MERGES
    if sum((each.bottom - each.top + 1) * (each.right - each.left + 1) for each in merged) > _MOST_MERGED:
        merged, merges = (), NOTHING
    styles = {at: code for at, code in enumerate(facts.styles.formats) if code not in _PLAIN}
    if file.suffix == ".ods" or options.values == "shown":
        return Look({}, merged, merges)
    formats: dict[int, dict[int, str]] = defaultdict(dict)
    cells = cell_styles.styled(file, facts, sheet, frozenset(styles)) if styles else iter(())
    for count, cell in enumerate(cells):
        if count > _MOST_FORMATS:
            return Look({}, merged, merges)
        if cell.number and area.top <= cell.row <= area.bottom and area.left <= cell.column <= area.right:
            formats[cell.row - area.top][cell.column - area.left] = styles[cell.style]
    return Look(formats, merged, merges | (PLACED - MERGES))


def show(file: Path, facts: WorkbookFacts, sheet: str) -> Show:
    """What writes the texts that the cells of a sheet show in the place of their values."""
    if file.suffix == ".ods":
        return ods_texts.show(file, sheet)
    formats = facts.styles.formats
    styles: dict[int, array[int]] = defaultdict(lambda: array("Q"))
    errors: dict[tuple[int, int], str] = {}
    for cell in cell_styles.styled(file, facts, sheet, None):
        if cell.error:
            errors[cell.row, cell.column] = cell.error
        elif cell.style and cell.style < len(formats):
            styles[cell.row].append(cell.column << 32 | cell.style)
    usual = formats[0] if formats else number_formats.GENERAL

    def put(rows: list[Row], base: int, left: int) -> None:
        for at, row in enumerate(rows, base):
            codes = {each >> 32: formats[each & 0xFFFFFFFF] for each in styles.get(at, ())}
            for index, value in enumerate(row):
                if value is None or value == "":
                    row[index] = errors.get((at, index + left)) if errors else value
                else:
                    row[index] = number_formats.shown(value, codes.get(index + left, usual))

    return put
