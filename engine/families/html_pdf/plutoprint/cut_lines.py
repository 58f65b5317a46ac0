"""Cut text that does not fit its lines, and end it with dots (CSS Overflow 4, 4.1 and 5.3), which PlutoPrint can't."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO

from engine.families.html_pdf.plutoprint import measured_places, output
from engine.families.html_pdf.plutoprint.cut_texts import Piece, cut, marked, pieces_of
from engine.families.html_pdf.plutoprint.declared import Declared, Pair, declared
from engine.families.html_pdf.plutoprint.grid_measure import Draw, rooms
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.measured_places import Place
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST_BOXES = 2_000
MOST_MARKS = 30_000
"""The marks of one layout: a named destination each, 0.05 ms."""
_LAYOUTS = 2
_MOST_NESTED = 4
"""The boxes around a box that cut their texts too: each reads the same text again. Pages that people write have one."""
_NARROWEST = 2.0
"""CSS pixels of the narrowest letters, to bound how many of them a line has."""
_NEXT_LINE = 5.0
"""CSS pixels that a word of the next line is lower at least; small text on one line is less."""
_FIT = 0.5
_BOX = "data-fc-cut"
_OVERFLOW, _DOTS, _CLAMP, _SPACE, _ORIENT = (
    "overflow", "text-overflow", "-webkit-line-clamp", "white-space", "-webkit-box-orient",
)  # fmt: skip
_NAMES = (_OVERFLOW, _DOTS, _CLAMP, _SPACE, _ORIENT, "direction")
_CUTTING = ("hidden", "clip", "auto", "scroll")
_LINES = re.compile(r"[1-9]\d?")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_INLINE = frozenset((
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "img", "ins", "kbd", "mark",
    "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "svg", "time", "tt", "u", "var", "wbr",
))  # fmt: skip


@dataclass(frozen=True)
class _Box:
    """A box that cuts its text after `lines`; with 0, after the one line that its text has."""

    element: Element
    lines: int


def may_occur(sheets: Sequence[str]) -> bool:
    """Whether a page's styles cut text."""
    return any(name in each for name in (_DOTS, _CLAMP) for each in sheets)


def lower(page: Page, sheets: Sequence[str], draw: Draw, warn: Warn, *, media: str) -> None:
    """Cut the texts that are longer than their boxes have room for; names those that are too many to be measured."""
    found = _found(page, sheets, media=media)
    boxes = found[:MOST_BOXES] if draw.affords(_LAYOUTS) else []
    unmeasured = len(found) - len(boxes)
    if boxes:
        unmeasured += _cut(page, boxes, draw)
    if unmeasured:
        warn(
            "CSS_UNSUPPORTED",
            say("Boxes without an ellipsis, as the page is too large: {count}.", count=unmeasured),
        )


def _cut(page: Page, boxes: list[_Box], draw: Draw) -> int:
    """Cut the texts that are longer than their boxes, and return how many boxes are left over."""
    widths = rooms(page.root, [each.element for each in boxes], draw)
    known = [(box, width) for box, width in zip(boxes, widths, strict=True) if width is not None]
    left, over, taken = MOST_MARKS, 0, []
    for at, (box, width) in enumerate(known):
        most = max(int(max(box.lines, 1) * width / _NARROWEST) + 2, 0)
        pieces = pieces_of(box.element, min(most, left + 1), words=box.lines > 0)
        left -= len(pieces)
        if left < 0:
            over = len(known) - at
            break
        if pieces:
            taken.append((box, width, pieces))
    if not taken:
        return over
    places = _measured(page.root, taken, draw)
    for at, (box, width, pieces) in enumerate(taken):
        found = [places.get(f"fc-c-{at}-{index}") for index in range(len(pieces))]
        dots, end = places.get(f"fc-c-{at}-dots"), places.get(f"fc-c-{at}-end")
        if dots is None or end is None or found[0] is None or (box.lines and None in found):
            continue
        beyond = replace(dots, left=math.inf)  # what is beyond the paper on one line has no place
        shown = [each or beyond for each in found]
        behind = dots if box.lines else places.get(f"fc-c-{at}-last", beyond)
        last = _last_that_fits(shown, behind, end.left - dots.left, width, box.lines)
        if last is not None:
            cut(box.element, pieces[last])
    return over


