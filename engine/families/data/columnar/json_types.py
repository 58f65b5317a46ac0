"""The types that parsers of JSON objects have, and the values that fit them."""

from __future__ import annotations

from engine.families.data.columnar import json_parts
from engine.families.data.inference import EXACT_DIGITS
from engine.families.data.schema import NULL, Kind, Type

_MAX_FLAT = 500
"""Columns up to which objects are cut or decoded as records."""
_CELLS: frozenset[Kind] = frozenset({"text", "boolean", "integer", "number", "decimal"})
_FLAT: dict[Kind, json_parts.Kind] = {
    "text": "text",
    "null": "",
    "boolean": "boolean",
    "integer": "integer",
    "number": "number",
}
_NUMBERS = ("integer", "number", "decimal")


def is_parsed(given: Type) -> bool:
    """Return whether parsers have the type, and would convert no values to it."""
    if given.kind == "list":
        return is_parsed(given.item or NULL)
    if given.kind == "struct":
        return all(is_named(name) and is_parsed(each) for name, each in given.fields)
    return given.kind in _FLAT and not (given.kind == "text" and given.kinds - {"text"})


def is_named(name: str) -> bool:
    """Return whether Arrow hands a key over to polars as it is: names end at the first NUL there."""
    return "\0" not in name


def cell(given: Type) -> json_parts.Kind | None:
    """Return the kind of a column whose values may be cut or decoded in source form; None if they may not."""
    if given.kind == "decimal":
        return "decimal"
    if given.kind == "text" and given.kinds - {"text"}:
        # Of two kinds or more, the column is text whatever others come.
        return "any" if len(given.kinds) > 1 and given.kinds <= _CELLS else None
    return _FLAT.get(given.kind)


def flat(kinds: dict[str, Type]) -> dict[str, json_parts.Kind] | None:
    """Return the kinds of columns whose objects may be cut or decoded as records; None if some may not."""
    found = {name: kind for name, each in kinds.items() if (kind := cell(each)) is not None}
    return found if len(found) == len(kinds) <= _MAX_FLAT else None


def fits(seen: Type, known: Type | None) -> bool:
    """Return whether values of the type seen can be stored as the known one."""
    if known is None or seen.kind == "null":
        return known is not None
    if known.kind == "list" and seen.kind == "list":
        return fits(seen.item or NULL, known.item)
    if known.kind == "struct" and seen.kind == "struct":
        fields = dict(known.fields)
        return all(fits(each, fields.get(name)) for name, each in seen.fields)
    kinds = seen.kinds or {seen.kind}
    if known.kind == "decimal":
        is_number = seen.kind in _NUMBERS and kinds <= known.kinds
        return is_number and seen.whole <= known.whole and seen.scale <= known.scale
    if known.kind == "number":
        return kinds <= {"integer", "number"} and ("integer" not in kinds or seen.longest <= EXACT_DIGITS)
    if known.kind == "text" and known.kinds == {"struct"}:  # there were only empty objects
        return seen.kind == "struct" and not seen.fields
    return kinds <= (known.kinds or {known.kind})
