"""Comparisons: what a result must have kept, counted on two files of one simple form, one of the input and one of it.

Both forms are made by converters that exist anyway; here is what is done with the two, inside the sandbox.
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

from conversions.toolkit.declaring import Comparison, Converter, Engine
from conversions.toolkit.formats import JSON, Format
from conversions.toolkit.options import NoOptions
from conversions.toolkit.warnings import Warn

FORMS: dict[Comparison, str] = {"cells": "csv", "values": "json", "words": "txt", "pixels": "png"}
"""The format that both files are brought to."""

PIXEL_BOUND = 12.0
"""How far the pixels of a picture may be off on average, of 255: what a lossy encoder of low quality takes."""

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
    """What stands before two files that are one behind the other: the size of the first."""
    return size.to_bytes(_LENGTH, "big")


def compare_cells(expected: bytes, actual: bytes) -> tuple[str, Iterator[str]]:
    """Rows in order, their cells by column where the columns have the same names, else by place; table by table."""
    ours, theirs = _tables(expected), _tables(actual)
    rows = sum(max(0, len(each) - 1) for each in ours.values())
    cells = sum(len(row) for each in ours.values() for row in each)
    tables = f"{len(ours):,} tables, " if len(ours) > 1 else ""
    return f"{tables}{rows:,} rows, {cells:,} cells", _all_cells(ours, theirs)


def _all_cells(ours: dict[str, list[list[str]]], theirs: dict[str, list[list[str]]]) -> Iterator[str]:
    if len(ours) != len(theirs):
        yield f"{len(ours):,} tables became {len(theirs):,}."
    others = [theirs[each] for each in ours] if ours.keys() == theirs.keys() else list(theirs.values())
    for (name, rows), other in zip(ours.items(), others, strict=False):
        for difference in _cells(rows, other):
            yield f"{name}: {difference}" if name else difference


def _tables(content: bytes) -> dict[str, list[list[str]]]:
    """The rows of one CSV, or of each of those in a ZIP by its name."""
    if not content.startswith(b"PK"):
        return {"": _rows(content)}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {each: _rows(archive.read(each)) for each in archive.namelist()}


def _rows(text: bytes) -> list[list[str]]:
    csv.field_size_limit(1 << 30)
    rows = csv.reader(io.StringIO(text.decode("utf-8-sig", "replace"), newline=""))
    return [[_plain(each) for each in row] for row in rows]


def _cells(ours: list[list[str]], theirs: list[list[str]]) -> Iterator[str]:
    if len(ours) != len(theirs):
        yield f"{max(0, len(ours) - 1):,} rows became {max(0, len(theirs) - 1):,}."
    if not ours or not theirs:
        return
    names = ours[0]
    places = list(range(len(names)))
    if sorted(names) == sorted(theirs[0]) and len(set(names)) == len(names):
        places = [theirs[0].index(each) for each in names]
    elif len(names) != len(theirs[0]):
        yield f"{len(names):,} columns became {len(theirs[0]):,}."
    for number, (row, other) in enumerate(zip(ours, theirs, strict=False)):
        for column in range(max(len(row), len(names))):
            place = places[column] if column < len(places) else column
            cell, found = _at(row, column), _at(other, place)
            if cell != found:
                where = f"Row {number}" if number else "The header"
                yield f"{where}, column {column + 1}: {_short(cell)} became {_short(found)}."


def _at(row: list[str], place: int) -> str:
    return row[place] if place < len(row) else ""


def compare_values(expected: bytes, actual: bytes) -> tuple[str, Iterator[str]]:
    """Every text, number and truth of a document, wherever it stands."""
    ours, theirs = (Counter(_leaves(json.loads(each))) for each in (expected, actual))
    return f"{ours.total():,} values", _missing(ours, theirs)


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


def compare_words(expected: bytes, actual: bytes) -> tuple[str, Iterator[str]]:
    """Every word of a text, wherever it stands; what is there beside them, such as page numbers, is no difference.

    Not those in square brackets, as that is how descriptions of pictures stand in a plain text.
    """
    ours, theirs = _words(_PICTURE.sub(b"", expected)), _words(actual)
    # A layout may break a word, or bring two together.
    squeezed = "".join(_WORD.findall(_text(actual)))
    missing = Counter(
        {
            word: count
            for word, count in (ours - theirs).items()
            if len(word) < _LONG or squeezed.count(word) < ours[word]
        }
    )
    return f"{ours.total():,} words", _missing(missing, Counter())


def _text(content: bytes) -> str:
    return _BROKEN.sub("", unicodedata.normalize("NFKC", content.decode("utf-8", "replace"))).casefold()


def _words(content: bytes) -> Counter[str]:
    return Counter(_WORD.findall(_text(content)))


def _missing(ours: Counter[str], theirs: Counter[str]) -> Iterator[str]:
    for text, count in (ours - theirs).items():
        yield f"{_short(text)} is missing{f' {count:,} times' * (count > 1)}."


def compare_pixels(expected: bytes, actual: bytes) -> tuple[str, Iterator[str]]:
    """The size exactly; the pixels on average, where they are not transparent."""
    from PIL import Image, ImageChops, ImageStat

    ours, theirs = (Image.open(io.BytesIO(each)).convert("RGBA") for each in (expected, actual))
    compared = f"{ours.width:,} x {ours.height:,} pixels"
    if ours.size != theirs.size:
        return compared, iter([f"{compared} became {theirs.width:,} x {theirs.height:,}."])
    seen = ours.getchannel("A").point([255 if each == 255 else 0 for each in range(256)])
    off = ImageStat.Stat(ImageChops.difference(ours.convert("RGB"), theirs.convert("RGB")), mask=seen)
    mean = max(off.mean) if any(off.count) else 0.0
    if mean <= PIXEL_BOUND:
        return compared, iter(())
    return compared, iter([f"The pixels are off by {mean:.1f} of 255 on average; {PIXEL_BOUND:g} is the bound."])


def _plain(text: str) -> str:
    """A cell as it counts: without blanks around it, a number by its value, a truth or a moment in one spelling."""
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


_RUNS: dict[Comparison, Callable[[bytes, bytes], tuple[str, Iterator[str]]]] = {
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
            first.append(f"{more:,} more differences.")
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
"""The sandbox's work on a pair of files; it detects what was `compared`, and each difference."""
