"""Verifying: the result is read back and compared with what its pair promises to keep."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from conversions import offer, runner, verification
from conversions.families.registry import CONVERTERS
from conversions.toolkit.comparing import compare_cells, compare_pixels, compare_values, compare_words
from tests.conftest import Person
from tests.conversions.samples import INVOICE, PEOPLE
from tests.conversions.test_convert import SLUG, nothing_happened, refused

PIXELS = io.BytesIO()
Image.linear_gradient("L").convert("RGB").resize((60, 40)).save(PIXELS, "PNG")


@pytest.mark.parametrize(
    ("slug", "content", "options", "compared"),
    [
        (SLUG, PEOPLE, {"delimiter": ";", "header": "no"}, "rows"),
        ("csv-to-xlsx", b"id,when,ok\n007,2026-01-31,true\n8,,false\n", {}, "2 rows, 9 cells"),
        ("json-to-yaml", PEOPLE, {}, "values"),
        ("html-to-pdf", INVOICE, {}, "words"),
        ("png-to-jpg", PIXELS.getvalue(), {"width": "30", "rotate": "90", "quality": "40"}, "30 x 45 pixels"),
    ],
)
def test_a_result_is_compared_with_its_input(
    paying: Person, slug: str, content: bytes, options: dict[str, str], compared: str
) -> None:
    before = paying.account.credits
    answer = paying.convert(f"{slug}?verify=1", content, **options)
    data = answer.json()["data"]
    assert data["verified"]["ok"] is True, data
    assert data["verified"]["differences"] == []
    assert compared in data["verified"]["compared"]
    assert data["credits"] == 2 * offer.current().costs[slug].credits
    paying.account.refresh_from_db()
    assert paying.account.credits == before - data["credits"]
    record = paying.get(f"/converter/history/{data['id']}").json()["data"]
    assert record == data
    signed = paying.get(f"/converter/history/{data['id']}/receipt").json()["data"]["receipt"]
    assert signed["verified"] == data["verified"]


def test_a_difference_is_told_and_is_no_failure(
    paying: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    convert = runner.convert

    def damaged(converter: Any, source: Any, options: Any, **given: Any) -> runner.Outcome:
        outcome = convert(converter, source, options, **given)
        if given:
            return outcome
        with outcome.output:
            content = outcome.output.read().replace(b"Ada", b"Eve")
        (tmp_path / "damaged").write_bytes(content)
        return replace(outcome, output=(tmp_path / "damaged").open("rb"))

    monkeypatch.setattr(runner, "convert", damaged)
    data = paying.convert(f"{SLUG}?verify=1", PEOPLE).json()["data"]
    assert data["status"] == "completed"
    assert data["verified"]["ok"] is False
    assert "'Ada" in data["verified"]["differences"][0]


def test_what_can_not_be_told_is_null_with_the_reason(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    found = paying.convert("html-to-pdf?verify=1", INVOICE, pageRanges="1").json()["data"]["verified"]
    assert (found["ok"], len(found["differences"])) == (None, 1)
    monkeypatch.setattr(runner, "wall_limit", lambda converter: 0.0)
    found = paying.convert(f"{SLUG}?verify=1", PEOPLE).json()["data"]["verified"]
    assert (found["ok"], found["differences"]) == (
        None,
        ["There was not enough time or memory to read the file a second time."],
    )


def test_a_pair_without_a_comparison_refuses_to_verify(guest: Person) -> None:
    refused(guest.convert("csv-to-pdf?verify=1", b"a,b\n1,2\n"), 400, "VALIDATION_ERROR")
    refused(guest.convert(f"{SLUG}?verify=maybe", PEOPLE), 400, "VALIDATION_ERROR")
    assert nothing_happened()
    assert "verified" not in guest.convert(f"{SLUG}?verify=0", PEOPLE).json()["data"]


def test_most_pairs_promise_something_that_can_be_compared() -> None:
    kinds = Counter(each.compares for each in CONVERTERS.values() if verification.can_verify(each))
    assert kinds["cells"] > 150
    assert kinds["words"] > 50
    assert kinds["pixels"] > 120
    assert kinds["values"] > 25


def test_cells_are_compared_by_their_values_and_columns() -> None:
    ours = b"a,b,c\r\n1.0,true,2026-01-31T10:00:00Z\r\nx,,\r\n"
    assert list(compare_cells(ours, b"c,a,b\n2026-01-31 10:00:00,1,TRUE\n,x,\n")[1]) == []
    assert list(compare_cells(ours, b"a,b,c\n2,true,2026-01-31 10:00\n")[1]) == [
        "2 rows became 1.",
        "Row 1, column 1: '1' became '2'.",
    ]
    assert next(compare_cells(b"a,b\n1,2\n", b"a\n1\n")[1]) == "2 columns became 1."


def test_values_words_and_pixels_are_missed() -> None:
    assert list(compare_values(b'{"a": [1, "x", null]}', b'{"root": {"a": ["1"]}}')[1]) == ["'x' is missing."]
    assert list(compare_words(b"A well-known  of\xef\xac\x81ce [logo]", b"Well-\nknown office, page 1")[1]) == [
        "'a' is missing."
    ]
    other = io.BytesIO()
    Image.new("RGB", (60, 40)).save(other, "PNG")
    assert "off by" in next(compare_pixels(PIXELS.getvalue(), other.getvalue())[1])
    Image.new("RGB", (6, 4)).save(other := io.BytesIO(), "PNG")
    assert list(compare_pixels(PIXELS.getvalue(), other.getvalue())[1]) == ["60 x 40 pixels became 6 x 4."]


def test_what_it_costs_is_told_before_and_a_key_stands_for_one_of_both(paying: Person) -> None:
    told = paying.convert(f"{SLUG}?dryRun=1&verify=1", PEOPLE).json()["data"]
    assert told["credits"] == 2 * offer.current().costs[SLUG].credits
    key = {"Idempotency-Key": "one-key"}
    plain = paying.convert(SLUG, PEOPLE, headers=key)
    assert plain.json()["data"]["credits"] == offer.current().costs[SLUG].credits
    other = paying.convert(f"{SLUG}?verify=1", PEOPLE, headers=key)
    assert (other.status_code, other.json()["code"]) == (400, "VALIDATION_ERROR")
