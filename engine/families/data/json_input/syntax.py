"""Scan JSON syntax (RFC 8259) on bytes: the ends of values, errors, and members as written."""

from __future__ import annotations

import re
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined]  # undocumented, but stable
from typing import Union

from engine.toolkit.json_values import Fault, scanner
from engine.toolkit.messages import say

MAX_LEVELS = 200
"""Maximum nesting of objects that become columns."""

NULL = "null"

Members = dict[str, Union[str, "Members"]]

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_KEY = re.compile(rf"[ \t\n\r]*({_STRING})[ \t\n\r]*:[ \t\n\r]*", re.DOTALL)
_SIMPLE_VALUE = rf"{_STRING}|[^ \t\n\r,\]}}\[{{\"]+"
_SIMPLE = re.compile(_SIMPLE_VALUE, re.DOTALL)
_MEMBER = re.compile(rf"{_KEY.pattern}({_SIMPLE_VALUE})[ \t\n\r]*([,}}])", re.DOTALL)
_PARTS = re.compile(rf"{_STRING}|[^\" \t\n\r]+", re.DOTALL)
_PARTS_OF_LINES = re.compile(rf"{_STRING}|[^\" \t\r]+", re.DOTALL)

# Numbers are kept as text: converting a million digits to int would be slow, or fail.
_scan = scanner(parse_float=str, parse_int=str, object_pairs_hook=len)


def skip_space(text: str, position: int) -> int:
    """Return the first position from `position` on that is not white space, at most the text's length."""
    return _SPACE.match(text, position).end()  # type: ignore[union-attr]  # it matches the empty text


def skip_value(text: str, position: int) -> int:
    """Return the end of the JSON value that begins at `position`. Raises Fault if it is invalid."""
    return _scan(text, position)[1]


def compact(token: str) -> str:
    """Return a JSON value without insignificant white space, otherwise in source form."""
    if " " in token or "\n" in token or "\t" in token or "\r" in token:
        return "".join(_PARTS.findall(token))
    return token


def compact_lines(joined: str) -> str:
    """Return JSON values, one a line, without insignificant white space; no value may contain a line feed."""
    if " " in joined or "\t" in joined or "\r" in joined:
        return "".join(_PARTS_OF_LINES.findall(joined))
    return joined


def real_text(token: str) -> str:
    """Decode a JSON string in byte text to characters; lone surrogates are kept."""
    if not token.isascii():
        token = token.encode("latin-1").decode()
    return scanstring(token, 1)[0] if "\\" in token else token[1:-1]


def byte_text(text: str) -> str:
    """Encode text as byte text, one character for each UTF-8 byte. Raises UnicodeEncodeError on surrogates."""
    return text if text.isascii() else text.encode().decode("latin-1")


def elements(token: str) -> list[str]:
    """Return the elements of a valid JSON array in source form."""
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
    """Splits valid objects, and arrays that become columns, into members.

    `spelled` maps keys to their last spelling that was not the shortest; `repeated` is called with each duplicate key.
    """

    def __init__(self, *, flatten: bool, columns: bool, repeated: Callable[[str], None]) -> None:
        self._flatten = flatten
        self._columns = columns
        self._repeated = repeated
        self.spelled: dict[str, str] = {}

    def members(self, text: str, position: int, level: int = 0) -> tuple[Members, int]:
        """Return the members of the valid object at `position`, and its end; nested objects become nested members."""
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
        """Return the elements of the valid array at `position`, keyed by index, and its end."""
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
                raise Fault(
                    say("Objects are nested more than {max_levels} levels deep", max_levels=MAX_LEVELS), position
                )
            nested, end = (self.members if first == "{" else self.items)(text, position, level + 1)
            return nested or text[position] + text[end - 1], end
        end = _end(text, position)
        return text[position:end], end


def _end(text: str, position: int) -> int:
    match = _SIMPLE.match(text, position)
    return match.end() if match else skip_value(text, position)
