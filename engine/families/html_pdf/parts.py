"""Parts of a bound document: HTML pages with their own paper, and footnotes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Notes:
    """Footnotes.

    `texts` are blocks of HTML by the id of the empty element after each reference; `below` is the distance in points
    from the baseline of that element's line to its bottom, None for a block element. `left` and `right` are indents
    within the margins. `page` makes an HTML page of blocks, `at_end` the part with some of them at its end.
    """

    texts: Mapping[str, str]
    below: Mapping[str, float | None]
    left: float
    right: float
    page: Callable[[str], str]
    at_end: Callable[[Sequence[str]], str]


Running = Callable[[float, float, Sequence[int], int], str | None]


@dataclass(frozen=True)
class Part:
    """Pages of a document on the same paper.

    `start` is the side of the sheet they begin on, `number` the first page number if it does not continue.
    `running(width, height, numbers, total)` gives an HTML page with one sheet for each page, drawn behind it as header
    and footer: it takes the paper size in points, the page numbers and the page count of the document; None if there
    are none.
    """

    html: str
    running: Running
    start: Literal["nextPage", "oddPage", "evenPage"] = "nextPage"
    number: int | None = None
    notes: Notes | None = None
    beside: float = 0.0
    """Indents of the text within the margins, in points."""
    direction: Literal["", "rl", "lr", "up"] = ""
    """Whether its lines run down, each left or right of the one before, or up, as the root of `html` says in CSS.

    Its other styles name the sides as if the lines ran to the right.
    """
