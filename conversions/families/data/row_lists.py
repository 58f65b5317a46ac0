"""Row lists: where the rows of a table lie in a document that is one object.

What stands beside a list, and above it, is part of each of its rows, as in a join; objects with a single key, which
only hold others, are opened. So one item gives the same columns as many, which matters in XML: there one element and a
list of one are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conversions.families.data.table import Documents, batched
from conversions.families.data.values import Value
from conversions.toolkit.failures import InvalidOption
from conversions.toolkit.warnings import Warn

TEXT = "#text"
"""The key under which the text of an XML element stands beside its attributes."""

Path = tuple[str, ...]
_NAMESPACES = re.compile(r"xmlns(:.*)?|xsi:(schemaLocation|noNamespaceSchemaLocation)")
_SHOWN = 8


@dataclass(frozen=True)
class RowList:
    """The rows of one table, and the name of the key that holds them."""

    name: str
    rows: Documents


def at(documents: Documents, row_path: str) -> Documents:
    """The rows that a path leads to, through every list on the way; raises InvalidOption where it leads nowhere."""
    found: list[Value] = [value for batch in documents.batches() for value in batch]
    for name in (each.replace(r"\.", ".") for each in re.split(r"(?<!\\)\.", row_path)):
        step = [inner for each in found for inner in (each if isinstance(each, list) else [each])]
        found = [each[name] for each in step if isinstance(each, dict) and name in each]
    if not found:
        raise InvalidOption("rowPath", f"Nothing is found at “{row_path}”. Name the keys from the top down.")
    rows = _even([inner for each in found for inner in (each if isinstance(each, list) else [each])])
    return Documents(lambda: batched(rows), many=True)


def sought(document: Value, options: Any, warn: Warn) -> list[RowList]:
    """The rows of the first list of objects from the top down, or, where `options.sheets` says so, of each.

    A document without such a list is one row, or, if it is nothing but a list of single values, one row for each. Lists
    that are left out are one warning, with their paths.
    """
    prefix = getattr(options, "attribute_prefix", None)
    if prefix is not None:
        document = _without_namespaces(document, prefix, warn)
    above: Path = ()
    while isinstance(document, dict) and len(document) == 1:
        ((key, inner),) = document.items()
        if not isinstance(inner, dict) or not inner:
            break
        above, document = (*above, key), inner
    lists = list(_lists(document))
    if not lists:
        return [RowList("Sheet1", _rows(_single(document)))]
    if len(lists) > 1 and options.sheets != "all":
        others = ", ".join(f"“{_shown(above, path)}” ({len(rows):,})" for path, rows in lists[1 : _SHOWN + 1])
        more = f" and {len(lists) - 1 - _SHOWN:,} more" if len(lists) > _SHOWN + 1 else ""
        warn(
            "CONTENT_DROPPED",
            f"Of {len(lists):,} lists only the one at “{_shown(above, lists[0][0])}” is in the output, not {others}"
            f"{more}. Name another with rowPath, or use sheets=all.",
        )
    warn.detect(rowPath=_shown(above, lists[0][0]))
    found = []
    for path, rows in lists if options.sheets == "all" else lists[:1]:
        beside = _without(document, {other for other, _ in lists if other != path})
        name = path[-1] if len(lists) > 1 and options.sheets == "all" else "Sheet1"
        found.append(RowList(name, _placed(beside, path, rows) if _branches(beside, path) else _rows(_opened(rows))))
    return found


def unwound(documents: Documents, unwind: str, separator: str) -> Documents:
    """One document for each item of the list that lies at a dotted name in it; an empty list leaves the key null.

    Raises InvalidOption where no document has anything at that name.
    """
    path = tuple(unwind.split(separator))

    def values() -> Iterator[Value]:
        found = False
        for batch in documents.batches():
            for value in batch:
                inner = value
                for key in path:
                    inner = inner.get(key, _NOTHING) if isinstance(inner, dict) else _NOTHING
                found = found or inner is not _NOTHING
                if isinstance(inner, list):
                    yield from (_with(value, path, item) for item in inner or [None])
                else:
                    yield value
        if not found:
            raise InvalidOption("unwind", f"There is no column “{unwind}”. Name the keys from the row down.")

    return Documents(lambda: batched(values()), many=True)


_NOTHING = object()


def _lists(document: Value) -> Iterator[tuple[Path, list[Value]]]:
    """Lists of objects, the shallowest first; those inside of others are not looked for."""
    level: list[tuple[Path, Value]] = [((), document)]
    while level:
        below: list[tuple[Path, Value]] = []
        for path, value in level:
            if isinstance(value, list) and any(isinstance(each, dict) for each in value):
                rows = _even(value)
                if all(isinstance(each, dict) for each in rows):
                    yield path, rows
            elif isinstance(value, dict):
                below += (((*path, key), inner) for key, inner in value.items())
        level = below


def _even(rows: list[Value]) -> list[Value]:
    """The rows, with elements that have no attributes or text only as the objects that the others are."""
    if not any(isinstance(each, dict) for each in rows) or all(isinstance(each, dict) for each in rows):
        return rows
    return [{} if each is None else {TEXT: each} if isinstance(each, str) else each for each in rows]


def _single(document: Value) -> list[Value]:
    if isinstance(document, dict) and len(document) == 1:
        ((key, inner),) = document.items()
        if isinstance(inner, list) and inner and not any(isinstance(each, dict | list) for each in inner):
            return [{key: each} for each in inner]
    return [document]


def _opened(rows: list[Value]) -> list[Value]:
    """The rows, or what is in them where each has the same single key, with an object."""
    while True:
        keys = {next(iter(row)) if len(row) == 1 else None for row in rows}
        key = next(iter(keys))
        if len(keys) > 1 or key is None or not all(isinstance(row[key], dict) and row[key] for row in rows):
            return rows
        rows = [row[key] for row in rows]


def _rows(rows: list[Value]) -> Documents:
    return Documents(lambda: batched(rows), many=True)


def _placed(document: Value, path: Path, rows: list[Value]) -> Documents:
    return Documents(lambda: batched(_with(document, path, row) for row in rows), many=True)


def _with(document: Value, path: Path, value: Value) -> Value:
    """A copy of the document with another value at the path."""
    if not path:
        return value
    return {key: _with(inner, path[1:], value) if key == path[0] else inner for key, inner in document.items()}


def _without(document: Value, paths: set[Path]) -> Value:
    """A copy of the document without what lies at the paths, and without objects that only held that."""
    if () in paths or not isinstance(document, dict):
        return document
    kept = {}
    for key, inner in document.items():
        below = {path[1:] for path in paths if path[0] == key}
        if () not in below:
            left = _without(inner, below) if below else inner
            if left or not below:
                kept[key] = left
    return kept


def _branches(document: Value, path: Path) -> bool:
    """Whether there is anything beside the path."""
    for key in path:
        if len(document) > 1:
            return True
        document = document[key]
    return False


def _without_namespaces(document: Value, prefix: str, warn: Warn) -> Value:
    if not isinstance(document, dict):
        return document
    kept = {}
    for key, inner in document.items():
        if key.startswith(prefix) and isinstance(inner, str) and _NAMESPACES.fullmatch(key, len(prefix)):
            warn("CONTENT_DROPPED", "Declarations of namespaces (xmlns, xsi:schemaLocation) are no columns of a table.")
        else:
            kept[key] = _without_namespaces(inner, prefix, warn)
    return kept


def _shown(above: Path, path: Path) -> str:
    return ".".join(key.replace(".", r"\.") for key in (*above, *path))
