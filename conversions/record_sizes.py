"""How many bytes the options of a record, and a list of records, may have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MOST_OPTIONS = 10_000
"""Bytes of a record's options as JSON: those of json-to-pdf may have 9,815 characters, which are up to 40 KB."""
MOST_LISTED = 1_000_000
"""Bytes of a list: a page of 100 records usually has 80 KB. Names and errors, always shown, have 950 KB at most."""
_LONGEST_ESCAPE = 6
_EMPTY: Mapping[str, Any] = {"options": {}, "detected": {}, "warnings": [], "verified": None}
"""What stands for a field that a list leaves out."""


def recorded(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options as they are recorded: the longest texts only as `true` if all have too many bytes."""
    texts = {name: value for name, value in options.items() if isinstance(value, str)}
    if _LONGEST_ESCAPE * sum(map(len, texts.values())) <= MOST_OPTIONS // 2:  # most records: they are not measured
        return options
    kept, size = dict(options), _size(options)
    for name in sorted(texts, key=lambda name: _size(texts[name]), reverse=True):
        if size <= MOST_OPTIONS:
            break
        size -= _size(kept[name]) - len("true")
        kept[name] = True
    return kept


def fitted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a list without the largest fields of all if it has too many bytes; `leftOut` names them in each."""
    size = sum(map(_size, rows))
    if size <= MOST_LISTED:
        return rows
    fields = [(_size(row[name]), at, name) for at, row in enumerate(rows) for name in _EMPTY if row.get(name)]
    shorter = [dict(row) for row in rows]
    for saved, at, name in sorted(fields, reverse=True):
        if size <= MOST_LISTED:
            break
        size -= saved
        shorter[at][name] = _EMPTY[name]
        shorter[at].setdefault("leftOut", []).append(name)
    return shorter


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=str).encode(errors="replace"))
