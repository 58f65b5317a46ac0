"""Lists of all conversions, which anyone may ask for: written once for each language and offer."""

from __future__ import annotations

import time

import pytest

from conversions.models import Restriction
from engine.families.registry import CONVERTERS
from tests.conftest import Person

MOST = {"/formats": 0.1, "/formats?q=to": 0.1, "/api/v1/converter/formats": 0.03}
"""Seconds of processor time of the cheapest of three: 30 and 2 ms, where writing all anew takes 300 and 65 ms."""


@pytest.mark.parametrize("path", MOST)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_list_of_all_conversions_is_cheap_to_ask_for_again(guest: Person, path: str, language: str) -> None:
    def seconds() -> float:
        began = time.thread_time()
        assert guest.client.get(path, headers={"Accept-Language": language}).status_code == 200
        return time.thread_time() - began

    seconds()
    assert min(seconds() for _ in range(3)) < MOST[path]


def test_a_list_changes_with_what_is_offered_and_with_the_language(guest: Person) -> None:
    def page(language: str) -> str:
        return guest.client.get("/formats", headers={"Accept-Language": language}).content.decode()

    assert page("en").count("data-text") == page("de").count("data-text") == len(CONVERTERS)
    assert (" to </span>" in page("de"), " to </span>" in page("en")) == (False, True)
    assert len(guest.client.get("/api/v1/converter/formats").json()["data"]["conversions"]) == len(CONVERTERS)
    Restriction.objects.create(scope="slug", name="json-to-csv")
    assert 'href="/convert/json-to-csv"' not in page("en")
    shown = guest.client.get("/api/v1/converter/formats").json()["data"]["conversions"]
    assert "json-to-csv" not in {each["slug"] for each in shown}
