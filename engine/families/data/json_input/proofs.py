"""Prove that decoding lost nothing: encoding again gives the same bytes, except for white space.

Decoders silently keep the last of two equal keys, and accept several spellings of a number and of a character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec

from engine.families.data.inference import EXACT_DIGITS
from engine.families.data.nesting import too_deep
from engine.families.data.values import Number, Value, exact_float, number, raw
from engine.toolkit.json_values import MAX_DEPTH

_SPACE = b" \t\r\n"
_SPACE_IN_LINES = b" \t\r"
_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_LONG = re.compile(rb"\\[u/]")
"""Matches escapes that encoders rarely write, and the same characters after an escaped backslash."""
_MINUS_ZERO = re.compile(rb'": ?-0(?![.eE])')
_FLOAT = re.compile(rb"(?:-|(?<![0-9-]))[0-9]++(?:\.[0-9]++(?:[eE][+-]?[0-9]++)?|[eE][+-]?[0-9]++)")
_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_OPENED_NULL = re.compile(rb'[{\[,:]":null')
"""Matches each text that begins with `:null`, and a few others."""
_LATER_NULLS = re.compile(rb',"[^"\\]*":null')
_FIRST_NULL = re.compile(rb'\{"[^"\\]*":null(?:,|(?=\}))')
_FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)

encode_lines = msgspec.json.Encoder(enc_hook=raw, decimal_format="number").encode_lines
_json = msgspec.json.Encoder().encode


class Decoder:
    """Decodes text from `canonical`: an array, or lines with one value each."""

    def __init__(self, kind: Any, **how: Any) -> None:
        self._lines: Any = msgspec.json.Decoder(kind, **how)
        self._list: Any = msgspec.json.Decoder(list[kind], **how)

    def items(self, data: bytes, *, in_list: bool) -> list[Any] | None:
        """Return the decoded items, or None if decoding fails."""
        try:
            items: list[Any] = self._list.decode(data) if in_list else self._lines.decode_lines(data)
        except _FAULTS:
            return None
        return items


def encoded(items: list[Any], data: bytes, *, in_list: bool) -> bytes | None:
    """Return the items encoded as JSON lines if they account for all of `data`, else None."""
    try:
        written = encode_lines(items)
    except _FAULTS:
        return None
    return written if same(written, data, in_list=in_list) else None


def same(written: bytes, data: bytes, *, in_list: bool) -> bool:
    """Return whether JSON lines account for all of an array, or of other lines."""
    if in_list:
        return b"[%b]" % written[:-1].translate(_COMMAS, _SPACE_IN_LINES) == data.translate(None, _SPACE)
    # Line ends count: there is one value on each line.
    if written == data:
        return True
    return written.translate(None, _SPACE_IN_LINES) == data.translate(None, _SPACE_IN_LINES).rstrip(b"\n") + b"\n"


def same_values(written: bytes, lines: bytes) -> bool:
    """As `same` for lines, but allows other spellings of numbers with a fraction or an exponent."""
    return written == lines or _same_lines(_close(written), _close(lines), _FLOAT)


def same_members(written: bytes, lines: bytes) -> bool:
    """As `same_values`, but members that are null may be missing, and short integers may be written with a fraction."""
    found, given = _close(written), _close(lines)
    if _same_lines(found, given, _FLOAT):
        return True
    if b'":null' in found or b'":null' in given:
        if _OPENED_NULL.search(found) or _OPENED_NULL.search(given):
            return False
        found, given = _without_nulls(found), _without_nulls(given)
    return _same_lines(found, given, _NUMBER)


def has_all_members(objects: list[Any], data: bytes, *, in_list: bool) -> bool:
    """Return whether objects with values in source form have all members of an array, or of lines with one object each.

    Of equal keys a decoder keeps one, which makes the text shorter; nothing makes it longer.
    """
    written, given = encode_lines(objects).translate(None, _SPACE), data.translate(None, _SPACE)
    if in_list:
        return len(written) + len(objects) + 1 == len(given)
    lines = _close(data)
    ends = lines.count(b"\n")
    return len(written) == len(given) and ends == len(objects) == lines.count(b"}\n{") + 1


def _close(lines: bytes) -> bytes:
    return lines.translate(None, _SPACE_IN_LINES).rstrip(b"\n") + b"\n"


def _without_nulls(lines: bytes) -> bytes:
    return _FIRST_NULL.sub(b"{", _LATER_NULLS.sub(b"", lines))


def _same_lines(found: bytes, given: bytes, numbers: re.Pattern[bytes]) -> bool:
    if found == given:
        return True
    at = place = 0
    # Most blocks have few such numbers or none: compare only lines that differ.
    while (step := _alike(found, at, given, place)) is not None:
        start = found.rfind(b"\n", 0, at + step) + 1
        begin = place + start - at
        at, place = found.find(b"\n", at + step) + 1, given.find(b"\n", place + step) + 1
        left, right = found[start:at], given[begin:place]
        if not (left and right) or numbers.sub(_digits, left) != numbers.sub(_digits, right):
            return False
    return True


def _alike(one: bytes, at: int, other: bytes, place: int) -> int | None:
    """Return the number of equal bytes from two offsets on; None if all are equal."""
    begin, size = 0, _STEP
    while one[at + begin : at + begin + size] == other[place + begin : place + begin + size]:
        begin += size
        if at + begin >= len(one) and place + begin >= len(other):
            return None
    while size > 1:
        size //= 2
        if one[at + begin : at + begin + size] == other[place + begin : place + begin + size]:
            begin += size
    return begin


def _digits(number: re.Match[bytes]) -> bytes:
    digits = number[0].lstrip(b"-")
    # The integer -0 is 0, which a float would not be, and a long integer makes a column of floats decimal.
    if number[0] == b"-0" or (len(digits) > EXACT_DIGITS and digits.isdigit()):
        return number[0]
    value = exact_float(Number(number[0].decode()))
    return number[0] if value is None else repr(value).encode()


_COMMAS = bytes.maketrans(b"\n", b",")


def canonical(data: bytes) -> bytes | None:
    """Return the same JSON with each character spelled as encoders do; None if it is not UTF-8."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
    if b"\\" in data and _LONG.search(data):
        return _ESCAPE.sub(_shortest, data)
    return data


