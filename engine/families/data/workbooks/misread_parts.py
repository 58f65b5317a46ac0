"""What the library misreads in the XML of workbooks (ECMA-376, part 1, 18), and the XML that it reads right."""

from __future__ import annotations

import re
from collections.abc import Collection

ENDLESS = re.compile(
    rb"""<(?:\w+:)?mergeCell\b(?=[^<>]*>)[^<>]*?\sref\s*=\s*["']((?:[A-Z]+:[A-Z]+|\d+:\d+))["'][^<>]*>"""
)
_PADDED = re.compile(rb"<v>\s")
_PADDED_NUMBER = re.compile(
    rb"""(<(?:\w+:)?c\b(?![^<>]*\st=["']str["'])[^<>]*>\s*(?:<(?:\w+:)?f\b[^<>]*(?:/>|>[^<]*</(?:\w+:)?f>)\s*)?<(?:\w+:)?v>)"""
    rb"""\s+([-+.\deE]+)\s*(?=</)"""
)
_BLANKS = re.compile(rb"<((?:\w+:)?t)>(?=\s|[^<]*+(?<=\s)<)")
"""The beginning of a text with blanks at one of its ends that it does not declare."""
_LONG = re.compile(rb"<v>-?(?:\d{10}|[\d.]+[eE]\+?\d)")
_LONG_SPAN = (
    r"""(<(?:\w+:)?c\b(?:[^<>\s]++|\s(?!s\s*=))*+)\ss\s*=\s*["'](?:%s)["']([^<>]*+>(?:\s*<(?:\w+:)?f\b[^<>]*(?:/>|>[^<]*</(?:\w+:)?f>))?"""
    r"""\s*<(?:\w+:)?v>\s*-?(?:\d{10}|[\d.]+[eE]))"""
)


def is_misread(sheet: bytes) -> bool:
    """Whether the library misreads a sheet, whatever its styles are."""
    if _PADDED.search(sheet) or (b"is>" in sheet and has_blanks(sheet)):
        return True
    return ENDLESS.search(sheet, sheet.rfind(b"</sheetData>")) is not None


def has_blanks(part: bytes) -> bool:
    """Whether texts of a part begin or end with blanks that they do not declare."""
    return _BLANKS.search(part) is not None


def has_long_numbers(sheet: bytes) -> bool:
    """Whether a sheet has numbers of ten digits or more."""
    return _LONG.search(sheet) is not None


def readable(data: bytes, spans: Collection[int]) -> bytes:
    """The part without what the library misreads; `spans` are the styles that show durations.

    Those are merged whole columns or rows, blanks around numbers and texts, and durations too long for Python.
    """
    if spans:
        data = re.sub((_LONG_SPAN % "|".join(map(str, sorted(spans)))).encode(), rb"\1\2", data)
    # Programs keep blanks at the ends of texts and their runs; the library keeps those that are declared.
    return _BLANKS.sub(rb'<\1 xml:space="preserve">', _PADDED_NUMBER.sub(rb"\1\2", ENDLESS.sub(b"", data)))
