"""Parameters of calendars and contacts are in objects and rows, and come back from there; what can't be is named."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from engine.families import auditing
from engine.families.data.agenda.content_lines import components
from engine.families.registry import CONVERTERS
from engine.toolkit.failures import OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.data.agenda.files import calendar, card, event

EVENT = calendar(
    *event(
        "UID;X-OF=a:1",
        "DTSTAMP;X-BY=b:20240101T000000Z",
        "DTSTART;TZID=Europe/Berlin;X-OWN=1:20240110T090000",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20240110T033000Z",
        "SUMMARY;LANGUAGE=de:Besprechung",
        'LOCATION;ALTREP="https://example.org/a,b";LANGUAGE=de:Raum',
        "CATEGORIES;LANGUAGE=en:A,B",
        "RDATE;VALUE=PERIOD:20240111T000000Z/PT1H",
        'ORGANIZER;CN=Al;SENT-BY="mailto:s@example.org":mailto:al@example.org',
        "ATTENDEE;CN=Bo;ROLE=OPT-PARTICIPANT;PARTSTAT=DECLINED;RSVP=TRUE:mailto:bo@example.org",
        'ATTENDEE;DELEGATED-TO="mailto:c@example.org","mailto:d@example.org":mailto:cy@example.org',
        'ATTENDEE;CN="Di; X-Y";CUTYPE=ROOM;X-NOTE="a;b":mailto:di@example.org',
        "ATTACH;FMTTYPE=application/pdf:https://example.org/a.pdf",
        "ATTACH:https://example.org/b",
        *event("ACTION:DISPLAY", "DESCRIPTION;LANGUAGE=de:Bald", "TRIGGER;RELATED=END:-PT5M", kind="VALARM"),
        *event("ACTION:DISPLAY", "DESCRIPTION:never", kind="VALARM"),
        *event("ACTION:AUDIO", "TRIGGER;VALUE=DATE-TIME:20240109T000000Z", kind="VALARM"),
    )
)
CARD = card(
    "FN;LANGUAGE=de:Ada",
    'N;SORT-AS="Lovelace,Ada":Lovelace;Ada;;;',
    "BDAY;VALUE=text:circa 1800",
    "NOTE;ALTID=1;LANGUAGE=fr:Bonjour",
    "CATEGORIES;PID=1.1:a,b",
    'ORG;SORT-AS="A","B":Engines',
    "EMAIL;TYPE=work;PREF=1;ALTID=2:a@example.org",
    "EMAIL:b@example.org",
    "TEL;TYPE=cell;VALUE=uri:tel:+1-2",
    'ADR;TYPE=home;LABEL="1 Square\\nLondon";GEO="geo:1,2":;;1 Square;London;;;',
    "ADR;LABEL=x:;;W St;City;;;",
    "LOGO;MEDIATYPE=image/png:https://example.org/l",
    "X-PROFILE;TYPE=twitter;X-USER=ada:https://example.org/t",
    version="4.0",
)


def run(folder: Path, slug: str, data: bytes, **options: Any) -> tuple[bytes, Warn]:
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    auditing.run(converter, source, target, build(converter.options, options), warn)
    return target.read_bytes(), warn


def lines(data: bytes) -> list[tuple[str, str, list[tuple[str, list[str]]]]]:
    """All properties in order, those of components inside behind them, with their values and parameters."""
    found = []
    ahead = list(components(data, Warn()))
    while ahead:
        each = ahead.pop(0)
        ahead += each.children
        found += [(one.name, one.text, sorted(one.parameters.items())) for one in each.properties]
    return sorted(each for each in found if each[0] not in ("PRODID", "VERSION"))


@pytest.mark.parametrize("middle", ["json", "csv", "xlsx", "ods"])
@pytest.mark.parametrize(("kind", "given"), [("ics", EVENT), ("vcf", CARD)])
def test_all_parameters_come_back_from_objects_and_rows(tmp_path: Path, kind: str, given: bytes, middle: str) -> None:
    between, warn = run(tmp_path, f"{kind}-to-{middle}", given)
    assert {each.code for each in warn.warnings} <= {"FORMULA_TEXT"}
    options = {"version": "4.0"} if kind == "vcf" else {}
    back, warn = run(tmp_path, f"{middle}-to-{kind}", between, **options)
    assert not warn.warnings
    assert lines(back) == lines(given)


def test_parameters_have_the_names_of_the_standards(tmp_path: Path) -> None:
    (found,) = json.loads(run(tmp_path, "ics-to-json", EVENT)[0])
    assert (found["summary"], found["summary.LANGUAGE"]) == ("Besprechung", "de")
    assert found["organizer"] == {"name": "Al", "email": "al@example.org", "SENT-BY": "mailto:s@example.org"}
    assert found["attendees"][1]["DELEGATED-TO"] == ["mailto:c@example.org", "mailto:d@example.org"]
    assert found["others"][0]["FMTTYPE"] == "application/pdf"
    assert found["alarms"][0]["trigger.RELATED"] == "END"
    header, row = csv.reader(io.StringIO(run(tmp_path, "ics-to-csv", EVENT)[0].decode()))
    cells = dict(zip(header, row, strict=True))
    assert cells["attendees.RSVP"] == "TRUE; ; "
    assert json.loads(cells["attendees.X-NOTE"]) == ["", "", "a;b"]
    assert cells["alarms.trigger.RELATED"] == "END; ; "
    assert header[header.index("summary") + 1] == "summary.LANGUAGE"
    header, row = csv.reader(io.StringIO(run(tmp_path, "vcf-to-csv", CARD)[0].decode()))
    assert header[header.index("email") : header.index("email2") + 1] == ["email", "email.ALTID", "emailType", "email2"]
    assert dict(zip(header, row, strict=True))["address2.LABEL"] == "x"


def test_parameters_that_differ_between_lines_of_one_value_are_named(tmp_path: Path) -> None:
    given = calendar(*event("UID:1", "DTSTART:20240101", "CATEGORIES;LANGUAGE=en:A", "CATEGORIES;LANGUAGE=de:B"))
    data, warn = run(tmp_path, "ics-to-json", given)
    assert json.loads(data)[0]["categories.LANGUAGE"] == "en"
    assert [str(each.message) for each in warn.warnings] == [
        "Parameters of properties are not in the output: 1 (CATEGORIES;LANGUAGE=de)."
    ]


def test_a_page_names_the_parameters_that_it_does_not_show(tmp_path: Path) -> None:
    told = [str(each.message) for each in run(tmp_path, "ics-to-html", EVENT, layout="page")[1].warnings]
    assert any("left out: 16 (uid.X-OF, stamp.X-BY, start.X-OWN" in each for each in told), told


def test_repeated_properties_of_alarms_and_parts_beside_them_are_not_lost(tmp_path: Path) -> None:
    people = ("ATTENDEE:mailto:a@example.org", "ATTENDEE;CN=B:mailto:b@example.org")
    alarm = event("ACTION:EMAIL", "TRIGGER:-PT5M", "DESCRIPTION:x", "SUMMARY:s", *people, kind="VALARM")
    given = calendar(*event("UID:1", "DTSTART:20240101", *alarm, *event("NAME:n", kind="VLOCATION")))
    data, warn = run(tmp_path, "ics-to-json", given)
    (found,) = json.loads(data)[0]["alarms"]
    assert found["attendee"] == ["mailto:a@example.org", "mailto:b@example.org"]
    assert [str(each.message) for each in warn.warnings] == [
        "Parts of events other than alarms were left out: 1 (VLOCATION)."
    ]


def test_a_picture_comes_back_as_a_picture(tmp_path: Path) -> None:
    given = card("FN:A", "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ", "NICKNAME:An,Nie", "item1.X-ABLABEL:own")
    data, warn = run(tmp_path, "vcf-to-json", given, binaries=True)
    assert not warn.warnings
    back = run(tmp_path, "json-to-vcf", data)[0].decode().splitlines()
    assert {"PHOTO;TYPE=jpeg;ENCODING=b:/9j/4AAQ", "NICKNAME:An,Nie", "X-ABLABEL:own"} <= {*back}


@pytest.mark.parametrize("middle", ["json", "csv"])
def test_values_with_parts_come_back_with_the_same_parts(tmp_path: Path, middle: str) -> None:
    given = card(
        "FN:A", "N:Cee;Ann;Philip,Paul;Dr.,Prof.;Jr.,M.D.", "GENDER:O;it\\, or they", "ORG:A\\, Inc;Dungeon;Level\\;2",
        "TEL;VALUE=uri:tel:+1-418;ext=102", "ADR;TYPE=work:;;Square;London;;;", "LABEL;TYPE=work:Square\\nLondon",
        "CATEGORIES:a", "CATEGORIES:b,c",
        version="4.0",
    )  # fmt: skip
    back, warn = run(tmp_path, f"{middle}-to-vcf", run(tmp_path, f"vcf-to-{middle}", given)[0], version="4.0")
    assert sorted(back.splitlines()) == sorted(given.splitlines())
    assert not warn.warnings


def test_guests_with_a_parameter_of_their_own_each_are_refused_by_their_number(tmp_path: Path) -> None:
    guests = [f"ATTENDEE;X-{number}=1:mailto:a@example.org" for number in range(2_500)]
    given = calendar(*event("UID:1", "DTSTART:20240101", *guests))
    with pytest.raises(OverLimit) as refused:
        run(tmp_path, "ics-to-csv", given)
    assert refused.value.reason == "limit"
    assert len(json.loads(run(tmp_path, "ics-to-json", given)[0])[0]["attendees"]) == 2_500
