"""Time zones that a calendar defines differently from their standard names (RFC 5545, 3.6.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from engine.families.data.agenda.content_lines import Component

_OFFSET = re.compile(r"([+-])(\d\d)(\d\d)(\d\d)?")
_YEARS = range(1900, 2038)
_MONTHS = (1, 7)
MAX_ZONES = 200


def lost(children: Iterable[Component]) -> list[str]:
    """The names of zones that are missing from the IANA database, or have other offsets there."""
    found: dict[str, None] = {}
    zones = [each for each in children if each.name == "VTIMEZONE"]
    for number, zone in enumerate(zones):
        name = next((each.text for each in zone.properties if each.name == "TZID"), "")
        if not name or number >= MAX_ZONES or not _is_kept(name, zone):
            found[name or f"line {zone.line}"] = None
    return list(found)


def _is_kept(name: str, zone: Component) -> bool:
    from zoneinfo import ZoneInfo  # few calendars define zones

    try:
        known = ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return False
    offsets = {
        datetime(year, month, 1, tzinfo=UTC).astimezone(known).utcoffset() for year in _YEARS for month in _MONTHS
    }
    return all(
        _offset(each.value) in offsets
        for rule in zone.children
        for each in rule.properties
        if each.name == "TZOFFSETTO"
    )


def _offset(value: str) -> timedelta | None:
    match = _OFFSET.fullmatch(value.strip())
    if match is None:
        return None
    found = timedelta(hours=int(match[2]), minutes=int(match[3]), seconds=int(match[4] or 0))
    return -found if match[1] == "-" else found
