"""Keep the digits of decimals that exceed the precision their column declares."""

from __future__ import annotations

import polars
from polars import selectors

from engine.families.data.schema import MAX_DIGITS
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_LONG = Kind(
    "VALUE_CONVERTED", "Columns have decimals with more digits than they declare; all were kept: {count}{places}."
)


def widened(scan: polars.LazyFrame, warn: Warn) -> tuple[polars.LazyFrame, polars.Schema]:
    """Return the scan with such columns as decimals of 38 digits, and its schema; decimals in lists stay."""
    schema = scan.collect_schema()
    declared = {name: kind for name, kind in schema.items() if isinstance(kind, polars.Decimal)}
    if not declared:
        return scan, schema
    longest = scan.select(selectors.by_name(*declared).to_physical().abs().max()).collect(engine="streaming").row(0)
    long = {
        name: polars.Decimal(MAX_DIGITS, kind.scale)
        for (name, kind), most in zip(declared.items(), longest, strict=True)
        if most is not None and kind.precision < MAX_DIGITS and most >= 10**kind.precision
    }
    warn.tally(_LONG, len(long), (say("“{column}” as {kind}", column=each, kind=_sql(declared[each])) for each in long))
    if not long:
        return scan, schema
    scan = scan.with_columns(selectors.by_name(name).cast(kind) for name, kind in long.items())
    return scan, scan.collect_schema()


def _sql(kind: polars.Decimal) -> str:
    return f"decimal({kind.precision}, {kind.scale})"
