"""Read the events, tasks and journal entries of a calendar (iCalendar, RFC 5545) as objects or rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data.agenda import zones
from engine.families.data.agenda.content_lines import Component, Property, split
from engine.families.data.agenda.records import ADDRESS, Binaries, Format, name_parameters
from engine.families.data.agenda.rows import Record
from engine.families.data.table import Documents, Table
from engine.families.data.values import Value
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

KINDS = {"VEVENT": "event", "VTODO": "task", "VJOURNAL": "note", "VFREEBUSY": "freebusy"}
TEXTS = {
    "SUMMARY": "summary", "LOCATION": "location", "DESCRIPTION": "description", "STATUS": "status", "URL": "url",
    "UID": "uid", "RRULE": "recurrence", "DURATION": "duration", "SEQUENCE": "sequence", "PRIORITY": "priority",
    "TRANSP": "transparency", "CLASS": "class", "PERCENT-COMPLETE": "percentComplete", "GEO": "geo",
    "CONTACT": "contact", "COMMENT": "comment",
}  # fmt: skip
TIMES = {
    "DTSTART": "start", "DTEND": "end", "DUE": "due", "COMPLETED": "completed", "CREATED": "created",
    "LAST-MODIFIED": "modified", "DTSTAMP": "stamp", "RECURRENCE-ID": "recurrenceId",
}  # fmt: skip
MANY_TIMES = {"EXDATE": "exceptions", "RDATE": "additionalDates"}
ZONED = ("start", "end", "due", "recurrenceId")
"""Properties whose zone is in a separate column, such as `startTimeZone`."""
ORDER = (
    "type", "summary", "start", "end", "due", "allDay", "startTimeZone", "endTimeZone", "dueTimeZone", "duration",
    "location", "description", "status", "categories", "organizer", "attendees", "recurrence", "exceptions",
    "additionalDates", "recurrenceId", "recurrenceIdTimeZone", "alarms", "url", "priority", "percentComplete",
    "completed", "transparency", "class", "contact", "comment", "geo", "sequence", "created", "modified", "stamp",
    "uid",
)  # fmt: skip
_OF_PEOPLE = ("CN", "ROLE", "PARTSTAT")
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_BINARY = Kind(
    "CONTENT_DROPPED", "Files inside events were left out: {count}{places}. Use binaries to keep them as Base64 text."
)
_ZONES = Kind("METADATA_DROPPED", "The calendar's own time zone rules are not in the output: {count}{places}.")
_OF_CALENDAR = Kind("METADATA_DROPPED", "Properties of the calendar itself are not in the output: {count}{places}.")
_USUAL = ("VERSION", "PRODID", "CALSCALE")
_PUBLISHED = "PUBLISH"
"""The method of a calendar that asks nobody for an answer (RFC 5546, 1.4)."""


def read_objects(source: Path, options: Any, warn: Warn) -> Documents:
    """Each event, task or note as an object, with lists of people and alarms. Raises Unreadable without any."""
    return _FORMAT.objects(source, warn, binaries=options.binaries)


def read_rows(source: Path, options: Any, warn: Warn) -> list[Table]:
    """Each event, task or note as a row; lists are joined. Raises Unreadable without any iCalendar."""
    return [_FORMAT.table(source, warn, binaries=options.binaries)]


def _events(found: list[Component], warn: Warn, binaries: Binaries) -> list[Record]:
    children = [child for each in found for child in each.children]
    custom = zones.lost(children)
    warn.tally(_ZONES, len(custom), custom)
    left_out = [
        f"{one.name}: {one.text}"
        for each in found
        for one in each.properties
        if one.name not in _USUAL and (one.name, one.text.upper()) != ("METHOD", _PUBLISHED)
    ]
    warn.tally(_OF_CALENDAR, len(left_out), left_out)
    entries = [each for each in children if each.name != "VTIMEZONE"]
    name_parameters(entries, _carried, warn)
    return [_event(each, binaries) for each in entries]


def _carried(each: Property) -> tuple[str, ...]:
    """Return the parameters of a property that its record has; for a dropped binary, all are reported with it."""
    if each.name in ("ATTENDEE", "ORGANIZER"):
        return _OF_PEOPLE
    zoned = TIMES.get(each.name) in ZONED or each.name in MANY_TIMES
    return tuple(each.parameters) if each.is_binary else ("TZID",) if zoned else ()


def _event(component: Component, binaries: Binaries) -> Record:
    event: Record = {"type": KINDS.get(component.name, component.name.lower())}
    others: list[Record] = []
    for each in component.properties:
        if each.is_binary and binaries.drops(each.name):
            continue
        if each.name in TIMES and TIMES[each.name] not in event:
            event |= _moment(each, TIMES[each.name])
        elif each.name in MANY_TIMES:
            event.setdefault(MANY_TIMES[each.name], []).extend(_times(each))
        elif each.name == "CATEGORIES":
            event.setdefault("categories", []).extend(split(each.value, ","))
        elif each.name == "ATTENDEE":
            event.setdefault("attendees", []).append(_person(each))
        elif each.name == "ORGANIZER" and "organizer" not in event:
            event["organizer"] = _person(each)
        elif each.name in TEXTS and TEXTS[each.name] not in event:
            # Recurrence rules have their own syntax.
            event[TEXTS[each.name]] = each.value if each.name in ("RRULE", "GEO") else each.text
        else:
            others.append({"name": each.name, "value": each.value if ";" in each.value else each.text})
    alarms = [{one.name.lower(): one.text for one in child.properties} for child in component.children]
    return event | ({"alarms": alarms} if alarms else {}) | ({"others": others} if others else {})


def _moment(each: Property, name: str) -> Record:
    value = _spelled(each.value)
    found: Record = {name: value}
    if name == "start" and len(value) == 10:
        found["allDay"] = True
    if name in ZONED and each.parameter("TZID"):
        found[f"{name}TimeZone"] = each.parameter("TZID")
    return found


def _times(each: Property) -> Iterator[str]:
    zone = each.parameter("TZID")
    for value in split(each.value, ","):
        yield f"{_spelled(value)}[{zone}]" if zone else _spelled(value)


def _spelled(value: str) -> str:
    """A date or time in ISO 8601; anything else, such as a period, is unchanged."""
    match = _TIME.fullmatch(value.strip())
    if match is None:
        return value
    day = f"{match[1]}-{match[2]}-{match[3]}"
    return f"{day}T{match[4]}:{match[5]}:{match[6]}{match[7]}" if match[4] else day


def _person(each: Property) -> Record:
    address = ADDRESS.sub("", each.value)
    found = {
        "name": each.parameter("CN"),
        "email": address,
        "role": each.parameter("ROLE"),
        "status": each.parameter("PARTSTAT"),
    }
    return {name: value for name, value in found.items() if value}


def flat(event: Record) -> dict[str, Value]:
    """An event as one row of texts."""
    row = {name: value for name, value in event.items() if not isinstance(value, list | dict)}
    for name in ("categories", *MANY_TIMES.values()):
        if name in event:
            row[name] = "; ".join(event[name])
    if "organizer" in event:
        row["organizer"] = _shown(event["organizer"])
    if "attendees" in event:
        row["attendees"] = "; ".join(map(_shown, event["attendees"]))
    if "alarms" in event:
        row["alarms"] = "; ".join(each.get("trigger", "") for each in event["alarms"])
    counts: dict[str, int] = {}
    for each in event.get("others", ()):
        counts[each["name"]] = number = counts.get(each["name"], 0) + 1
        row[each["name"] if number == 1 else f"{each['name']} {number}"] = each["value"]
    return row


def _shown(person: Record) -> str:
    name, address = person.get("name", ""), person.get("email", "")
    return f"{name} <{address}>" if name and address else name or address


_FORMAT = Format(
    "VCALENDAR", _events, say("The calendar has no events, tasks or notes."), flat, ORDER, _BINARY, frozenset(KINDS)
)
