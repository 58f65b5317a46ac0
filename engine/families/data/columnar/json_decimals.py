"""Parse numbers in source form as decimals with all of their digits."""

from __future__ import annotations

from decimal import Decimal

import polars
from polars import col

from engine.families.data.columnar.cells import called_by_place, frame_of
from engine.families.data.exactness import Unlike
from engine.families.data.schema import MAX_DIGITS, Type
from engine.families.data.values import exact

_POWER = "[eE]"


class Wider(Unlike):
    """Decimals have more digits than those seen before: at most these before and after the point, by column."""

    def __init__(self, sizes: dict[str, tuple[int, int]]) -> None:
        self.sizes = sizes


def typed(frame: polars.DataFrame, kinds: dict[str, Type]) -> polars.DataFrame | None:
    """Return a frame, of columns of these kinds, whose decimals are text with decimals.

    Returns None where one has too many digits for any decimal. Raises Wider.
    """
    columns = list(called_by_place(frame))
    tokens: list[tuple[int, Type]] = []
    sizes: dict[str, tuple[int, int]] = {}
    for at, (name, wanted) in enumerate(kinds.items()):
        if not _is_text(columns[at], wanted):
            continue
        plain = _without_powers(columns[at])
        if plain is None:
            return None
        whole, scale = _sizes(plain)
        if whole > wanted.whole or scale > wanted.scale:
            sizes[name] = whole, scale
        columns[at] = plain
        tokens.append((at, wanted))
    if sizes:
        raise Wider(sizes)
    for at, wanted in tokens:
        columns[at] = columns[at].cast(polars.Decimal(wanted.precision, wanted.scale))
    return frame_of(columns, kinds)


def _is_text(series: polars.Series, wanted: Type) -> bool:
    return wanted.kind == "decimal" and series.dtype == polars.String


def _without_powers(tokens: polars.Series) -> polars.Series | None:
    power = tokens.str.contains(_POWER).arg_true()
    if not len(power):
        return tokens
    plain = list(map(_plain, tokens[power]))
    return None if None in plain else tokens.scatter(power, plain)


def _plain(token: str) -> str | None:
    """Return a number without an exponent; None where it has too many digits for any decimal."""
    value = exact(token)
    if not value.is_finite() or value.adjusted() >= MAX_DIGITS or _exponent(value) < -MAX_DIGITS:
        return None
    return format(value, "f")


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def _sizes(tokens: polars.Series) -> tuple[int, int]:
    """Return the most digits before and after the point; zero is one before it, unless more follow."""
    body = col("token").str.strip_prefix("-")
    size, point = col("size").cast(polars.Int64), col("point").cast(polars.Int64)
    whole, scale = (
        tokens.to_frame("token")
        .select(size=body.str.len_bytes(), point=body.str.find(".", literal=True), small=body.str.starts_with("0."))
        .select(
            whole=polars.when("small").then(0).otherwise(point.fill_null(size)).max(), scale=(size - point - 1).max()
        )
        .row(0)
    )
    return whole or 0, scale or 0
