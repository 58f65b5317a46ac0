"""Tables that the surrounding text flows around (ECMA-376, part 1, 17.4.57)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import declared_grid, frames, page_positions
from engine.families.documents.word import job as kinds
from engine.families.documents.word.drawings import Blocks, Drawing
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import WP, W, child, integer, points, value

_MOST_ROWS = 60
"""The maximum rows of a floating table, which must fit on a page because it is not split."""
_FEW = 5
"""The paragraphs between two tables on one page."""
_NARROW = 72.0
"""Points beside a table within which Word puts no text."""


def is_within(place: Element) -> bool:
    """Whether the table with this `w:tblpPr` is in a cell or text box, where it is part of the text."""
    table = place.getparent().getparent()
    return table is None or next(table.iterancestors(W + "tc", W + "txbxContent"), None) is not None


def placed(job: Job, part: str, table: Element, markup: str, room: float, blocks: Blocks) -> str:
    """The markup of a table at its place, if it has one; a table that can't float stays in the text, and is counted."""
    element = child(child(table, "tblPr"), "tblpPr")
    if element is None or is_within(element):
        return markup
    wide = _width(table, room)
    place = frames.of_table(element, wide)
    rows = len(declared_grid.rows_of(table))
    if not place.needs_height and wide > room - _NARROW and not place.align and abs(place.x) < 1.0 and place.y < 1.0:
        return markup
    high = 0.0
    job.floated += 1
    fits = (
        wide > 0
        and job.floated <= frames.MOST
        and (rows <= _MOST_ROWS or not (place.needs_height or wide <= room - _NARROW))
    )
    if fits and place.needs_height:
        high = frames.height(job, markup, wide, rows)
        fits = high < job.paper.height
    if not fits:
        job.found[kinds.PLACED] += 1
        return markup
    begins = place.needs_height and _begins_page(job, wide, frames.anchor(place, wide, high), high, room)
    box = markup if not place.needs_height else frames.boxed(markup, place, wide)
    found = Drawing(job, part, blocks, room).anchored(frames.anchor(place, wide, high), box, wide)
    return f'<div class="next">{found}</div>' if begins else found


def _begins_page(job: Job, wide: float, frame: Element, high: float, room: float) -> bool:
    """Whether a table without room beside it is on the next page, as another one was placed there just before."""
    before, down = job.room, frame.find(WP + "positionV")
    if before is None or down is None or job.since_room > _FEW or wide < room - _NARROW or before.side != "both":
        return False
    top = page_positions.from_top(down, job.paper, high)
    if not job.drawn or top >= before.bottom or top + high <= before.top:
        return False
    job.room = None
    return True


def _width(table: Element, room: float) -> float:
    declared = child(child(table, "tblPr"), "tblW")
    if declared is not None and declared.get(W + "type") == "pct":
        text = declared.get(W + "w") or ""
        return (integer(text.rstrip("%")) or 0) / (100 if text.endswith("%") else 5000) * room
    whole = sum(points(each.get(W + "w")) or 0.0 for each in table.iterfind(f"{W}tblGrid/{W}gridCol"))
    return whole or points(value(declared, "w")) or 0.0
