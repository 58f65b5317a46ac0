"""Extract columns from JSON objects that differ only in their values.

All columns are computed in one polars query, because a query for each costs as much as some of their results.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import polars
from polars import Expr, Series, col

from engine.families.data.inference import EXACT_DIGITS
from engine.families.data.values import Number, exact_float

Kind = Literal["", "text", "boolean", "integer", "number", "decimal", "literal", "any"]
"""The JSON kind of all values of a column; empty where all are null. Decimals are numbers in source form, literals also
booleans, and any value but a list or an object is the text of its cell."""

_ODD = r'["\\\x00-\x1f]'
"""Characters that JSON text has to escape."""
_EXACT = rf"^(-?(0|[1-9][0-9]*)\.[0-9]+|0|-?[1-9][0-9]{{0,{EXACT_DIGITS - 1}}})$"
_SPELLED = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"
_LITERAL = rf"^(true|false|{_SPELLED})$"
_IN_SOURCE_FORM: dict[Kind, str] = {"decimal": rf"^{_SPELLED}$", "literal": _LITERAL, "any": _LITERAL}
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)")
_NUMBERS: dict[Kind, Any] = {"integer": polars.Int64, "number": polars.Float64}
_READ, _OTHER = "read ", "other "
"""Column name prefixes: the numbers parsed from tokens, which text tokens have escapes, or which others are not in
source form; and which numbers are not in polars' spelling."""

_SPELLED_OTHERWISE = {"null": None, "-0": "0"}
_QUOTE = polars.lit('"')
_decoded = msgspec.json.Decoder(str).decode_lines


@dataclass(frozen=True)
class Field:
    """The text between two cuts: a fixed prefix and suffix around the value of column `at`, or fixed text if None."""

    before: str
    at: int | None = None
    after: str = ""


class Parts:
    """Converts frames with one text column for each field, named as in `names`, to columns of the given kinds."""

    def __init__(self, fields: Sequence[Field], kinds: Sequence[Kind]) -> None:
        self.names = list(map(str, range(len(fields))))
        self._fields = dict(zip(self.names, fields, strict=True))
        self._kinds = {name: kinds[each.at] for name, each in self._fields.items() if each.at is not None}
        self._checks = [self._check(name, field) for name, field in self._fields.items()]
        self._tokens = {name: self._token(name, self._fields[name]) for name in self._kinds}
        texts = [col(name).str.contains(_ODD) for name in self._of("text")]
        literals = [~col(name).str.contains(_IN_SOURCE_FORM[self._kinds[name]]) for name in self._of(*_IN_SOURCE_FORM)]
        casts = [col(name).cast(_NUMBERS[self._kinds[name]], strict=False) for name in self._of(*_NUMBERS)]
        self._readings = [each.name.prefix(_READ) for each in texts + literals + casts]
        others = [(name, _has_no_first_digit(name)) for name in self._of("integer")]
        others += [(name, _is_other(name)) for name in self._of("number")]
        self._others = [each.alias(_OTHER + name) for name, each in others]

    def columns(self, parts: polars.DataFrame) -> list[Series] | None:
        """Return the columns in order; None where a part does not match its field."""
        tokens = self._cut(parts)
        if tokens is None:
            return None
        tokens = tokens.with_columns_seq(self._readings)
        for name in self._of(*_NUMBERS):
            if (nulls := tokens[_READ + name].null_count()) > tokens[name].null_count():
                without = tokens[name].replace("null", None)
                if without.null_count() != nulls:
                    return None
                tokens = tokens.with_columns(without)
        tokens = tokens.with_columns_seq(self._others)
        columns: list[Series] = []
        for name, kind in self._kinds.items():
            if kind == "text":
                column = _decoded_where(tokens[name], tokens[_READ + name])
            else:
                column = _any(tokens[name], tokens[_READ + name]) if kind == "any" else _column(tokens, name, kind)
            if column is None:
                return None
            columns.append(column)
        return columns

    def _of(self, *kinds: Kind) -> list[str]:
        return [name for name, kind in self._kinds.items() if kind in kinds]

    def _check(self, name: str, field: Field) -> Expr:
        """Return an expression for whether the text around all values of a field is as expected."""
        kind = self._kinds.get(name)
        if kind is None:
            return (col(name) == field.before).all()
        if kind in ("", "boolean"):
            words = ("null",) if kind == "" else ("true", "false")
            return polars.any_horizontal(_is(name, field, word) for word in words).all()
        if not field.before and not field.after:
            return polars.lit(True).alias(name)
        begins, ends = col(name).str.starts_with(field.before), col(name).str.ends_with(field.after)
        # In a short cell, prefix and suffix may overlap.
        apart = col(name).str.len_bytes() >= len((field.before + field.after).encode())
        return (begins & ends & apart).all()

    def _token(self, name: str, field: Field) -> Expr:
        """Return an expression for the token between prefix and suffix, or for which of two words it is."""
        if self._kinds[name] in ("", "boolean"):
            return _is(name, field, "true")
        token = col(name).str.slice(len(field.before)) if field.before else col(name)
        return token.str.head(-len(field.after)) if field.after else token

    def _cut(self, parts: polars.DataFrame) -> polars.DataFrame | None:
        inside: list[Expr | Series] = []
        for (name, field), usual in zip(self._fields.items(), parts.select_seq(self._checks).row(0), strict=True):
            if usual:
                inside += [self._tokens[name]] if name in self._tokens else []
                continue
            with_nulls = _WITH_NULLS.get(self._kinds.get(name))
            cut = with_nulls(parts[name], field) if with_nulls else None
            if cut is None:
                return None
            inside.append(cut)
        return parts.select_seq(inside)


