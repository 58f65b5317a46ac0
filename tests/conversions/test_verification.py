"""Verifying: what the result has is counted against its input, in a child that converts the input once more."""

from __future__ import annotations

import base64
import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from openpyxl import Workbook
from openpyxl.comments import Comment
from PIL import Image

from conversions.models import Conversion
from conversions.work import offer, runner, verification
from engine.families.auditing import audited_kinds
from engine.families.registry import CONVERTERS
from engine.families.verifying import verified_kinds
from engine.toolkit.census import LOSSES
from engine.toolkit.messages import say
from tests.conftest import Person
from tests.conversions.samples import INVOICE, PEOPLE, PNG
from tests.conversions.test_convert import SLUG, nothing_happened, refused

PICTURE = f'<p>Beside it is a picture.</p><img src="data:image/png;base64,{base64.b64encode(PNG).decode()}">'.encode()
TWO_LISTS = b"[a]\nx = 1\n[[rows]]\nb = 2\n[[others]]\nc = 3\n"
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="9"/></svg>'
ARCHIVE = io.BytesIO()
with zipfile.ZipFile(ARCHIVE, "w") as archive:
    archive.writestr("a.txt", "words")
PIXELS = io.BytesIO()
Image.linear_gradient("L").convert("RGB").resize((60, 40)).save(PIXELS, "PNG")


