"""Estimate the space of text on a slide by the metrics of Helvetica and Courier."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from reportlab.pdfbase import pdfmetrics

from engine.families.documents.presenting.blocks import Line, Run

MONO = 0.6
"""The width of a monospaced character, in ems."""

LEADING = 1.2
"""The line height, in ems."""

_WIDER = 1.03
"""The factor by which another similar font may be wider."""

_PIECES = re.compile(r"\n|[^\S\n]+|[^\s]+")


@lru_cache(maxsize=20_000)
def _letter(letter: str, bold: bool) -> float:
    """The width of a character, in ems."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if unicodedata.combining(letter):
        return 0.0
    try:
        code = letter.encode("cp1252")[0]
    except UnicodeEncodeError:
        return 0.62
    widths: Sequence[float] = pdfmetrics.getFont("Helvetica-Bold" if bold else "Helvetica").widths
    return (widths[code] or 600) / 1000


def width(text: str, *, bold: bool = False, mono: bool = False) -> float:
    """The width of a text on one line, in ems."""
    if mono:
        return sum(2 * MONO if unicodedata.east_asian_width(each) in "WF" else MONO for each in text) * _WIDER
    return sum(_letter(each, bold) for each in text) * _WIDER


def line_starts(line: Line, size: float, room: float) -> list[int]:
    """The offsets at which the lines of a paragraph start, the first being 0, in `room` points."""
    most = max(room / size, 1.5)
    starts, at, filled = [0], 0, 0.0
    for run in line.runs:
        formatting = run.formatting
        for piece in _PIECES.findall(run.text):
            if piece == "\n":
                starts.append(at + 1)
                filled = 0.0
            elif piece.isspace():
                filled += width(piece, bold=formatting.bold, mono=formatting.mono)
            else:
                needed = width(piece, bold=formatting.bold, mono=formatting.mono)
                if filled + needed > most and needed <= most and not _breakable(piece):
                    if filled:
                        starts.append(at)
                    filled = needed
                elif filled + needed > most:
                    filled = _fill_by_character(
                        piece, at, filled, most, starts, bold=formatting.bold, mono=formatting.mono
                    )
                else:
                    filled += needed
            at += len(piece)
    return starts


def _breakable(piece: str) -> bool:
    """Whether lines may break between any two characters, as in Chinese and Japanese."""
    return any(unicodedata.east_asian_width(each) in "WF" for each in piece)


def _fill_by_character(
    piece: str, at: int, filled: float, most: float, starts: list[int], *, bold: bool, mono: bool
) -> float:
    """Fill lines character by character, and return the width of the last one."""
    for offset, letter in enumerate(piece):
        needed = width(letter, bold=bold, mono=mono)
        if filled and filled + needed > most:
            starts.append(at + offset)
            filled = 0.0
        filled += needed
    return filled


def split_at(runs: Sequence[Run], places: Sequence[int]) -> list[tuple[Run, ...]]:
    """Split the runs at each of `places`, the first being 0, without white space at the splits."""
    found: list[list[Run]] = [[]]
    at, following = 0, 1
    for run in runs:
        text = run.text
        begin = 0
        while following < len(places) and places[following] < at + len(text):
            stop = places[following] - at
            if stop > begin:
                found[-1].append(run._replace(text=text[begin:stop]))
            found.append([])
            begin, following = stop, following + 1
        found[-1].append(run._replace(text=text[begin:]))
        at += len(text)
        while following < len(places) and places[following] == at:
            found.append([])
            following += 1
    return [_trimmed(each) for each in found]


def _trimmed(runs: list[Run]) -> tuple[Run, ...]:
    if runs:
        runs[0] = runs[0]._replace(text=runs[0].text.lstrip(" \n"))
        runs[-1] = runs[-1]._replace(text=runs[-1].text.rstrip(" \n"))
    return tuple(each for each in runs if each.text)
