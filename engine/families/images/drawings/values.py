"""Convert CSS values to SVG 1.1: custom properties resolved, new colour syntax lowered."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

import lightningcss
import tinycss2

MAX_VALUE = 20_000
"""The maximum length of a value with custom properties substituted."""

_MAX_DEPTH = 20
_TARGETS = ["chrome 99"]  # supports neither nesting nor the colours of CSS Color 4
_FLAGS = lightningcss.calc_parser_flags(nesting=True, custom_media=True)
_NEW = re.compile(
    r"(?:oklch|oklab|lab|lch|color|color-mix|hwb|rgba?|hsla?|light-dark)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d{1,3})?")
_ENDLESS = re.compile(r"(\d{400})\d++")
"""More digits than a float has before its point, or shows behind it."""
WIDE = re.compile(r"\b(?:lab|lch|color)\(")
"""Wide-gamut colour functions: a lowered style sheet repeats such declarations after their sRGB form."""


class Unknown(Exception):
    """A custom property that is missing, cyclic or too long."""


def lowered(sheet: str) -> str:
    """A style sheet with nested rules flattened and new colours converted to sRGB, as far as it can be parsed."""
    try:
        return _lowered(sheet)
    except Exception:  # a parser error in one rule does not affect the others
        rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
        return "".join(_alone(each) for each in rules if each.type != "error")


def _alone(rule: Any) -> str:
    text = str(rule.serialize())
    try:
        return _lowered(text)
    except Exception:  # kept as written
        return text


def _lowered(sheet: str) -> str:
    return str(
        lightningcss.process_stylesheet(
            sheet, error_recovery=True, parser_flags=_FLAGS, browsers_list=_TARGETS, minify=True
        )
    )


def declarations(text: str) -> list[tuple[str, str, bool]]:
    """Name, value and importance of each declaration in a `style` attribute or rule."""
    found = []
    for each in tinycss2.parse_declaration_list(_legible(text), skip_comments=True, skip_whitespace=True):
        if each.type == "declaration":
            name = each.name if each.name.startswith("--") else each.lower_name
            found.append((name, str(tinycss2.serialize(each.value)).strip(), bool(each.important)))
    return found


def _legible(text: str) -> str:
    """The text without digits that are beyond what a number can have; the parser raises ValueError for 4,300."""
    return _ENDLESS.sub(r"\1", text)


def numbers(text: str) -> list[float]:
    """All numbers in a value."""
    return list(map(float, _NUMBER.findall(text)))


def plain(value: str) -> str:
    """A value with its colours in syntax older than CSS Color 4."""
    return _NEW.sub(lambda match: _colour(match[0]), value) if "(" in value else value


@functools.lru_cache(maxsize=4096)
def _colour(text: str) -> str:
    """One colour as #rrggbb or rgba(), or unchanged if it can't be computed."""
    try:
        rule = _lowered(f"x{{color:{text}}}")
    except Exception:  # not a colour
        return text
    for name, value, _ in declarations(rule[2:].rstrip("}")):
        if name == "color" and not WIDE.search(value) and "var(" not in value:
            return value
    return text


def resolved(value: str, known: Mapping[str, str]) -> str:
    """`value` with every var() replaced by the custom property or by its fallback. Raises Unknown."""
    return _resolved(value, known, frozenset())


def _resolved(value: str, known: Mapping[str, str], around: frozenset[str]) -> str:
    if "var(" not in value.lower():
        return value
    if len(around) > _MAX_DEPTH:
        raise Unknown
    text = "".join(_token(each, known, around) for each in tinycss2.parse_component_value_list(_legible(value)))
    if len(text) > MAX_VALUE:
        raise Unknown
    return text.strip()


def _token(token: Any, known: Mapping[str, str], around: frozenset[str]) -> str:
    if token.type != "function":
        return str(token.serialize())
    if token.lower_name != "var":
        inner = "".join(_token(each, known, around) for each in token.arguments)
        return f"{token.name}({inner})"
    name, comma, fallback = tinycss2.serialize(token.arguments).partition(",")
    name = name.strip()
    if name in known and name not in around:
        try:
            return _resolved(known[name], known, around | {name})
        except Unknown:
            if not comma:
                raise
    if not comma:
        raise Unknown
    return _resolved(fallback.strip(), known, around)
