"""Write iCalendar events (RFC 5545) from rows or objects, using the column names of calendar exports."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from engine.families.data.agenda import parameters
from engine.families.data.agenda.content_lines import escaped, kept, property_name, written
from engine.families.data.agenda.events import KINDS, MANY_TIMES, OF_PEOPLE, TEXTS, TIMES, ZONED
from engine.families.data.agenda.rows import Record
from engine.families.data.table import Documents
from engine.families.data.values import Value, text
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_EXTENDED = Kind(
    "VALUE_CONVERTED", "Columns without a matching iCalendar property became custom properties: {count}{places}."
)
_ALIASES = {
    "subject": "summary", "name": "summary", "startdate": "start", "starttime": "startClock", "begin": "start",
    "dtstart": "start", "enddate": "end", "endtime": "endClock", "dtend": "end", "alldayevent": "allDay",
    "allday": "allDay", "timezone": "startTimeZone", "tags": "categories", "notes": "description", "duedate": "due",
    "rrule": "recurrence", "venue": "location", "kind": "type", "id": "uid",
}  # fmt: skip
_OF_ALARMS = "alarms."
"""The start of the columns with the properties of alarms."""
_LISTS = ("categories", "attendees", *MANY_TIMES.values())
_KNOWN = {
    name.lower(): name
    for name in (
        *TEXTS.values(), *TIMES.values(), *_LISTS, *(f"{name}TimeZone" for name in ZONED), "allDay", "organizer",
        "alarms", "type", "others",
    )
} | _ALIASES  # fmt: skip
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?")
_DAY = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?\s*([AaPp][Mm])?")
_MOMENT = re.compile(r"\d{8}T\d{6}Z?")
_PERIOD = re.compile(r"\d{8}T\d{6}Z?/[\dTPWDHMSZ]+")
"""A span of time (RFC 5545, 3.3.9)."""
_PERSON = re.compile(r"(.*?)\s*<([^<>]+)>")
_NAMES = {kind: name for name, kind in KINDS.items()}
_NAMESPACE = uuid.UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write each object as an event, or as the component in its `type`; it needs a `start`.

    The same input gives the same calendar: a missing `uid` is derived from the content, a missing `stamp` is that of
    the last change, or 1970. Raises Unreadable, with the row, for an invalid or missing date.
    """
    own: dict[str, None] = {}
    number = 0
    with target.open("wb") as file:
        file.write(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Fileconv//EN\r\n")
        for batch in documents.batches():
            for value in batch:
                number += 1
                if not isinstance(value, dict):
                    raise Unreadable("Each event must be an object, and the file has other values.", reason="format")
                file.write(b"".join(_Event(value, number, options, own).lines()))
        file.write(b"END:VCALENDAR\r\n")
    warn.tally(_EXTENDED, len(own), (f"“{name}”" for name in own))


class _Event:
    """One row or object, by our column names."""

    def __init__(self, given: dict[str, Value], number: int, options: Any, own: dict[str, None]) -> None:
        self.number = number
        self.options = options
        self.given = given
        self.fields: Record = {}
        self.others: list[tuple[str, str, Record]] = []
        self.parameters: dict[str, Record] = {}
        alarms = [each for each in given if each.startswith(_OF_ALARMS) and given.get("alarms")]
        self.of_alarms = {each.removeprefix(_OF_ALARMS): given[each] for each in alarms}
        values, beside = parameters.apart({name: value for name, value in given.items() if name not in alarms})
        for column, value in values.items():
            name = _KNOWN.get(re.sub(r"[^a-z0-9]", "", column.lower()))
            if value in (None, "", []):
                continue
            if name == "type" and text(value).lower() not in _NAMES:
                name = None
            if name and name not in self.fields:
                self.fields[name] = value
                self.parameters[name] = beside.get(column, {})
                continue
            if property_name(column).startswith("X-") and not column.startswith("X-"):
                own[column] = None
            self.others.append((column, text(value), beside.get(column, {})))
        if "endClock" in self.fields and "end" not in self.fields and "start" in self.fields:
            self.fields["end"] = self.fields["start"]
        for each in _listed(self.fields.pop("others", [])):
            if isinstance(each, dict):
                self.others.append((text(each.get("name")), text(each.get("value")), each))

    def lines(self) -> Iterator[bytes]:
        fields = self.fields
        kind = _NAMES.get(text(fields.get("type", "event")).lower(), "VEVENT")
        if "start" not in fields and kind == "VEVENT":
            raise self.refusal("start", say("it is empty, or there is no such column"))
        yield written("BEGIN", kind)
        uid = escaped(text(fields["uid"])) if "uid" in fields else f"urn:uuid:{self.identity()}"
        yield written("UID", uid, **self.beside("uid"))
        stamp = fields.get("stamp") or fields.get("modified") or "1970-01-01T00:00:00Z"
        yield written("DTSTAMP", self.moment(stamp, "stamp")[0], **self.beside("stamp"))
        for property, name in TIMES.items():
            if name in fields and name != "stamp":
                value, is_day = self.moment(self.joined(name), name)
                zone = "" if is_day or value.endswith("Z") else text(fields.get(f"{name}TimeZone") or self.zone(name))
                yield written(property, value, **self.beside(name, VALUE="DATE" if is_day else "", TZID=zone))
        for property, name in TEXTS.items():
            if name in fields and name != "uid":
                value = text(fields[name])
                value = value if name in ("recurrence", "geo", "duration", "url") else escaped(value)
                yield written(property, value, **self.beside(name))
        if "categories" in fields:
            categories = ",".join(map(escaped, _listed(fields["categories"])))
            yield written("CATEGORIES", categories, **self.beside("categories"))
        for property, name in MANY_TIMES.items():
            yield from (self.one_of_many(property, each) for each in _listed(fields.get(name, [])))
        for property, name in (("ORGANIZER", "organizer"), ("ATTENDEE", "attendees")):
            given = fields.get(name, [])
            people = [given] if isinstance(given, dict) else _listed(parameters.from_json(given))
            beside = parameters.of_each(self.parameters.get(name, {}), len(people))
            yield from (_person(property, each, of) for each, of in zip(people, beside, strict=True) if each)
        for name, value, given in self.others:
            yield written(property_name(name), kept(value), **parameters.for_line(given))
        given = fields.get("alarms", [])
        # One of several in a cell may be without a trigger.
        alarms = parameters.separated(given) if self.of_alarms and isinstance(given, str) else _listed(given)
        for alarm, of in zip(alarms, parameters.of_each(self.of_alarms, len(alarms)), strict=True):
            yield from _alarm({"trigger": alarm} | of if not isinstance(alarm, dict) else alarm)
        yield written("END", kind)

    def beside(self, name: str, **own: str) -> dict[str, Any]:
        """The parameters of a property: its own, and those given beside it."""
        return own | parameters.for_line(self.parameters.get(name, {}))

    def identity(self) -> uuid.UUID:
        content = json.dumps([self.number, {name: text(value) for name, value in self.given.items()}], sort_keys=True)
        return uuid.uuid5(_NAMESPACE, content)

    def zone(self, name: str) -> str:
        return text(self.fields.get("startTimeZone") or self.options.time_zone) if name in ZONED else ""

    def joined(self, name: str) -> Value:
        """A date combined with the time of day in another column, unless it is a whole day."""
        clock = self.fields.get(f"{name}Clock")
        if clock is None or self.is_all_day:
            return self.fields[name]
        return f"{text(self.fields[name])} {text(clock)}"

    def moment(self, value: Value, name: str) -> tuple[str, bool]:
        """A date or time in iCalendar's format, and whether it is a date."""
        if isinstance(value, date) and not isinstance(value, datetime):
            return value.strftime("%Y%m%d"), True
        given = text(value).strip()
        day, _, rest = given.partition(" ")
        if self.options.date_order != "iso" and (match := _DAY.fullmatch(day)):
            month, of_month = (match[1], match[2]) if self.options.date_order == "mdy" else (match[2], match[1])
            day = f"{match[3]}-{int(month):02}-{int(of_month):02}"
        if (clock := _CLOCK.fullmatch(rest.strip())) and rest:
            hour = int(clock[1]) % 12 + 12 * (clock[4].lower() == "pm") if clock[4] else int(clock[1])
            given = f"{day}T{hour:02}:{clock[2]}:{clock[3] or '00'}"
        else:
            given = f"{day} {rest}".strip()
        match = _ISO.fullmatch(given)
        try:
            found = datetime.fromisoformat(given) if match else None
            if found is not None and found.tzinfo is not None:
                found = found.astimezone(UTC)
        except (ValueError, OverflowError):
            found = None
        if match is None or found is None:
            raise self.refusal(
                name, say("“{value}” is not a date; write 2024-12-31 or choose dateOrder", value=text(value)[:40])
            )
        if match[4] is None:
            return found.strftime("%Y%m%d"), True
        if self.is_all_day and name in ("start", "end") and found.time() == time():
            return found.strftime("%Y%m%d"), True
        if found.tzinfo is not None:
            return f"{found:%Y%m%dT%H%M%SZ}", False
        return f"{found:%Y%m%dT%H%M%S}", False

    @property
    def is_all_day(self) -> bool:
        return text(self.fields.get("allDay", "")).lower() in ("true", "yes", "1")

    def one_of_many(self, property: str, given: Value) -> bytes:
        value, _, zone = text(given).partition("[")
        kind = ""
        if _PERIOD.fullmatch(value):
            kind = "PERIOD"
        else:
            value, is_day = self.moment(value, MANY_TIMES[property])
            kind = "DATE" if is_day else ""
        beside = self.beside(MANY_TIMES[property], VALUE=kind, TZID=zone.removesuffix("]"))
        return written(property, value, **beside)

    def refusal(self, name: str, reason: str) -> Unreadable:
        return Unreadable(
            say("The {name} of row {number} can't be read: {reason}.", name=name, number=self.number, reason=reason),
            reason="damaged",
        )


def _listed(value: Value) -> list[Any]:
    return value if isinstance(value, list) else [each for each in re.split(r";\s*", text(value)) if each]


def _person(property: str, given: Any, beside: Record) -> bytes:
    if isinstance(given, dict):
        person: Record = {key: each if key.isupper() else text(each) for key, each in given.items()}
    else:
        match = _PERSON.fullmatch(text(given))
        person = {"name": match[1], "email": match[2]} if match else {"email": text(given)}
    address = person.get("email", "")
    value = address if ":" in address or "@" not in address else f"mailto:{address}"
    own: dict[str, Any] = {name: person.get(key, "") for name, key in OF_PEOPLE.items()}
    given_too = parameters.for_line({**person, **beside}, without=[name for name in own if own[name]])
    return written(property, value, **own | given_too)


def _alarm(given: Record) -> Iterator[bytes]:
    """One alarm: all its properties, or its trigger."""
    values, beside = parameters.apart(given)
    whole: Record = {"action": "DISPLAY"} | values
    if text(whole["action"]).upper() == "DISPLAY":
        whole = {"description": "Reminder"} | whole
    yield b"BEGIN:VALARM\r\n"
    for name, value in whole.items():
        of = parameters.for_line(beside.get(name, {}))
        for each in value if isinstance(value, list) else [value] if value not in (None, "") else []:
            moment = _MOMENT.fullmatch(text(each)) if name == "trigger" else None
            bare = name in ("trigger", "attach", "attendee", "duration")
            yield written(
                property_name(name.upper()),
                text(each) if bare else escaped(text(each)),
                **({"VALUE": "DATE-TIME"} if moment else {}) | of,
            )
    yield b"END:VALARM\r\n"
