"""Delimiters: what divides the cells of a text file that does not say so, or says it as Excel does."""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import islice
from pathlib import Path

from conversions.toolkit import encodings

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_ROWS = 50
_LEAD = 16
_NAMED = re.compile(r'\ufeff?"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)


def named_delimiter(source: Path, encoding: str) -> str | None:
    """The delimiter that a first line names as Excel does, such as `sep=;`; the line is no row then."""
    with source.open(encoding=encoding, newline="", errors="replace") as file:
        match = _NAMED.match(file.read(_LEAD))
    return match[1] if match else None


def delimiter_of(source: Path, encoding: str, lead: int) -> str:
    """The candidate that splits the first rows into the most equal numbers of cells; a comma where none splits."""
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
        if widths[0] == 1 < cells:  # the names of the columns are divided by something else
            score *= 0.5
        if score > best_score + 0.01:
            best, best_score = candidate, score
    return best
