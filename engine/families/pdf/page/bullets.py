"""Recognise list bullets that symbol fonts encode as letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from engine.families.pdf.page.segments import Segment, Span
from engine.families.pdf.page.tables import in_lines

BULLETS = "•◦▪▫●○■□‣⁃∙·–—*-➢➲❍❐❑❒⬧◆❖⬥★➔"
"""Bullet characters before list items."""

_ROUND, _CIRCLE = "o", "◦"
_AFTER = 5.0
"""Times the text size: the maximum distance of an item's text from its bullet."""

_ITEM = 3
"""The minimum length of an item; anything shorter is likely the next cell of a table row."""

_BEFORE = 3.0
"""Times the text size: the minimum distance of a bullet from text to its left."""


def replace_circles(segments: Sequence[Segment]) -> None:
    """Replace the `o` before list items by circles, as which Word uses it in a monospaced font.

    Plain-text layouts, such as those of the IETF, do the same. An `o` after other text on its line is left as it is.
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
