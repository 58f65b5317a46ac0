"""The character pitch of a section's grid, and lengths in characters and lines (ECMA-376, part 1, 17.6.5)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.families.documents.word.properties import Properties

_EAST_ASIAN = re.compile("[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
_LINE = 12.0
"""The height of a line in points that lengths in lines refer to without a grid."""
_CHARACTERS = {"firstChars": "first", "leftChars": "left", "rightChars": "right"}
_LINES = {"beforeLines": "before", "afterLines": "after"}


@dataclass(frozen=True)
class CharacterGrid:
    """What is added to each character, in points, and the width of the cells that East Asian ones fill, if they do."""

    added: float = 0.0
    cell: float = 0.0

    def spacing(self, text: str, formatting: Properties) -> float:
        """The points between the characters of a run, beside its own spacing."""
        if formatting.get("snapToGrid") is False:
            return 0.0
        if not self.cell:
            return self.added
        if not _EAST_ASIAN.search(text):
            return 0.0
        size = float(formatting.get("size", 10.0))
        cells = max(1, -(-size // self.cell))
        return cells * self.cell - size


NO_GRID = CharacterGrid()


def lengths(block: Properties, size: Callable[[], float], pitch: float, grid: CharacterGrid) -> Properties:
    """Paragraph properties whose lengths in characters and lines are in points (17.3.1.12 and 17.3.1.33).

    Characters are as wide as the first letters are high (their `size`), and lines as high as those of the grid.
    """
    found = {}
    for name, length in _CHARACTERS.items():
        if count := block.get(name):
            found[length] = count / 100 * (size() + grid.added)
    if block.get("firstChars", 0) < 0 and "leftChars" in block:
        found["left"] = found.get("left", block.get("left", 0.0)) - found["first"]
    for name, length in _LINES.items():
        if (count := block.get(name)) and not block.get(f"{length}Auto"):
            found[length] = count / 100 * (pitch or _LINE)
    return block | found if found else block
