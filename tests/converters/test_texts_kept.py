"""What calendars, contacts, feeds, outlines and bibliographies lack of the file that they were made of is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.families.auditing import audited_kinds, countings
from engine.families.registry import CONVERTERS
from engine.toolkit.comparison import report
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

EVENT = {"summary": "Weekly harvest planning", "location": "Old Barn", "start": "2026-03-05T10:00:00"}
PERSON = {"name": "Ada Lovelace", "note": "Prefers letters written by hand", "organization": "Analytical Society"}
ENTRY = {"title": "Seasonal gardening advice", "link": "https://example.org/a", "summary": "Prune roses, mulch beds"}
BOOK = {"type": "book", "title": "Ornamental Shrubs", "author": "Ann Gardener", "publisher": "Greenhouse Press"}
MADE = {
    "json-to-ics": (EVENT, "Weekly harvest planning"),
    "json-to-vcf": (PERSON, "Prefers letters written by hand"),
    "json-to-rss": (ENTRY, "Prune roses, mulch beds"),
    "json-to-opml": ({"text": "Seasonal gardening advice", "note": "Prune the roses"}, "Prune the roses"),
    "json-to-bibtex": (BOOK, "Greenhouse Press"),
    "json-to-ris": (BOOK, "Greenhouse Press"),
    "json-to-csljson": (BOOK, "Greenhouse Press"),
}


@pytest.mark.parametrize("slug", MADE)
def test_words_that_a_result_lacks_are_counted_and_named(slug: str, tmp_path: Path) -> None:
    row, lost = MADE[slug]
    converter, counting = CONVERTERS[slug], countings()
    source, made = tmp_path / "input.json", tmp_path / f"output.{converter.output.id}"
    source.write_text(json.dumps([row]))
    converter.run(source, made, build(converter.options, {}), Warn())
    kinds = audited_kinds(converter)
    assert "texts" in kinds

    def missing(result: bytes) -> list[str]:
        made.write_bytes(result)
        warn = Warn()
        report(counting[converter.input].count(source), counting[converter.output].count(made), kinds, warn)
        return [str(each.message) for each in warn.warnings]

    whole = made.read_bytes().replace(b"\\,", b",")
    assert lost.encode() in whole
    assert missing(whole) == []
    (message,) = missing(whole.replace(lost.encode(), b"x"))
    words = [each for each in lost.lower().replace(",", "").split() if len(each) > 3]
    assert message.startswith(f"Words in values are missing from the result: {len(words)} (")
    assert all(f"“{each}”" in message for each in words[:4])


@pytest.mark.parametrize("slug", [each for each in MADE if "rows" in audited_kinds(CONVERTERS[each])])
def test_an_entry_that_a_result_lacks_is_counted(slug: str, tmp_path: Path) -> None:
    row, _ = MADE[slug]
    converter, counting = CONVERTERS[slug], countings()
    source, made = tmp_path / "input.json", tmp_path / f"output.{converter.output.id}"
    source.write_text(json.dumps([row]))
    converter.run(source, made, build(converter.options, {}), Warn())
    source.write_text(json.dumps([row, row]))
    warn = Warn()
    kinds = audited_kinds(converter)
    report(counting[converter.input].count(source), counting[converter.output].count(made), kinds, warn)
    assert "Rows are missing from the result: 1." in [str(each.message) for each in warn.warnings]
