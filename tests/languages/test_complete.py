"""Every language says all that the sources say, with what the sources put into it."""

from __future__ import annotations

import functools

import pytest
from babel.messages.catalog import Catalog
from django.utils import translation

from conversions.families.ocr.options import LANGUAGES
from conversions.families.registry import CONVERTERS
from conversions.sayings.telling import description
from conversions.toolkit.options import describe
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


@pytest.mark.parametrize("language", translated())
def test_what_is_of_this_machine_alone_stands_in_the_words_of_every_language(language: str) -> None:
    (option,) = (each for each in describe(CONVERTERS["png-to-txt"].options) if each.name == "language")
    with translation.override(language):
        told = description(option)
    assert told != option.description
    assert ", ".join(LANGUAGES) in told
    assert ", ".join(LANGUAGES) in option.description
