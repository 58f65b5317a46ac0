"""Read the sheets of xlsx, xlsm, xlsb, xls and ods workbooks as tables."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum, XmlError

from engine.families.data.damage import unreadable
from engine.families.data.features import Feature, Found
from engine.families.data.table import Table
from engine.families.data.workbooks import appearance, impossible_days, opening, sheet_rows
from engine.families.data.workbooks.facts import WITHOUT_CELLS, WorkbookFacts, without_cells
from engine.families.data.workbooks.options import SheetCopy, SheetRows
from engine.families.data.workbooks.sheet_bounds import MAX_SHEET_CELLS
from engine.toolkit import office_links
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_OTHER_SHEETS = Kind("SHEET_SKIPPED", "Other sheets are not in the output: {count}{places}. Use sheet or sheets=all.")
_HIDDEN_SHEETS = Kind("SHEET_SKIPPED", "Hidden sheets are not in the output: {count}{places}. Name one in sheet.")
_ERRORS = Kind("VALUE_CONVERTED", "Cells that show an error, such as #N/A, were emptied: {count}{places}.")
_UNCALCULATED = Kind(
    "FORMULA_VALUE",
    "Formulas that were never calculated are empty: {count}{places}. Open the workbook in a "
    "spreadsheet program, save it there, and convert it again.",
    counts="formulas",
)


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """Return the chosen sheet of a workbook, or all, each as a table named like its sheet.

    Raises Unreadable for a damaged file or a missing password, InvalidOption for an unknown sheet or a wrong password,
    OverLimit for a sheet with too many cells.
    """
    return read_with_facts(source, options, warn)[0]


def read_with_facts(
    source: Path, options: Any, warn: Warn, *, hidden_too: bool = True
) -> tuple[list[Table], WorkbookFacts, Path]:
    """The tables as `read` returns them, the facts of the workbook, and the file that was read, which may be a copy.

    Unless `hidden_too`, hidden sheets are left out if others are chosen with them. Raises what `read` does.
    """
    book, facts, file = opening.opened(source, options.password)
    visible = {each.name: each.visible == SheetVisibleEnum.Visible for each in book.sheets_metadata}
    sheets = [each.name for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    if not sheets:
        raise Unreadable("The workbook has no sheet with cells.", reason="empty")
    if options.sheets == "all" and not options.sheet:
        chosen = sheets
    elif isinstance(options, SheetRows) and not options.sheet:
        first, empty = _first_with_cells(book, sheets, visible, facts)
        chosen, sheets = [first], [name for name in sheets if name not in empty]
        warn.tally(without_cells(first), len(empty), map(quoted, empty))
        warn.parts_left_out.update(empty)
    else:
        chosen = [_chosen(sheets, options.sheet)]
    if not hidden_too and (shown := [name for name in chosen if visible[name]]) and len(shown) < len(chosen):
        unseen = [name for name in chosen if not visible[name]]
        warn.tally(_HIDDEN_SHEETS, len(unseen), map(quoted, unseen))
        warn.parts_left_out.update(unseen)
        sheets, chosen = [name for name in sheets if name not in unseen], shown
    warn.detect(sheets=len(sheets))
    for address in facts.outside:
        warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
    others = [name for name in sheets if name not in chosen]
    charts = [name for name in facts.names if facts.names[name] in facts.odd]
    charts += [each.name for each in book.sheets_metadata if each.typ != SheetTypeEnum.WorkSheet] + facts.lost
    warn.tally(_OTHER_SHEETS, len(others), map(quoted, others))
    warn.parts_left_out.update(others)
    warn.tally(WITHOUT_CELLS, len(charts), map(quoted, charts), part="read")
    found = Found()
    found.put(Feature.MACRO, facts.macros)
    found.put(Feature.READING, facts.readings)
    hidden = [name for name in chosen if not visible[name]]
    found.put(Feature.HIDDEN_SHEET, len(hidden), map(quoted, hidden))
    alone = len(hidden) == len(chosen)  # one sheet has to be visible
    tables = [
        _read_sheet(book, name, facts, file, options, warn, found, hidden=None if alone else name in hidden)
        for name in chosen
    ]
    return tables, facts, file


def quoted(name: str) -> str:
    """Quote a name from the user for a message."""
    return f"“{name}”"


def _read_sheet(
    book: CalamineWorkbook,
    name: str,
    facts: WorkbookFacts,
    file: Path,
    options: Any,
    warn: Warn,
    found: Found,
    *,
    hidden: bool | None,
) -> Table:
    if facts.cells(name) > MAX_SHEET_CELLS:
        raise OverLimit(
            "memory", say("The sheet “{name}” spans too many cells. Delete stray cells far from the data.", name=name)
        )
    part = facts.part(name)
    made = {Feature.MERGED} if options.fill_merged else set()
    made |= {Feature.NUMBER_FORMAT} if options.values == "shown" else set()
    for feature, places in facts.features(name).items():
        if feature in made:
            continue
        found.put(feature, places.count, _in_sheet(name, places.examples), part=name)
    show = timed = None
    if options.values == "shown":
        show = appearance.show(file, facts, name)
    else:
        timed = appearance.timed(file, facts, name)
        warn.tally(_ERRORS, part.errors.count, _in_sheet(name, part.errors.examples), part=name)
    appearance.lost(file, facts, name, options, found)
    warn.tally(_UNCALCULATED, part.uncalculated.count, _in_sheet(name, part.uncalculated.examples), part=name)
    with _whole_sheet(name):
        days = impossible_days.find(file, facts, name, as_numbers=show is not None)
        if show is None:
            warn.tally(impossible_days.NUMBERS, days.numbers.count, days.numbers.examples, part=name)
            warn.tally(impossible_days.LEAP_DAYS, days.leap_days.count, days.leap_days.examples, part=name)
        table, area = sheet_rows.table(
            book.get_sheet_by_name(name), part, options, warn, found, show=show, timed=timed, days=days.values
        )
        table.corner = (area.top, area.left)
        if isinstance(options, SheetCopy) and options.empty_rows and not options.header_row:
            table.layout = appearance.layout(file, facts, name, area, options, found, hidden=hidden)
        return table


def _whole_sheet(name: str) -> AbstractContextManager[None]:
    """Raise Unreadable, with the name of the sheet, for what its reading fails on."""
    return unreadable(
        say("The sheet “{name}” is damaged. Save the workbook again and retry.", name=name),
        CalamineError,
        XmlError,
        ExpatError,
        ValueError,
        OverflowError,  # of a duration too long for Python
        OSError,  # of a binary part that ends too soon
    )


def _in_sheet(name: str, places: list[str]) -> list[str]:
    """Places as formulas name them; the sheet alone where none is known."""
    return [f"{name}!{place}" for place in places] or [quoted(name)]


def _first_with_cells(
    book: CalamineWorkbook, sheets: list[str], visible: Mapping[str, bool], facts: WorkbookFacts
) -> tuple[str, list[str]]:
    """The first sheet with cells, and the empty ones seen before it; if no sheet has cells, the first one.

    Behind the first sheet, hidden ones come last.
    """
    empty: list[str] = []
    for name in (sheets[0], *sorted(sheets[1:], key=lambda name: not visible[name])):
        if facts.cells(name) > MAX_SHEET_CELLS:
            return name, empty
        with _whole_sheet(name):
            if book.get_sheet_by_name(name).start is not None:
                return name, empty
        empty.append(name)
    return sheets[0], []


def _chosen(sheets: list[str], wanted: str | None) -> str:
    if wanted is None or wanted == "":
        return sheets[0]
    if wanted in sheets:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(sheets):
        return sheets[int(wanted) - 1]
    names = ", ".join(f"“{name}”" for name in sheets[:10])
    raise InvalidOption(
        "sheet",
        say(
            "There is no sheet “{wanted}”. Use one of {names}, or a number from 1 to {count}.",
            wanted=wanted,
            names=names,
            count=len(sheets),
        ),
    )
