"""Read the events, tasks and journal entries of a calendar (iCalendar, RFC 5545) as objects or rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data.agenda import zones
from engine.families.data.agenda.content_lines import Component, Property, split
from engine.families.data.agenda.parameters import ADDRESS, Parameters, cell, in_columns, joined, within
from engine.families.data.agenda.records import Binaries, Format
from engine.families.data.agenda.rows import Record
from engine.families.data.table import Documents, Table
from engine.families.data.values import Value, text
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
OF_PEOPLE = {"CN": "name", "ROLE": "role", "PARTSTAT": "status"}
"""Parameters of people that have keys of their own in objects."""
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_BINARY = Kind(
    "CONTENT_DROPPED", "Files inside events were left out: {count}{places}. Use binaries to keep them as Base64 text."
)
_INSIDE = Kind("CONTENT_DROPPED", "Parts of events other than alarms were left out: {count}{places}.")
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
    inside = [part.name for each in entries for part in each.children if part.name != "VALARM"]
    warn.tally(_INSIDE, len(inside), inside)
    parameters = Parameters()
    records = [_event(each, binaries, parameters) for each in entries]
    parameters.tell(warn)
    return records


def _event(component: Component, binaries: Binaries, parameters: Parameters) -> Record:
    event: Record = {"type": KINDS.get(component.name, component.name.lower())}
    others: list[Record] = []
    for each in component.properties:
        if each.is_binary and binaries.drops(each.name):
            continue
        if each.name in TIMES and TIMES[each.name] not in event:
            key = TIMES[each.name]
            event |= _moment(each, key)
            parameters.put(event, key, each, ("TZID",) if key in ZONED else ())
        elif each.name in MANY_TIMES:
            key = MANY_TIMES[each.name]
            event.setdefault(key, []).extend(_times(each))
            parameters.put(event, key, each, ("TZID",))
        elif each.name == "CATEGORIES":
            event.setdefault("categories", []).extend(split(each.value, ","))
            parameters.put(event, "categories", each)
        elif each.name == "ATTENDEE":
            event.setdefault("attendees", []).append(_person(each) | parameters.of(each, OF_PEOPLE))
        elif each.name == "ORGANIZER" and "organizer" not in event:
            event["organizer"] = _person(each) | parameters.of(each, OF_PEOPLE)
        elif each.name in TEXTS and TEXTS[each.name] not in event:
            # Recurrence rules have their own syntax.
            event[TEXTS[each.name]] = each.value if each.name in ("RRULE", "GEO") else each.text
            parameters.put(event, TEXTS[each.name], each)
        else:
            value = each.value if ";" in each.value else each.text
            others.append({"name": each.name, "value": value} | parameters.of(each))
    alarms = [_alarm(child, binaries, parameters) for child in component.children if child.name == "VALARM"]
    return event | ({"alarms": alarms} if alarms else {}) | ({"others": others} if others else {})


def _alarm(component: Component, binaries: Binaries, parameters: Parameters) -> Record:
    """An alarm by its properties in lower case; one that it has several times is a list."""
    alarm: Record = {}
    for each in component.properties:
        if each.is_binary and binaries.drops(each.name):
            continue
        name = each.name.lower()
        if name not in alarm:
            alarm[name] = each.text
        elif isinstance(alarm[name], list):
            alarm[name].append(each.text)
        else:
            alarm[name] = [alarm[name], each.text]
        parameters.put(alarm, name, each)
    return alarm


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
    found = {"name": each.parameter("CN"), "email": address}
    found |= {key: each.parameter(name) for name, key in OF_PEOPLE.items()}
    return {name: value for name, value in found.items() if value}


def flat(event: Record) -> dict[str, Value]:
    """An event as one row of texts."""
    row = {name: value for name, value in event.items() if not isinstance(value, list | dict)}
    row |= {name: cell(value) for name, value in event.items() if isinstance(value, list) and "." in name}
    for name in ("categories", *MANY_TIMES.values()):
        if name in event:
            row[name] = "; ".join(event[name])
    for name in ("organizer", "attendees"):
        if name in event:
            people = event[name] if isinstance(event[name], list) else [event[name]]
            row[name] = joined(map(_shown, people))
            row |= in_columns(name, [_parameters_of(each) for each in people])
    if "alarms" in event:
        row["alarms"] = "; ".join(text(each.get("trigger")) for each in event["alarms"])
        row |= in_columns("alarms", [{key: each[key] for key in each if key != "trigger"} for each in event["alarms"]])
    counts: dict[str, int] = {}
    for each in event.get("others", ()):
        counts[each["name"]] = number = counts.get(each["name"], 0) + 1
        column = each["name"] if number == 1 else f"{each['name']} {number}"
        row[column] = each["value"]
        row |= {f"{column}.{parameter}": cell(value) for parameter, value in within(each).items()}
    return row


def _parameters_of(person: Record) -> Record:
    """The parameters of a person beside the name, which the cell of the person has."""
    return {name: person[key] for name, key in OF_PEOPLE.items() if key in person and key != "name"} | within(person)


def _shown(person: Record) -> str:
    name, address = person.get("name", ""), person.get("email", "")
    return f"{name} <{address}>" if name and address else name or address


_FORMAT = Format(
    "VCALENDAR", _events, say("The calendar has no events, tasks or notes."), flat, ORDER, _BINARY, frozenset(KINDS)
)
