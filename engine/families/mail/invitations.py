"""Summarise the calendar in a message (iMIP, RFC 6047): what, when, where and who."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.families.data.agenda.content_lines import Component, Property, components
from engine.toolkit.failures import ConversionError
from engine.toolkit.warnings import Warn

_SHOWN = {
    "SUMMARY": "What", "DTSTART": "Start", "DTEND": "End", "DUE": "Due", "DURATION": "Duration", "RRULE": "Repeats",
    "LOCATION": "Where", "STATUS": "Status", "ORGANIZER": "Organizer", "ATTENDEE": "Invited", "COMMENT": "Comment",
    "URL": "Address", "DESCRIPTION": "Description",
}  # fmt: skip
_TIMES = frozenset({"DTSTART", "DTEND", "DUE"})
_PEOPLE = frozenset({"ORGANIZER", "ATTENDEE"})
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")


def lines(data: bytes, warn: Warn) -> str:
    """The events, tasks and notes of a calendar, with a line for each property; nothing if it can't be read."""
    try:
        found = components(data, warn)
    except ConversionError:
        return ""
    return "\n\n".join("\n".join(_told(each)) for calendar in found for each in calendar.children if _is_shown(each))


def _is_shown(component: Component) -> bool:
    return component.name in ("VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY")


def _told(component: Component) -> Iterator[str]:
    for name, label in _SHOWN.items():
        values = [_value(each) for each in component.properties if each.name == name]
        if shown := ", ".join(filter(None, values)):
            yield f"{label}: {shown}"


def _value(each: Property) -> str:
    if each.name in _PEOPLE:
        address = re.sub("^mailto:", "", each.text.strip(), flags=re.IGNORECASE)
        name = each.parameter("CN")
        return f"{name} <{address}>" if name and name != address else address
    if each.name in _TIMES and (moment := _TIME.fullmatch(each.value.strip())):
        year, month, day, hour, minute, universal = moment.groups()
        zone = " UTC" if universal else f" ({each.parameter('TZID')})" if each.parameter("TZID") else ""
        return f"{year}-{month}-{day}" + (f" {hour}:{minute}{zone}" if hour else "")
    return each.text.strip()
