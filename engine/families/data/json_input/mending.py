"""Read JSON with what other programs allow: comments, commas at the end, NaN, values that follow each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import JSON, NDJSON, Format
from engine.toolkit.json_values import Fault, scanner
from engine.toolkit.warnings import MAX_EXAMPLES, Kind, Warn

T = TypeVar("T")

MOST = 1 << 26
"""Bytes of a file up to which it is mended; all of it is held in memory."""
_COMMENTS = Kind("COMMENTS_DROPPED", "JSON has no comments, so they were left out: {count}{places}.")
_COMMAS = Kind("CONTENT_DROPPED", "JSON allows no trailing commas, so they were removed: {count}{places}.")
_CONSTANTS = Kind("VALUE_CONVERTED", "JSON has no NaN or Infinity, so they became null: {count}{places}.")

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|.*)'
"""A string, or all that follows a quote that nothing closes: else each quote in it would be looked at to the end."""
_COMMENT = re.compile(rf"{_STRING}|(//[^\n]*|/\*.*?\*/)|/\*.*", re.DOTALL)
_COMMA = re.compile(rf"{_STRING}|[\[{{,][ \t\r\n]*,|(,)(?=[ \t\r\n]*[\]}}])", re.DOTALL)
"""A comma that no value precedes is no end of a list, and stays."""
_CONSTANT = re.compile(rf"{_STRING}|(-?Infinity|NaN)\b", re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n]*")
_SEPARATOR = "\x1e"
"""The byte before each value of a JSON text sequence (RFC 7464)."""
_scan = scanner(parse_float=str, parse_int=str, object_pairs_hook=len)


def reading(source: Path, run: Callable[[Path], T], warn: Warn, *, format: Format) -> T:
    """Run a conversion; if a JSON file can't be read, once more with the mended text, naming what was mended.

    JSON lines whose values span lines are read as JSON, which the fact `format` says.

    Raises the first error if mending does not help.
    """
    try:
        return run(source)
    except Unreadable:
        if format not in (JSON, NDJSON) or source.stat().st_size > MOST:
            raise
        found: dict[Kind, list[str]] = {}
        values = _mended(source, found)
        if values is None:
            raise
        spans_lines = format is NDJSON and any("\n" in each for each in values)
        if format is NDJSON:
            mended = "\n".join(_lines(values) if spans_lines else values)
        else:
            mended = values[0] if len(values) == 1 else f"[{','.join(values)}]"
        copy = source.with_name(f"mended{source.suffix}")
        try:
            copy.write_bytes(mended.encode())
            result = run(copy)
        except Unreadable:
            values = None
        finally:
            copy.unlink(missing_ok=True)
        if values is None:
            raise
        if spans_lines:
            warn.detect(format=JSON.id)
        for kind, places in found.items():
            warn.tally(kind, len(places), places[:MAX_EXAMPLES])
        return result


def _mended(source: Path, found: dict[Kind, list[str]]) -> list[str] | None:
    """Return the values of the text as JSON, and what was changed; None if it is still not JSON."""
    try:
        text = encodings.decode(source.read_bytes())
    except Unreadable:
        return None
    text = text.replace(_SEPARATOR, " ")
    for kind, pattern, other in ((_COMMENTS, _COMMENT, " "), (_COMMAS, _COMMA, " "), (_CONSTANTS, _CONSTANT, "null")):
        text = _replaced(text, pattern, other, found.setdefault(kind, []))
    try:
        return list(_values(text))
    except Fault:
        return None


def _lines(values: list[str]) -> Iterator[str]:
    """Yield each value as one line: no string of JSON has a line break in it. Of a single list, yield its items."""
    for each in _items(values[0]) if len(values) == 1 and values[0].startswith("[") else values:
        yield each.replace("\n", " ")


def _items(text: str) -> Iterator[str]:
    """Yield each item of a list as it is written."""
    begin = _skip(text, 1)
    while text[begin] != "]":
        _, end = _scan(text, begin)
        yield text[begin:end]
        begin = _skip(text, end)
        begin = _skip(text, begin + 1) if text[begin] == "," else begin


def _replaced(text: str, pattern: re.Pattern[str], other: str, places: list[str]) -> str:
    """Replace what the pattern finds outside of strings, and add the line of each."""
    pieces, at, line = [], 0, 1
    for match in pattern.finditer(text):
        if match[1] is not None:
            line += text.count("\n", at, match.start(1))
            breaks = match[1].count("\n")
            pieces += [text[at : match.start(1)], other, "\n" * breaks]  # so that values stay on their lines
            places.append(f"line {line}: {match[1]}" if pattern is _CONSTANT else f"line {line}")
            line += breaks
            at = match.end(1)
    return "".join((*pieces, text[at:])) if pieces else text


def _values(text: str) -> Iterator[str]:
    """Yield each value of a text as it is written. Raises Fault for anything else between them."""
    begin = _skip(text, 0)
    while True:
        _, end = _scan(text, begin)
        yield text[begin:end]
        begin = _skip(text, end)
        if begin == len(text):
            return
        if "\n" not in text[end:begin] and (text[end - 1] not in "]}" or text[begin] not in "[{"):
            raise Fault("", begin)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()
