"""Find the list of rows in a document that is a single object.

Values next to a list, and above it, become part of each row, as in a join; objects with a single key are opened. A
single item therefore gives the same columns as several, which matters in XML, where a list of one looks like a single
element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.families.data.json_input import blocks
from engine.families.data.json_input import unwinding as by_blocks
from engine.families.data.list_items import Path, Unwinding, replaced
from engine.families.data.table import Documents, batched
from engine.families.data.values import Value
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

TEXT = "#text"
"""The key for the text of an XML element, beside its attributes."""

_NAMESPACES = re.compile(r"xmlns(:.*)?|xsi:(schemaLocation|noNamespaceSchemaLocation)")
_SHOWN = 8


@dataclass(frozen=True)
class RowList:
    """The rows of one table, and the key that holds them."""

    name: str
    rows: Documents


def at(documents: Documents, row_path: str) -> Documents:
    """The rows at a path, through all lists on the way; raises InvalidOption if it does not exist."""
    found: list[Value] = [value for batch in documents.batches() for value in batch]
    for name in (each.replace(r"\.", ".") for each in re.split(r"(?<!\\)\.", row_path)):
        step = [inner for each in found for inner in (each if isinstance(each, list) else [each])]
        found = [each[name] for each in step if isinstance(each, dict) and name in each]
    if not found:
        raise InvalidOption(
            "rowPath", say("Nothing was found at “{row_path}”. List the keys starting from the top.", row_path=row_path)
        )
    rows = _even([inner for each in found for inner in (each if isinstance(each, list) else [each])])
    return Documents(lambda: batched(rows), many=True)


def sought(document: Value, options: Any, warn: Warn) -> list[RowList]:
    """Return the rows of the first list of objects in breadth-first order, or of each with `options.sheets`.

    A document without such a list is one row, or one row per item if it is a list of scalars. Unused lists are reported
    in one warning.
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
        more = say(" and {lists} more", lists=len(lists) - 1 - _SHOWN) if len(lists) > _SHOWN + 1 else ""
        warn(
            "CONTENT_DROPPED",
            say(
                "Of {count} lists, only the one at “{above}” is in the output, not {others}{more}. "
                "Choose another with rowPath, or use sheets=all.",
                count=len(lists),
                above=_shown(above, lists[0][0]),
                others=others,
                more=more,
            ),
        )
        warn.account("values", sum(_size(rows) for _, rows in lists[1:]))
    warn.detect(rowPath=_shown(above, lists[0][0]))
    found = []
    for path, rows in lists if options.sheets == "all" else lists[:1]:
        beside = _without(document, {other for other, _ in lists if other != path})
        name = path[-1] if len(lists) > 1 and options.sheets == "all" else "Sheet1"
        found.append(RowList(name, _placed(beside, path, rows) if _branches(beside, path) else _rows(_opened(rows))))
    return found


def unwound(documents: Documents, unwind: str, separator: str) -> Documents:
    """One document for each item of the list at a dotted path; an empty list leaves the key null.

    Raises InvalidOption if no document has that path.
    """
    unwinding = Unwinding(unwind, tuple(unwind.split(separator)))
    if documents.blocks:
        return blocks.documents(by_blocks.blocks(documents.blocks, unwinding), documents.size)

    def values() -> Iterator[Value]:
        for batch in documents.batches():
            yield from unwinding.values(batch)
        unwinding.check()

    return Documents(lambda: batched(values()), many=True)


def _lists(document: Value) -> Iterator[tuple[Path, list[Value]]]:
    """Lists of objects, the shallowest first, without nested ones."""
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


def _size(value: Value) -> int:
    """Return the number of non-null values in a value."""
    if isinstance(value, dict | list):
        return sum(map(_size, value.values() if isinstance(value, dict) else value))
    return int(value is not None)


def _even(rows: list[Value]) -> list[Value]:
    """Return the rows, with elements of plain text converted to objects like the others."""
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
    """The rows, unwrapped if each has the same single key with an object."""
    while True:
        keys = {next(iter(row)) if len(row) == 1 else None for row in rows}
        key = next(iter(keys))
        if len(keys) > 1 or key is None or not all(isinstance(row[key], dict) and row[key] for row in rows):
            return rows
        rows = [row[key] for row in rows]


def _rows(rows: list[Value]) -> Documents:
    return Documents(lambda: batched(rows), many=True)


def _placed(document: Value, path: Path, rows: list[Value]) -> Documents:
    return Documents(lambda: batched(replaced(document, path, row) for row in rows), many=True)


def _without(document: Value, paths: set[Path]) -> Value:
    """A copy of the document without the paths, and without objects that only held them."""
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
    """Whether the document has anything outside the path."""
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
            warn("CONTENT_DROPPED", "Namespace declarations (xmlns, xsi:schemaLocation) did not become columns.")
        else:
            kept[key] = _without_namespaces(inner, prefix, warn)
    return kept


def _shown(above: Path, path: Path) -> str:
    return ".".join(key.replace(".", r"\.") for key in (*above, *path))
