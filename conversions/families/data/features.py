"""Features: what a file carries beside its values, which a reader says it found and a writer says it keeps.

What the one has found and the other does not keep is lost; the warnings are that difference, one for each feature with
how often it occurs and where.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import islice

from conversions.toolkit.warnings import MAX_EXAMPLES, Kind, Warn


class Feature(Enum):
    """A thing that a format may have beside its values, and the warning for a writer that does not keep it."""

    COMMENT = Kind("COMMENTS_DROPPED", "Comments of the file are not in the output")
    NOTE = Kind("COMMENTS_DROPPED", "Notes on cells are not in the output")
    LINK = Kind("CONTENT_DROPPED", "Links of cells are not in the output, only the text of their cells")
    PICTURE = Kind("CONTENT_DROPPED", "Pictures were left out")
    CHART = Kind("CONTENT_DROPPED", "Charts were left out")
    SHAPE = Kind("CONTENT_DROPPED", "Drawn shapes, controls and embedded objects were left out")
    MACRO = Kind("SCRIPT_REMOVED", "Macros were left out")
    FORMULA = Kind("FORMULA_VALUE", "Formulas were replaced by the values they were last calculated to")
    NUMBER_FORMAT = Kind(
        "VALUE_CONVERTED", "Number formats of cells are not in the output, only the values", "values=shown shows them."
    )
    COLOUR = Kind("CONTENT_DROPPED", "Colours that cells are filled with are not in the output")
    MERGED = Kind("MERGED_CELLS", "Merged areas hold their value in the first cell only")
    HIDDEN_SHEET = Kind("CONTENT_DROPPED", "Sheets that are hidden in the workbook are not hidden in the output")
    HIDDEN_ROW = Kind("CONTENT_DROPPED", "Rows that are hidden in the workbook are not hidden in the output")
    HIDDEN_COLUMN = Kind("CONTENT_DROPPED", "Columns that are hidden in the workbook are not hidden in the output")
    WIDTH = Kind("CONTENT_DROPPED", "Widths of columns are not in the output")


Keeps = frozenset[Feature]
NOTHING: Keeps = frozenset()
PLACED: Keeps = frozenset(
    {
        Feature.MERGED, Feature.NUMBER_FORMAT, Feature.HIDDEN_SHEET, Feature.HIDDEN_ROW, Feature.HIDDEN_COLUMN,
        Feature.WIDTH, Feature.NOTE, Feature.LINK,
    }
)  # fmt: skip
"""Features that belong to places of a sheet: they are kept only where a table brings its look."""


class Found:
    """What a reader found beside the values: how often, and where for example; it may say so while it is read."""

    def __init__(self) -> None:
        self._parts: dict[tuple[Feature, str], tuple[int, tuple[str, ...]]] = {}

    def put(self, feature: Feature, count: int, examples: Iterable[str] = (), *, part: str = "") -> None:
        """Say that `part` of the input, such as a sheet, has `count` of a feature; said again, it replaces that."""
        self._parts[feature, part] = (count, tuple(islice(examples, MAX_EXAMPLES)))

    def count(self, feature: Feature) -> int:
        """How many of a feature were found in all parts."""
        return sum(number for (each, _), (number, _) in self._parts.items() if each is feature)

    def tell_lost(self, keeps: Keeps, warn: Warn) -> None:
        """One warning for each feature that was found and that is not in `keeps`."""
        for (feature, part), (count, examples) in self._parts.items():
            if feature not in keeps:
                warn.tally(feature.value, count, examples, part=part)
