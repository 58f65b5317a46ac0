"""Bullets: letters that stand before the items of a list for a sign that their font has in another place."""

from __future__ import annotations

from collections.abc import Sequence

from conversions.families.pdf.page.segments import Segment, Span

_ROUND, _CIRCLE = "o", "◦"
_AFTER = 5.0
"""Times the size: how far the text of an item is from its bullet at most."""

_ITEM = 3
"""Letters of an item at least; what has fewer is rather the next cell in the row of a table."""

_BEFORE = 3.0
"""Times the size: how far a bullet is at least from what stands to the left of it on its line."""

_LINE = 0.4
"""Times the size: how far the bullet may be off the line of its text."""


def show_circles(segments: Sequence[Segment]) -> None:
    """Make circles of the `o` that Word sets in a font of even widths before items of items.

    So do texts that have been typed for a terminal, as those of the IETF. What stands in a row behind something else
    stays as it is.
    """
    circles = [each for each in segments if each.text.strip() == _ROUND and each.spans[0].style.mono]
    for circle in circles:
        near = [
            each
            for each in segments
            if each is not circle
            and each.turn == circle.turn
            and abs(each.base - circle.base) <= _LINE * max(each.size, circle.size)
        ]
        after = any(
            0 <= each.x0 - circle.x1 < _AFTER * circle.size and sum(map(str.isalpha, each.text)) >= _ITEM
            for each in near
        )
        before = any(0 <= circle.x0 - each.x1 < _BEFORE * circle.size for each in near)
        if after and not before:
            style = circle.spans[0].style
            circle.spans = [Span(_CIRCLE, style)]
