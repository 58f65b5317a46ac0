"""Conditional formats of an xlsx sheet that can be decided from the values alone (ECMA-376, part 1, 18.3.1.10)."""

from __future__ import annotations

import bisect
import copy
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area, Place
from engine.families.data.printed.looks import Cell, Colour, Looks, Style
from engine.families.data.printed.xlsx_colours import between
from engine.families.data.printed.xlsx_styles import Styles
from engine.toolkit.xml_elements import child, children, is_on, number

_MOST_TESTED = 2_000_000
"""Cells that the rules of a sheet are tried on, all in all; rules beyond are not drawn."""
Test = Callable[[Cell], bool]
_COMPARE: dict[str, Callable[[float, list[float]], bool]] = {
    "lessThan": lambda a, b: a < b[0],
    "lessThanOrEqual": lambda a, b: a <= b[0],
    "equal": lambda a, b: a == b[0],
    "notEqual": lambda a, b: a != b[0],
    "greaterThanOrEqual": lambda a, b: a >= b[0],
    "greaterThan": lambda a, b: a > b[0],
    "between": lambda a, b: min(b) <= a <= max(b),
    "notBetween": lambda a, b: not min(b) <= a <= max(b),
}


@dataclass
class Rule:
    """A rule and the areas that it is for."""

    areas: list[Area]
    element: Any

    @property
    def priority(self) -> float:
        return number(self.element.get("priority"), 1e9)


def rules(element: Any) -> list[Rule]:
    """The rules of an element `conditionalFormatting`; copies, as the element is emptied."""
    areas = [found for each in (element.get("sqref") or "").split() if (found := places.area(each))]
    return [Rule(areas, copy.deepcopy(each)) for each in children(element, "cfRule")]


def met(rules: list[Rule], looks: Looks, styles: Styles, tables: dict[Place, Style]) -> tuple[dict[Place, Style], int]:
    """The style of each cell that a rule or a table changes, and how many rules can't be decided here.

    `tables` are the styles of cells in tables, on which rules are applied.
    """
    found: dict[Place, Style] = {}
    stopped: set[Place] = set()
    left, undrawn = _MOST_TESTED, 0
    numbers = sorted(looks.cells)
    for rule in sorted(rules, key=lambda each: each.priority):
        cells: list[tuple[Place, Cell]] = []
        for work, part in _cells(rule.areas, looks, numbers):
            left -= work
            if left < 0:
                break
            cells += part
        style_of = _decided(rule.element, cells, styles) if left >= 0 else None
        if style_of is None:
            undrawn += 1
            continue
        stops = is_on(rule.element.get("stopIfTrue"))
        for place, cell in cells:
            if place in stopped:
                continue
            plain = tables.get(place) or looks.styles[cell.style]
            style = found.get(place) or plain
            changed = style_of(cell, style)
            if changed is not None:
                # What a rule of a higher priority has set stays.
                found[place] = _under(found.get(place), plain, changed)
                if stops:
                    stopped.add(place)
    return {**tables, **found}, undrawn


def _under(before: Style | None, plain: Style, changed: Style) -> Style:
    if before is None:
        return changed
    set_before = before.fill != plain.fill or before.gradient != plain.gradient
    if set_before:
        changed = replace(changed, fill=before.fill, gradient=before.gradient)
    return replace(changed, bar=before.bar, unseen=before.unseen) if before.bar else changed


def _cells(areas: list[Area], looks: Looks, numbers: list[int]) -> Iterator[tuple[int, list[tuple[Place, Cell]]]]:
    """The cells of areas row by row, with the work that finding them took."""
    for area in areas:
        wide = area.right - area.left + 1
        for at in range(bisect.bisect_left(numbers, area.top), bisect.bisect_right(numbers, area.bottom)):
            row = numbers[at]
            cells = looks.cells[row]
            if wide < len(cells):
                columns = [each for each in range(area.left, area.right + 1) if each in cells]
            else:
                columns = [each for each in cells if area.left <= each <= area.right]
            yield min(wide, len(cells)) + 1, [((row, column), cells[column]) for column in columns]


def _decided(
    rule: Any, cells: list[tuple[Place, Cell]], styles: Styles
) -> Callable[[Cell, Style], Style | None] | None:
    """A function that gives the style of a cell if the rule is met there; None if this can't be decided."""
    if rule.get("type") == "colorScale":
        return _scaled(child(rule, "colorScale"), cells, styles)
    if rule.get("type") == "dataBar":
        return _barred(child(rule, "dataBar"), cells, styles)
    test = _test(rule, [cell.value for _, cell in cells if cell.kind == "n" and cell.value is not None])
    if test is None:
        return None
    number_of = int(number(rule.get("dxfId"), -1))
    return lambda cell, style: styles.changed(style, number_of) if test(cell) else None


