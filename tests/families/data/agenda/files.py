"""Contacts and calendars as phones, mail programs and calendar services write them, and what they hold."""

from __future__ import annotations


def lines(*given: str) -> bytes:
    return "".join(f"{line}\r\n" for line in given).encode()


def card(*given: str, version: str = "3.0") -> bytes:
    return lines("BEGIN:VCARD", f"VERSION:{version}", *given, "END:VCARD")


def calendar(*given: str) -> bytes:
    return lines("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", *given, "END:VCALENDAR")


def event(*given: str, kind: str = "VEVENT") -> tuple[str, ...]:
    return (f"BEGIN:{kind}", *given, f"END:{kind}")


ADA = card(
    "N:Lovelace;Ada;King;Countess;",
    "FN:Ada Lovelace",
    "ORG:Analytical Engines;Research",
    "EMAIL;TYPE=INTERNET,HOME:ada@example.org",
    "EMAIL;TYPE=work,pref:a.lovelace@example.com",
    "TEL;TYPE=CELL:+44 20 7946 0000",
    "ADR;TYPE=home:;;12 St James\\, Square;London;;SW1Y;UK",
    "NOTE:First line\\nsecond\\; with a folded long li",
    " ne",
    "BDAY:1815-12-10",
)
ADA_ROW = {
    "name": "Ada Lovelace",
    "familyName": "Lovelace",
    "givenName": "Ada",
    "additionalNames": "King",
    "prefixes": "Countess",
    "organization": "Analytical Engines",
    "department": "Research",
    "email": "ada@example.org",
    "emailType": "home",
    "email2": "a.lovelace@example.com",
    "email2Type": "work,pref",
    "phone": "+44 20 7946 0000",
    "phoneType": "cell",
    "street": "12 St James, Square",
    "city": "London",
    "postalCode": "SW1Y",
    "country": "UK",
    "addressType": "home",
    "birthday": "1815-12-10",
    "note": "First line\nsecond; with a folded long line",
}
ADA_OBJECT = {
    "name": "Ada Lovelace",
    "familyName": "Lovelace",
    "givenName": "Ada",
    "additionalNames": "King",
    "prefixes": "Countess",
    "organization": "Analytical Engines",
    "department": "Research",
    "emails": [{"value": "ada@example.org", "type": "home"}, {"value": "a.lovelace@example.com", "type": "work,pref"}],
    "phones": [{"value": "+44 20 7946 0000", "type": "cell"}],
    "addresses": [
        {"street": "12 St James, Square", "city": "London", "postalCode": "SW1Y", "country": "UK", "type": "home"}
    ],
    "birthday": "1815-12-10",
    "note": "First line\nsecond; with a folded long line",
}
ADA_LINES = (
    "BEGIN:VCARD",
    "VERSION:3.0",
    "FN:Ada Lovelace",
    "N:Lovelace;Ada;King;Countess;",
    "BDAY:1815-12-10",
    "NOTE:First line\\nsecond\\; with a folded long line",
    "ORG:Analytical Engines;Research",
    "EMAIL;TYPE=home:ada@example.org",
    "EMAIL;TYPE=work,pref:a.lovelace@example.com",
    "TEL;TYPE=cell:+44 20 7946 0000",
    "ADR;TYPE=home:;;12 St James\\, Square;London;;SW1Y;UK",
    "END:VCARD",
)

# As Android and Nokia telephones wrote them, with a second card as Apple's address book does.
OLD = (
    b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;\r\n"
    b"FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=FCrgen M=FCl=\r\nler\r\nTEL;HOME;VOICE:0221 123\r\n"
    b"NOTE;ENCODING=QUOTED-PRINTABLE:=C3=A4=0D=0Ab\r\nPHOTO;ENCODING=BASE64;JPEG:\r\n /9j/4AAQ\r\n SkZJRg==\r\n\r\n"
    b"END:VCARD\r\n\r\n"
    b"begin:vcard\nversion:3.0\nfn:=1+1\nitem1.TEL:1\nitem1.X-ABLabel:_$!<Mobile>!$_\nX-OWN;VALUE=text:a\\,b\n"
    b"X-OWN:c\\;d;e\nend:vcard\n"
)
OLD_ROWS: list[dict[str, str]] = [
    {
        "name": "Jürgen Müller",
        "familyName": "Müller",
        "givenName": "Jürgen",
        "phone": "0221 123",
        "phoneType": "home,voice",
        "note": "ä\nb",
    },
    {"name": "=1+1", "phone": "1", "phoneType": "mobile", "X-OWN": "a,b", "X-OWN 2": "c\\;d;e"},
]
OLD_OBJECTS = [
    {
        "name": "Jürgen Müller",
        "familyName": "Müller",
        "givenName": "Jürgen",
        "phones": [{"value": "0221 123", "type": "home,voice"}],
        "note": "ä\nb",
    },
    {
        "name": "=1+1",
        "phones": [{"value": "1", "type": "mobile"}],
        "others": [{"name": "X-OWN", "value": "a,b"}, {"name": "X-OWN", "value": "c\\;d;e"}],
    },
]

