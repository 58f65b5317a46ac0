"""How the lines of calendars and contacts are taken apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.data.agenda import events, rows
from engine.families.data.agenda.content_lines import Property, components
from engine.families.data.agenda.options import AgendaIn
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn


def _properties(content: str) -> list[Property]:
    (card,) = components(f"BEGIN:VCARD\r\n{content}\r\nEND:VCARD\r\n".encode(), Warn())
    return card.properties


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\r\r\n"])
def test_a_folded_line_is_one_with_any_line_ends(end: str) -> None:
    (found,) = components(end.join(["BEGIN:VCARD", "NOTE:one", "  two", "\tthree", "END:VCARD", ""]).encode(), Warn())
    assert [each.value for each in found.properties] == ["one twothree"]


def test_an_empty_line_does_not_end_a_folded_one() -> None:
    assert _properties("NOTE\r\n\r\n :one\r\n\r\n\r\n two\r\n\r\nFN:A") == [
        Property("NOTE", "onetwo"),
        Property("FN", "A"),
    ]


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("X=", [""]),
        ('X=""', [""]),
        ("X=a,,b", ["a", "", "b"]),
        ("X=,a,", ["", "a", ""]),
        ('X="a,b",c', ["a,b", "c"]),
        ("X=a;X=b", ["a", "b"]),
        ("X=a\\,b", ["a\\", "b"]),
    ],
)
def test_all_values_of_a_parameter_are_kept(written: str, values: list[str]) -> None:
    (found,) = _properties(f"TEL;{written}:1")
    assert found == Property("TEL", "1", {"X": values})


@pytest.mark.parametrize(
    ("written", "name"), [("Smith, Jan", "Smith, Jan"), ('"Smith, Jan"', "Smith, Jan"), ("", None)]
)
def test_names_with_commas_are_whole_without_quotes_as_well(tmp_path: Path, written: str, name: str | None) -> None:
    source = tmp_path / "given.ics"
    source.write_text(f"BEGIN:VEVENT\nATTENDEE;CN={written}:mailto:jan@example.org\nEND:VEVENT\n")
    (batch,) = events.read_objects(source, AgendaIn(), Warn()).batches()
    (found,) = batch
    assert isinstance(found, dict)
    assert found["attendees"] == [({"name": name} if name else {}) | {"email": "jan@example.org"}]


def test_contacts_with_a_column_of_their_own_each_are_refused_by_their_number() -> None:
    rows.table([{"name": "a", f"x{number}": "1"} for number in range(2_000)], dict, ("name",))
    with pytest.raises(OverLimit) as refused:
        rows.table([{"name": "a", f"x{number}": "1"} for number in range(2_500)], dict, ("name",))
    assert refused.value.reason == "limit"


@pytest.mark.parametrize(("method", "named"), [("REQUEST", True), ("CANCEL", True), ("PUBLISH", False)])
def test_what_a_calendar_asks_of_its_reader_is_named(tmp_path: Path, method: str, named: bool) -> None:
    source, warn = tmp_path / "input.ics", Warn()
    event = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20240101T100000Z\r\nEND:VEVENT\r\n"
    source.write_text(f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:{method}\r\n{event}END:VCALENDAR\r\n")
    events.read_rows(source, AgendaIn(), warn)
    assert [each.code for each in warn.warnings] == ["METADATA_DROPPED"] * named
