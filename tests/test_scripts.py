"""The scripts of the front page: small enough, none that is not sent ahead, and no address of another host."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.test import Client

from languages.available import translated
from languages.dictionary import address
from tests.conftest import Person

STATIC = Path(__file__).parent.parent / "static"
_IMPORT = re.compile(r"""(?:from|import\()\s*["']\./([\w-]+\.js)["']""")
LIMIT = 60_000
"""Bytes, packed, with all that is loaded later on."""


def _reached(*names: str) -> set[str]:
    found, open_ = set(names), list(names)
    while open_:
        for each in _IMPORT.findall((STATIC / open_.pop()).read_text()):
            if each not in found:
                found.add(each)
                open_.append(each)
    return found


@pytest.mark.parametrize("language", ["en-gb", *translated()])
def test_all_scripts_of_the_front_page_are_small_together(client: Client, language: str) -> None:
    packed = {
        each: len(gzip.compress((STATIC / each).read_bytes())) for each in _reached("convert.js", *_on_every_page())
    }
    dictionary = address(language)
    if dictionary:
        packed[dictionary] = len(gzip.compress(client.get(dictionary).content))
    assert sum(packed.values()) <= LIMIT, packed


def test_each_module_that_the_widget_needs_at_once_is_sent_ahead_and_after_the_style_sheets(guest: Person) -> None:
    text = guest.client.get("/").content.decode()
    ahead = set(re.findall(r'modulepreload" href="/static/([\w-]+\.js)" fetchpriority="low"', text))
    needed, open_ = {"convert.js"}, ["convert.js"]
    while open_:
        for each in re.findall(r"""from\s*["']\./([\w-]+\.js)["']""", (STATIC / open_.pop()).read_text()):
            if each not in needed:
                needed.add(each)
                open_.append(each)
    assert ahead | {"convert.js"} == needed
    assert text.rindex('rel="stylesheet"') < text.index('type="module"')
    assert all('fetchpriority="low"' in each for each in re.findall(r'<script type="module"[^>]*>', text))


def test_scripts_are_of_one_concern_and_ask_no_other_host() -> None:
    for each in STATIC.glob("*.js"):
        text = each.read_text()
        assert text.startswith("// "), f"{each.name} does not say what it is for"
        assert text.count("\n") <= 250, f"{each.name} is too long"
        assert not re.search(r"""["'`]https?://""", text), each.name


def _on_every_page() -> list[str]:
    text = (STATIC.parent / "templates/base.html").read_text()
    return re.findall(r"""{% (?:static|module) ["']([\w-]+\.js)["'] %}""", text)
