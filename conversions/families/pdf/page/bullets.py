"""Bullets: letters that stand before the items of a list for a sign that their font has in another place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from conversions.families.pdf.page.segments import Segment, Span
from conversions.families.pdf.page.tables import in_lines

BULLETS = "•◦▪▫●○■□‣⁃∙·–—*-➢➲❍❐❑❒⬧◆❖⬥★➔"
"""Signs before the items of a list that say nothing of the item."""

_ROUND, _CIRCLE = "o", "◦"
_AFTER = 5.0
"""Times the size: how far the text of an item is from its bullet at most."""

_ITEM = 3
"""Letters of an item at least; what has fewer is rather the next cell in the row of a table."""

_BEFORE = 3.0
"""Times the size: how far a bullet is at least from what stands to the left of it on its line."""


def show_circles(segments: Sequence[Segment]) -> None:
    """Make circles of the `o` that Word sets in a font of even widths before items of items.

    So do texts that have been typed for a terminal, as those of the IETF. What stands in a row behind something else
    stays as it is.
    """
    if not any(map(_is_round, segments)):
        return
    for _, turned in groupby(sorted(segments, key=attrgetter("turn")), attrgetter("turn")):
        for line in in_lines([*turned]):
            for at, circle in enumerate(line[:-1]):
                if not _is_round(circle):
                    continue
                before, after = line[at - 1] if at else None, line[at + 1]
                if (
                    0 <= after.x0 - circle.x1 < _AFTER * circle.size
                    and sum(map(str.isalpha, after.text)) >= _ITEM
                    and (before is None or not 0 <= circle.x0 - before.x1 < _BEFORE * circle.size)
                ):
                    circle.spans = [Span(_CIRCLE, circle.spans[0].style)]


def _is_round(segment: Segment) -> bool:
    return segment.text.strip() == _ROUND and segment.spans[0].style.mono
