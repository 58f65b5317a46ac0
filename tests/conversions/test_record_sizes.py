"""The bytes of records and of their lists, whatever callers send and files have in them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.http import HttpRequest

from accounts.models import User
from conversions.models import Conversion
from conversions.pages.results import rows
from tests.conftest import Person
from tests.conversions.samples import PEOPLE
from tests.conversions.test_convert import refused
from tests.conversions.test_history import record

FACE = "\U0001f600"
"""A character of four bytes."""


def bytes_of(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def fill(owner: User | None, **fields: Any) -> list[Conversion]:
    return [record(owner, failed="file_key" not in fields, **fields) for _ in range(100)]


def test_the_record_of_a_failed_conversion_has_few_bytes(free: Person) -> None:
    options = {"columns": FACE * 4_900, "where": FACE * 1_900, "sort": FACE * 990, "rowPath": FACE * 190}
    refused(free.convert("json-to-csv", b"{", **options), 422, "UNSUPPORTED_FORMAT")
    kept = Conversion.objects.get()
    assert bytes_of(kept.options) <= 10_000
    assert (kept.options["columns"], kept.options["where"]) == (True, True)
    assert (kept.options["sort"], kept.options["rowPath"]) == (options["sort"], options["rowPath"])


@pytest.mark.parametrize("text", ["a" * 4_900, "\u00e9" * 4_000, FACE * 2_200])
def test_options_of_up_to_10_kb_are_kept_whole(paying: Person, text: str) -> None:
    paying.convert("json-to-csv", b"{", columns=text)
    assert paying.get("/converter/history").json()["data"][0]["options"]["columns"] == text


def test_a_list_of_old_records_with_longer_options_has_at_most_1_mb(paying: Person) -> None:
    options = {"columns": FACE * 5_000, "where": FACE * 1_900, "delimiter": ";"}
    fill(paying.user, options=options)
    answer = paying.get("/converter/history?pageSize=100")
    assert len(answer.content) <= 1_000_000
    assert [each["options"] for each in answer.json()["data"]] == [options | {"columns": True}] * 100
    one = paying.get(f"/converter/history/{answer.json()['data'][0]['id']}").json()["data"]
    assert one["options"] == options | {"columns": True}


def test_a_list_names_what_it_leaves_out_and_the_record_has_it(paying: Person) -> None:
    warnings = [{"code": "GLYPH_MISSING", "message": FACE * 500}] * 50
    made = fill(paying.user, warnings=warnings, file_key="0" * 32 + ".csv", output_name="a.csv", output_bytes=1)
    answer = paying.get("/converter/history?pageSize=100")
    found = answer.json()["data"]
    assert 800_000 < len(answer.content) <= 1_000_000
    left = [each for each in found if "leftOut" in each]
    assert {(*each["leftOut"], len(each["warnings"])) for each in left} == {("warnings", 0)}
    assert {len(each["warnings"]) for each in found if each not in left} == {50}
    one = paying.get(f"/converter/history/{made[0].pk}").json()["data"]
    assert one["warnings"] == warnings


def test_an_ordinary_list_leaves_nothing_out(paying: Person) -> None:
    paying.convert("json-to-csv", PEOPLE)
    assert all("leftOut" not in each for each in paying.get("/converter/history").json()["data"])


def test_a_link_that_repeats_a_conversion_has_no_option_that_was_not_kept(paying: Person) -> None:
    options = {"columns": FACE * 5_000, "where": "a = 1", "header": True}
    made = record(paying.user, options=options)
    (row,) = rows(HttpRequest(), [made])
    assert parse_qs(row.again) == {"where": ["a = 1"], "header": ["true"]}
