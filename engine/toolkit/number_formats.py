"""Format a cell's value as a spreadsheet displays it (ECMA-376, part 1, 18.8.31).

Names of months and days are English, the decimal separator is a point, and formats that depend on the system's locale
become ISO 8601. Leading and trailing white space, which only aligns, is removed.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from engine.toolkit import format_dates, format_digits

GENERAL = "General"
_TOKEN = re.compile(
    r'(?P<quoted>"[^"]*"?)|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|(?P<elapsed>\[(?:h+|m+|s+)\])'
    r"|\[\$(?P<currency>[^\]-]*+)[^\]]*+\]|\[(?P<condition>(?:<=|>=|<>|<|>|=)\s*-?[\d.]+)\]|(?P<colour>\[[^\]]*+\])"
    r"|(?P<half>AM/PM|A/P)|(?P<general>General)|(?P<exponent>E[+-])|(?P<date>y+|m+|d+|h+|s+|e+)"
    r"|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<slash>/)|(?P<text>@)|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r'((?:"[^"]*"?|\\.|\[[^\[\]]*+\]|[_*].|[^;])*)(?:;|$)', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[\d.]+)")
_EPOCH = datetime(1899, 12, 30)
_MARCH_1900 = date(1900, 3, 1)
"""The serial from which spreadsheets are a day ahead: they count 29 February 1900 (format_dates)."""
_DAY = timedelta(days=1)

Token = tuple[str, str]
Value = Any
"""None, bool, int, float, str, Decimal, a date or time."""


@dataclass(frozen=True)
class Section:
    """One of up to four sections of a format: its condition, if any, and its tokens as kind and text."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None

    @functools.cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.tokens)

    def meets(self, value: float) -> bool:
        if self.condition is None:
            return False
        sign, limit = self.condition
        return {
            "<": value < limit, ">": value > limit, "=": value == limit,
            "<=": value <= limit, ">=": value >= limit, "<>": value != limit,
        }[sign]  # fmt: skip


@functools.lru_cache(maxsize=1024)
def sections(code: str) -> tuple[Section, ...]:
    """The sections of a format code."""
    found: list[Section] = []
    for match in _SECTION.finditer(code):
        if match.end() == match.start() and found:
            break
        condition = None
        tokens: list[Token] = []
        for token in _TOKEN.finditer(match[1]):
            kind = token.lastgroup or "literal"
            text = token[kind]
            if kind == "condition" and (parts := _CONDITION.fullmatch(text)):
                condition = (parts[1], float(parts[2]))
            elif kind in ("quoted", "escaped", "currency", "space"):
                tokens.append(("literal", " " if kind == "space" else text.strip('"') if kind == "quoted" else text))
            elif kind not in ("colour", "fill", "condition"):
                tokens.append((kind, text))
        found.append(Section(tuple(tokens), condition))
        if len(found) == 4:
            break
    return tuple(found) or (Section((("general", GENERAL),)),)


@functools.lru_cache(maxsize=1024)
def is_formatted(code: str) -> bool:
    """Return whether the format adds to the value: a percent or currency sign, a unit, leading zeros.

    Dates and times count as values; separators and decimals add nothing.
    """
    for section in sections(code)[:1]:
        kinds = section.kinds
        if kinds & {"date", "elapsed", "half", "general", "text"}:
            continue
        zeros = re.match(
            r"[#,?]*(0*)", "".join(text for kind, text in section.tokens if kind in ("digit", "comma", "point"))
        )
        words = "".join(text for kind, text in section.tokens if kind == "literal").strip(" ()-+.,")
        fraction = "slash" in kinds and "digit" in kinds
        if words or fraction or "percent" in kinds or (zeros and len(zeros[1]) > 1 and "exponent" not in kinds):
            return True
    return False


@functools.lru_cache(maxsize=1024)
def is_timed(code: str) -> bool:
    """Return whether the format shows a time of day."""
    return any(kind == "half" or (kind == "date" and text[0] in "hHsS") for kind, text in sections(code)[0].tokens)


@functools.lru_cache(maxsize=1024)
def shows(code: str) -> frozenset[str]:
    """Return what the format makes of a number: `date`, `time`, both, `span` for elapsed time, or nothing."""
    tokens = sections(code)[0].tokens
    if any(kind == "elapsed" for kind, _ in tokens):
        return frozenset(("span",))
    dated = any(
        kind == "date" and (text[0] in "yYdDeE" or (text[0] in "mM" and not format_dates.is_minutes(at, tokens)))
        for at, (kind, text) in enumerate(tokens)
    )
    return frozenset(("date",) * dated + ("time",) * is_timed(code))


def shown(value: Value, code: str) -> str:
    """The displayed text of a cell with this value and number format."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return _text(value, sections(code))
    number = serial(value)
    return _number(number, sections(code)).strip()


def serial(value: Value) -> float:
    """A number, or a timestamp as days since the end of 1899."""
    if isinstance(value, datetime):
        return (value - _EPOCH) / _DAY - (value.date() < _MARCH_1900)
    if isinstance(value, date):
        return float((datetime(value.year, value.month, value.day) - _EPOCH).days - (value < _MARCH_1900))
    if isinstance(value, time):
        return (timedelta(0, value.second, value.microsecond, 0, value.minute, value.hour)) / _DAY
    if isinstance(value, timedelta):
        return value / _DAY
    return float(value)


def _text(value: str, parts: tuple[Section, ...]) -> str:
    section = parts[3] if len(parts) > 3 else parts[-1]
    if "text" not in section.kinds:
        return value
    return "".join(value if kind == "text" else text for kind, text in section.tokens if kind in ("text", "literal"))


def _number(value: float, parts: tuple[Section, ...]) -> str:
    numeric = [each for each in parts[:3] if "text" not in each.kinds] or [Section((("general", GENERAL),))]
    section = next((each for each in numeric if each.meets(value)), None)
    negative = value < 0
    if section is None:
        free = [each for each in numeric if each.condition is None]
        if len(numeric) == 1 or not free:
            section = numeric[0]
        elif free[0] is not numeric[0] or len(free) < len(numeric):
            section = free[-1]
        elif negative:
            section, negative = numeric[1], False
        else:
            section = numeric[2] if value == 0 and len(numeric) > 2 else numeric[0]
    if not section.tokens:
        return "" if len(parts) > 1 else format_digits.general(value)
    kinds = section.kinds
    if kinds & {"date", "elapsed", "half"}:
        return format_digits.general(value) if value < 0 else format_dates.shown(value, section.tokens)
    if "general" in kinds:
        text = "".join(
            format_digits.general(abs(value)) if kind == "general" else text for kind, text in section.tokens
        )
    elif "digit" not in kinds:
        text = "".join(text for _, text in section.tokens)
    elif "slash" in kinds:
        text = format_digits.fraction(abs(value), section.tokens)
    elif "exponent" in kinds:
        text = format_digits.exponent(abs(value), section.tokens)
    else:
        text = format_digits.decimal(format_digits.exact(abs(value)), section.tokens)
    zero = negative and not re.search("[1-9]", text) and "digit" in kinds
    return f"-{text}" if negative and not zero else text
