"""HTML drawn: as the pages of a PDF or as a picture, with nothing fetched and nothing lost in silence."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from conversions.families.html_pdf.options import HTML_PDF, PageOptions, Viewport
from conversions.families.html_pdf.paper import LARGEST, PT, margins, paper
from conversions.toolkit.warnings import Warn

engine = HTML_PDF.distribution
"""Which of the two draws in this process: `plutoprint` or `xhtml2pdf`."""


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`.

    `title` is the document's title where neither the options nor the document has one. Raises Unreadable for bytes
    that are no HTML and for markup that can't be laid out, OverLimit for more than a page can hold, and InvalidOption
    for a paper size or a margin that leaves no room, and for pages that there are not.
    """
    _engine().render(html, target, options, warn, title=title)


@dataclass(frozen=True)
class Notes:
    """Notes that stand at the foot of the page that refers to them.

    `texts` are blocks of HTML by the id of the empty element behind each reference, and `below` says how far, in
    points, the line of that element reaches below its baseline, None where it is a block of its own. `left` and `right`
    are blank beside them within the margins. `page` makes a page of HTML of blocks, `at_end` the part with some of them
    at its end.
    """

    texts: Mapping[str, str]
    below: Mapping[str, float | None]
    left: float
    right: float
    page: Callable[[str], str]
    at_end: Callable[[Sequence[str]], str]


@dataclass(frozen=True)
class Part:
    """Pages of a document that are all on one paper.

    `start` says on which side of a sheet they begin, `number` what the first one is counted as where it does not follow
    the one before. `running` gives a page of HTML with one sheet for each of them, heads and feet, drawn behind
    them. It is called as `running(width, height, numbers, total)`: the paper in points, the numbers of the pages, and
    how many pages the document has; None where nothing runs along.
    """

    html: str
    running: Callable[[float, float, Sequence[int], int], str | None]
    start: Literal["nextPage", "oddPage", "evenPage"] = "nextPage"
    number: int | None = None
    notes: Notes | None = None
    beside: float = 0.0
    """What is blank at both sides of the text within the margins, in points."""


def bound(
    parts: Sequence[Part],
    target: Path,
    options: PageOptions,
    warn: Warn,
    *,
    title: str | None,
    places: frozenset[str] = frozenset(),
) -> None:
    """Write several pages of HTML, each on paper of its own, as one PDF to `target`; raises what `render` does.

    `places` are the ids that links may lead to from one page to another. Notes for which a page has no room stand at
    the end of their part, and that is said. Only PlutoPrint binds.
    """
    _binding().bind(parts, target, options, warn, title=title, elsewhere=places)


def height(html: str, width: float, warn: Warn) -> float:
    """How high a page of HTML without margins is on endless paper of a `width`, both in points; by PlutoPrint."""
    return float(_binding().height(html, width, warn))


def picture(html: str | bytes, target: Path, options: Viewport, warn: Warn) -> None:
    """Write `html` as it is on a screen to `target`, a picture of the format that its extension is the id of.

    `options` has those of that format, too. Only PlutoPrint draws pictures. Raises Unreadable as `render` does, and
    OverLimit for a picture of more pixels than are written.
    """
    from conversions.families.html_pdf.plutoprint import engine
    from conversions.families.images import raster

    format = target.suffix[1:]
    drawn = engine.on_screen(html, options, format, warn)
    raster.drawn(raster.within(drawn, format, warn), target, options, warn)


def draw(svg: bytes, size: tuple[float, float], target: Path, warn: Warn) -> None:
    """Write a drawing, in which nothing is active, as a PDF of one page; `size` is its width and height in CSS pixels.

    A page can't be longer than 14,400 points: a larger drawing is made smaller, and that is said. Raises Unreadable
    for what can't be drawn.
    """
    width, height = (each * PT["px"] for each in size)
    scale = min(1.0, LARGEST / max(width, height))
    if scale < 1:
        warn("SIZE_REDUCED", f"The drawing was made smaller, to {scale:.0%}, as a page of a PDF is at most 5 m long.")
    _engine().draw(svg, (width * scale, height * scale), target, warn)


def _binding() -> Any:
    return importlib.import_module("conversions.families.html_pdf.plutoprint.binding")


def _engine() -> Any:
    return importlib.import_module(f"conversions.families.html_pdf.{engine}.engine")


def widths(page_size: str, margin: str) -> tuple[float, float]:
    """How much room there is between left and right margin, in points, on upright and on lying paper.

    Raises InvalidOption for what is no paper size or no margin.
    """
    sides = margins(margin)
    upright, lying = sorted(paper(page_size))
    return upright - sides.left - sides.right, lying - sides.left - sides.right
