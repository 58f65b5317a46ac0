"""Refuse layers that are mostly empty cells, or have too many columns, before they are read."""

from __future__ import annotations

from pathlib import Path

import pyogrio

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

MAX_COLUMNS = 10_000
"""10,000 are read in 0.9 s, 20,000 in 3.6: GDAL compares each with those before it."""
SPARE_CELLS = 3_000_000
"""Cells of a layer beyond two for each byte of the file. 2 million, nearly all empty, take 3 s in a KML of 200 KB."""


def check(source: Path, layer: str) -> None:
    """Raise OverLimit for a layer with too many columns or empty cells, Unreadable for one with too few bytes."""
    about, size = pyogrio.read_info(source, layer=layer, force_feature_count=True), source.stat().st_size
    features, columns = int(about["features"]), len(about["fields"])
    if features > size:
        raise Unreadable("The file is damaged: it ends too early.", reason="damaged")
    if columns > MAX_COLUMNS:
        raise OverLimit(
            "memory",
            say(
                "The table has more than {max_columns} columns. Convert fewer columns at once.", max_columns=MAX_COLUMNS
            ),
        )
    if features * columns > SPARE_CELLS + 2 * size:
        raise OverLimit(
            "limit",
            say(
                "{rows} places with {columns} properties would be almost all empty. Split the file.",
                rows=features,
                columns=columns,
            ),
        )
