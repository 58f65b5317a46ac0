"""Find the numbers of a sheet that are no day or time, in cells whose format shows one (ECMA-376, part 1, 18.17.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from pathlib import Path

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Place
from engine.families.data.values import Value
from engine.families.data.workbooks import cell_numbers
from engine.families.data.workbooks.facts import Seen, WorkbookFacts
from engine.toolkit import number_formats
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind

NUMBERS = Kind(
    "VALUE_CONVERTED", "Numbers formatted as dates or times that are not valid ones stay numbers: {count}{places}."
)
LEAP_DAYS = Kind("VALUE_CONVERTED", "Cells show 29 February 1900, which never existed: {count}{places}.")

_LEAP_DAY = 60
_BEYOND_1900, _BEYOND_1904 = 2_958_466, 2_957_004
"""The first numbers after 31 December 9999."""
_LONGEST = 999_999_999
"""The most days of a duration in Python, which the library raises for."""


@dataclass
class Days:
    """The values of such cells, and what to say about them."""

    values: dict[Place, Value] = field(default_factory=dict)
    numbers: Seen = field(default_factory=Seen)
    leap_days: Seen = field(default_factory=Seen)


def find(file: Path, facts: WorkbookFacts, sheet: str, *, as_numbers: bool) -> Days:
    """Return these cells of a sheet; 29 February 1900 is a text unless `as_numbers`."""
    found = Days()
    for (row, column), number, kinds in _odd(file, facts, sheet):
        place = f"{sheet}!{places.cell(row, column)}"
        if "span" not in kinds and not facts.from_1904 and math.floor(number) == _LEAP_DAY:
            found.values[row, column] = number if as_numbers else _leap_day(number)
            found.leap_days.add(place)
        elif "date" in kinds and facts.from_1904 and 0 <= number < 1:
            moment = datetime(1904, 1, 1) + timedelta(milliseconds=round(number * 86_400_000))
            found.values[row, column] = moment if number or "time" in kinds else moment.date()
        elif _is_impossible(number, kinds, from_1904=facts.from_1904):
            found.values[row, column] = number
            found.numbers.add(say("{place} is {number}", place=place, number=f"{number:.15g}"))
    return found


def _is_impossible(number: float, kinds: frozenset[str], *, from_1904: bool) -> bool:
    if "span" in kinds:
        return abs(number) > _LONGEST
    if number < 0 or number >= (_BEYOND_1904 if from_1904 else _BEYOND_1900):
        return True
    return "date" in kinds and number < 1


def _leap_day(number: float) -> str:
    moment = (datetime.min + timedelta(milliseconds=round(number % 1 * 86_400_000))).time()
    return "1900-02-29" if moment == time() else f"1900-02-29T{moment.isoformat()}"


def _odd(file: Path, facts: WorkbookFacts, sheet: str) -> Iterator[tuple[Place, float, frozenset[str]]]:
    kinds = {at: shown for at, code in enumerate(facts.styles.formats) if (shown := number_formats.shows(code))}
    if kinds:
        for place, style, number in cell_numbers.odd(file, facts, sheet, frozenset(kinds)):
            yield place, number, kinds[style]
