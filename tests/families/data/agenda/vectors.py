"""Vectors of contacts and calendars, as phones, mail programs and calendar services write them."""

from __future__ import annotations

import json
from datetime import date, datetime
from functools import partial

from engine.families.data.agenda.converters import OUTPUTS
from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, fail, take
from tests.families.data.agenda.files import (
    ADA,
    ADA_LINES,
    ADA_OBJECT,
    ADA_ROW,
    LUNCH,
    LUNCH_OBJECTS,
    LUNCH_ROWS,
    ODD,
    ODD_OBJECT,
    ODD_ROW,
    OLD,
    OLD_OBJECTS,
    OLD_ROWS,
    calendar,
    card,
    event,
)
from tests.families.data.checks import equal, gives
from tests.families.data.files import NO_ROWS, TABLES, workbook
from tests.families.data.seen import SEEN


def unfolded(data: bytes) -> list[str]:
    """The lines, none of which may be longer than 75 octets as they stand."""
    assert data.endswith(b"\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    return data.decode().replace("\r\n ", "").split("\r\n")[:-1]


def has_lines(*expected: str) -> Check:
    def check(data: bytes) -> None:
        assert unfolded(data) == list(expected)

    return check


def contains_lines(*expected: str) -> Check:
    def check(data: bytes) -> None:
        found = unfolded(data)
        assert [line for line in found if line in expected] == list(expected), found

    return check


def rows_are(output: str, expected: list[dict[str, str]], first: tuple[str, ...] = ()) -> Check:
    def check(data: bytes) -> None:
        header, *rows = SEEN[output](data)
        assert [{name: cell for name, cell in zip(header, row, strict=False) if cell} for row in rows] == expected
        assert tuple(header[: len(first)]) == first

    return check


def page_has(*expected: str) -> Check:
    def check(data: bytes) -> None:
        assert all(each in data.decode() for each in expected), data.decode()

    return check


READERS: Readers = {
    "vcf": (
        ordinary("a contact", ADA),
        awkward("old contacts in other encodings, a photo, labels, own properties", OLD, "CONTENT_DROPPED"),
        broken("a contact without an end", ADA[:-13], 12),
    ),
    "ics": (
        ordinary("a weekly lunch and a day off", LUNCH),
        awkward(
            "a task with an alarm, a file, a zone and properties of its own", ODD, "CONTENT_DROPPED", "METADATA_DROPPED"
        ),
        broken("an event that does not end", calendar(*event("SUMMARY:x")[:-1]), 6),
    ),
}
_WRITTEN = {
    ("vcf", "ordinary"): ([ADA_OBJECT], [ADA_ROW], ("name", "familyName")),
    ("vcf", "awkward"): (OLD_OBJECTS, OLD_ROWS, ()),
    ("ics", "ordinary"): (LUNCH_OBJECTS, LUNCH_ROWS, ("type", "summary", "start")),
    ("ics", "awkward"): ([ODD_OBJECT], [ODD_ROW], ()),
}
"""The objects and the rows that come of each, and the first columns."""


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        found, rows, first = _WRITTEN[source, given.kind]
        formula = output == "csv" and (source, given.kind) != ("ics", "ordinary")
        check = gives(found) if output == "json" else rows_are(output, rows, first)
        return Wanted(check, frozenset(["FORMULA_TEXT"] if formula else ()))

    return wanted


_OUTLOOK = [
    "First Name",
    "Last Name",
    "Company",
    "Job Title",
    "E-mail Address",
    "E-mail 2 Address",
    "Mobile Phone",
    "Business Phone",
    "Home Street",
    "Home City",
    "Home Postal Code",
    "Notes",
    "Shoe size",
]
_OUTLOOK_ROW = [
    "Ada",
    "Lovelace",
    "Engines, Ltd",
    "Boss; founder",
    "a@example.org",
    "b@example.org",
    "1",
    "2",
    "Square 1",
    "London",
    "SW1",
    "é" * 60,
    "37",
]
_GOOGLE = ["Subject", "Start Date", "Start Time", "End Date", "End Time", "All Day Event", "Description", "Room no."]
_GOOGLE_ROWS = [
    ["Exam; oral", "05/30/2024", "10:00 AM", "05/30/2024", "1:05 PM", "False", "Line 1\nLine 2", "7"],
    ["Holiday", "12/24/2024", "", "12/25/2024", "", "True", "", ""],
]


_EVENT = (
    "event",
    "Lunch, long",
    "2024-02-29T12:30:00",
    "Europe/Berlin",
    "Ada, L. <ada@example.org>; b@example.org",
    "Food; Fun",
    "1",
)
_CONTACTS: Readers = {
    id: (
        ordinary("columns as they were written", partial(TABLES[id], list(ADA_ROW), [list(ADA_ROW.values())])),
        awkward(
            "columns of other address books, and one of nobody's",
            partial(TABLES[id], _OUTLOOK, [_OUTLOOK_ROW]),
            "VALUE_CONVERTED",
        ),
        broken("no rows", *damaged),
    )
    for id, damaged in NO_ROWS.items()
}
_DAYS: Readers = {
    id: (
        ordinary(
            "columns as they were written",
            partial(
                TABLES[id],
                ["type", "summary", "start", "startTimeZone", "attendees", "categories", "uid"],
                [_EVENT, ["task", "Buy", date(2024, 3, 1), "", "", "", "2"]],
            ),
        ),
        awkward(
            "columns of a calendar service, days the American way",
            partial(TABLES[id], _GOOGLE, _GOOGLE_ROWS),
            "VALUE_CONVERTED",
            dateOrder="mdy",
            timeZone="America/New_York",
        ),
        broken("a day that is none", partial(TABLES[id], ["summary", "start"], [["x", "31/02/2024"]]), dateOrder="dmy"),
    )
    for id in NO_ROWS
}


def _card(source: str, given: Given) -> Wanted:
    if given.kind == "ordinary":
        return Wanted(has_lines(*ADA_LINES))
    return Wanted(
        has_lines(
            "BEGIN:VCARD",
            "VERSION:3.0",
            "FN:Ada Lovelace",
            "N:Lovelace;Ada;;;",
            "TITLE:Boss\\; founder",
            f"NOTE:{'é' * 60}",
            "ORG:Engines\\, Ltd",
            "EMAIL:a@example.org",
            "EMAIL:b@example.org",
            "TEL;TYPE=cell:1",
            "TEL;TYPE=work:2",
            "ADR;TYPE=home:;;Square 1;London;;SW1;",
            "X-SHOE-SIZE:37",
            "END:VCARD",
        )
    )


def _calendar(source: str, given: Given) -> Wanted:
    if given.kind == "awkward":
        return Wanted(
            contains_lines(
                "DTSTART;TZID=America/New_York:20240530T100000",
                "DTEND;TZID=America/New_York:20240530T130500",
                "SUMMARY:Exam\\; oral",
                "DESCRIPTION:Line 1\\nLine 2",
                "X-ROOM-NO:7",
                "DTSTART;VALUE=DATE:20241224",
                "DTEND;VALUE=DATE:20241225",
                "SUMMARY:Holiday",
            )
        )
    return Wanted(
        has_lines(
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Fileconv//EN",
            "BEGIN:VEVENT",
            "UID:1",
            "DTSTAMP:19700101T000000Z",
            "DTSTART;TZID=Europe/Berlin:20240229T123000",
            "SUMMARY:Lunch\\, long",
            "CATEGORIES:Food,Fun",
            'ATTENDEE;CN="Ada, L.":mailto:ada@example.org',
            "ATTENDEE:mailto:b@example.org",
            "END:VEVENT",
            "BEGIN:VTODO",
            "UID:2",
            "DTSTAMP:19700101T000000Z",
            "DTSTART;VALUE=DATE:20240301",
            "SUMMARY:Buy",
            "END:VTODO",
            "END:VCALENDAR",
        )
    )


_BAD_NAMES = [{"name": "END", "value": "VCARD"}, {"name": "A\r\nB:c", "value": "d\r\nEND:VCARD"}]

_VECTORS = (
    take(
        "vcf-to-json",
        "what is inside as text on request",
        OLD,
        lambda data: equal(
            json.loads(data)[0]["others"],
            [{"name": "PHOTO", "value": "/9j/4AAQSkZJRg==", "type": "jpeg", "ENCODING": "BASE64"}],
        ),
        binaries=True,
    ),
    take(
        "vcf-to-json",
        "a picture's address, data in an address, version 4",
        card("FN:A", "PHOTO:https://example.org/a.jpg", "KEY:data:text/plain,x", "EMAIL;PREF=1:a@b", version="4.0"),
        gives(
            [
                {
                    "name": "A",
                    "others": [{"name": "PHOTO", "value": "https://example.org/a.jpg"}],
                    "emails": [{"value": "a@b", "type": "pref"}],
                }
            ]
        ),
        "CONTENT_DROPPED",
    ),
    take(
        "vcf-to-json",
        "Latin-1 without a word about it",
        card("FN:Jürgen Müller").decode().encode("latin-1"),
        gives([{"name": "Jürgen Müller"}]),
        "ENCODING_GUESSED",
    ),
    take(
        "vcf-to-json",
        "carets, quotes and a colon in parameters",
        card("FN:A", 'TEL;TYPE="a:^n^^^\'b":1'),
        gives([{"name": "A", "phones": [{"value": "1", "type": 'a:\n^"b'}]}]),
    ),
    take(
        "vcf-to-json",
        "a contact inside a contact",
        card("FN:A", *("BEGIN:VCARD", "FN:B", "END:VCARD")),
        gives([{"name": "A"}]),
        "CONTENT_DROPPED",
    ),
    take(
        "vcf-to-csv",
        "more than ten mails",
        card("FN:A", *(f"EMAIL:{number}@x" for number in range(1, 13))),
        lambda data: equal(SEEN["csv"](data)[0], ["name", "email", *(f"email{number}" for number in range(2, 13))]),
    ),
    take(
        "vcf-to-csv",
        "mails in an order",
        card("FN:A", "EMAIL;PREF=2:b@x", "EMAIL;PREF=1:a@x"),
        lambda data: equal(SEEN["csv"](data)[1], ["A", "b@x", "pref=2", "a@x", "pref"]),
    ),
    take(
        "csv-to-vcf",
        "mails in an order, which version 3 does not have",
        b"name,email,emailType,email2,email2Type\nA,a@x,pref,b@x,pref=2\n",
        has_lines(
            "BEGIN:VCARD", "VERSION:3.0", "FN:A", "N:;;;;", "EMAIL;TYPE=pref:a@x", "EMAIL;TYPE=pref:b@x", "END:VCARD"
        ),
        "VALUE_CONVERTED",
    ),
    take(
        "csv-to-vcf",
        "mails in an order, in version 4",
        b'name,email,emailType,email2,email2Type\nA,a@x,"work,pref",b@x,pref=2\n',
        has_lines(
            "BEGIN:VCARD",
            "VERSION:4.0",
            "FN:A",
            "N:;;;;",
            "EMAIL;TYPE=work;PREF=1:a@x",
            "EMAIL;PREF=2:b@x",
            "END:VCARD",
        ),
        version="4.0",
    ),
    fail("vcf-to-json", "a calendar", calendar(), line=1),
    fail("vcf-to-json", "nothing but empty lines", b"\r\n\r\n"),
    fail("vcf-to-json", "contacts inside contacts inside", b"BEGIN:VCARD\n" * 1000, line=11),
    fail("vcf-to-json", "an end of something else", card("END:VEVENT"), line=3),
    take(
        "ics-to-json",
        "lines that are none",
        b"BEGIN:VCALENDAR\nX-A\nBEGIN:VEVENT\nUID;;X=1:u\nX\nX-B=2\nEND:VEVENT\nEND:VCALENDAR\nX-C:behind\n",
        gives([{"type": "event", "uid": "u", "uid.X": "1"}]),
        "CONTENT_DROPPED",
    ),
    take("ics-to-json", "an event alone", b"BEGIN:VEVENT\nUID:u\nEND:VEVENT\n", gives([{"type": "event", "uid": "u"}])),
    fail("ics-to-json", "a line that is none before all others", b"X\nBEGIN:VCALENDAR\nEND:VCALENDAR\n", line=1),
    fail("vcf-to-json", "a property outside", b"FN:A\n", line=1),
    take(
        "vcf-to-json",
        "a parameter without an end",
        card("FN:A", f"FN;{'A=' * 50_000}"),
        gives([{"name": "A"}]),
        "CONTENT_DROPPED",
    ),
    take(
        "ics-to-html",
        "a page to print",
        LUNCH,
        page_has(
            "<h2>2024-02-29</h2>", "12:30–13:30 Europe/Berlin", "<dt>Repeats</dt>", "Ada, L. &lt;ada@example.org&gt;"
        ),
        layout="page",
    ),
    take(
        "ics-to-html",
        "a page where rows are picked",
        LUNCH,
        page_has("<h1>Mine</h1>"),
        "OPTION_IGNORED",
        layout="page",
        title="Mine",
        limit=1,
    ),
    take("vcf-to-html", "a list of addresses", ADA, page_has("<h2>L</h2>", "<h3>", "<dt>Email"), layout="page"),
    take(
        "ics-to-json",
        "zones that go by names of others",
        calendar(
            "BEGIN:VTIMEZONE",
            "TZID:Europe/Berlin",
            "BEGIN:STANDARD",
            "DTSTART:19701025T030000",
            "TZOFFSETFROM:+0200",
            "TZOFFSETTO:+0500",
            "END:STANDARD",
            "END:VTIMEZONE",
            "BEGIN:VTIMEZONE",
            "TZID:Custom/Berlin",
            "END:VTIMEZONE",
            *event("SUMMARY:x"),
        ),
        lambda data: equal(json.loads(data)[0]["summary"], "x"),
        "METADATA_DROPPED",
    ),
    take("json-to-vcf", "objects as they were read", json.dumps([ADA_OBJECT]).encode(), has_lines(*ADA_LINES)),
    take(
        "json-to-vcf",
        "version 4, names that would end the contact",
        json.dumps(
            [{"name": "A\r\nEND:VCARD", "others": _BAD_NAMES, "phones": [{"value": "1", "type": 'a"\r\n:b'}]}]
        ).encode(),
        has_lines(
            "BEGIN:VCARD",
            "VERSION:4.0",
            "FN:A\\nEND:VCARD",
            "N:;;;;",
            'TEL;TYPE="a^\'^n:b":1',
            "X-END:VCARD",
            "X-A-B-C:d\\nEND:VCARD",
            "END:VCARD",
        ),
        version="4.0",
    ),
    take(
        "json-to-vcf",
        "no name, values of all kinds",
        b'[{"email": "a@b", "floor": 3, "tags": {"a": [1]}, "n": null}]',
        has_lines(
            "BEGIN:VCARD",
            "VERSION:3.0",
            "FN:a@b",
            "N:;;;;",
            "EMAIL:a@b",
            "X-FLOOR:3",
            'X-TAGS:{"a":[1]}'.replace(",", "\\,"),
            "END:VCARD",
        ),
        "VALUE_CONVERTED",
    ),
    take(
        "ics-to-json",
        "a period, a rule, a person without a mail",
        calendar(
            *event(
                "DTSTART:20240101T000000",
                "RDATE;VALUE=PERIOD:20240101T000000Z/PT1H",
                "ORGANIZER;CN=Ada:invalid:nomail",
                "RRULE:FREQ=DAILY;BYDAY=MO,TU",
            )
        ),
        gives(
            [
                {
                    "type": "event",
                    "start": "2024-01-01T00:00:00",
                    "additionalDates": ["20240101T000000Z/PT1H"],
                    "organizer": {"name": "Ada", "email": "invalid:nomail"},
                    "recurrence": "FREQ=DAILY;BYDAY=MO,TU",
                }
            ]
        ),
    ),
    fail("ics-to-json", "a calendar without events", calendar()),
    fail("ics-to-json", "contacts", card("FN:A"), line=1),
    take(
        "json-to-ics",
        "objects as they were read",
        json.dumps([*LUNCH_OBJECTS, ODD_OBJECT]).encode(),
        contains_lines(
            "DTSTART;TZID=Europe/Berlin:20240229T123000",
            "RRULE:FREQ=WEEKLY;COUNT=3",
            "CATEGORIES:Food,Fun",
            'ATTENDEE;CN="Ada, L.";PARTSTAT=ACCEPTED:mailto:ada@example.org',
            "DTSTART;VALUE=DATE:20241224",
            "BEGIN:VTODO",
            "DUE:20240301T080000Z",
            'EXDATE;TZID="My zone":20240305T080000',
            "X-OWN:1",
            "BEGIN:VALARM",
            "TRIGGER:-PT15M",
            "END:VALARM",
            "END:VTODO",
        ),
    ),
    take(
        "json-to-ics",
        "moments with an offset, names that would end the calendar",
        json.dumps(
            [
                {
                    "start": "2024-01-01T00:30:00+02:00",
                    "others": _BAD_NAMES,
                    "type": "party",
                    "alarms": [{"END": "VALARM", "trigger": "-PT5M\r\nX:1"}],
                }
            ]
        ).encode(),
        contains_lines(
            "DTSTART:20231231T223000Z",
            "X-TYPE:party",
            "X-END:VCARD",
            "X-A-B-C:d\\nEND:VCARD",
            "BEGIN:VALARM",
            "X-END:VALARM",
            "TRIGGER:-PT5MX:1",
            "END:VALARM",
        ),
        "VALUE_CONVERTED",
    ),
    take(
        "xlsx-to-ics",
        "days and moments of a sheet",
        lambda: workbook({"A": [["start", "end", "name"], [datetime(2024, 2, 29, 9), datetime(2024, 2, 29, 10), "x"]]}),
        contains_lines("DTSTART:20240229T090000", "DTEND:20240229T100000", "SUMMARY:x"),
    ),
    fail("csv-to-ics", "rows without days", b"a,b\r\n1,2\r\n"),
    fail("csv-to-ics", "a moment beyond all years", b"start\r\n0001-01-01T00:00:00+10:00\r\n"),
    fail("json-to-ics", "values that are no objects", b"[1]"),
)

VECTORS = (
    *pairs("data.agenda", READERS, {each.id: _writer(each.id) for each in OUTPUTS}),
    *pairs("data.agenda", _CONTACTS, {"vcf": _card}),
    *pairs("data.agenda", _DAYS, {"ics": _calendar}),
    *_VECTORS,
)
