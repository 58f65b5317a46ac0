"""Verifying: the result is read back and compared with what its pair promises to keep."""

from __future__ import annotations

import base64
import io
import json
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation
from PIL import Image

from conversions.models import Conversion
from conversions.work import offer, runner, verification
from engine.families.registry import CONVERTERS
from engine.toolkit import comparing
from engine.toolkit.comparing import compare_cells, compare_pixels, compare_values, compare_words
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn
from tests.conftest import Person
from tests.conversions.samples import INVOICE, PEOPLE, PNG
from tests.conversions.test_convert import SLUG, nothing_happened, refused

PICTURE = f'<p>Beside it is a picture.</p><img src="data:image/png;base64,{base64.b64encode(PNG).decode()}">'.encode()
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
        if "within" in given:
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
    monkeypatch.setattr(runner, "wall_limit", lambda converter: 0.0)
    found = paying.convert(f"{SLUG}?verify=1", PEOPLE).json()["data"]["verified"]
    assert (found["ok"], found["differences"]) == (
        None,
        ["There was not enough time or memory to read the file a second time."],
    )


def test_what_was_found_is_in_the_language_of_who_reads_it_and_in_english_where_it_is_signed(
    paying: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    translations = {"{count} values": "{count} Werte", "{text} is missing {count} times.": "{text} fehlt {count}-mal."}
    kept = translation.ngettext
    monkeypatch.setattr(
        translation, "ngettext", lambda one, more, count: translations.get(one) or kept(one, more, count)
    )
    lost = say("{text} is missing {count} times.", text="'x'", count=1500)
    monkeypatch.setattr(comparing, "_missing", lambda ours, theirs: iter([lost]))
    monkeypatch.setattr(runner, "convert", _in_this_process(runner.convert))
    content = json.dumps([{"a": each} for each in range(1200)]).encode()
    identity = paying.convert("json-to-yaml?verify=1", content).json()["data"]["id"]
    english = {"ok": False, "compared": "1,200 values", "differences": ["'x' is missing 1,500 times."]}
    path = f"/converter/history/{identity}"
    assert paying.get(path).json()["data"]["verified"] == english
    german = paying.get(path, accept_language="de").json()["data"]
    assert german["verified"] == {
        "ok": False, "compared": "1.200 Werte", "differences": ["'x' fehlt 1.500-mal."],
    }  # fmt: skip
    signed = paying.get(f"{path}/receipt", accept_language="de").json()["data"]["receipt"]
    assert signed["verified"] == english


def _in_this_process(convert: Any) -> Any:
    """`runner.convert` that compares in this process, whose comparison a test has changed."""

    def run(converter: Any, source: Any, options: Any, **given: Any) -> Any:
        if converter not in comparing.COMPARERS.values():
            return convert(converter, source, options, **given)
        warn = Warn()
        with tempfile.TemporaryDirectory() as folder:
            pair = Path(folder, "pair")
            source.seek(0)
            pair.write_bytes(source.read())
            converter.run(pair, Path(folder, "out"), options, warn)
        return SimpleNamespace(output=io.BytesIO(), detected=warn.detected, duration_ms=1.0, format=converter.output)

    return run


def test_a_record_from_before_messages_is_shown_as_it_was(paying: Person) -> None:
    found = {"ok": False, "compared": "{2} rows", "differences": ["'{x}' is missing."]}
    data = paying.convert(f"{SLUG}?verify=1", PEOPLE).json()["data"]
    Conversion.objects.update(verified=found)
    path = f"/converter/history/{data['id']}"
    assert paying.get(path).json()["data"]["verified"] == found
    assert paying.get(f"{path}/receipt").json()["data"]["receipt"]["verified"] == found


def test_a_difference_from_a_child_that_is_no_text_is_shown_as_text(
    paying: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "_compared", lambda *_: {"compared": 3, "difference0": True})
    data = paying.convert(f"{SLUG}?verify=1", PEOPLE).json()["data"]
    assert data["verified"] == {"ok": False, "compared": "3", "differences": ["True"]}


@pytest.mark.parametrize("error", [runner.Busy(7.0), runner.Unavailable("no sandbox"), runner.Crashed("a fault")])
@pytest.mark.parametrize("reading", [1, 2, 3])
def test_a_result_that_the_service_can_not_read_back_is_kept_and_not_charged_twice(
    paying: Person, monkeypatch: pytest.MonkeyPatch, error: Exception, reading: int
) -> None:
    convert, before, calls = runner.convert, paying.account.credits, list[str]()

    def failing(converter: Any, *given: Any, **named: Any) -> runner.Outcome:
        calls.append(converter.slug)
        if len(calls) > reading:
            raise error
        return convert(converter, *given, **named)

    monkeypatch.setattr(runner, "convert", failing)
    answer = paying.convert(f"{SLUG}?verify=1", PEOPLE)
    assert answer.status_code == 201
    data = answer.json()["data"]
    assert data["verified"]["ok"] is None
    assert len(data["verified"]["differences"]) == 1
    assert data["credits"] == 1
    paying.account.refresh_from_db()
    assert paying.account.credits == before - 1
    assert b"Ada" in paying.download(data["downloadUrl"])


TWO_LISTS = b"[a]\nx = 1\n[[rows]]\nb = 2\n[[others]]\nc = 3\n"


@pytest.mark.parametrize(
    ("slug", "content", "options"),
    [
        ("toml-to-csv", TWO_LISTS, {"sheets": "all"}),  # a ZIP of several
        ("html-to-markdown", PICTURE, {}),  # a ZIP with the picture
    ],
)
def test_what_turns_out_not_to_be_comparable_is_not_charged(
    paying: Person, slug: str, content: bytes, options: dict[str, str]
) -> None:
    before = paying.account.credits
    data = paying.convert(f"{slug}?verify=1", content, **options).json()["data"]
    assert data["verified"]["ok"] is None
    assert data["credits"] == offer.current().costs[slug].credits
    paying.account.refresh_from_db()
    assert paying.account.credits == before - data["credits"]


@pytest.mark.parametrize(
    ("slug", "content", "options"),
    [
        ("vcf-to-html", b"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nEND:VCARD\r\n", {"layout": "page"}),
        ("html-to-pdf", INVOICE, {"pageRanges": "1"}),
    ],
)
def test_options_with_which_nothing_can_be_compared_are_refused_before_the_work(
    paying: Person, slug: str, content: bytes, options: dict[str, str]
) -> None:
    for query in ("verify=1", "verify=1&dryRun=1"):
        body = refused(paying.convert(f"{slug}?{query}", content, **options), 400, "VALIDATION_ERROR")
        assert body["details"][0]["field"] == "verify"
    assert nothing_happened()
    assert not Conversion.objects.exists()
    assert paying.convert(slug, content, **options).status_code == 201


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
    assert "differ by" in next(compare_pixels(PIXELS.getvalue(), other.getvalue())[1])
    Image.new("RGB", (6, 4)).save(other := io.BytesIO(), "PNG")
    assert list(compare_pixels(PIXELS.getvalue(), other.getvalue())[1]) == ["60 x 40 pixels became 6 x 4."]


def test_what_it_costs_is_told_before_and_a_key_stands_for_one_of_both(paying: Person) -> None:
    plan = paying.convert(f"{SLUG}?dryRun=1&verify=1", PEOPLE).json()["data"]
    assert plan["credits"] == 2 * offer.current().costs[SLUG].credits
    key = {"Idempotency-Key": "one-key"}
    plain = paying.convert(SLUG, PEOPLE, headers=key)
    assert plain.json()["data"]["credits"] == offer.current().costs[SLUG].credits
    other = paying.convert(f"{SLUG}?verify=1", PEOPLE, headers=key)
    assert (other.status_code, other.json()["code"]) == (400, "VALIDATION_ERROR")
