"""Numbers, dates and settings that maps, calendars, contacts, feeds, bibliographies and settings lose are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.families.auditing import audited_kinds
from engine.families.registry import CONVERTERS
from tests.engine.test_table_census import said, text

ENTRY = {"title": "Seasonal advice", "link": "https://example.org/a", "published": "2026-03-05T10:00:00+01:00"}
EVENT = {"summary": "Harvest", "start": "2026-03-05T10:00:00+01:00", "end": "2026-03-05T11:00:00+01:00", "cost": 250.5}
PERSON = {"name": "Ada Lovelace", "birthday": "1815-12-10", "phone": "+49 170 1234567"}
BOOK = {"type": "book", "title": "Shrubs", "author": "Ann Gardener", "date": "2020-05-01", "pages": "100-120"}
SETTINGS = {"port": 8080, "name": 'Grüße, "you" = é', "ratio": 1.5, "on": True, "at": "2024-05-06T10:10:01+02:00"}
PLACE = {"name": "Köln", "lat": 50.94, "lon": 6.96, "people": 1024621, "since": "1288-06-05"}
MADE = {
    "rss": (ENTRY, "Thu, 05 Mar 2026 10:00:00 +0100", "2026-03-05 09:00"),
    "opml": ({"text": "Advice", "count": 4711}, "4711", "4711"),
    "ics": (EVENT, "20260305T100000Z", "2026-03-05 10:00"),
    "vcf": (PERSON, "+49 170 1234567", "+49 170 1234567"),
    "bibtex": (BOOK, "100--120", "100-120"),
    "ris": (BOOK, "EP  - 120", "100-120"),
    "ini": (SETTINGS, "8080", "8080"),
    "env": (SETTINGS, "2024-05-06T10:10:01", "2024-05-06 08:10:01"),
    "properties": (SETTINGS, "\\u00fc", 'Grüße, "you" = é'),
    "geojson": (PLACE, ":1024621", "1024621"),
}
"""An object for each format, a part of the result that is torn, and the value that is then missing."""


@pytest.mark.parametrize("output", MADE)
def test_a_value_that_the_result_lacks_is_named(output: str, tmp_path: Path) -> None:
    given, part, value = MADE[output]
    source = tmp_path / "input.json"
    source.write_text(json.dumps(given if given is SETTINGS else [given]))
    assert not any("missing" in each for each in said(source, output))
    message = f"Values are missing from the result: 1 (“{value}”)."
    assert message in said(source, output, text(part, ":0" if part[0] == ":" else "x"))


@pytest.mark.parametrize(
    "given", ["POINT (6.96 50.940)", "LINESTRING (1 2, 3.5 4)", '{"type": "Point", "coordinates": [1, 2]}']
)
def test_a_geometry_is_found_by_its_numbers(given: str, tmp_path: Path) -> None:
    source = tmp_path / "input.json"
    source.write_text(json.dumps([{"geometry": given, "n": 17}]))
    assert said(source, "geojson") == []
    assert said(source, "geojson", lambda made: made.replace(b"2", b"7").replace(b"6.96", b"6.9"))


def test_a_feature_that_is_gone_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "input.csv"
    source.write_text("name,lat,lon\n" + "".join(f"place {each},{each / 10},{each / 20}\n" for each in range(400)))
    assert said(source, "geojson") == []
    lost = said(source, "geojson", lambda made: b"\n".join(made.splitlines()[:-2]).rstrip(b",") + b"]}")
    assert "Rows are missing from the result: 1." in lost


def test_fields_that_a_feed_has_no_element_for_are_named_once(tmp_path: Path) -> None:
    source = tmp_path / "input.json"
    source.write_text(json.dumps([ENTRY | {"price": "Rather expensive", "cost": 12345.5}]))
    assert said(source, "rss") == ["Fields without a matching RSS element were left out: 2 (price, cost)."]


def test_each_writer_of_rows_and_settings_is_audited_for_values() -> None:
    for output in MADE:
        assert "values" in audited_kinds(CONVERTERS[f"json-to-{output}"]), output
