"""Numbers, dates and settings that maps, calendars, contacts, feeds, bibliographies and settings lose are named."""

from __future__ import annotations

import csv
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


CARD = (
    b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jo\r\nN:Jo;;;;\r\nitem1.X-ABRELATEDNAMES;type=pref:Jenny\r\n"
    b"item1.X-ABLabel:Spouse\r\nitem2.TEL:+123\r\nitem2.X-ABLabel:_$!<Mobile>!$_\r\nEND:VCARD\r\n"
)


def test_a_label_of_any_property_of_a_contact_is_in_rows(tmp_path: Path) -> None:
    (tmp_path / "input.vcf").write_bytes(CARD)
    assert said(tmp_path / "input.vcf", "csv") == []
    (row,) = csv.DictReader((tmp_path / "output.csv").read_text("utf-8").splitlines())
    assert row["X-ABRELATEDNAMES"] == "Jenny"
    assert row["X-ABRELATEDNAMES type"] == "pref,Spouse"


def test_a_label_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "input.vcf").write_bytes(CARD)
    lost = said(tmp_path / "input.vcf", "csv", text("Spouse", ""))
    assert lost == ["Values are missing from the result: 1 (“Spouse”)."]


FEED = (
    b'<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><rights>Ada</rights><logo>x.png</logo>'
    b"<entry><title>One</title><content>Hello</content></entry></feed>"
)


@pytest.mark.parametrize(
    ("output", "names"),
    [("html", "rights, logo"), ("markdown", "rights, logo"), ("csv", "title, rights, logo"), ("json", "")],
)
def test_what_a_feed_says_of_itself_is_named_where_it_is_not_in_the_output(
    tmp_path: Path, output: str, names: str
) -> None:
    (tmp_path / "input.rss").write_bytes(FEED)
    found = [each for each in said(tmp_path / "input.rss", output) if each.startswith("Details")]
    assert found == ([f"Details of the feed itself are not in the output: {names}."] if names else [])
