"""Features beyond plain values that readers find in a file and writers may preserve.

Features that the writer does not keep are lost: one warning for each, with its count and first places.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import islice

from engine.toolkit import office_macros
from engine.toolkit.warnings import MAX_EXAMPLES, Kind, Warn


class Feature(Enum):
    """A feature a format may have besides plain values, and the warning if a writer drops it."""

    COMMENT = Kind(
        "COMMENTS_DROPPED", "Comments in the file are not in the output: {count}{places}.", counts="comments"
    )
    NOTE = Kind("COMMENTS_DROPPED", "Cell notes are not in the output: {count}{places}.", counts="comments")
    LINK = Kind(
        "CONTENT_DROPPED",
        "Cell links are not in the output, only the cells' text: {count}{places}.",
        counts="links",
    )
    PICTURE = Kind("CONTENT_DROPPED", "Pictures were left out: {count}{places}.", counts="pictures")
    CHART = Kind("CONTENT_DROPPED", "Charts were left out: {count}{places}.", counts="charts")
    SHAPE = Kind("CONTENT_DROPPED", "Drawn shapes, controls and embedded objects were left out: {count}{places}.")
    READING = Kind("CONTENT_DROPPED", "Phonetic readings (furigana) in cells are not in the output: {count}{places}.")
    MACRO = office_macros.MACROS
    FORMULA = Kind(
        "FORMULA_VALUE",
        "Formulas were replaced by their last calculated values: {count}{places}.",
        counts="formulas",
    )
    NUMBER_FORMAT = Kind(
        "VALUE_CONVERTED",
        "Number formats are not in the output, only the values: {count}{places}. Use values=shown to keep them.",
        counts="formats",
    )
    COLOUR = Kind("CONTENT_DROPPED", "Cell fill colours are not in the output: {count}{places}.", counts="fills")
    MERGED = Kind(
        "MERGED_CELLS", "Merged cells keep their value in the first cell only: {count}{places}.", counts="merges"
    )
    HIDDEN_SHEET = Kind(
        "CONTENT_DROPPED",
        "Hidden sheets are visible in the output: {count}{places}.",
        counts="hidden",
    )
    HIDDEN_ROW = Kind(
        "CONTENT_DROPPED",
        "Hidden rows are visible in the output: {count}{places}.",
        counts="hidden",
    )
    HIDDEN_COLUMN = Kind(
        "CONTENT_DROPPED",
        "Hidden columns are visible in the output: {count}{places}.",
        counts="hidden",
    )
    WIDTH = Kind("CONTENT_DROPPED", "Column widths are not in the output: {count}{places}.", counts="widths")


Keeps = frozenset[Feature]
NOTHING: Keeps = frozenset()
PLACED: Keeps = frozenset(
    {
        Feature.MERGED, Feature.NUMBER_FORMAT, Feature.HIDDEN_SHEET, Feature.HIDDEN_ROW, Feature.HIDDEN_COLUMN,
        Feature.WIDTH,
    }
)  # fmt: skip
"""Features at places of a sheet, which are kept only if a table has its layout."""


class Found:
    """Features that a reader found, with counts and examples; more may be added while reading."""

    def __init__(self) -> None:
        self._parts: dict[tuple[Feature, str], tuple[int, tuple[str, ...]]] = {}

    def put(self, feature: Feature, count: int, examples: Iterable[str] = (), *, part: str = "") -> None:
        """Report that `part` of the input, such as a sheet, has `count` of a feature; a later report replaces it."""
        self._parts[feature, part] = (count, tuple(islice(examples, MAX_EXAMPLES)))

    def count(self, feature: Feature) -> int:
        """The number of a feature in all parts."""
        return sum(number for (each, _), (number, _) in self._parts.items() if each is feature)

    def report_lost(self, keeps: Keeps, warn: Warn) -> None:
        """Warn of each feature found that is not in `keeps`."""
        for (feature, part), (count, examples) in self._parts.items():
            if feature not in keeps:
                warn.tally(feature.value, count, examples, part=part)
