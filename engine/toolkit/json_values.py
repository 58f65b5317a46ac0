"""Read JSON values with the standard library, whose faults are the same with every version of Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate
from json.decoder import JSONDecodeError, JSONDecoder
from typing import Any, NoReturn

from engine.toolkit.messages import Message, message_of, say

MAX_DEPTH = 512
"""Maximum nesting of arrays and objects; every reader and writer is tested with twice this depth."""

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
"""A string, or an unterminated one to the end: searching it for another beginning would take quadratic time."""
_SPACE = " \t\r\n"
_CONSTANT = re.compile(rf"{_STRING}|(-?Infinity|NaN)", re.DOTALL)
_BRACKETS = re.compile(rf"{_STRING}|([\[{{])|([\]}}])", re.DOTALL)
_STRINGS = re.compile(_STRING.encode(), re.DOTALL)
_NO_BRACKETS = bytes(sorted({*range(256)} - {*b"[]{}"}))
_STEPS = [(each in b"[{") - (each in b"]}") for each in range(256)]

# A fault that is due to the text being cut off is close to its end: `\uD83D\uDE0` or `-Infinit` may be cut off.
_LONGEST_TOKEN = 16

_MISSING = {"Expecting value": "]", "Expecting property name enclosed in double quotes": "}"}
"""The bracket that may close the array or object in which something is missing."""
_EXPECTED = {
    "]": say("Expected a value here"),
    "}": say("Expected a key in double quotes here"),
}
_MESSAGES = {
    "Expecting ',' delimiter": say("Expected a comma or the end of the array or object here"),
    "Expecting ':' delimiter": say("Expected a colon here"),
    "Unterminated string starting at": say("A text that starts here is never closed"),
    "Invalid control character at": say("Control characters in text must be escaped"),
}
_TRAILING = {
    "}": say("A comma before the end of an object is not allowed"),
    "]": say("A comma before the end of an array is not allowed"),
}


class Fault(Exception):
    """Text that is not JSON; `position` is the offset, `endless` means that a string is not terminated."""

    def __init__(self, message: str, position: int, *, endless: bool = False) -> None:
        super().__init__(message)
        self.message: Message = message_of(message)
        self.position = position
        self.endless = endless

    def may_be_cut_off(self, length: int) -> bool:
        """Return whether more text after the first `length` characters could complete it."""
        return self.endless or self.position >= length - _LONGEST_TOKEN


class _Constant(Exception):
    """The text contains NaN, Infinity or -Infinity."""


def _refuse(name: str) -> NoReturn:
    raise _Constant(name)


def scanner(**hooks: Any) -> Callable[[str, int], tuple[Any, int]]:
    """Return a function that parses the value at a position; it returns value and end, or raises the first Fault.

    `hooks` are those of JSONDecoder; without `parse_constant`, NaN and Infinity are a Fault. Nesting beyond MAX_DEPTH
    is a Fault, too, whatever the limit of the Python version.
    """
    scan: Callable[[str, int], tuple[Any, int]] = JSONDecoder(  # type: ignore[attr-defined]  # undocumented, but stable
        **{"parse_constant": _refuse, **hooks}
    ).scan_once

    def read(text: str, position: int) -> tuple[Any, int]:
        fault = None
        try:
            value, end = scan(text, position)
        except StopIteration as stop:
            fault = _missing(text, stop.value, "]")
        except JSONDecodeError as error:
            fault = _named(error)
        except _Constant as error:
            at = next(match.start() for match in _CONSTANT.finditer(text, position) if match[1])
            fault = Fault(say("{error} is not a JSON number", error=str(error)), at)
        except RecursionError:
            _refuse_deep(text, position, len(text))
            raise
        if fault is None and not is_deep(text, position, end):
            return value, end
        _refuse_deep(text, position, fault.position if fault else end)
        assert fault is not None
        raise fault from None

    return read


def document(text: str, **hooks: Any) -> Any:
    """Parse a text as a single value, as by `scanner`. Raises Fault."""
    value, end = scanner(**hooks)(text, len(text) - len(text.lstrip(_SPACE)))
    rest = text[end:].lstrip(_SPACE)
    if rest:
        raise Fault(say("More text follows the end of the document"), len(text) - len(rest))
    return value


def is_deep(text: str, start: int, end: int) -> bool:
    """Return whether valid JSON is nested more than MAX_DEPTH deep between two positions."""
    if text.count("[", start, end) + text.count("{", start, end) <= MAX_DEPTH:
        return False
    return is_deep_text(text[start:end].encode("utf-8", "replace"))


def is_deep_text(text: bytes) -> bool:
    """As `is_deep`, for concatenated values in an ASCII-compatible encoding."""
    if text.count(b"[") + text.count(b"{") <= MAX_DEPTH:
        return False
    marks = _STRINGS.sub(b"", text).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, marks)), default=0) > MAX_DEPTH


def _refuse_deep(text: str, start: int, end: int) -> None:
    """Raise the fault of the first list or object that is too deep."""
    depth = 0
    for match in _BRACKETS.finditer(text, start, end):
        depth += (match[1] is not None) - (match[2] is not None)
        if depth > MAX_DEPTH:
            raise Fault(
                say("Lists and objects are nested more than {max_depth} deep; flatten the data", max_depth=MAX_DEPTH),
                match.start(),
            )


def _named(error: JSONDecodeError) -> Fault:
    """Convert an error of the json module to a Fault with a message of this project.

    Python 3.13 reports a trailing comma at the comma; earlier versions report a missing value or key after it.
    """
    at, text = error.pos, error.doc
    if error.msg.startswith("Illegal trailing comma"):
        at = len(text) - len(text[at + 1 :].lstrip(_SPACE))
        return _missing(text, at, text[at])
    if error.msg in _MISSING:
        return _missing(text, at, _MISSING[error.msg])
    message = _MESSAGES.get(error.msg, say("An escape in a text is invalid"))
    return Fault(message, at, endless=error.msg.startswith("Unterminated"))


def _missing(text: str, at: int, end: str) -> Fault:
    """Return the Fault for a missing value or key before the bracket `end`."""
    trailing = text[at : at + 1] == end and text[:at].rstrip(_SPACE).endswith(",")
    return Fault(_TRAILING[end] if trailing else _EXPECTED[end], at)
