"""Split CSS columns over pages: each page gets a block with the lines that fit.

PlutoPrint fills the first column on all pages before it starts the second one, which breaks the reading order. The text
is first laid out as a single column of that width, to find where its lines begin; the lines are then distributed over
the pages.
"""

from __future__ import annotations

import copy
from collections import Counter
from statistics import median

import plutoprint

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.plutoprint.column_boxes import Columns
from engine.families.html_pdf.plutoprint.column_cuts import NAME, UNBROKEN, cut, unwrap, words_of, wrapped
from engine.families.html_pdf.plutoprint.column_lines import LESS, balanced, cuts, lines_of
from engine.families.html_pdf.plutoprint.column_places import FLAT, look, over_pages
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.laying_again import PageWork
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.warnings import Warn

_LOWER = "position:relative;top:1px"
"""A column's last pixel shows the upper border of the box with which the next one begins."""
_ALONE = "columns:auto!important;column-count:auto!important;column-width:auto!important"
_MOST_WORDS = 20_000
_MOST_BLOCKS = 20
_TRIES = 8

_LEAST_LAYOUTS = 6  # of a block of columns


def kept(
    root: Element, found: list[Columns], paper: pages.Paper, scale: float | None, work: PageWork, warn: Warn
) -> plutoprint.Book:
    """The page laid out with the columns of `found` filled page by page, as far as that is worth the time.

    Where it no longer is, what follows becomes one column. It is drawn at a `scale`; without one, PlutoPrint shrinks
    content wider than its paper.
    """
    left, blocks = list(found), 0
    # In text order, as what is split moves all that follows, and may move it over the end of a page.
    while left:
        crossing = over_pages(root, left, work)
        over = [each for each in left if each.fills or each in crossing]
        if not over:
            break
        styles = [each.element.get("style") or "" for each in over]
        for each in over:
            add_style(each.element, _ALONE)  # columns beyond the page would shrink all others while they are measured
        done = False
        if not work.affords(_LEAST_LAYOUTS):
            over = left[left.index(over[0]) :]
        elif blocks < _MOST_BLOCKS:
            blocks += 1
            over[0].element.set("style", styles[0])
            done = _Parting(root, over[0], paper, scale, work).done()
            for each, style in zip(over[done:], styles[done:], strict=True):
                each.element.set("style", style)
            over = over[:1]
        if not done:
            for each in over:
                add_style(each.element, _ALONE)
            if not set(crossing).isdisjoint(over):
                warn("VALUE_CONVERTED", "Multi-column sections that cross pages became one column.")
        finished = set(over)
        left = [each for each in left if each not in finished]
    return work()


