"""Parse JSON values at positions of a text, preserving all digits of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NoReturn

from engine.families.data.values import Value, integer, number, plain, spelled_integer
from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.json_values import Fault, scanner
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Scanner:
    """Reads values at positions of a text; `line` is the file line of the text's first line."""

    integer: Callable[[str], Value] = staticmethod(integer)

    def __init__(self, text: str, warn: Warn, line: int = 1) -> None:
        self.text = text
        self.warn = warn
        self.line = line
        self.surrogates = bool(_SURROGATE.search(text))
        self.scan = scanner(object_pairs_hook=self._object, parse_float=number, parse_int=self.integer)

    def skip(self, index: int) -> int:
        match = _SPACE.match(self.text, index)
        assert match is not None
        return match.end()

    def value(self, index: int) -> tuple[Value, int]:
        try:
            value, end = self.scan(self.text, index)
        except Fault as fault:
            self.fail(fault.message, fault.position)
        if self.surrogates:
            value = self._without_surrogates(value)
        return value, end

    def only_value(self) -> Value:
        """The value of a text that is one line."""
        value, end = self.value(self.skip(0))
        if self.skip(end) != len(self.text):
            self.fail(say("More text follows the value of this line"), self.skip(end))
        return value

    def items(self, start: int) -> Iterator[Value]:
        """The items of the list at `start`, with only white space after it."""
        text, skip = self.text, self.skip
        index = skip(start + 1)
        closed = text[index : index + 1] == "]"
        while not closed:
            value, index = self.value(index)
            yield value
            index = skip(index)
            mark = text[index : index + 1]
            closed = mark == "]"
            if not closed:
                if mark != ",":
                    self.fail(say("Expected a comma or the end of the list"), index)
                index = skip(index + 1)
        index = skip(index + 1)
        if index != len(text):
            self.fail(say("More text follows the end of the document"), index)

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of an item of the list, or of consecutive values, at the beginning of the text."""
        start = self.skip(0)
        comma = self.text[start : start + 1] == "["
        start = self.skip(start + comma)
        for _ in range(index):
            start = self.skip(self.skip(self.scan(self.text, start)[1]) + comma)
        return encodings.place(self.text, start)

    def values(self) -> Iterator[Value]:
        """Consecutive values separated by white space."""
        index = self.skip(0)
        while index < len(self.text):
            value, index = self.value(index)
            yield value
            index = self.skip(index)

    def fail(self, reason: str, index: int) -> NoReturn:
        line, column = encodings.place(self.text, index)
        line += self.line - 1
        raise Unreadable(
            say(
                "The JSON can't be read at line {line}, column {column}: {reason}.",
                line=line,
                column=column,
                reason=reason,
            ),
            line=line,
            column=column,
            reason="damaged",
        )

    def _object(self, pairs: list[tuple[str, Value]]) -> dict[str, Value]:
        value = dict(pairs)
        if len(value) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.warn(
                        "DUPLICATE_KEY",
                        say("The key “{key}” occurs more than once in one object; the last value was kept.", key=key),
                    )
                seen.add(key)
        return value

    def _without_surrogates(self, value: Value) -> Value:
        if type(value) is str:
            cleaned = plain(value)
            if cleaned != value:
                self.warn("ENCODING_REPLACED", "Unpaired surrogates are not characters and became U+FFFD.")
            return cleaned
        if type(value) is list:
            return [self._without_surrogates(each) for each in value]
        if type(value) is dict:
            return {self._without_surrogates(key): self._without_surrogates(each) for key, each in value.items()}
        return value


class SpelledScanner(Scanner):
    """Keeps the sign of the integer minus zero, which numbers don't have."""

    integer = staticmethod(spelled_integer)
