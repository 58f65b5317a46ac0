"""Count the rows of JSON, by lines if each row has its own, else by items, and parse a sample with json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.families.data.counting import rows
from engine.families.data.counting.lines import Lines
from engine.toolkit import encodings
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn

SMALL = 200_000
"""Bytes up to which a document is parsed as a whole."""


def documents(path: Path) -> Census:
    """Return the rows of an array, or the values of any other document."""
    data = _unmarked(path)
    if len(data) <= SMALL:
        try:
            return _whole(_loaded(data))
        except ValueError:
            return _values(data)
    if data[:1] != b"[":
        return _not_read()
    if census := _by_lines(data):
        return census
    import msgspec

    try:
        return _items(msgspec.json.decode(data, type=list[msgspec.Raw]))
    except msgspec.DecodeError:  # lines of arrays, or lone surrogates
        return _not_read()


def json_lines(path: Path) -> Census:
    """Return the rows of JSON lines."""
    try:
        return _lines(_unmarked(path))
    except ValueError:  # several values in a line, or comments
        return _not_read()


def _lines(data: bytes) -> Census:
    if b"\n\n" in data or b"\n\r\n" in data or data[:2] in (b"\r\n", b"\n"):
        return _items([each for each in data.split(b"\n") if each.strip()])
    lines = Lines(data)
    return _blocks(lines.count, [lines.between(*each) for each in rows.windows(lines.count)])


def _values(data: bytes) -> Census:
    """Count JSON lines, or values that follow each other in any other way."""
    try:
        return _lines(data)
    except ValueError:
        decoder, text, found, at = json.JSONDecoder(parse_int=str, parse_float=str), data.decode(), [], 0
        while at < len(text):
            try:
                value, end = decoder.raw_decode(text, at)
            except ValueError:  # JSON with comments, or commas at the end
                return _not_read()
            found.append(value)
            at = end + len(text[end:]) - len(text[end:].lstrip())
        return _whole(found)


def _unmarked(path: Path) -> bytes:
    data = path.read_bytes()
    if b"\0" in data[:4]:
        data = encodings.read(data, Warn()).encode()
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data if data[:1] == b"[" and data[-2:] == b"]\n" else data.strip()


def _by_lines(data: bytes) -> Census | None:
    """Count an array with each item on its own line, as this project writes it; None for any other."""
    lines = Lines(data)
    if data[:2] != b"[\n" or data[-3:].strip() != b"]":
        return None
    count = lines.count - 2
    blocks = [lines.between(first + 1, last + 1) for first, last in rows.windows(count)]
    items = [each.strip().removesuffix(b",") for block in blocks for each in block.splitlines()]
    if not all(each[:1] in b"{[" and each[-1:] in b"}]" for each in items):
        return None
    return _blocks(count, [b"\n".join(items)])


def _blocks(count: int, blocks: list[bytes]) -> Census:
    lines = [line for block in blocks for line in block.split(b"\n") if line.strip()]
    return _rows(count, lines)


def _items(items: list[Any]) -> Census:
    return _rows(len(items), [bytes(each) for first, last in rows.windows(len(items)) for each in items[first:last]])


def _rows(count: int, sample: list[bytes]) -> Census:
    """Count rows, with the values of those in the sample; raises ValueError if one of them is not one value."""
    values, found = rows.Values(), _loaded(b"[%s]" % b",".join(sample))
    if len(found) != len(sample):  # one has several values
        raise ValueError("a line has several values")
    for each in found:
        values.row(each)
    census = rows.counted(count)
    values.into(census, rows.sample_of(count))
    return census


def _whole(document: Any) -> Census:
    if not isinstance(document, list):
        census, values = Census(), rows.Values()
        values.leaf(document)
        values.into(census)
        return census
    census, values = rows.counted(len(document)), rows.Values()
    for first, last in rows.windows(len(document)):
        for each in document[first:last]:
            values.row(each)
    values.into(census, rows.sample_of(len(document)))
    return census


def _not_read() -> Census:
    census = Census()
    rows.Values().into(census, object())
    census.samples["rows"] = object()
    return census


def _loaded(text: bytes) -> Any:
    return json.loads(text, parse_int=str, parse_float=str)
