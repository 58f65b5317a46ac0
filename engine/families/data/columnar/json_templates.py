"""Split uniformly written JSON objects into data frames, at a character of the fixed text between values.

The fixed text and the values of each column are verified, so that every byte is accounted for. For objects with other
keys or other white space, and for invalid JSON, callers fall back to another parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import msgspec
import polars

from engine.families.data.columnar.cells import frame_of
from engine.families.data.columnar.json_parts import Field, Kind, Parts

_SPACE = b" \t\r\n"
_MARK = b"\xef\xbb\xbf"
"""Byte order mark; polars skips it at the beginning of a text."""
_OPEN = re.compile(rb"\[[ \t\r\n]*")
_KEY = re.compile(rb'[ \t\r\n]*"([^"]*)"[ \t\r\n]*:[ \t\r\n]*')
_VALUE = re.compile(rb'"(?:[^"\\]|\\.)*"|[^ \t\r\n,\[\]{}"]+')
_AFTER = re.compile(rb"[ \t\r\n]*([,}])")
_BETWEEN = re.compile(rb"([ \t\r\n]*+(?:,[ \t\r\n]*+)?){")
_ENDS = (b"\n", b"}")
_SEPARATORS = (":", '"', ",")
"""Candidate separators: each occurs around the values of every object. Which of them values contain differs by file."""
_MAX_FAILURES = 8
"""Blocks that don't fit a template, after which templates are no longer tried."""


class Templates:
    """Parses blocks of objects that have these keys in this order, with values of these kinds or null."""

    def __init__(self, kinds: dict[str, Kind]) -> None:
        self._kinds = kinds
        self._keys = [msgspec.json.encode(name)[1:-1] for name in kinds]
        self._templates: list[_Template] = []
        self._failures = 0

    def frame(self, data: bytes, *, in_list: bool) -> polars.DataFrame | None:
        """Return the rows of an array, or of lines with one object each; None where they are not uniform."""
        if self._failures == _MAX_FAILURES or data.startswith(_MARK):
            return None
        inside = _inside(data) if in_list else (0, len(data))
        if inside is None:
            return None
        kinds = list(self._kinds.values())
        templates: Iterable[_Template] = self._templates
        if not templates and (around := _around(data, inside[0], self._keys, in_list=in_list)):
            templates = _templates(around, kinds)
        for template in templates:
            parts = template.cut(data, *inside)
            if parts is not None and (found := self._rows(template.parts, parts)) is not None:
                self._templates = [template]
                return found
        self._templates = []
        self._failures += 1
        return None

    def cut(self, data: bytes) -> Callable[[], polars.DataFrame | None] | None:
        """Split lines with one object each by the template of earlier lines; None if there is no template yet.

        The function returned verifies the parts as `frame` does, and may be called in another thread.
        """
        if self._failures == _MAX_FAILURES or data.startswith(_MARK) or not self._templates:
            return None
        (template,) = self._templates
        parts = template.cut(data, 0, len(data))
        return None if parts is None else partial(self._rows, template.parts, parts)

    def _rows(self, read: Parts, parts: polars.DataFrame) -> polars.DataFrame | None:
        columns = read.columns(parts)
        return None if columns is None else frame_of(columns, self._kinds)


def _inside(data: bytes) -> tuple[int, int] | None:
    """Return where the items of an array begin and end."""
    begin, end = _OPEN.match(data), len(data)
    while end and data[end - 1] in _SPACE:
        end -= 1
    if begin is None or data[end - 1 : end] != b"]":
        return None
    while data[end - 2] in _SPACE:
        end -= 1
    return begin.end(), end - 1


@dataclass(frozen=True)
class _Around:
    """The text before each value of an object, after its last value, and between two objects."""

    before: list[bytes]
    close: bytes
    between: bytes


def _around(data: bytes, begin: int, keys: Sequence[bytes], *, in_list: bool) -> _Around | None:
    """Return the fixed text of the first object, if it has these keys and no nested values; else None."""
    if data[begin : begin + 1] != b"{":
        return None
    before: list[bytes] = []
    at, place = begin, begin + 1
    for key in keys:
        named = _KEY.match(data, place)
        value = _VALUE.match(data, named.end()) if named and named[1] == key else None
        after = _AFTER.match(data, value.end()) if value else None
        if value is None or after is None or (after[1] == b"}") != (len(before) == len(keys) - 1):
            return None
        before.append(data[at : value.start()])
        at, place = value.end(), after.end()
    if not in_list:
        return _Around(before, data[at:place], b"\n")
    between = _BETWEEN.match(data, place)
    return _Around(before, data[at:place], between[1]) if between and b"," in between[1] else None


@dataclass(frozen=True)
class _Template:
    """How to split text: objects at `end`, their parts at `separator`.

    `head` and `tail` are added around all objects so that the first and the last are split as the others are.
    """

    separator: str
    end: bytes
    parts: Parts
    head: bytes
    tail: bytes

    def cut(self, data: bytes, begin: int, end: int) -> polars.DataFrame | None:
        """Return the parts of the objects between two offsets; None where other text is between them."""
        whole = not (self.head or self.tail) and end - begin == len(data)
        text = data if whole else b"".join((self.head, memoryview(data)[begin:end], self.tail))
        # Polars drops a carriage return before a cut, and a separator with nothing after it.
        if (b"\r" in text and text.count(b"\r") != text.count(b"\r\n")) or not text.endswith((b"}", self.end)):
            return None
        try:
            parts = polars.read_csv(
                text,
                has_header=False,
                separator=self.separator,
                eol_char=self.end.decode(),
                quote_char=None,
                schema=dict.fromkeys(self.parts.names, polars.String),
                empty_string_is_null=False,
            )
        except (polars.exceptions.PolarsError, UnicodeDecodeError):
            return None
        # Polars skips empty lines. They are white space, unless objects end at a closing brace.
        if self.end != b"\n" and parts.height != text.count(self.end):
            return None
        return parts


def _templates(around: _Around, kinds: Sequence[Kind]) -> Iterator[_Template]:
    """Yield the possible templates for the fixed text `around` values of these kinds."""
    for separator, end in product(_SEPARATORS, _ENDS):
        joint = around.close + around.between
        at = joint.find(end)
        left, right = joint[:at], joint[at + 1 :]
        texts = [right + around.before[0], *around.before[1:], left.removesuffix(b"\r")]
        lines = b"," not in around.between
        if at < len(around.close) - 1 or any(end in each for each in texts) or (lines and end != b"\n"):
            continue
        if fields := _fields([each.decode() for each in texts], separator, kinds):
            yield _Template(
                separator, end, Parts(fields, kinds), right, b"" if lines else (left + end)[len(around.close) :]
            )


def _fields(texts: list[str], separator: str, kinds: Sequence[Kind]) -> list[Field] | None:
    """Return the parts of an object with these texts around its values; None where two values share a part."""
    quotes = ["", *('"' if kind == "text" else "" for kind in kinds), ""]
    cut = [
        f"{left}{text}{right}".split(separator) for left, text, right in zip(quotes, texts, quotes[1:], strict=False)
    ]
    if any(len(each) == 1 for each in cut[1:-1]):
        return None
    fields = [Field(each) for each in cut[0][:-1]]
    before = cut[0][-1]
    for at, (after, *more) in enumerate(cut[1:]):
        fields.append(Field(before, at, after))
        before = more.pop() if more and at < len(kinds) - 1 else ""
        fields += map(Field, more)
    # Polars also takes parts that are missing at the end of a line for empty ones.
    return fields if fields[-1] != Field("") else None
