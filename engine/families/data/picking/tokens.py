"""Tokenise conditions: keywords, names, texts, numbers and timestamps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from engine.families.data import values
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say

Kind = Literal["name", "word", "literal", "sign", "end"]

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<text>"(?:[^"]|"")*"|'(?:[^']|'')*')
    | (?P<name>\[(?:[^\]]|\]\])+\])
    | (?P<moment>\d{4}-\d\d-\d\d(?:[T\ ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?)?)(?![\w.:-])
    | (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.:-])
    | (?P<word>(?:[^\W\d]|[@\#$])[\w.:@\#$-]*)
    | (?P<sign><=|>=|!=|<>|==|[=<>(),])
    )""",
    re.VERBOSE,
)
_FEW_DIGITS = 15
"""As many as every double keeps."""


@dataclass(frozen=True)
class Figure:
    """A number literal: its value as int or float for fast comparison, and with all its digits."""

    plain: int | float
    exact: Decimal
    long: bool
    """Whether a double would lose some of its digits."""


Literal_ = Figure | str | bool | date | datetime


@dataclass(frozen=True)
class Token:
    """One token of a condition; `at` is the position of its first character, from 1.

    `text` is the name of a column, a word in lower case, a sign, or, for messages, the source of a literal.
    """

    kind: Kind
    text: str
    at: int
    value: Literal_ = ""


def split(condition: str) -> list[Token]:
    """Split a condition into tokens, with an `end` token last.

    Raises InvalidOption with the position of an invalid one.
    """
    tokens = []
    at = 0
    end = len(condition.rstrip())
    while at < end:
        match = _TOKEN.match(condition, at)
        if match is None:
            at += len(condition[at:]) - len(condition[at:].lstrip())
            raise fault(at + 1, _what_is_wrong(condition[at]))
        tokens.append(_token(match))
        at = match.end()
    return [*tokens, Token("end", "the end", end + 1)]


def fault(at: int, reason: str) -> InvalidOption:
    """Return the error at a position of the condition."""
    return InvalidOption("where", say("At character {at}: {reason}", at=at, reason=reason))


def _token(match: re.Match[str]) -> Token:
    kind = match.lastgroup
    assert kind is not None
    text, at = match[kind], match.start(kind) + 1
    if kind == "text":
        return Token("literal", text, at, text[1:-1].replace(text[0] * 2, text[0]))
    if kind == "name":
        return Token("name", text[1:-1].replace("]]", "]"), at)
    if kind == "moment":
        return Token("literal", text, at, _moment(text, at))
    if kind == "number":
        return Token("literal", text, at, figure(text))
    if kind == "sign":
        return Token("sign", {"==": "=", "<>": "!="}.get(text, text), at)
    if text.lower() in ("true", "false"):
        return Token("literal", text, at, text.lower() == "true")
    return Token("word", text, at)


def figure(text: str) -> Figure:
    """Parse a number literal."""
    exact = values.exact(text)
    if not exact.is_finite():  # infinite or zero, to all that it can be compared with
        exact = Decimal(float(text))
    plain: int | float = int(text) if text.lstrip("+-").isdecimal() and len(text) < 4000 else float(text)
    return Figure(plain, exact, isinstance(plain, float) and len(exact.as_tuple().digits) > _FEW_DIGITS)


def _moment(text: str, at: int) -> date | datetime:
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        raise fault(at, say("“{text}” is not a date.", text=text)) from None


def _what_is_wrong(character: str) -> str:
    if character in "\"'":
        return say("the quote {character} is never closed. Write a quote inside a text twice.", character=character)
    if character == "[":
        return say("the bracket [ is never closed. Write column names in [ and ].")
    if character in "“”„‘’«»":
        return say("put text in straight quotes (\"…\" or '…'), not in {character}.", character=character)
    return say(
        "“{character}” has no meaning here. Put text in quotes, and column names in [ ] unless "
        "they contain only letters, digits, dots and hyphens.",
        character=character,
    )
