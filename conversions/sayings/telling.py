"""Telling: what converters declare and say in English, in the language of whoever is told."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import trans_real

from conversions.sayings.patterns import Patterns, split
from conversions.toolkit.declaring import Converter
from conversions.toolkit.options import Option, filled

_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_QUOTES = ("“", '"', "'", "<", "`")
_DEEPEST = 3


def spoken(text: str) -> str:
    """A text that is declared, in the language of the request; itself where that has none for it."""
    return translation.gettext(text) if text and language() else text


def description(option: Option) -> str:
    """What an option is for, in the language of the request."""
    return filled(spoken(option.told), option.facts)


def summary(converter: Converter) -> str:
    """What a conversion does, in the language of the request."""
    if not language() or not converter.told:
        return converter.summary
    told = spoken(converter.told)
    return told.replace("{input}", spoken(converter.input.name)).replace("{output}", spoken(converter.output.name))


def told(message: str) -> str:
    """A warning's or an error's message in the language of the request; as it is where nothing like it is known."""
    chosen = language()
    return _told(message, chosen) if chosen and message else message


def warnings(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Warnings as they are kept, with their messages in the language of the request."""
    return [{**each, "message": told(each["message"])} for each in given] if language() else given


def language() -> str | None:
    """The language to translate into; None for that of the source."""
    active = translation.get_language()
    return None if active is None or active[:2] == "en" else active


@functools.lru_cache(maxsize=4096)
def _told(message: str, language: str, depth: int = 0) -> str:
    with translation.override(language):
        same = translation.gettext(message)
        if same != message:
            return same
        found = _patterns(language).find(message)
        if found is None:
            return _of_option(message, language, depth)
        template, values = found
        counted = next((number for each in values.values() if (number := _whole(each)) is not None), 0)
        text = translation.ngettext(template, template, counted)
        if text == template:
            text = translation.gettext(template)
        if text == template:
            return message
        shown = {name: _value(each, name, template, language, depth) for name, each in values.items()}
    return _filled(text, shown)


def _of_option(message: str, language: str, depth: int) -> str:
    """A message behind the name of what it is about, such as `pages: Choose fewer.`, which stays as it is."""
    name, colon, rest = message.partition(": ")
    return f"{name}{colon}{_told(rest, language, depth + 1)}" if rest and depth < _DEEPEST else message


def _filled(text: str, values: Mapping[str, str]) -> str:
    fixed, names = split(text)
    parts = [part for each, name in zip(fixed, names, strict=False) for part in (each, values.get(name, ""))]
    return "".join((*parts, fixed[-1]))


def _value(value: str, name: str, template: str, language: str, depth: int) -> str:
    """What stands in a message: numbers are written anew and sayings told; what is quoted from a file is neither."""
    if any(f"{quote}{{{name}}}" in template for quote in _QUOTES):
        return value
    if _GROUPED.fullmatch(value):
        return str(number_format(int(value.replace(",", "")), use_l10n=True, force_grouping=True))
    return _told(value, language, depth + 1) if depth < _DEEPEST and any(map(str.isalpha, value)) else value


def _whole(value: str) -> int | None:
    return int(value.replace(",", "")) if _GROUPED.fullmatch(value) or (value.isascii() and value.isdigit()) else None


@functools.lru_cache(maxsize=32)
def _patterns(language: str) -> Patterns:
    """The messages of a language's catalogue whose parts vary."""
    catalogue: Any = trans_real.translation(language)
    keys = {each[0] if isinstance(each, tuple) else each for each in catalogue._catalog.keys()}  # noqa: SIM118
    return Patterns(sorted(each for each in keys if "{" in each and "\x04" not in each))