def _shortest(escape: re.Match[bytes]) -> bytes:
    return _spelling(escape[0])


@cache
def _spelling(escape: bytes) -> bytes:
    """Return the shortest spelling of an escape; invalid escapes and lone surrogates stay unchanged."""
    with suppress(msgspec.DecodeError):
        return _json(msgspec.json.decode(b'"%b"' % escape))[1:-1]
    return escape


_STEP = 1 << 12
_MAPPINGS = Decoder(dict[str, msgspec.Raw])
_ANY = Decoder(Any)
_SPELLED = Decoder(Any, float_hook=number)
_MAX_RECORD_TYPES = 24
_MAX_FIELDS = 500
_MAX_FAILURES = 24
"""Blocks for which the proof fails, after which it is no longer tried."""


class Objects:
    """Decodes objects, keeping values in source form: as records while all have the same keys, of so many `types`."""

    def __init__(self, types: int = _MAX_RECORD_TYPES) -> None:
        self._records: Decoder | None = None
        self._fields = 0
        self._types_left = types

    def decode(self, data: bytes, *, in_list: bool) -> tuple[list[Any], list[int]] | None:
        """Return the objects, and the number of different keys of each; None if decoding fails."""
        if self._records:
            if (records := self._records.items(data, in_list=in_list)) is not None:
                return records, [self._fields] * len(records)
            self._records = None
        found = _MAPPINGS.items(data, in_list=in_list)
        if found is None:
            return None
        if found and self._types_left and 0 < len(found[0]) < _MAX_FIELDS:
            self._types_left -= 1
            self._learn(found[0])
        return found, list(map(len, found))

    def _learn(self, keys: Iterable[str]) -> None:
        fields = [(f"f{at}", msgspec.Raw, msgspec.field(name=key)) for at, key in enumerate(keys)]
        with suppress(ValueError):  # keys with quotes, backslashes or control characters can't be names of fields
            kind = msgspec.defstruct("Record", fields, forbid_unknown_fields=True, frozen=True, gc=False, eq=False)
            self._records, self._fields = Decoder(kind), len(fields)


def proven_values(data: bytes, *, in_list: bool) -> list[Value] | None:
    """Return the decoded items, numbers with all digits; None if they don't account for all of `data`."""
    values = _SPELLED.items(data, in_list=in_list)
    return None if values is None or _written(values, data, in_list=in_list) is None else values


