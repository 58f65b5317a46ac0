"""JSON syntax (RFC 8259) on byte text: where a value ends, what is wrong with it, its members as they are written."""

from __future__ import annotations

import re
from collections.abc import Callable
from json.decoder import JSONDecodeError, JSONDecoder, scanstring  # type: ignore[attr-defined]  # undocumented, but stable
from typing import NoReturn, Union

MAX_LEVELS = 200
"""How deep objects may lie in each other when they become columns."""

NULL = "null"

Members = dict[str, Union[str, "Members"]]

_SPACE = re.compile(r"[ \t\n\r]*")
_CONSTANT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(-?Infinity|NaN)', re.DOTALL)
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_KEY = re.compile(rf"[ \t\n\r]*({_STRING})[ \t\n\r]*:[ \t\n\r]*", re.DOTALL)
_SIMPLE_VALUE = rf"{_STRING}|[^ \t\n\r,\]}}\[{{\"]+"
_SIMPLE = re.compile(_SIMPLE_VALUE, re.DOTALL)
_MEMBER = re.compile(rf"{_KEY.pattern}({_SIMPLE_VALUE})[ \t\n\r]*([,}}])", re.DOTALL)
_PARTS = re.compile(rf"{_STRING}|[^\" \t\n\r]+", re.DOTALL)
_PARTS_OF_LINES = re.compile(rf"{_STRING}|[^\" \t\r]+", re.DOTALL)

# A fault that is due to the text being cut off is close to its end: `\uD83D\uDE0` or `-Infinit` may be cut off.
_LONGEST_TOKEN = 16


class Fault(Exception):
    """Text that is not JSON; `position` is where, `endless` tells that a string has no end in this text."""

    def __init__(self, message: str, position: int, *, endless: bool = False) -> None:
        super().__init__(message)
        self.position = position
        self.endless = endless

    def may_be_cut_off(self, length: int) -> bool:
        """Whether more text after the first `length` characters could mend it."""
        return self.endless or self.position >= length - _LONGEST_TOKEN


class _Constant(Exception):
    """NaN, Infinity or -Infinity was met."""


def _refuse(name: str) -> NoReturn:
    raise _Constant(name)


# Numbers are only passed over: turning a million digits into an int would take long, or fail.
_scan: Callable[[str, int], tuple[object, int]] = JSONDecoder(  # type: ignore[attr-defined]
    parse_constant=_refuse, parse_float=str, parse_int=str, object_pairs_hook=len
).scan_once

_MESSAGES = {
    "Expecting value": "A value was expected here",
    "Expecting ',' delimiter": "A comma or the end of the array or object was expected here",
    "Expecting ':' delimiter": "A colon was expected here",
    "Expecting property name enclosed in double quotes": "A key in double quotes was expected here",
    "Illegal trailing comma before end of object": "A comma before the end of an object is not allowed",
    "Illegal trailing comma before end of array": "A comma before the end of an array is not allowed",
    "Unterminated string starting at": "A text begins here that has no end",
    "Invalid control character at": "A control character in a text must be written as an escape",
}


def skip_space(text: str, position: int) -> int:
    """The first position from `position` on that is not white space, at most the text's length."""
    return _SPACE.match(text, position).end()  # type: ignore[union-attr]  # it matches the empty text


def skip_value(text: str, position: int) -> int:
    """The end of the valid JSON value that begins at `position`; raises Fault where there is none."""
    try:
        return _scan(text, position)[1]
    except StopIteration as stop:
        raise Fault(_MESSAGES["Expecting value"], stop.value) from None
    except JSONDecodeError as error:
        message = _MESSAGES.get(error.msg, "An escape in a text is not valid" if "escape" in error.msg else error.msg)
        raise Fault(message, error.pos, endless=error.msg.startswith("Unterminated")) from None
    except _Constant as error:
        at = next(match.start() for match in _CONSTANT.finditer(text, position) if match[1])
        raise Fault(f"{error} is not a number in JSON", at) from None
    except RecursionError:
        raise Fault("Arrays or objects lie too deep in each other", position) from None


def compact(token: str) -> str:
    """A JSON value without the white space between its parts; all else is as written."""
    if " " in token or "\n" in token or "\t" in token or "\r" in token:
        return "".join(_PARTS.findall(token))
    return token


def compact_lines(joined: str) -> str:
    """JSON values without the white space between their parts; each has a line, and no line feed in itself."""
    if " " in joined or "\t" in joined or "\r" in joined:
        return "".join(_PARTS_OF_LINES.findall(joined))
    return joined


def real_text(token: str) -> str:
    """The characters that a JSON string in byte text stands for; lone surrogates stay in it."""
    if not token.isascii():
        token = token.encode("latin-1").decode()
    return scanstring(token, 1)[0] if "\\" in token else token[1:-1]


def byte_text(text: str) -> str:
    """Real text as byte text: one character for each byte in UTF-8. Raises UnicodeEncodeError on surrogates."""
    return text if text.isascii() else text.encode().decode("latin-1")


def elements(token: str) -> list[str]:
    """The elements of a valid JSON array, each as it is written."""
    found = []
    position = skip_space(token, 1)
    while token[position] != "]":
        end = _end(token, position)
        found.append(token[position:end])
        position = skip_space(token, end)
        if token[position] == ",":
            position = skip_space(token, position + 1)
    return found


class Reader:
    """Opens valid objects, and arrays where they become columns; notes what can't be seen in the result.

    `spelled` maps a key to how it was last written where that is not its shortest form; `repeated` is called with each
    key that occurs twice in one object.
    """

    def __init__(self, *, flatten: bool, columns: bool, repeated: Callable[[str], None]) -> None:
        self._flatten = flatten
        self._columns = columns
        self._repeated = repeated
        self.spelled: dict[str, str] = {}

    def members(self, text: str, position: int, level: int = 0) -> tuple[Members, int]:
        """The members of the valid object at `position` and its end; nested objects that become columns are opened."""
        members: Members = {}
        position = skip_space(text, position + 1)
        while text[position] != "}":
            simple = _MEMBER.match(text, position)
            match = simple or _KEY.match(text, position)
            assert match is not None
            written = match[1]
            key = real_text(written)
            if "\\" in written:
                self.spelled[key] = written
            if key in members:
                self._repeated(key)
            if simple:
                members[key] = simple[2]
                position = simple.end() - (simple[3] == "}")
                continue
            members[key], position = self._value(text, match.end(), level)
            position = skip_space(text, position)
            if text[position] == ",":
                position += 1
        return members, position + 1

    def items(self, text: str, position: int, level: int = 0) -> tuple[Members, int]:
        """The elements of the valid array at `position`, keyed by their index, and its end."""
        members: Members = {}
        position = skip_space(text, position + 1)
        while text[position] != "]":
            members[str(len(members))], position = self._value(text, position, level)
            position = skip_space(text, position)
            if text[position] == ",":
                position = skip_space(text, position + 1)
        return members, position + 1

    def _value(self, text: str, position: int, level: int) -> tuple[str | Members, int]:
        first = text[position]
        if (first == "{" and self._flatten) or (first == "[" and self._columns):
            if level == MAX_LEVELS:
                raise Fault(f"Objects lie more than {MAX_LEVELS} levels deep in each other", position)
            nested, end = (self.members if first == "{" else self.items)(text, position, level + 1)
            return nested or text[position] + text[end - 1], end
        end = _end(text, position)
        return text[position:end], end


def _end(text: str, position: int) -> int:
    match = _SIMPLE.match(text, position)
    return match.end() if match else skip_value(text, position)
