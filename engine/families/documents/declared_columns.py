"""Declare the columns of HTML tables one by one: pandoc reads no spans, and drops cells beyond the declared columns."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MOST_WRITTEN = 100
"""Columns of a table whose declarations are written out; those of wider tables are removed."""
_MOST_ADDED = 5_000
"""The declarations that one document may gain: a span of 100 columns takes 14 bytes."""
_TOKEN = re.compile(r"<(/?)(table|tr|td|th|col)\b([^<>]*)>", re.IGNORECASE)
_SPAN = re.compile(r"\b(?:col)?span\s*=\s*[\"']?(\d{1,4})[\"']?", re.IGNORECASE)


@dataclass
class _Table:
    declared: int = 0
    row: int = 0
    widest: int = 0
    columns: list[tuple[re.Match[str], int]] = field(default_factory=list)


def written_out(markup: str) -> str:
    """Return the markup with one `col` for each declared column.

    A table with more cells in a row than columns loses its `col` elements, with their widths.
    """
    if "<col" not in markup.lower():
        return markup
    opened: list[_Table] = []
    changed: dict[tuple[int, int], str] = {}
    added = 0

    def close() -> None:
        nonlocal added
        table = opened.pop()
        more = table.declared - len(table.columns)
        if table.declared < table.widest or table.declared > MOST_WRITTEN or more > _MOST_ADDED - added:
            changed.update((found.span(), "") for found, _ in table.columns)
            return
        added += more
        for found, span in table.columns:
            if span > 1:
                changed[found.span()] = f"<col{_SPAN.sub('', found[3])}>" * span

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
            width = max(int(span[1]), 1) if span else 1
            if name == "col":
                opened[-1].declared += width
                opened[-1].columns.append((found, width))
            else:
                opened[-1].row += width
                opened[-1].widest = max(opened[-1].widest, opened[-1].row)
    while opened:
        close()
    pieces, last = [], 0
    for (start, end), text in sorted(changed.items()):
        pieces += [markup[last:start], text]
        last = end
    return "".join([*pieces, markup[last:]])
