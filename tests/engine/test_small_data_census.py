"""What calendars, contacts, feeds, outlines, references, settings and maps lose on the way to rows is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_torn_results import told, without

FILES = {
    "ics": (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:unique\r\nSUMMARY:Marvellous lunch\r\n"
        "DTSTART;TZID=Europe/Berlin:20260105T120000\r\nORGANIZER;CN=Ada Long:mailto:ada@example.org\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n",
        ("Marvellous lunch", "Europe/Berlin", "Ada Long"),
    ),
    "vcf": (
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Long\r\nTEL;TYPE=HOME:+49 30 1234\r\nEND:VCARD\r\n",
        ("Ada Long", "home", "+49 30 1234"),
    ),
    "rss": (
        "<rss version='2.0'><channel><title>News</title><item><title>Marvellous</title>"
        "<enclosure url='https://example.org/a.mp3' length='1' type='audio/mpeg'/></item></channel></rss>",
        ("Marvellous", "https://example.org/a.mp3"),
    ),
    "opml": (
        '<opml><head/><body><outline text="Marvellous" xmlUrl="https://example.org/a"/></body></opml>',
        ("Marvellous", "https://example.org/a"),
    ),
    "bibtex": ("@book{long2026,\n  title = {Marvellous},\n  publisher = {Printers},\n}\n", ("Marvellous", "Printers")),
    "ris": ("TY  - BOOK\nTI  - Marvellous\nAU  - Long, Ada\nER  - \n", ("Marvellous", "Long")),
    "ini": ("[one]\nkey = marvellous\n", ("marvellous",)),
    "env": ("KEY=marvellous\n", ("marvellous",)),
    "properties": ("key=marvellous\n", ("marvellous",)),
    "geojson": (
        '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "Marvellous"}, '
        '"geometry": {"type": "Point", "coordinates": [1, 2]}}]}',
        ("Marvellous",),
    ),
}


@pytest.mark.parametrize("input", FILES)
@pytest.mark.parametrize("output", ["json", "csv"])
def test_each_value_that_a_result_lacks_is_named(tmp_path: Path, input: str, output: str) -> None:
    data, values = FILES[input]
    slug = f"{input}-to-{output}"
    assert told(tmp_path, slug, data.encode(), None) == []
    for each in values:
        said = told(tmp_path, slug, data.encode(), without(each))
        assert any(message.startswith("Values are missing from the result: ") for message in said)
        assert any(each in message for message in said)
