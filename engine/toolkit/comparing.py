"""Compare an input with its result, both brought to the same simple form.

Existing converters produce the two forms; the comparison itself runs in the sandbox.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from engine.toolkit.declaring import Comparison, Converter, Engine
from engine.toolkit.formats import JSON, Format
from engine.toolkit.messages import Message, say
from engine.toolkit.options import NoOptions
from engine.toolkit.warnings import Warn

FORMS: dict[Comparison, str] = {"cells": "csv", "values": "json", "words": "txt", "pixels": "png"}
"""The format both files are converted to."""

PIXEL_BOUND = 12.0
"""Largest mean difference of pixels (0 to 255); lossy encoders at low quality stay below it."""

_MOST = 10
_SHOWN = 60
_LENGTH = 8
_LONG = 4

_PAIR = Format("pair", "Two files", ("pair",), "application/octet-stream", lambda head: len(head) >= _LENGTH)
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(\.[0-9]+)?(Z|[+-]00:?00)?")
_PICTURE = re.compile(rb"\[[^\[\]]*\]")
_WORD = re.compile(r"\w+")
_BROKEN = re.compile(r"(?<=\w)[-\u00ad\u2010]\n\s*(?=\w)")


def mark_of_pair(size: int) -> bytes:
    """The prefix of two concatenated files: the size of the first."""
    return size.to_bytes(_LENGTH, "big")


def compare_cells(expected: bytes, actual: bytes) -> tuple[Message, Iterator[Message]]:
    """Compare rows in order, table by table; cells by column name if both have the same names, else by position."""
    ours, theirs = _tables(expected), _tables(actual)
    rows = sum(max(0, len(each) - 1) for each in ours.values())
    cells = sum(len(row) for each in ours.values() for row in each)
    compared = say("{rows} rows, {cells} cells", rows=rows, cells=cells)
    if len(ours) > 1:
        compared = say("{tables} tables, {rows} rows, {cells} cells", tables=len(ours), rows=rows, cells=cells)
    return compared, _all_cells(ours, theirs)


def _all_cells(ours: dict[str, list[list[str]]], theirs: dict[str, list[list[str]]]) -> Iterator[Message]:
    if len(ours) != len(theirs):
        yield say("{before} tables became {after}.", before=len(ours), after=len(theirs))
    others = [theirs[each] for each in ours] if ours.keys() == theirs.keys() else list(theirs.values())
    for (name, rows), other in zip(ours.items(), others, strict=False):
        for difference in _cells(rows, other):
            yield say("{table}: {difference}", table=name, difference=difference) if name else difference


def _tables(content: bytes) -> dict[str, list[list[str]]]:
    """The rows of a CSV file, or of each CSV in a ZIP, by name."""
    if not content.startswith(b"PK"):
        return {"": _rows(content)}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {each: _rows(archive.read(each)) for each in archive.namelist()}


def _rows(text: bytes) -> list[list[str]]:
    csv.field_size_limit(1 << 30)
    rows = csv.reader(io.StringIO(text.decode("utf-8-sig", "replace"), newline=""))
    return [[_plain(each) for each in row] for row in rows]


def _cells(ours: list[list[str]], theirs: list[list[str]]) -> Iterator[Message]:
    if len(ours) != len(theirs):
        yield say("{before} rows became {after}.", before=max(0, len(ours) - 1), after=max(0, len(theirs) - 1))
    if not ours or not theirs:
        return
    names = ours[0]
    places = list(range(len(names)))
    if sorted(names) == sorted(theirs[0]) and len(set(names)) == len(names):
        places = [theirs[0].index(each) for each in names]
    elif len(names) != len(theirs[0]):
        yield say("{before} columns became {after}.", before=len(names), after=len(theirs[0]))
    for number, (row, other) in enumerate(zip(ours, theirs, strict=False)):
        for column in range(max(len(row), len(names))):
            place = places[column] if column < len(places) else column
            cell, found = _at(row, column), _at(other, place)
            if cell != found:
                yield _changed(number, column + 1, _short(cell), _short(found))


def _changed(row: int, column: int, before: str, after: str) -> Message:
    """Return the message for the difference in one cell; row 0 is the header."""
    values = {"column": str(column), "before": before, "after": after}
    if row:
        return say("Row {row}, column {column}: {before} became {after}.", row=str(row), **values)
    return say("The header, column {column}: {before} became {after}.", **values)


def _at(row: list[str], place: int) -> str:
    return row[place] if place < len(row) else ""


def compare_values(expected: bytes, actual: bytes) -> tuple[Message, Iterator[Message]]:
    """Compare all strings, numbers and booleans of a document, regardless of position."""
    ours, theirs = (Counter(_leaves(json.loads(each))) for each in (expected, actual))
    return say("{count} values", count=ours.total()), _missing(ours, theirs)


def _leaves(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            stack.extend(each.values())
        elif isinstance(each, list):
            stack.extend(each)
        elif each is not None and (text := _plain(each if isinstance(each, str) else json.dumps(each))):
            yield text


def compare_words(expected: bytes, actual: bytes) -> tuple[Message, Iterator[Message]]:
    """Compare all words of a text, regardless of position; additional words, such as page numbers, are not a
    difference.

    Words in square brackets are ignored: plain text puts picture descriptions there.
    """
    ours, theirs = _words(_PICTURE.sub(b"", expected)), _words(actual)
    # A layout may hyphenate a word, or join two.
    squeezed = "".join(_WORD.findall(_text(actual)))
    missing = Counter(
        {
            word: count
            for word, count in (ours - theirs).items()
            if len(word) < _LONG or squeezed.count(word) < ours[word]
        }
    )
    return say("{count} words", count=ours.total()), _missing(missing, Counter())


def _text(content: bytes) -> str:
    return _BROKEN.sub("", unicodedata.normalize("NFKC", content.decode("utf-8", "replace"))).casefold()


def _words(content: bytes) -> Counter[str]:
    return Counter(_WORD.findall(_text(content)))


def _missing(ours: Counter[str], theirs: Counter[str]) -> Iterator[Message]:
    for text, count in (ours - theirs).items():
        if count > 1:
            yield say("{text} is missing {count} times.", text=_short(text), count=count)
        else:
            yield say("{text} is missing.", text=_short(text))


def compare_pixels(expected: bytes, actual: bytes) -> tuple[Message, Iterator[Message]]:
    """The size must match exactly; opaque pixels are compared on average."""
    from PIL import Image, ImageChops, ImageStat

    ours, theirs = (Image.open(io.BytesIO(each)).convert("RGBA") for each in (expected, actual))
    compared = say("{width} x {height} pixels", width=ours.width, height=ours.height)
    if ours.size != theirs.size:
        size = say("{width} x {height}", width=theirs.width, height=theirs.height)
        return compared, iter([say("{before} became {after}.", before=compared, after=size)])
    seen = ours.getchannel("A").point([255 if each == 255 else 0 for each in range(256)])
    off = ImageStat.Stat(ImageChops.difference(ours.convert("RGB"), theirs.convert("RGB")), mask=seen)
    mean = max(off.mean) if any(off.count) else 0.0
    if mean <= PIXEL_BOUND:
        return compared, iter(())
    return compared, iter(
        [
            say(
                "The pixels differ by {mean} of 255 on average; at most {bound} is allowed.",
                mean=f"{mean:.1f}",
                bound=f"{PIXEL_BOUND:g}",
            )
        ]
    )


def _plain(text: str) -> str:
    """A cell in canonical form: stripped, numbers by value, booleans and timestamps in one spelling."""
    text = unicodedata.normalize("NFC", text).strip()
    lower = text.lower()
    if lower in ("true", "false"):
        return lower
    if lower in ("null", "nan"):
        return ""
    if len(text) <= 40 and _NUMBER.fullmatch(text):
        number = float(text)
        return f"{number:.15g}" if math.isfinite(number) else text
    if moment := _MOMENT.fullmatch(text):
        time = f"{moment[2]}:00"[:8]
        return (
            moment[1] if time == "00:00:00" and not moment[3] else f"{moment[1]} {time}{(moment[3] or '').rstrip('0.')}"
        )
    return text.replace("\r\n", "\n")


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


_RUNS: dict[Comparison, Callable[[bytes, bytes], tuple[Message, Iterator[Message]]]] = {
    "cells": compare_cells,
    "values": compare_values,
    "words": compare_words,
    "pixels": compare_pixels,
}


def _converter(kind: Comparison, profile: Literal["text", "image"]) -> Converter:
    def run(source: Path, target: Path, options: Any, warn: Warn) -> None:
        content = source.read_bytes()
        end = _LENGTH + int.from_bytes(content[:_LENGTH], "big")
        compared, differences = _RUNS[kind](content[_LENGTH:end], content[end:])
        first = list(itertools.islice(differences, _MOST))
        more = sum(1 for _ in differences)
        if more:
            first.append(say("Further differences: {count}.", count=more))
        warn.detect(compared=compared, **{f"difference{number}": each for number, each in enumerate(first)})
        target.write_bytes(b"")

    return Converter(
        slug=f"compare-{kind}",
        input=_PAIR,
        output=JSON,
        summary="",
        declared=NoOptions,
        profile=profile,
        engine=Engine("Python"),
        run=run,
    )


COMPARERS: dict[Comparison, Converter] = {
    kind: _converter(kind, "image" if kind == "pixels" else "text") for kind in FORMS
}
"""The sandbox's converter for a pair of files; it detects what was `compared` and each difference."""