def _written(values: list[Value], data: bytes, *, in_list: bool) -> bytes | None:
    """As `encoded`, but None where a value is nested too deep."""
    written = encoded(values, data, in_list=in_list)
    if written is None:
        return None
    objects = written.count(b"\n{") + written.startswith(b"{")
    if written.count(b"[") + written.count(b"{") - objects < MAX_DEPTH:
        return written
    lines = zip(written.split(b"\n"), values, strict=False)
    # Counting takes longer than comparing lengths: each level has a bracket at either end.
    long = (pair for pair in lines if len(pair[0]) > 2 * MAX_DEPTH)
    deep = (value for line, value in long if line.count(b"[") + line.count(b"{") > MAX_DEPTH)
    return None if any(map(too_deep, deep)) else written


class Lines:
    """Encodes items as lines of compact JSON; tries first the method that last succeeded."""

    def __init__(self) -> None:
        self._objects = Objects()
        self._ways = [self._flat, self._any, self._spelled]

    def encode(self, data: bytes, *, in_list: bool) -> bytes | None:
        """Return the lines, each with its line end; None if no method can prove them lossless."""
        text = canonical(data)
        if text is None:
            return None
        for at, way in enumerate(self._ways):
            if (written := way(text, in_list=in_list)) is not None:
                self._ways.insert(0, self._ways.pop(at))
                return written
        return None

    def _flat(self, data: bytes, *, in_list: bool) -> bytes | None:
        """Encode flat objects, with values in source form."""
        found = self._objects.decode(data, in_list=in_list)
        if found is None:
            return None
        items = found[0]
        nested = data.count(b"{") > len(items) or data.count(b"[") > in_list
        written = None if nested else encoded(items, data, in_list=in_list)
        return None if written is None or _has_minus_zero(written, b'":') else written

    def _any(self, data: bytes, *, in_list: bool) -> bytes | None:
        """Encode values whose numbers are spelled as encoders spell them."""
        values = _ANY.items(data, in_list=in_list)
        return None if values is None else _written(values, data, in_list=in_list)

    def _spelled(self, data: bytes, *, in_list: bool) -> bytes | None:
        values = _SPELLED.items(data, in_list=in_list)
        return None if values is None else _written(values, data, in_list=in_list)


def _has_minus_zero(text: bytes, before: bytes) -> bool:
    """Return whether a member may be the integer -0, which becomes 0; `before` is the text before a value."""
    return before + b"-0" in text and bool(_MINUS_ZERO.search(text))


class Layout:
    """Formats items as those of an indented array."""

    def __init__(self, indent: int) -> None:
        self._indent = indent
        self._objects = Objects()
        self._failures = 0
        self._lines = Lines()

    def encode(self, data: bytes, *, in_list: bool) -> bytes | None:
        """Return the text between the array's brackets, without the outer line breaks; None as in `Lines`."""
        if self._failures < _MAX_FAILURES and (text := canonical(data)) is not None:
            if (written := self._laid_out(text, in_list=in_list)) is not None:
                return written
            self._failures += 1
        lines = self._lines.encode(data, in_list=in_list)
        return None if lines is None else self.of_lines(lines)

    def of_lines(self, lines: bytes) -> bytes:
        """As `encode`, for lines of compact JSON."""
        return self._format(lines, in_list=False)

    def _format(self, data: bytes, *, in_list: bool) -> bytes:
        text = data if in_list else b"[%b]" % data.rstrip(b"\n").replace(b"\n", b",")
        return msgspec.json.format(text, indent=self._indent)[2:-2]

    def _laid_out(self, data: bytes, *, in_list: bool) -> bytes | None:
        """Format flat objects, with values in source form.

        Each member then has its own line, so that the number of lines reveals members that a decoder would lose, and
        nested ones. Lines joined with commas are a valid array only if each line is a value.
        """
        found = self._objects.decode(data, in_list=in_list)
        if found is None:
            return None
        members = found[1]
        try:
            text = self._format(data, in_list=in_list)
        except msgspec.DecodeError:
            return None
        around = 2 * (len(members) - members.count(0)) - 1
        if text.count(b"\n") != sum(members) + around + members.count(0) or _has_minus_zero(text, b'": '):
            return None
        return text
