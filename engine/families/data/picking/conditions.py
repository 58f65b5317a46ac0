"""Parse the condition language of `where` and compile it to a filter of row batches.

condition = all ("or" all)*
all = single ("and" single)*
single = "not" single | "(" condition ")" | test
test = value ("=" | "!=" | "<" | "<=" | ">" | ">=") value
     | value ["not"] ("contains" | "startsWith" | "endsWith" | "matches") value
     | value ["not"] "in" "(" value ("," value)* ")"
     | value "is" ["not"] "null"
value = column | text | number | date | moment | "true" | "false"

Conditions are never executed as code: they are parsed here, to a bounded depth, and only compare.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.families.data.picking import evaluation
from engine.families.data.picking.evaluation import Column
from engine.families.data.picking.tokens import Token, fault, split
from engine.toolkit.messages import say

MAX_DEPTH = 40
_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_SEARCHES = ("contains", "startswith", "endswith", "matches")
_RESERVED = {"and", "or", "not", "in", "is", "null", *_SEARCHES}


Find = Callable[[str], Column]
Bind = Callable[[Find, Any], Any]
"""Makes a test of a condition with the functions of a module such as `evaluation`."""


@dataclass(frozen=True)
class Condition:
    """A parsed condition."""

    parsed: Bind
    columns: dict[str, int] = field(default_factory=dict)
    """The names of the columns used, each with the position of its first character, from 1."""

    def bind(self, find: Find, tests: Any = evaluation) -> Any:
        """Return the test of rows, given a function that finds a column by name, and a module of single tests."""
        return self.parsed(find, tests)


def parse(text: str) -> Condition:
    """Parse a condition. Raises InvalidOption with the position of a syntax error."""
    parser = _Parser(split(text))
    bind = parser.condition(0)
    parser.expect_end()
    return Condition(bind, parser.columns)


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.columns: dict[str, int] = {}

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def word(self, *words: str) -> str | None:
        """Consume the next token if it is one of these words or signs. Returns it in lower case, else None."""
        token = self.next
        if token.kind in ("word", "sign") and token.text.lower() in words:
            self.at += 1
            return token.text.lower()
        return None

    def expect(self, sign: str) -> None:
        if not self.word(sign):
            raise fault(self.next.at, say("expected “{sign}” instead of {next}.", sign=sign, next=_shown(self.next)))

    def expect_end(self) -> None:
        if self.next.kind != "end":
            raise fault(self.next.at, say("expected “and”, “or” or the end instead of {next}.", next=_shown(self.next)))

    def condition(self, depth: int) -> Bind:
        parts = [self.all(depth)]
        while self.word("or"):
            parts.append(self.all(depth))
        return parts[0] if len(parts) == 1 else lambda find, by: by.any_of([part(find, by) for part in parts])

    def all(self, depth: int) -> Bind:
        parts = [self.single(depth)]
        while self.word("and"):
            parts.append(self.single(depth))
        return parts[0] if len(parts) == 1 else lambda find, by: by.all_of([part(find, by) for part in parts])

    def single(self, depth: int) -> Bind:
        if depth > MAX_DEPTH:
            raise fault(self.next.at, say("conditions are nested more than {max_depth} deep.", max_depth=MAX_DEPTH))
        if self.word("not"):
            inner = self.single(depth + 1)
            return lambda find, by: by.negated(inner(find, by))
        if self.word("("):
            inner = self.condition(depth + 1)
            self.expect(")")
            return inner
        return self.test()

    def test(self) -> Bind:
        start = self.next
        left = self.value()
        if sign := self.word(*_COMPARISONS):
            return self.comparison(start, left, sign, self.value())
        if self.word("is"):
            positive = not self.word("not")
            if not self.word("null"):
                raise fault(self.next.at, say("expected “null” after “is” instead of {next}.", next=_shown(self.next)))
            column = self.column(start, left)
            return lambda find, by: by.is_null(find(column), positive=positive)
        positive = not self.word("not")
        if self.word("in"):
            bind = self.choice(start, left)
        elif search := self.word(*_SEARCHES):
            bind = self.search(self.column(start, left), search)
        else:
            raise fault(
                self.next.at,
                say(
                    "expected a comparison (=, !=, <, <=, >, >=, in, contains, startsWith, endsWith, "
                    "matches, is null) after {start} instead of {next}.",
                    start=_shown(start),
                    next=_shown(self.next),
                ),
            )
        return bind if positive else lambda find, by: by.negated(bind(find, by))

    def comparison(self, start: Token, left: Token, sign: str, right: Token) -> Bind:
        if left.kind == "literal" and right.kind == "literal":
            raise fault(
                start.at, say("one side of a comparison must be a column name. Put text in quotes, but not names.")
            )
        if left.kind == "literal":
            left, right = right, left
            sign = sign.translate({ord("<"): ">", ord(">"): "<"})
        name, value, other = left.text, right.value, right.text
        if right.kind == "literal":
            return lambda find, by: by.compared(find(name), sign, value, other)
        return lambda find, by: by.compared_columns(find(name), sign, find(other))

    def choice(self, start: Token, left: Token) -> Bind:
        column = self.column(start, left)
        self.expect("(")
        values = []
        while True:
            token = self.value()
            if token.kind != "literal":
                raise fault(
                    token.at, say("lists contain text, numbers and dates; put {token} in quotes.", token=_shown(token))
                )
            values.append(token.value)
            if not self.word(","):
                break
        self.expect(")")
        return lambda find, by: by.one_of(find(column), values)

    def search(self, column: str, search: str) -> Bind:
        token = self.value()
        if token.kind != "literal" or not isinstance(token.value, str):
            raise fault(token.at, say("expected text in quotes instead of {token}.", token=_shown(token)))
        wanted = token.value
        if search == "matches":
            pattern = evaluation.pattern(wanted, token.at)
            return lambda find, by: by.matches(find(column), pattern)
        return lambda find, by: by.searched(find(column), search, wanted)

    def column(self, start: Token, value: Token) -> str:
        if value.kind == "literal":
            raise fault(start.at, say("expected a column name instead of {value}.", value=_shown(value)))
        return value.text

    def value(self) -> Token:
        token = self.next
        if token.kind not in ("literal", "name", "word") or (token.kind == "word" and token.text.lower() in _RESERVED):
            advice = say(" Write “is null”.") if token.text.lower() == "null" else ""
            raise fault(
                token.at,
                say("expected a column or a value instead of {token}.{advice}", token=_shown(token), advice=advice),
            )
        self.at += 1
        if token.kind != "literal":
            self.columns.setdefault(token.text, token.at)
        return token


def _shown(token: Token) -> str:
    return token.text if token.kind == "end" else f"“{token.text[:60]}”"