class _Parting:
    """Splits one block of columns at the ends of its pages."""

    def __init__(self, root: Element, columns: Columns, paper: pages.Paper, scale: float | None, lay: PageWork) -> None:
        self._root, self._columns, self._paper, self._asked, self._lay = root, columns, paper, scale, lay
        self._wrapper = columns.element
        self._parent = self._wrapper.getparent()

    def done(self) -> bool:
        """Split it; returns whether it succeeded, else the block is unchanged."""
        whole = copy.deepcopy(self._wrapper)
        words = wrapped(self._wrapper)
        if len(words) <= _MOST_WORDS and self._lay.affords(_LEAST_LAYOUTS) and self._cut_up(words):
            return True
        self._wrapper[:], self._wrapper.text = list(whole), whole.text
        self._wrapper.set("style", whole.get("style") or "")
        return False

    def _cut_up(self, words: list[Element]) -> bool:
        names = [each.get("id") for each in words]
        number, width = self._measure(names)
        if number < 2 or width <= 0:
            return False
        # lines are split in the order in which they are counted
        add_style(self._wrapper, "orphans:1!important;widows:1!important")
        style = self._wrapper.get("style")
        add_style(self._wrapper, f"{_ALONE};width:{width:.2f}pt!important;box-sizing:content-box!important")
        top = self._wrapper.makeelement("fc-run", id=f"{NAME}-top", style=FLAT)
        self._wrapper.insert(0, top)
        whole = [each for each in words if UNBROKEN in each.attrib]
        broken = [each.get("style") or "" for each in whole]
        for each in whole:
            add_style(each, "break-inside:auto!important;page-break-inside:auto!important")
        places, least = look(self._root, [top.get("id"), *names], self._lay)
        self._wrapper.remove(top)
        for each, own in zip(whole, broken, strict=True):
            each.set("style", own)
            add_style(each, f"break-inside:avoid!important;{_LOWER}")
        scale = self._scale(least)
        self._wrapper.set("style", style or "")
        lines = lines_of(
            [(each, places[name]) for each, name in zip(words, names, strict=True) if name in places],
            self._paper.room[1],
        )
        if len(lines) < 2 or top.get("id") not in places:
            return False
        begin = places[top.get("id")].top
        lead = max(places[lines[0].name].top - begin, 0.0)
        bottom, room = self._paper.height - self._paper.margins.bottom, self._paper.room[1]
        rooms = [bottom - begin]
        marked = copy.deepcopy(self._wrapper)
        small, spare = median(each.height for each in lines), 0.0
        for _ in range(_TRIES):
            if not self._lay.affords():
                return False
            begins = list(cuts(lines, number, rooms, room, lead))
            rooms += [room] * (len(begins) - len(rooms))
            blocks = cut(self._wrapper, [each.name for each in begins])
            rest = lines[lines.index(begins[-1]) :] if begins else lines
            last = balanced(rest, number, lead) + spare
            if self._columns.fills:
                last = min(balanced(rest, 1, lead) + spare, rooms[len(begins)] if len(begins) < len(rooms) else room)
            heights = [*rooms[: len(begins)], last]
            for each, height in zip(blocks, heights, strict=True):
                add_style(each, f"height:{(height - LESS) / scale:.2f}pt!important;column-fill:auto!important")
            for each in words_of(blocks):
                unwrap(each)
            found, wide = self._begun(blocks)
            late = next((at - 1 for at in range(1, len(found)) if found[at] != found[at - 1] + 1), None)
            if late is None and wide <= least + 1:
                return True
            late = late or 0
            # Content too tall for one page is usually too tall for the next ones as well.
            rooms[late:] = [each - small for each in rooms[late:]]
            room -= small
            spare += small
            for each in blocks[1:]:
                self._parent.remove(each)
            self._wrapper.tail = blocks[-1].tail
            self._wrapper.set("style", style or "")
            self._wrapper.text, self._wrapper[:] = marked.text, list(copy.deepcopy(marked))
        return False

    def _begun(self, blocks: list[Element]) -> tuple[list[int], float]:
        """The pages on which the blocks start, and the width of the document, which excess columns increase."""
        marks = []
        for number, each in enumerate(blocks):
            marks.append(each.makeelement("fc-run", id=f"{NAME}-block-{number}", style=FLAT))
            each.addprevious(marks[-1])
        places, wide = look(self._root, [each.get("id") for each in marks], self._lay)
        for each in marks:
            self._parent.remove(each)
        return [places[name].page if name in places else -1 for name in (each.get("id") for each in marks)], wide

    def _measure(self, names: list[str]) -> tuple[int, float]:
        """The number of columns and their width, in points of the written page."""
        mark = self._wrapper.makeelement("fc-run", id=f"{NAME}-room")
        mark.set("style", "display:block;text-align:right;height:1px;margin-bottom:-1px")
        end = mark.makeelement("fc-run", id=f"{NAME}-end")
        end.set("style", "display:inline-block;width:1px;height:1px")
        mark.append(end)
        style = self._wrapper.get("style") or ""
        self._wrapper.insert(0, mark)
        add_style(self._wrapper, _ALONE)
        sides, wide = look(self._root, [mark.get("id"), end.get("id")], self._lay)
        self._wrapper.remove(mark)
        self._wrapper.set("style", style)
        if len(sides) < 2:
            return 1, 0.0
        room = (sides[end.get("id")].left - sides[mark.get("id")].left) / self._scale(wide) + 0.75
        number = self._columns.count(room)
        places, wide = look(self._root, names, self._lay)
        left = min((each.left for each in places.values()), default=0.0)
        begins = Counter(round((each.left - left) / self._scale(wide), 1) for each in places.values())
        second = [(count, at) for at, count in begins.items() if 0.9 * room < at * number < 1.4 * room]
        often = max((count for count, _ in second), default=0) / 5
        step = min((at for count, at in second if count >= often), default=room)  # anything further right is indented
        return number, room - (number - 1) * step if step < room else 0.0

    def _scale(self, wide: float) -> float:
        """The scale at which a document of this width, in pixels, is drawn."""
        return self._asked or min(1.0, self._paper.room[0] / (wide * 0.75))
