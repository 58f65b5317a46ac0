"""Parts of JSON text as columns: each has one value, written in a way that keeps it, and known text around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import polars

from conversions.families.data.inference import EXACT_DIGITS
from conversions.families.data.values import Number, exact_float

Kind = Literal["", "text", "boolean", "integer", "number"]
"""What all values of a column are; nothing where all of them are null."""

_ODD = r'["\\\x00-\x1f]'
"""What no text has in JSON as it is."""
_EXACT = rf"^(-?(0|[1-9][0-9]*)\.[0-9]+|0|-?[1-9][0-9]{{0,{EXACT_DIGITS - 1}}})$"
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)")

_text = msgspec.json.Decoder(str).decode


@dataclass(frozen=True)
class Field:
    """What is between two cuts: the value of a column, if it has one (`at`), and what is before and after it."""

    before: str
    at: int | None = None
    after: str = ""


def _within(series: polars.Series, before: str, after: str) -> polars.Series | None:
    """What is between two texts in each cell; None where they are not around it."""
    if before:
        if not series.str.starts_with(before).all():
            return None
        series = series.str.slice(len(before))
    if after:
        if not series.str.ends_with(after).all():
            return None
        series = series.str.head(-len(after))
    return series


def _texts(part: polars.Series, field: Field) -> polars.Series | None:
    before, after = field.before, field.after
    found = _within(part, before, after)
    if found is None and before.endswith('"') and after.startswith('"'):
        bare = _within(part, before[:-1], after[1:])
        found = None if bare is None else _within(_without_nulls(bare), '"', '"')
    if found is None:
        return None
    odd = found.str.contains(_ODD)
    if odd.any():
        cells = found.filter(odd).unique()
        try:
            real = [_text(f'"{cell}"') for cell in cells]
        except msgspec.DecodeError:
            return None
        found = found.replace(cells, polars.Series(real, dtype=polars.String))
    return found


def _without_nulls(tokens: polars.Series) -> polars.Series:
    return tokens.replace("null", None) if (tokens == "null").any() else tokens


def _booleans(part: polars.Series, field: Field) -> polars.Series | None:
    true, false, null = (part == f"{field.before}{each}{field.after}" for each in ("true", "false", "null"))
    if not (true | false | null).all():
        return None
    return true.set(null, None) if null.any() else true


def _cast(part: polars.Series, field: Field, dtype: Any) -> tuple[polars.Series, polars.Series] | None:
    """What is written in each cell, and its number; None where something is neither a number nor null."""
    tokens = _within(part, field.before, field.after)
    if tokens is None:
        return None
    found = tokens.cast(dtype, strict=False)
    if found.null_count():
        tokens = _without_nulls(tokens)
    return (tokens, found) if found.null_count() == tokens.null_count() else None


def _integers(part: polars.Series, field: Field) -> polars.Series | None:
    if (read := _cast(part, field, polars.Int64)) is None:
        return None
    tokens, found = read
    return found if (found.cast(polars.String) == tokens).all() else None


def _numbers(part: polars.Series, field: Field) -> polars.Series | None:
    """Floats that have exactly the values of what is written."""
    if (read := _cast(part, field, polars.Float64)) is None:
        return None
    tokens, found = read
    if not found.is_finite().all():
        return None
    others = tokens.filter(found.cast(polars.String) != tokens)
    others = others.filter(~others.str.contains(_EXACT) | (others.str.len_bytes() > EXACT_DIGITS))
    if any(not _FRACTION.fullmatch(each) or exact_float(Number(each)) is None for each in others):
        return None
    return found


def _nothing(part: polars.Series, field: Field) -> polars.Series | None:
    if not (part == f"{field.before}null{field.after}").all():
        return None
    return polars.repeat(None, len(part), dtype=polars.String, eager=True)


READ: dict[Kind, Callable[[polars.Series, Field], polars.Series | None]] = {
    "": _nothing,
    "text": _texts,
    "boolean": _booleans,
    "integer": _integers,
    "number": _numbers,
}
"""The column of parts, or None where one of them is something else."""