LUNCH = calendar(
    "BEGIN:VTIMEZONE",
    "TZID:Europe/Berlin",
    "BEGIN:STANDARD",
    "DTSTART:19701025T030000",
    "TZOFFSETFROM:+0200",
    "TZOFFSETTO:+0100",
    "END:STANDARD",
    "END:VTIMEZONE",
    *event(
        "UID:1@example.org",
        "DTSTAMP:20240101T120000Z",
        "DTSTART;TZID=Europe/Berlin:20240229T123000",
        "DTEND;TZID=Europe/Berlin:20240229T133000",
        "SUMMARY:Lunch\\, long",
        "CATEGORIES:Food,Fun",
        "RRULE:FREQ=WEEKLY;COUNT=3",
        'ATTENDEE;CN="Ada, L.";PARTSTAT=ACCEPTED:mailto:ada@example.org',
    ),
    *event("UID:2@example.org", "DTSTAMP:20240101T120000Z", "DTSTART;VALUE=DATE:20241224", "SUMMARY:Closed"),
)
LUNCH_OBJECTS = [
    {
        "type": "event",
        "uid": "1@example.org",
        "stamp": "2024-01-01T12:00:00Z",
        "start": "2024-02-29T12:30:00",
        "startTimeZone": "Europe/Berlin",
        "end": "2024-02-29T13:30:00",
        "endTimeZone": "Europe/Berlin",
        "summary": "Lunch, long",
        "categories": ["Food", "Fun"],
        "recurrence": "FREQ=WEEKLY;COUNT=3",
        "attendees": [{"name": "Ada, L.", "email": "ada@example.org", "status": "ACCEPTED"}],
    },
    {
        "type": "event",
        "uid": "2@example.org",
        "stamp": "2024-01-01T12:00:00Z",
        "start": "2024-12-24",
        "allDay": True,
        "summary": "Closed",
    },
]
LUNCH_ROWS = [
    {
        "type": "event",
        "summary": "Lunch, long",
        "start": "2024-02-29T12:30:00",
        "end": "2024-02-29T13:30:00",
        "startTimeZone": "Europe/Berlin",
        "endTimeZone": "Europe/Berlin",
        "categories": "Food; Fun",
        "attendees": "Ada, L. <ada@example.org>",
        "attendees.PARTSTAT": "ACCEPTED",
        "recurrence": "FREQ=WEEKLY;COUNT=3",
        "stamp": "2024-01-01T12:00:00Z",
        "uid": "1@example.org",
    },
    {
        "type": "event",
        "summary": "Closed",
        "start": "2024-12-24",
        "allDay": "true",
        "stamp": "2024-01-01T12:00:00Z",
        "uid": "2@example.org",
    },
]

ODD = calendar(
    "X-WR-CALNAME:Work",
    "BEGIN:VTIMEZONE",
    "TZID:My zone",
    "END:VTIMEZONE",
    *event(
        "UID:3",
        "DUE:20240301T080000Z",
        "SUMMARY:=1+1",
        "ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA",
        "EXDATE;TZID=My zone:20240305T080000,20240306T080000",
        "X-OWN:1",
        *event("ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:x", kind="VALARM"),
        kind="VTODO",
    ),
)
ODD_OBJECT = {
    "type": "task",
    "uid": "3",
    "due": "2024-03-01T08:00:00Z",
    "summary": "=1+1",
    "exceptions": ["2024-03-05T08:00:00[My zone]", "2024-03-06T08:00:00[My zone]"],
    "alarms": [{"action": "DISPLAY", "trigger": "-PT15M", "description": "x"}],
    "others": [{"name": "X-OWN", "value": "1"}],
}
ODD_ROW = {
    "type": "task",
    "summary": "=1+1",
    "due": "2024-03-01T08:00:00Z",
    "exceptions": "2024-03-05T08:00:00[My zone]; 2024-03-06T08:00:00[My zone]",
    "alarms": "-PT15M",
    "alarms.action": "DISPLAY",
    "alarms.description": "x",
    "uid": "3",
    "X-OWN": "1",
}