def _test(rule: Any, values: list[float]) -> Test | None:
    kind = rule.get("type")
    if kind == "cellIs":
        operands = [_constant(each.text) for each in children(rule, "formula")]
        compare = _COMPARE.get(rule.get("operator") or "")
        wanted = 2 if "etween" in (rule.get("operator") or "") else 1
        if compare is None or len(operands) < wanted or None in operands:
            return None
        given = [each for each in operands if each is not None]
        return lambda cell: cell.kind == "n" and cell.value is not None and compare(cell.value, given)
    if kind in ("containsBlanks", "notContainsBlanks"):
        return lambda cell: (cell.kind == "") == (kind == "containsBlanks")
    if kind == "top10" and values:
        count = number(rule.get("rank"), 10)
        count = len(values) * count / 100 if is_on(rule.get("percent")) else count
        ordered = sorted(values, reverse=not is_on(rule.get("bottom")))
        last = ordered[min(max(int(count), 1), len(ordered)) - 1]
        return _beyond(last, above=not is_on(rule.get("bottom")), equal=True)
    if kind == "aboveAverage" and values and not rule.get("stdDev"):
        average = statistics.fmean(values)
        return _beyond(average, above=is_on(rule.get("aboveAverage"), True), equal=is_on(rule.get("equalAverage")))
    if kind in ("duplicateValues", "uniqueValues") and values:
        counts = Counter(values)
        several = kind == "duplicateValues"
        return lambda cell: cell.kind == "n" and (counts[cell.value or 0.0] > 1) == several
    return None


def _beyond(limit: float, *, above: bool, equal: bool) -> Test:
    def test(cell: Cell) -> bool:
        if cell.kind != "n" or cell.value is None:
            return False
        return (equal and cell.value == limit) or (cell.value > limit if above else cell.value < limit)

    return test


def _constant(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def _scaled(
    scale: Any, cells: list[tuple[Place, Cell]], styles: Styles
) -> Callable[[Cell, Style], Style | None] | None:
    """The colours of a scale of two or three (18.3.1.16)."""
    colours: list[Colour] = [styles.colours.of(each) or "FFFFFF" for each in children(scale, "color")]
    ordered = sorted(cell.value for _, cell in cells if cell.kind == "n" and cell.value is not None)
    stops = [_stop(each, ordered) for each in children(scale, "cfvo")]
    if len(stops) != len(colours) or len(stops) < 2 or None in stops:
        return None
    points = [each for each in stops if each is not None]

    def style_of(cell: Cell, style: Style) -> Style | None:
        if cell.kind != "n" or cell.value is None:
            return None
        at = min(max(bisect.bisect_right(points, cell.value), 1), len(points) - 1)
        low, high = points[at - 1], points[at]
        share = min(max((cell.value - low) / (high - low), 0.0), 1.0) if high > low else 0.0
        return replace(style, fill=between(colours[at - 1], colours[at], share), gradient=None)

    return style_of


def _barred(bar: Any, cells: list[tuple[Place, Cell]], styles: Styles) -> Callable[[Cell, Style], Style | None] | None:
    """A bar as long as the value is between two stops (18.3.1.28)."""
    ordered = sorted(cell.value for _, cell in cells if cell.kind == "n" and cell.value is not None)
    stops = [_stop(each, ordered) for each in children(bar, "cfvo")]
    if len(stops) != 2 or stops[0] is None or stops[1] is None:
        return None
    low, high = min(stops[0], 0.0), stops[1]
    shortest, longest = (
        min(max(number(bar.get(name), otherwise) / 100, 0.0), 1.0)
        for name, otherwise in (("minLength", 0.0), ("maxLength", 100.0))
    )
    colour, unseen = styles.colours.of(child(bar, "color")) or "638EC6", not is_on(bar.get("showValue"), True)

    def style_of(cell: Cell, style: Style) -> Style | None:
        if cell.kind != "n" or cell.value is None:
            return None
        share = min(max((cell.value - low) / (high - low), 0.0), 1.0) if high > low else 1.0
        return replace(style, bar=(shortest + (longest - shortest) * share, colour), unseen=unseen)

    return style_of


def _stop(element: Any, ordered: list[float]) -> float | None:
    kind, value = element.get("type"), _constant(element.get("val"))
    if not ordered:
        return 0.0
    if kind == "min":
        return ordered[0]
    if kind == "max":
        return ordered[-1]
    if value is None:
        return None
    if kind == "percent":
        return ordered[0] + (ordered[-1] - ordered[0]) * value / 100
    if kind == "percentile":
        at = (len(ordered) - 1) * min(max(value, 0.0), 100.0) / 100
        low = int(at)
        return ordered[low] + (ordered[min(low + 1, len(ordered) - 1)] - ordered[low]) * (at - low)
    return value if kind == "num" else None
