"""Format cells as a spreadsheet displays them, and record what is lost if only values are kept."""

from __future__ import annotations

from array import array
from collections import defaultdict
from pathlib import Path
from typing import Any

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.families.data.features import Feature, Found
from engine.families.data.sheet_layout import Layout, apart
from engine.families.data.table import Row
from engine.families.data.workbooks import cell_styles, ods_layout, ods_texts
from engine.families.data.workbooks.facts import Seen, WorkbookFacts
from engine.families.data.workbooks.sheet_rows import Show, Timed
from engine.toolkit import number_formats
from engine.toolkit.messages import say

_PLAIN = (number_formats.GENERAL, "@", "")
Formats = dict[int, dict[int, str]]
_MOST_FORMATS, _MOST_MERGED, _MOST_NOTES = 2_000_000, 1_000_000, 60_000
"""The number of cells beyond which features of a sheet are reported rather than carried."""


def lost(file: Path, facts: WorkbookFacts, sheet: str, options: Any, found: Found) -> None:
    """Record number formats that add to the values, and cells with a fill colour."""
    formats = facts.styles.formats
    formatted = frozenset(at for at, code in enumerate(formats) if number_formats.is_formatted(code))
    if options.values == "shown":
        formatted = frozenset()
    wanted = formatted | facts.styles.filled
    if not wanted:
        return
    shown, filled = Seen(), Seen()
    for cell in cell_styles.styled(file, facts, sheet, wanted):
        place = f"{sheet}!{places.cell(cell.row, cell.column)}"
        if cell.number and cell.style in formatted:
            shown.add(say("{place} has the format {formats}", place=place, formats=formats[cell.style]))
        if cell.style in facts.styles.filled:
            filled.add(place)
    found.put(Feature.NUMBER_FORMAT, shown.count, shown.examples, part=sheet)
    found.put(Feature.COLOUR, filled.count, filled.examples, part=sheet)


def layout(
    file: Path, facts: WorkbookFacts, sheet: str, area: Area, options: Any, lost: Found, *, hidden: bool | None
) -> Layout:
    """The layout of an area of a sheet, leaving out features that occur too often.

    `lost` gets the notes and links that are left out. `hidden` is whether the sheet is hidden, None to show it in any
    case.
    """
    merged = () if options.fill_merged else apart(facts.part(sheet).merged, area)
    carries = {Feature.MERGED} if hidden is None else {Feature.MERGED, Feature.HIDDEN_SHEET}
    if sum((each.bottom - each.top + 1) * (each.right - each.left + 1) for each in merged) > _MOST_MERGED:
        merged = ()
        carries.discard(Feature.MERGED)
    part, formats = (
        ods_layout.read(file, sheet) if file.suffix == ".ods" else (facts.part(sheet), _formats(file, facts, sheet))
    )
    notes, links = dict(part.notes or facts.notes(sheet)), dict(facts.links(sheet) or part.links)
    seen = facts.features(sheet)
    for feature, found in ((Feature.NOTE, notes), (Feature.LINK, links)):
        beyond = [place for place in found if len(found) > _MOST_NOTES or not area.holds(place)]
        for place in beyond:
            del found[place]
        count = max(seen.get(feature, Seen()).count - len(found), 0)
        lost.put(feature, count, (f"{sheet}!{places.cell(*each)}" for each in sorted(beyond)), part=sheet)
    if min(part.hidden_rows, default=area.top) >= area.top:
        carries.add(Feature.HIDDEN_ROW)
    if min((*part.widths, *part.hidden_columns), default=area.left) >= area.left:
        carries |= {Feature.HIDDEN_COLUMN, Feature.WIDTH}
    if formats is not None and options.values != "shown":
        carries.add(Feature.NUMBER_FORMAT)
    inside = range(area.left, area.right + 1)
    return Layout(
        {} if options.values == "shown" else _moved(formats or {}, area),
        merged,
        {column - area.left: width for column, width in part.widths.items() if column in inside},
        bool(hidden),
        frozenset(row - area.top for row in part.hidden_rows if area.top <= row <= area.bottom),
        frozenset(column - area.left for column in part.hidden_columns if column in inside),
        {(row - area.top, column - area.left): text for (row, column), text in notes.items()},
        {(row - area.top, column - area.left): link for (row, column), link in links.items()},
        frozenset(carries),
    )


def _moved(formats: Formats, area: Area) -> Formats:
    return {
        row - area.top: {at - area.left: code for at, code in codes.items() if area.left <= at <= area.right}
        for row, codes in formats.items()
        if area.top <= row <= area.bottom
    }


def _formats(file: Path, facts: WorkbookFacts, sheet: str) -> Formats | None:
    """The number formats of an Excel sheet by row and column; None if there are too many."""
    styles = {at: code for at, code in enumerate(facts.styles.formats) if code not in _PLAIN}
    formats: Formats = defaultdict(dict)
    for count, cell in enumerate(cell_styles.styled(file, facts, sheet, frozenset(styles)) if styles else ()):
        if count > _MOST_FORMATS:
            return None
        if cell.number:
            formats[cell.row][cell.column] = styles[cell.style]
    return formats


def timed(file: Path, facts: WorkbookFacts, sheet: str) -> Timed | None:
    """The cells of a sheet whose number format shows a time of day; None if no format does."""
    styles = frozenset(at for at, code in enumerate(facts.styles.formats) if number_formats.is_timed(code))
    if not styles:
        return None
    return lambda: ((cell.row, cell.column) for cell in cell_styles.styled(file, facts, sheet, styles))


def show(file: Path, facts: WorkbookFacts, sheet: str) -> Show:
    """A function that replaces the values of a sheet's cells by their displayed texts."""
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