@pytest.mark.parametrize(
    ("slug", "content", "options", "compared"),
    [
        (SLUG, PEOPLE, {"delimiter": ";"}, "order 2/2, rows 2/2, values 5/5"),
        ("csv-to-xlsx", b"id,when,ok\n007,2026-01-31,true\n8,,false\n", {}, "columns 3/3, order 2/2"),
        ("json-to-yaml", PEOPLE, {}, "values 5/5"),
        ("html-to-pdf", INVOICE, {}, "words"),
        ("html-to-markdown", PICTURE, {}, "pictures 1/1, words 5/5"),  # a ZIP with the picture
        ("toml-to-csv", TWO_LISTS, {"sheets": "all"}, "values"),  # a ZIP of several
        ("vcf-to-html", b"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada Lovelace\r\nEND:VCARD\r\n", {"layout": "page"}, "words"),
        ("png-to-jpg", PIXELS.getvalue(), {}, "looks 1/1"),
        ("png-to-jpg", PIXELS.getvalue(), {"width": "30", "rotate": "90", "quality": "40"}, "bits 8/8, channels 3/3"),
        ("rst-to-org", b"A title\n=======\n\nSome words.\n", {}, "words 3/3"),
        ("ini-to-yaml", b"[a]\nname = Lovelace\n", {}, "values 1/1"),
        (
            "svg-to-png",
            b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="9"/></svg>',
            {},
            "looks 1/1",
        ),
        ("zip-to-tar", ARCHIVE.getvalue(), {}, "files 1/1"),
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


def test_a_difference_is_reported_but_is_not_a_failure(
    paying: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    convert = runner.convert

    def damaged(converter: Any, source: Any, options: Any, **given: Any) -> runner.Outcome:
        outcome = convert(converter, source, options, **given)
        if given.get("verify"):
            return outcome
        with outcome.output:
            content = outcome.output.read().replace(b"Ada", b"Eve")
        (tmp_path / "damaged").write_bytes(content)
        return replace(outcome, output=(tmp_path / "damaged").open("rb"))

    monkeypatch.setattr(runner, "convert", damaged)
    data = paying.convert(f"{SLUG}?verify=1", PEOPLE).json()["data"]
    assert data["status"] == "completed"
    assert data["verified"]["ok"] is False
    assert "“Ada”" in data["verified"]["differences"][0]
    assert "values 4/5" in data["verified"]["compared"]


def test_a_loss_that_a_warning_names_is_no_difference(paying: Person) -> None:
    data = paying.convert("xlsx-to-csv?verify=1", _commented()).json()["data"]
    assert [each["code"] for each in data["warnings"]] == ["COMMENTS_DROPPED"]
    assert data["verified"]["ok"] is True
    assert "comments 0/1" in data["verified"]["compared"]


def _commented() -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.active["A1"] = "Name"
    book.active["A2"] = "Ada"
    book.active["A2"].comment = Comment("Who is that?", "Eve")
    book.save(out)
    return out.getvalue()


def test_an_undecided_verification_is_null_with_a_reason_and_not_charged(
    paying: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "wall_limit", lambda converter: 0.0)
    before = paying.account.credits
    data = paying.convert(f"{SLUG}?verify=1", PEOPLE).json()["data"]
    found = data["verified"]
    assert (found["ok"], found["differences"]) == (
        None,
        ["There was not enough time or memory to read the file a second time."],
    )
    paying.account.refresh_from_db()
    assert before - paying.account.credits == data["credits"] == offer.current().costs[SLUG].credits


def test_what_was_found_is_in_the_language_of_who_reads_it_and_in_english_where_it_is_signed(
    paying: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = LOSSES["values"].template
    translations = {template: "Es fehlen Werte: {count}{places}."}
    kept = translation.ngettext
    monkeypatch.setattr(
        translation, "ngettext", lambda one, more, count: translations.get(one) or kept(one, more, count)
    )
    convert = runner.convert

    def found(converter: Any, source: Any, options: Any, **given: Any) -> runner.Outcome:
        outcome = convert(converter, source, options, **given)
        if not given.get("verify"):
            return outcome
        lost = say(template, count=1500, places=" (“x”)")
        return replace(outcome, detected={"compared": "values 0/1500", "difference0": lost})

    monkeypatch.setattr(runner, "convert", found)
    identity = paying.convert("json-to-yaml?verify=1", PEOPLE).json()["data"]["id"]
    english = {
        "ok": False,
        "compared": "values 0/1500",
        "differences": ["Values are missing from the result: 1,500 (“x”)."],
    }
    path = f"/converter/history/{identity}"
    assert paying.get(path).json()["data"]["verified"] == english
    german = paying.get(path, accept_language="de").json()["data"]
    assert german["verified"]["differences"] == ["Es fehlen Werte: 1.500 (“x”)."]
    signed = paying.get(f"{path}/receipt", accept_language="de").json()["data"]["receipt"]
    assert signed["verified"] == english


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
    convert = runner.convert

    def found(*given: Any, **named: Any) -> runner.Outcome:
        return replace(convert(*given, **named), detected={"compared": 3, "difference0": True})

    monkeypatch.setattr(runner, "convert", found)
    data = paying.convert(f"{SLUG}?verify=1", PEOPLE).json()["data"]
    assert data["verified"] == {"ok": False, "compared": "3", "differences": ["True"]}


@pytest.mark.parametrize("error", [runner.Busy(7.0), runner.Unavailable("no sandbox"), runner.Crashed("a fault")])
def test_a_result_that_the_service_can_not_read_back_is_kept_and_not_charged_twice(
    paying: Person, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    convert, before = runner.convert, paying.account.credits

    def failing(*given: Any, **named: Any) -> runner.Outcome:
        if named.get("verify"):
            raise error
        return convert(*given, **named)

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


@pytest.mark.parametrize(
    ("slug", "content", "options"),
    [
        ("html-to-pdf", INVOICE, {"pageRanges": "1"}),
        ("csv-to-json", b"a,b\n1,2\n", {"columns": "a"}),
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
    refused(guest.convert("bibtex-to-pdf?verify=1", b"@book{a, title={B}}"), 400, "VALIDATION_ERROR")
    refused(guest.convert(f"{SLUG}?verify=maybe", PEOPLE), 400, "VALIDATION_ERROR")
    assert nothing_happened()
    assert "verified" not in guest.convert(f"{SLUG}?verify=0", PEOPLE).json()["data"]


def test_what_a_conversion_counts_is_verified() -> None:
    for slug, converter in CONVERTERS.items():
        kinds = verified_kinds(converter, CONVERTERS)
        assert kinds or not audited_kinds(converter), slug
        assert verification.can_verify(converter) == bool(kinds)
    assert sum(map(verification.can_verify, CONVERTERS.values())) > 600


def test_the_price_is_shown_in_advance_and_a_key_covers_one_variant(paying: Person) -> None:
    plan = paying.convert(f"{SLUG}?dryRun=1&verify=1", PEOPLE).json()["data"]
    assert plan["credits"] == 2 * offer.current().costs[SLUG].credits
    key = {"Idempotency-Key": "one-key"}
    plain = paying.convert(SLUG, PEOPLE, headers=key)
    assert plain.json()["data"]["credits"] == offer.current().costs[SLUG].credits
    other = paying.convert(f"{SLUG}?verify=1", PEOPLE, headers=key)
    assert (other.status_code, other.json()["code"]) == (400, "VALIDATION_ERROR")
