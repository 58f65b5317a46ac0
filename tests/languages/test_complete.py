"""Every language says all that the sources say, with what the sources put into it."""

from __future__ import annotations

import functools

import pytest
from babel.messages.catalog import Catalog

from languages import catalogue
from languages.spoken import translated


@functools.cache
def collected(domain: str) -> Catalog:
    return catalogue.collect(domain)


@pytest.mark.parametrize("domain", catalogue.DOMAINS)
@pytest.mark.parametrize("language", translated())
def test_nothing_is_left_in_english_and_nothing_is_lost(language: str, domain: str) -> None:
    state = catalogue.state(language, domain, collected(domain))
    assert (state.untranslated, state.missing, state.obsolete) == ((), (), ())
    assert catalogue.mistakes(language, domain) == []