def _found(page: Page, sheets: Sequence[str], *, media: str) -> list[_Box]:
    said = declared(page.root, sheets, _NAMES, None, media=media, merged=_merged)
    for element, own in declared(page.root, (), _NAMES, page.styled, media=media, merged=_merged).items():
        said.setdefault(element, own)
    boxes: list[_Box] = []
    cutting: set[Element] = set()
    for element in list(page.root.iter()):
        own = said.get(element, {})
        if own.get(_OVERFLOW, "").split(" ")[0] not in _CUTTING:
            continue
        lines = _LINES.fullmatch(own.get(_CLAMP, ""))
        clamped = lines is not None and own.get(_ORIENT) in ("vertical", "block-axis")
        if not clamped and not (
            _is_dotted(own) and _keeps_one_line(element, said) and all(each.tag in _INLINE for each in element)
        ):
            continue
        nested = sum(each in cutting for each in element.iterancestors()) > _MOST_NESTED
        if not nested and not _is_cut(element):
            continue
        if clamped:
            add_style(element, "display:block")
        if nested:
            continue
        cutting.add(element)
        if lines and clamped:
            boxes.append(_Box(element, int(lines[0])))
        else:
            boxes.append(_Box(_within(element) if element.tag in ("td", "th") else element, 0))
    return boxes


def _is_cut(element: Element) -> bool:
    text = element.text_content()
    return bool(text.strip()) and not _RIGHT_TO_LEFT.search(text)


def _within(cell: Element) -> Element:
    """A block around all that is in a table cell: the room of a cell is its table's to give."""
    block = cell.makeelement("fc-run", style="display:block;overflow:hidden")
    block.text, cell.text = cell.text, None
    block[:] = list(cell)
    cell.append(block)
    return block


def _merged(pairs: list[Pair]) -> dict[str, str]:
    """The values that apply by name, in small letters: important ones win, then later ones."""
    ordered = sorted(pairs, key=lambda pair: pair[1].rstrip().lower().endswith("important"))
    return {name: value.lower().partition("!")[0].strip() for name, value in ordered}


def _is_dotted(own: dict[str, str]) -> bool:
    said = own.get(_DOTS, "")
    return said.endswith("ellipsis") or said.startswith(("'", '"'))


def _keeps_one_line(element: Element, said: Declared) -> bool:
    for each in (element, *element.iterancestors()):
        if each.get("nowrap") is not None:
            return True
        if value := said.get(each, {}).get(_SPACE, ""):
            return value.split(" ")[0] in ("nowrap", "pre")
    return False


def _measured(root: Element, taken: Sequence[tuple[_Box, float, list[Piece]]], draw: Draw) -> dict[str, Place]:
    """The places of the pieces of each text, of the dots after it, and of what comes after these."""
    for at, (box, _, _) in enumerate(taken):
        box.element.set(_BOX, str(at))
    copied = copy.deepcopy(root)
    for box, _, _ in taken:
        del box.element.attrib[_BOX]
    found = {each.get(_BOX): each for each in copied.iter() if isinstance(each.tag, str) and each.get(_BOX)}
    links = copied.makeelement("div", hidden="")
    for at, (box, _, pieces) in enumerate(taken):
        names = [f"fc-c-{at}-{index}" for index in range(len(pieces))]
        marked(found[str(at)], names, words=box.lines > 0)
        after = copied.makeelement("fc-run", style="white-space:nowrap")
        for name, text in (("dots", "\u2026"), ("end", ".")):
            names.append(f"fc-c-{at}-{name}")
            mark = copied.makeelement("fc-run", id=names[-1])
            mark.text = text
            after.append(mark)
        if box.lines:  # else the last word would go to the next line with the dots
            gap = copied.makeelement("fc-run")
            gap.tail = " "
            found[str(at)].append(gap)
            found[str(at)].append(after)
        else:  # dots after a long line would be beyond the paper
            after.set("style", "white-space:nowrap;position:absolute")
            after.tail, found[str(at)].text = found[str(at)].text, None
            found[str(at)].insert(0, after)
            names.append(f"fc-c-{at}-last")
            mark = copied.makeelement("fc-run", id=names[-1])
            mark.text = "."
            found[str(at)].append(mark)
        for name in names:
            links.append(copied.makeelement("a", href=f"#{name}"))
    copied.find("body").append(links)
    with output.opened(BytesIO(draw(copied))) as pdf:
        return measured_places.places(pdf, "fc-c-")


def _last_that_fits(places: list[Place], end: Place, dots: float, room: float, lines: int) -> int | None:
    """The piece before which the text is cut so that dots fit; None if all of it fits."""
    if not lines:
        right = places[0].left + room + _FIT
        if end.left <= right and end.page == places[0].page:
            return None
        return max((at for at, each in enumerate(places) if each.left + dots <= right), default=0)
    first, line = 0, 1
    for at in range(1, len(places)):
        if _is_on_next_line(places[at - 1], places[at]):
            line += 1
            if line > lines:
                least = min(each.left for each in places[:at])
                fitting = [each for each in range(first + 1, at) if places[each].left + dots <= least + room]
                return fitting[-1] if fitting else at
            first = at
    return None


def _is_on_next_line(before: Place, after: Place) -> bool:
    return after.page != before.page or after.left <= before.left or after.top - before.top > _NEXT_LINE
