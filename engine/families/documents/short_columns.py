"""Declare the columns of HTML tables one by one, or not at all, as pandoc drops the cells beyond those declared."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(r"<(/?)(table|tr|td|th|col)\b([^<>]*)>", re.IGNORECASE)
_MOST_ADDED = 5_000
"""The declarations that one document may gain: a span of 9,999 columns takes 15 bytes."""
_SPAN = re.compile(r"\b(?:col)?span\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)


@dataclass
class _Table:
    declared: int = 0
    row: int = 0
    widest: int = 0
    places: list[tuple[int, int, int]] = field(default_factory=list)
    """Where each declaration begins and ends, and how many columns it declares."""


def without(markup: str) -> str:
    """Return the markup without the `col` elements of tables that have more cells in a row than these.

    Pandoc takes one that spans several columns for one column, so it is repeated.
    """
    if "<col" not in markup.lower():
        return markup
    opened: list[_Table] = []
    changes: list[tuple[int, int, str]] = []
    added = 0

    def close() -> None:
        nonlocal added
        table = opened.pop()
        if len(table.places) >= table.widest:
            return
        more = table.declared - len(table.places)
        if table.declared < table.widest or added + more > _MOST_ADDED:
            changes.extend((start, end, "") for start, end, _ in table.places)
            return
        added += more
        for start, end, width in table.places:
            if width > 1:
                changes.append((start, end, _SPAN.sub("", markup[start:end]) * width))

    for found in _TOKEN.finditer(markup):
        closing, name = bool(found[1]), found[2].lower()
        if name == "table" and not closing:
            opened.append(_Table())
        elif not opened:
            continue
        elif name == "table":
            close()
        elif name == "tr":
            opened[-1].row = 0
        elif not closing:
            span = _SPAN.search(found[3])
            width = int(span[1]) if span else 1
            if name == "col":
                opened[-1].declared += width
                opened[-1].places.append((*found.span(), width))
            else:
                opened[-1].row += width
                opened[-1].widest = max(opened[-1].widest, opened[-1].row)
    while opened:
        close()
    pieces, last = [], 0
    for start, end, columns in sorted(changes):
        pieces += [markup[last:start], columns]
        last = end
    return "".join([*pieces, markup[last:]])
