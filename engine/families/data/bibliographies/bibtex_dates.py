"""Read the date of a BibTeX entry: `date` of BibLaTeX (section 2.3.8), or `year`, `month` and `day`."""

from __future__ import annotations

import re

from engine.families.data.bibliographies.bibtex_fields import MONTHS
from engine.families.data.bibliographies.items import Item, date_of
from engine.families.data.bibliographies.latex import decoded

_FIELDS = ("date", "year", "month", "day")
_MONTH = re.compile(r"(?:(\d{1,2})\.?\s+)?[A-Za-z]{3,9}\.?(?:\s+(\d{1,2}),?)?")
"""A month with or without a day, such as `jul # "~4"`."""


def take(fields: dict[str, str], unknown: list[str]) -> Item | None:
    """Take the date from the fields, or None if there is none; fields that it doesn't include are left in.

    Commands of LaTeX that aren't known are added to `unknown`.
    """
    said = {name: decoded(fields[name], unknown) for name in _FIELDS if fields.get(name)}
    whole = date_of(said["date"]) if "date" in said else None
    parts, used = _parts(said)
    found = date_of("-".join(parts)) if parts else None
    if whole is not None and (found is None or "date-parts" in whole):
        same = found is not None and whole["date-parts"][0][: len(parts)] == found.get("date-parts", [None])[0]
        used = {"date", *used} if same else {"date"}
        found = whole
    for name in _FIELDS:
        if name in used or not fields.get(name):
            fields.pop(name, None)
    return found


def _parts(said: dict[str, str]) -> tuple[list[str], set[str]]:
    """The year, month and day as numbers, as far as they are known, and the fields that these include."""
    year, month, day = (said.get(name, "").strip() for name in ("year", "month", "day"))
    if not re.fullmatch(r"-?\d{1,4}", year):
        return ([year] if year else []), {"year"}
    used = {"year"}
    named = _MONTH.fullmatch(month)
    short = (month if named is None or named[1] is None else month.lstrip("0123456789. \xa0"))[:3].lower()
    number = MONTHS.index(short) + 1 if short in MONTHS else int(month) if re.fullmatch(r"\d{1,2}", month) else 0
    if not 1 <= number <= 12:
        return [year], used
    if named is not None or short not in MONTHS:
        used.add("month")
    inside = (named[1] or named[2] or "") if named is not None else ""
    if day.isdecimal() and len(day) < 3:
        used.add("day")
        if inside not in ("", day):
            used.discard("month")
    else:
        day = inside
    return [year, str(number), *([day] if day else [])], used
