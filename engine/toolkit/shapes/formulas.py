"""The values of the formulas of OpenDocument shapes (ISO/IEC 26300, part 3, 19.171)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.toolkit.shapes.guides import MOST, Faulty

_DEEPEST = 100
"""Nested brackets, and formulas that name another one."""
_MOST_TOKENS = 100_000
"""Parts of all formulas of a shape."""
_TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d{1,3})?|\.\d+)|(\$\d{1,4}|\?[^\s()+\-*/,]+|[A-Za-z]\w*)|([()+\-*/,]))"
)
_FUNCTIONS: dict[str, tuple[int, Callable[..., float]]] = {
    "abs": (1, abs),
    "sqrt": (1, lambda x: math.sqrt(max(x, 0.0))),
    "sin": (1, math.sin),
    "cos": (1, math.cos),
    "tan": (1, math.tan),
    "atan": (1, math.atan),
    "atan2": (2, math.atan2),
    "min": (2, min),
    "max": (2, max),
    "if": (3, lambda x, y, z: y if x > 0 else z),
}


@dataclass
class Formulas:
    """The formulas of a shape by name, its modifiers, and the words that have a value, such as `width`."""

    texts: Mapping[str, str]
    modifiers: Sequence[float]
    words: Mapping[str, float]
    _values: dict[str, float] = field(default_factory=dict)
    _open: set[str] = field(default_factory=set)
    _tokens: int = 0

    def __post_init__(self) -> None:
        if len(self.texts) > MOST:
            raise Faulty

    def value(self, text: str) -> float:
        """The value of a number, a modifier (`$0`), a formula (`?name`) or a word. Raises Faulty."""
        if text.startswith("$"):
            at = int(text[1:]) if text[1:].isdecimal() else len(self.modifiers)
            return self.modifiers[at] if at < len(self.modifiers) else 0.0
        if text.startswith("?"):
            return self._named(text[1:])
        if text in self.words:
            return self.words[text]
        try:
            return _finite(float(text))
        except ValueError:
            raise Faulty from None

    def _named(self, name: str) -> float:
        if name not in self._values:
            if name in self._open or name not in self.texts or len(self._open) > _DEEPEST:
                raise Faulty
            self._open.add(name)
            self._values[name] = self._calculated(self.texts[name])
            self._open.discard(name)
        return self._values[name]

    def _calculated(self, text: str) -> float:
        tokens, at = [], 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            self._tokens += 1
            if match is None or self._tokens > _MOST_TOKENS:
                raise Faulty
            tokens.append(match[0].strip())
            at = match.end()
        reader = _Reader(tokens, self.value)
        found = reader.sum(0)
        if reader.at != len(tokens):
            raise Faulty
        return found


class _Reader:
    """Evaluates the parts of one formula from left to right."""

    def __init__(self, tokens: list[str], value: Callable[[str], float]) -> None:
        self._tokens, self._value = tokens, value
        self.at = 0

    def _next(self) -> str:
        return self._tokens[self.at] if self.at < len(self._tokens) else ""

    def _take(self) -> str:
        found = self._next()
        self.at += 1
        return found

    def sum(self, depth: int) -> float:
        if depth > _DEEPEST:
            raise Faulty
        found = self._product(depth)
        while self._next() in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            found += sign * self._product(depth)
        return _finite(found)

    def _product(self, depth: int) -> float:
        found = self._single(depth)
        while self._next() in ("*", "/"):
            multiplied = self._take() == "*"
            other = self._single(depth)
            found = found * other if multiplied else found / other if other else 0.0
        return _finite(found)

    def _single(self, depth: int) -> float:
        sign = 1
        while self._next() in ("+", "-"):
            sign *= -1 if self._take() == "-" else 1
        part = self._take()
        if part == "(":
            found = self.sum(depth + 1)
            self._close()
        elif part in _FUNCTIONS and self._next() == "(":
            self._take()
            count, function = _FUNCTIONS[part]
            given = [self.sum(depth + 1)]
            while self._next() == ",":
                self._take()
                given.append(self.sum(depth + 1))
            self._close()
            if len(given) != count:
                raise Faulty
            found = _finite(function(*given))
        else:
            found = self._value(part)
        return sign * found

    def _close(self) -> None:
        if self._take() != ")":
            raise Faulty


def _finite(number: float) -> float:
    return number if math.isfinite(number) else 0.0
