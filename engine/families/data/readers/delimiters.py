"""Detect the delimiter of a text file, or read Excel's `sep=` line."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice
from pathlib import Path

from engine.toolkit import encodings, unchanged
from engine.toolkit.census import ALL
from engine.toolkit.warnings import Warn

DELIMITERS = (",", ";", "\t", "|")
"""The delimiters that are detected."""
_SAMPLE_ROWS = 50
_LEAD = 16
_MOST_COMMENTS = 500
_MOST_TITLES, _LEAST_TITLES, _ROWS_BELOW = 20, 2, 5
_TITLE_SAMPLE = 1 << 14
_NUMBER = re.compile(r"\s*[-+]?[\d.,]*\d\s*")
_NAMED = re.compile(r'\ufeff?"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)


@unchanged.kept
def named_delimiter(source: Path, encoding: str) -> str | None:
    """The delimiter of a first line such as `sep=;`, Excel's convention; that line is not a row."""
    with source.open(encoding=encoding, newline="", errors="replace") as file:
        match = _NAMED.match(file.read(_LEAD))
    return match[1] if match else None


@unchanged.kept
def delimiter_of(source: Path, encoding: str, lead: int) -> str:
    """The candidate that splits the first rows into the most equal cell counts; a comma by default."""
    with source.open(encoding=encoding, newline="", errors="replace") as file:
        for _ in islice(file, lead):
            pass
        sample = file.read(encodings.SAMPLE)
        complete = not file.read(1)
    best, best_score = ",", 0.0
    for candidate in DELIMITERS:
        if candidate not in sample:
            continue
        widths: list[int] = []
        try:
            for row in csv.reader(sample.splitlines(keepends=True), delimiter=candidate):
                if row:
                    widths.append(len(row))
                if len(widths) > _SAMPLE_ROWS:
                    break
        except csv.Error:
            continue
        if not complete and 1 < len(widths) <= _SAMPLE_ROWS:
            widths.pop()  # the sample ends inside this row
        if not widths:
            continue
        cells, count = Counter(widths).most_common()[0]
        score = count / len(widths) * (1 - 1 / cells)
        if widths[0] == 1 < cells:  # the header has a different delimiter
            score *= 0.5
        if score > best_score + 0.01:
            best, best_score = candidate, score
    return best


@unchanged.kept
def comment_lines(source: Path, encoding: str, lead: int, delimiter: str | None = None) -> list[str]:
    """Return the lines before the header that begin with `#` and have not as many cells as the line after them.

    One with as many cells is the header itself, as tools of bioinformatics write it.
    """
    with source.open(encoding=encoding, newline="", errors="replace") as file:
        for _ in islice(file, lead):
            pass
        begin = file.read(1)
        if begin == "\ufeff":
            begin = file.read(1)
        if begin != "#":
            return []
        lines = [begin + file.readline()]
        while (line := file.readline(encodings.SAMPLE)).startswith("#") and len(lines) < _MOST_COMMENTS:
            lines.append(line)
    mark = delimiter or delimiter_of(source, encoding, lead + len(lines))
    cells = line.count(mark)
    if not cells:
        return []
    if lines[-1].count(mark) == cells:
        lines.pop()
    return [] if any(each.count(mark) == cells for each in lines) else [each.rstrip("\r\n") for each in lines]


@unchanged.kept
def title_lines(source: Path, encoding: str, lead: int, delimiter: str) -> list[str]:
    """Return the lines before the header that are a title: rows of a single cell, or of none, as reports begin with.

    The header is the next row: all of its cells are filled, none is a number, and the rows after it are as wide. At
    least two rows come before it, so that a header with a single name stays one.
    """
    with source.open(encoding=encoding, newline="", errors="replace") as file:
        for _ in islice(file, lead):
            pass
        sample = file.read(_TITLE_SAMPLE)
    # Unlike str.splitlines, and like the reader that passes over them, it knows line feeds and carriage returns only.
    lines = io.StringIO(sample, newline="").readlines()[: _MOST_TITLES + _ROWS_BELOW]
    if len(sample) == _TITLE_SAMPLE:
        lines = lines[:-1]  # the sample may end inside it
    reader = csv.reader(lines, delimiter=delimiter)
    rows, ends = [], []
    try:
        for row in reader:
            rows.append(row)
            ends.append(reader.line_num)
    except csv.Error:
        return []
    header = next((at for at, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)
    if header < _LEAST_TITLES or not any(rows[0]):
        return []
    names, below = rows[header], [row for row in rows[header + 1 :] if row]
    named = all(names) and not any(map(_NUMBER.fullmatch, names))
    if not named or not below or any(len(row) != len(names) for row in below):
        return []
    return [each.rstrip("\r\n") for each in lines[: ends[header - 1]]]


def uncounted(delimiter: str, warn: Warn) -> None:
    """Exempt a result from being counted if its delimiter can't be detected."""
    if delimiter not in DELIMITERS:
        for kind in ("rows", "columns", "values"):
            warn.account(kind, ALL)
