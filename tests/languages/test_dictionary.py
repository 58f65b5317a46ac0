"""The dictionary of a page's scripts: one file for each language, kept for good, that English pages do not ask for."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest
from django.test import Client

from languages import catalogue
from languages.available import translated
from languages.dictionary import address
from tests.conftest import Person, make_user

LANGUAGES = translated()
LIMIT = 12_000
"""Bytes of one dictionary, packed: with all scripts of the front page it stays within what those may have."""


def content(language: str) -> dict[str, Any]:
    answer = Client().get(str(address(language)))
    text = answer.content.decode()
    found: dict[str, Any] = json.loads(text.removeprefix("globalThis.dictionary=").rstrip(";\n"))
    return found


def test_an_english_page_asks_for_no_dictionary(guest: Person) -> None:
    text = guest.client.get("/").content.decode()
    assert "/texts/" not in text
    assert address("en-gb") is address(None) is None
    assert guest.client.get("/texts/en-gb-0.js").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_loads_its_dictionary_before_modules_without_blocking_rendering(guest: Person, language: str) -> None:
    text = guest.client.get("/", headers={"Accept-Language": language}).content.decode()
    script = re.search(r'<script defer src="(/texts/[^"]+)"[^>]*>', text)
    assert script is not None
    assert script[1] == address(language)
    assert 'fetchpriority="low"' in script[0]
    assert script.start() < text.index('type="module"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dictionary_is_cached_forever_and_small(client: Client, language: str) -> None:
    place = str(address(language))
    answer = client.get(place)
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert not answer.cookies
    assert len(gzip.compress(answer.content)) <= LIMIT
    # A page of before the last change gets what holds now, and does not keep it.
    old = client.get(re.sub(r"[0-9a-f]+\.js", "0123456789abcdef.js", place))
    assert old.content == answer.content
    assert old["Cache-Control"] == "public, max-age=60"


def test_there_is_no_dictionary_for_an_unavailable_language(client: Client) -> None:
    assert client.get("/texts/tlh/0123456789abcdef.js").status_code == 404
    assert client.get("/texts/en-gb/0123456789abcdef.js").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dictionary_has_all_plurals_of_the_texts_that_are_translated(language: str) -> None:
    found = content(language)
    for each in catalogue.load(language, "djangojs"):
        if isinstance(each.id, tuple) and all(each.string):
            assert len(found["texts"][each.id[0]]) == len(found["forms"]), each.id
        elif each.id and each.string:
            assert found["texts"][each.id] == each.string


def test_a_dictionary_takes_no_query(client: Client, db: None, django_assert_num_queries: Any) -> None:
    client.force_login(make_user(language="de"))
    with django_assert_num_queries(0):
        assert client.get(str(address("pl"))).status_code == 200
