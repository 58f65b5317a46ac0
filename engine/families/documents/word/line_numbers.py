"""The numbers of lines beside the text (ECMA-376, part 1, 17.6.8), which are known only after layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import W, integer, points, pt
from engine.families.documents.word.sections import Paper

_USUAL = 18.0
"""The distance between the numbers and the text, in points, if none is given."""
_RISE = 0.25
"""The middle of small letters above their baseline, in line heights."""
_GAP = 1.7
"""The distance of lines, in line heights, from which on the lower one is a note."""
_MOST = 32_767
_LINE = 1.15
Line = tuple[float, float]
"""The upper and lower edge of a line of text, in points below the upper edge of its paper."""


@dataclass(frozen=True)
class LineNumbering:
    """How the lines of a section are numbered."""

    every: int
    start: int
    restart: str
    distance: float


@dataclass(frozen=True)
class NumberedParagraph:
    """A paragraph whose lines are numbered: the ids at its start and end, its line height and section."""

    begins: str
    ends: str
    line: float
    numbering: LineNumbering
    section: int
    paper: Paper


def read(element: Element | None) -> LineNumbering | None:
    """The numbering that `w:lnNumType` asks for, if it shows any number; the first one is one more than its start."""
    every = 0 if element is None else integer(element.get(W + "countBy")) or 0
    if element is None or every <= 0:
        return None
    return LineNumbering(
        every=every,
        start=min(max(integer(element.get(W + "start")) or 0, 0), _MOST) + 1,
        restart=element.get(W + "restart") or "newPage",
        distance=points(element.get(W + "distance")) or _USUAL,
    )


def lines(path: Path) -> list[list[Line]]:
    """The lines of text on each page of a PDF, from top to bottom."""
    found = []
    with pypdfium2.PdfDocument(path) as pdf:
        for page in pdf:
            text, height = page.get_textpage(), page.get_height()
            boxes = sorted((height - top, height - bottom) for _, bottom, _, top in _boxes(text))
            found.append(_joined(boxes))
            text.close()
            page.close()
    return found


def _boxes(text: pypdfium2.PdfTextPage) -> Iterator[tuple[float, float, float, float]]:
    for at in range(text.count_rects()):
        yield text.get_rect(at)


def _joined(boxes: Sequence[Line]) -> list[Line]:
    """The boxes that are beside each other as one line."""
    found: list[Line] = []
    for top, bottom in boxes:
        if found and top + bottom < 2 * found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], bottom)
        else:
            found.append((top, bottom))
    return found


def beside(
    paragraphs: Sequence[NumberedParagraph],
    places: Mapping[str, tuple[int, float]],
    pages: Sequence[Sequence[Line]],
    size: float,
    font: str,
) -> dict[int, str]:
    """The markup of the numbers by the index of the page that they are on, in a font of this size in points."""
    found: dict[int, list[str]] = {}
    number, before = 0, (-1, -1)
    for each in paragraphs:
        begins, ends = places.get(each.begins), places.get(each.ends)
        if begins is None or ends is None:
            continue
        for page, middle in _of(each, begins, ends, pages):
            here = each.section, page
            fresh = {"newPage": here[1] != before[1], "newSection": here[0] != before[0]}.get(each.numbering.restart)
            number = each.numbering.start if fresh or before == (-1, -1) else number + 1
            before = here
            if number % each.numbering.every == 0:
                place = f"right:{pt(each.paper.width - each.paper.left + each.numbering.distance)}"
                top = f"top:{pt(middle - size * _LINE / 2)}"
                found.setdefault(page, []).append(f'<div class="at" style="{place};{top}">{number}</div>')
    css = f"position:absolute;left:0;top:0;width:100%;height:100%;font:{pt(size)}/{_LINE} {font}"
    return {page: f'<div style="{css}">{"".join(texts)}</div>' for page, texts in found.items()}


def _of(
    paragraph: NumberedParagraph, begins: tuple[int, float], ends: tuple[int, float], pages: Sequence[Sequence[Line]]
) -> Iterator[tuple[int, float]]:
    """The page and the middle of each line of a paragraph, in points; an empty one has one line, too."""
    found = False
    for page in range(begins[0], min(ends[0] + 1, len(pages))):
        # The ids are on the baselines of their lines.
        top = begins[1] - 0.9 * paragraph.line if page == begins[0] else paragraph.paper.top - 1.0
        end = paragraph.paper.height - paragraph.paper.bottom + 1.0
        bottom = ends[1] + 0.1 * paragraph.line if page == ends[0] else end
        last = None
        for upper, lower in pages[page]:
            middle = (upper + lower) / 2
            if not top <= middle <= bottom:
                continue
            if last is not None and page != ends[0] and middle - last > _GAP * paragraph.line:
                break
            last, found = middle, True
            yield page, middle
    if not found:
        yield begins[0], begins[1] - _RISE * paragraph.line
