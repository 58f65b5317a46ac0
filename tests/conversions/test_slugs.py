"""Slugs can be described, and an unknown slug gets suggestions."""

from __future__ import annotations

import pytest

from conversions.work.nearest import nearest
from engine.families.registry import CONVERTERS
from tests.conftest import Person
from tests.conversions.test_convert import refused


def test_a_slug_can_be_described(guest: Person) -> None:
    answer = guest.get("/converter/json-to-csv")
    listed = guest.get("/converter/formats").json()["data"]["conversions"]
    assert answer.json()["data"] == next(each for each in listed if each["slug"] == "json-to-csv")
    assert guest.get("/converter/htm-to-pdf").json()["data"]["slug"] == "html-to-pdf"
    assert guest.get("/converter/json-to-csv", If_None_Match=answer["ETag"]).status_code == 304
    assert guest.request("HEAD", "/converter/json-to-csv").status_code == 200
    assert {"GET", "HEAD", "POST"} <= set(guest.request("DELETE", "/converter/json-to-csv")["Allow"].split(", "))


@pytest.mark.parametrize(
    ("slug", "first"),
    [
        ("jsn-to-csv", "json-to-csv"), ("json2csv", "json-to-csv"), ("word-to-pdf", "docx-to-pdf"),
        ("excel-to-csv", "xlsx-to-csv"), ("jpeg-to-web", "jpg-to-webp"),
        ("html_to_pdf", "html-to-pdf"),
    ],
)  # fmt: skip
def test_an_unknown_slug_gets_suggestions(guest: Person, slug: str, first: str) -> None:
    for method in ("GET", "POST"):
        meta = refused(guest.request(method, f"/converter/{slug}"), 404, "UNKNOWN_CONVERSION")["meta"]
        assert first in meta["alternatives"][:2]
        assert set(meta["alternatives"]) <= CONVERTERS.keys()


def test_of_two_formats_without_a_pair_both_ends_are_offered() -> None:
    found = nearest("pdf-to-parquet", CONVERTERS)
    assert {CONVERTERS[each].input.id for each in found} > {"pdf"}
    assert {CONVERTERS[each].output.id for each in found} > {"parquet"}


def test_a_nonsense_slug_gets_no_suggestions(guest: Person) -> None:
    assert nearest("x" * 10_000, CONVERTERS) == []
    assert "meta" not in refused(guest.request("POST", "/converter/abc"), 404, "UNKNOWN_CONVERSION")
