"""Remove the declared columns of HTML tables with wider rows, as pandoc drops the cells beyond them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(r"<(/?)(table|tr|td|th|col)\b([^<>]*)>", re.IGNORECASE)
_SPAN = re.compile(r"\b(?:col)?span\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)


@dataclass
class _Table:
    declared: int = 0
    row: int = 0
    widest: int = 0
    places: list[tuple[int, int]] = field(default_factory=list)


def without(markup: str) -> str:
    """Return the markup without the `col` elements of tables that have more cells in a row than these."""
    if "<col" not in markup.lower():
        return markup
    opened: list[_Table] = []
    short: list[tuple[int, int]] = []

    def close() -> None:
        table = opened.pop()
        if table.declared < table.widest:
            short.extend(table.places)

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
                opened[-1].places.append(found.span())
            else:
                opened[-1].row += width
                opened[-1].widest = max(opened[-1].widest, opened[-1].row)
    while opened:
        close()
    pieces, last = [], 0
    for start, end in sorted(short):
        pieces.append(markup[last:start])
        last = end
    return "".join([*pieces, markup[last:]])
