"""Messages for people: a template with named values, put into words only where they are shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

MAX_TEMPLATE = 1000
MAX_VALUES = 20
MAX_DEPTH = 4
_MOST = 1e15
"""Numbers below this are formatted; a reader checks them, as the process that sends them is not trusted."""
_PLACE = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_TEMPLATE_OF_TEXT = str.maketrans({"{": "{{", "}": "}}"})

Value: TypeAlias = "str | int | float"
"""Numbers are formatted for the reader's language, Messages are translated, other texts are inserted unchanged."""


class Message(str):
    """An English sentence that keeps the template and values it was made from.

    It is a `str`, so that logs, commands and comparisons can use it as it is. Placeholders are `{name}`; literal braces
    are doubled.
    """

    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, values: Mapping[str, object]) -> Message:
        plain = {name: _plain(each) for name, each in values.items()}
        self = super().__new__(cls, filled(template, {name: english(each) for name, each in plain.items()}))
        self.template, self.values = template, plain
        return self

    def __getnewargs__(self) -> tuple[str, Mapping[str, Value]]:  # type: ignore[override]
        return self.template, self.values

    def cut(self, longest: int) -> Message:
        """The message in at most this many characters: its values may quote names of any length from a file."""
        if len(self) <= longest:
            return self
        lengths = sorted(len(each) for each in self.values.values() if isinstance(each, str))
        room, share = longest - (len(self) - sum(lengths)), 0
        for at, length in enumerate(lengths):  # what short ones leave is for the long ones
            share = max(room, 0) // (len(lengths) - at)
            room -= min(length, share)
        shorter = Message(self.template, {name: _cut(each, share) for name, each in self.values.items()})
        return shorter if len(shorter) <= longest else message_of(shortened(self, longest))

    def packed(self) -> list[Any]:
        """The message as JSON: its template and values; the inverse of `unpacked`."""
        values = {name: each.packed() if isinstance(each, Message) else each for name, each in self.values.items()}
        return [self.template, values]


def say(template: str, /, **values: object) -> Message:
    """Make a message: `say("The file has {count} pages.", count=3)`; raises KeyError if a value is missing.

    A value that is neither a number nor a message is inserted as `str` formats it, in every language.
    """
    return Message(template, values)


def message_of(text: str) -> Message:
    """The text as a message; a plain text becomes a template without values."""
    return text if isinstance(text, Message) else Message(text.translate(_TEMPLATE_OF_TEXT), {})


def unpacked(given: object, *, longest: int, depth: int = MAX_DEPTH) -> Message:
    """Read what `packed` wrote, in at most `longest` characters; raises ValueError for anything else."""
    if not isinstance(given, list) or len(given) != 2 or not depth:
        raise ValueError("not a message")
    template, values = given
    if not isinstance(template, str) or len(template) > MAX_TEMPLATE or not isinstance(values, dict):
        raise ValueError("not a message")
    if len(values) > MAX_VALUES or not {match[1] for match in _PLACE.finditer(template)} - {None} <= set(values):
        raise ValueError("a message whose values are not those of its template")
    found = Message(template, {name: _value(each, longest, depth) for name, each in values.items()})
    if len(found) > longest:
        raise ValueError("a message that is too long")
    return found


def filled(template: str, values: Mapping[str, str]) -> str:
    """Fill in a template, supporting nothing else of `str.format`: templates may come from untrusted processes."""

    def put(match: re.Match[str]) -> str:
        return match[0][0] if match[1] is None else values[match[1]]

    return _PLACE.sub(put, template)


def english(value: Value, number: Callable[[int], str] = "{:,}".format) -> str:
    """A value in English formatting: 12,345."""
    return number(value) if isinstance(value, int) else str(value)


def _plain(given: object) -> Value:
    """A value that a message can hold: an exception stands for the message it was raised with, and a number out of
    bounds, such as a file may claim, is a text."""
    if isinstance(given, BaseException) and given.args and isinstance(given.args[0], Message):
        return given.args[0]
    if isinstance(given, Message):
        return given
    if (type(given) is int or type(given) is float) and abs(given) < _MOST:
        return given
    return str(given)


def _value(given: object, longest: int, depth: int) -> Value:
    if isinstance(given, list):
        return unpacked(given, longest=longest, depth=depth - 1)
    if isinstance(given, str) and len(given) <= longest:
        return given
    if isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < _MOST:
        return given
    raise ValueError("not a value of a message")


def shortened(text: str, longest: int) -> str:
    """The text, cut off at its end if it is too long."""
    return text if len(text) <= longest else text[: max(longest - 1, 0)] + "…"


def _cut(value: Value, longest: int) -> Value:
    if isinstance(value, Message):
        return value.cut(longest)
    return shortened(value, longest) if isinstance(value, str) else value