def _column(tokens: polars.DataFrame, name: str, kind: Kind) -> Series | None:
    """Return a column of any kind but text."""
    if kind == "":
        return polars.repeat(None, tokens.height, dtype=polars.String, eager=True)
    found = tokens[name]
    if kind == "boolean":
        return found
    if kind in _IN_SOURCE_FORM:
        odd = tokens[_READ + name]
        found = found.replace("null", None) if odd.any() else found
        return None if (odd & found.is_not_null()).any() else found
    read, others = tokens[_READ + name], tokens[_OTHER + name]
    if others.any():
        found = found.filter(others)
        same = _are_exact(found) if kind == "number" else (read.filter(others).cast(polars.String) == found).all()
        return read if same else None
    return read


def _any(tokens: Series, other: Series) -> Series | None:
    """Return the texts of values of several kinds, `other` than those in source form if in quotes."""
    found = tokens.replace(_SPELLED_OTHERWISE)
    quoted = (other & found.is_not_null()).arg_true()
    inside = _within(found[quoted], '"', '"')
    if inside is None or (found[quoted] == '"').any():
        return None
    real = _decoded_where(inside, inside.str.contains(_ODD))
    return None if real is None else found.scatter(quoted, real)


def _decoded_where(found: Series, odd: Series) -> Series | None:
    """Return texts; those that are `odd` are decoded."""
    places = odd.arg_true()
    if not len(places):
        return found
    # No line break is inside a JSON text, so that each is one if there are as many as lines.
    lines = polars.select(polars.concat_str(_QUOTE, found[places], _QUOTE).str.join("\n")).item()
    try:
        real = _decoded(lines)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if len(real) != len(places):
        return None
    return found.scatter(places, real)


def _is(name: str, field: Field, word: str) -> Expr:
    return col(name) == f"{field.before}{word}{field.after}"


def _has_no_first_digit(name: str) -> Expr:
    """Return where an integer does not begin with 1 to 9; those that do have only one spelling."""
    return (col(name) < "1") | (col(name) >= ":")


def _is_other(name: str) -> Expr:
    """Return where a number is not in polars' own spelling, or not finite."""
    read = col(_READ + name)
    return (read.cast(polars.String) != col(name)) | ~read.is_finite()


def _are_exact(tokens: Series) -> bool:
    """Return whether all tokens are numbers that a float holds exactly."""
    others = tokens.filter(~tokens.str.contains(_EXACT) | (tokens.str.len_bytes() > EXACT_DIGITS))
    return all(_FRACTION.fullmatch(each) and exact_float(Number(each)) is not None for each in others)


def _within(series: Series, before: str, after: str) -> Series | None:
    """Return the text between a prefix and a suffix in each cell; None where a cell lacks them."""
    if before:
        if not series.str.starts_with(before).all():
            return None
        series = series.str.slice(len(before))
    if after:
        if not series.str.ends_with(after).all():
            return None
        series = series.str.head(-len(after))
    return series


def _texts_with_nulls(part: Series, field: Field) -> Series | None:
    before, after = field.before, field.after
    if not (before.endswith('"') and after.startswith('"')):
        return None
    bare = _within(part, before[:-1], after[1:])
    return None if bare is None else _within(bare.replace("null", None), '"', '"')


def _booleans_with_nulls(part: Series, field: Field) -> Series | None:
    true, false, null = (part == f"{field.before}{each}{field.after}" for each in ("true", "false", "null"))
    return true.set(null, None) if (true | false | null).all() else None


_WITH_NULLS: Any = {"text": _texts_with_nulls, "boolean": _booleans_with_nulls}
"""How to extract tokens from fields where some values are null; returns None where a cell is anything else."""
