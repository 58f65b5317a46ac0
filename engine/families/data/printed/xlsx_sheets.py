"""The looks of the sheets of an xlsx workbook, read beside their values (ECMA-376, part 1, 18.3)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.families.data import cell_references as places
from engine.families.data.printed import conditions, xlsx_drawings, xlsx_setup, xlsx_styles, xlsx_tables
from engine.families.data.printed.looks import Cell, Looks, Run
from engine.families.data.printed.sizes import column_width, usual_width
from engine.families.data.printed.xlsx_colours import Colours
from engine.families.data.printed.xlsx_parts import Parts
from engine.families.data.workbooks.facts import WorkbookFacts
from engine.toolkit.xml_elements import children, given, is_on, local, number

_KINDS = {"s": "s", "str": "s", "inlineStr": "s", "b": "b", "e": "b", "n": "n", "d": "n"}
_PLACE = re.compile("[A-Z]{1,3}")
_TAGS = (
    *xlsx_setup.TAGS, "row", "cols", "sheetFormatPr", "sheetView", "mergeCells", "conditionalFormatting", "drawing",
    "legacyDrawingHF",
)  # fmt: skip


@dataclass
class Book:
    """The looks of the sheets by name, and how many things of each kind are not drawn."""

    sheets: dict[str, Looks] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)
    colours: Colours = field(default_factory=lambda: Colours(None, None))


def read(file: Path, facts: WorkbookFacts, names: list[str]) -> Book:
    """The looks of these sheets."""
    found = Book()
    with Parts(file) as parts:
        book = next(iter(parts.related("", "officeDocument")), "xl/workbook.xml")
        styles = xlsx_styles.read(parts, book)
        found.colours = styles.colours
        rich = _rich(parts, book, styles)
        built_in = xlsx_setup.names(parts.xml(book))
        numbers = {name: at for at, name in enumerate(facts.names)}
        for name in names:
            looks = Looks(styles.cells, styles.normal)
            part = facts.part_name(name)
            rules = _sheet(parts, part, looks, styles, rich, found)
            at = numbers.get(name, -1)
            xlsx_setup.see_names(looks, built_in.get(("print_area", at), ""), built_in.get(("print_titles", at), ""))
            looks.links = facts.links(name)
            tables, undrawn = xlsx_tables.styled(parts, part, looks, styles)
            found.lost["tables"] += undrawn
            looks.conditions, unmet = conditions.met(rules, looks, styles, tables)
            found.lost["conditions"] += unmet
            looks.rules = len(rules) + len(looks.row_breaks) + len(looks.column_breaks)
            looks.rules += sum((kind, at) in built_in for kind in ("print_area", "print_titles"))
            found.sheets[name] = looks
        used = {cell.style for looks in found.sheets.values() for row in looks.cells.values() for cell in row.values()}
        found.lost["patterns"] = len(used & styles.patterns)
    return found


def _rich(parts: Parts, book: str, styles: xlsx_styles.Styles) -> dict[int, tuple[Run, ...]]:
    """The shared strings with several fonts, by number."""
    found = {}
    for name in parts.related(book, "sharedStrings")[:1]:
        for at, item in enumerate(parts.elements(name, ("si",))):
            if runs := styles.runs(item):
                found[at] = runs
    return found


def _sheet(
    parts: Parts,
    part: str,
    looks: Looks,
    styles: xlsx_styles.Styles,
    rich: dict[int, tuple[Run, ...]],
    book: Book,
) -> list[Any]:
    """Read one sheet, and return its conditional formats."""
    rules: list[Any] = []
    row = -1
    for element in parts.elements(part, _TAGS):
        name = local(element)
        if name == "row":
            row = _row(looks, element, row, styles, rich)
        elif name in xlsx_setup.TAGS:
            xlsx_setup.see(looks, name, element)
        elif name == "cols":
            _columns(looks, element)
        elif name == "sheetFormatPr":
            looks.usual_height = min(max(number(element.get("defaultRowHeight"), 15.0), 0.0), 409.5)
            if is_on(element.get("zeroHeight")):
                looks.usual_height = 0.0
            width = element.get("defaultColWidth")
            base = number(element.get("baseColWidth"), 8.0)
            looks.usual_width = column_width(number(width), looks.normal) if width else usual_width(looks.normal, base)
        elif name == "sheetView":
            looks.right_to_left = is_on(element.get("rightToLeft"))
            looks.zeros = is_on(element.get("showZeros"), True)
        elif name == "mergeCells":
            areas = (places.area(each.get("ref") or "") for each in children(element, "mergeCell"))
            looks.merged += [each for each in areas if each]
        elif name == "conditionalFormatting":
            rules += conditions.rules(element)
        elif name == "drawing":
            target = parts.relations(part).get(given(element, "id") or "")
            if target:
                placed, *lost = xlsx_drawings.placed(parts, target[1], styles.colours)
                looks.placed += placed
                book.lost.update(dict(zip(("shapes", "charts", "pictures"), lost, strict=True)))
        elif name == "legacyDrawingHF":
            target = parts.relations(part).get(given(element, "id") or "")
            book.lost["head_pictures"] += len(parts.relations(target[1])) if target else 0
    return rules


def _row(looks: Looks, element: Any, before: int, styles: xlsx_styles.Styles, rich: dict[int, tuple[Run, ...]]) -> int:
    row = int(number(element.get("r"), before + 2)) - 1
    height = element.get("ht")
    if is_on(element.get("hidden")):
        looks.hidden_rows.add(row)
    elif height is not None:
        looks.heights[row] = min(max(number(height), 0.0), 409.5)
        if is_on(element.get("customHeight")):
            looks.fixed_rows.add(row)
    if is_on(element.get("customFormat")) and (style := int(number(element.get("s")))):
        looks.row_styles[row] = style
    cells: dict[int, Cell] = {}
    at = -1
    for each in children(element, "c"):
        reference = each.get("r")
        place = _PLACE.match(reference) if reference else None
        at = places.column(place[0]) if place else at + 1
        content: Any = next(children(each, "v", "is"), None)
        kind = _KINDS.get(each.get("t") or "n", "s") if content is not None else ""
        style = int(number(each.get("s")))
        runs, value = None, None
        if kind == "s":
            if local(content) == "is":
                runs = styles.runs(content)
            elif each.get("t") == "s" and rich:
                runs = rich.get(int(number(content.text, -1)))
        elif kind:
            value = number(content.text) if each.get("t") != "e" else None
        cells[at] = Cell(style if style < len(looks.styles) else 0, kind, runs, value)
    if cells:
        looks.cells[row] = cells
    return row


def _columns(looks: Looks, element: Any) -> None:
    for each in children(element, "col"):
        first, last = int(number(each.get("min"), 1)) - 1, int(number(each.get("max"), 1))
        width = looks.usual_width
        if is_on(each.get("hidden")):
            width = 0.0
        elif each.get("width"):
            width = column_width(number(each.get("width")), looks.normal)
        style = int(number(each.get("style")))
        columns = range(max(first, 0), min(last, places.COLUMNS))
        if columns and (not looks.widths or columns.start >= looks.widths[-1][0].stop):
            looks.widths.append((columns, width, style))
