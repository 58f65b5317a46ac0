"""Tab stops as boxes of fixed width (ECMA-376, part 1, 17.3.1.37)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.families.documents.word.names import pt
from engine.families.documents.word.properties import Properties

_USUAL = 36.0
_SPACE = 0.28
"""The narrowest tab, as a share of the text size: the width of a space. Other fonts may end a text a little later."""
_TAG, _BLANKS = re.compile(r"<[^<>]*+>"), re.compile(r" ++(?![^<>]*>)")
_LEADERS = {"dot": "dotted", "middleDot": "dotted", "hyphen": "dashed", "underscore": "solid", "heavy": "solid"}


@dataclass(frozen=True)
class Item:
    """A part of a line: `kind` is text, tab, line, page or column; `width` is its width, as far as known."""

    kind: str
    markup: str = ""
    width: float = 0.0


def lines(items: Sequence[Item], block: Properties, room: float, size: float) -> str:
    """The markup of the lines of a paragraph; `room` is the text width between the margins, `size` that of its text."""
    found: list[str] = []
    held: list[Item] = []
    for each in items:
        if each.kind == "line":
            found += (_line(held, block, room, size), each.markup)
            held, block = [], {**block, "first": 0.0} if block.get("first") else block
        else:
            held.append(each)
    return "".join(found) + _line(held, block, room, size)


def next_stop(block: Properties, place: float) -> float:
    """The first tab stop of a paragraph after a place, both in points from the margin."""
    usual = (int((max(place, 0.0) + 0.5) / _USUAL) + 1) * _USUAL
    return float(min([usual, *(each for each in block.get("tabs", {}) if each > place)]))


def _line(items: Sequence[Item], block: Properties, room: float, size: float) -> str:
    items = _ended(items, room - block.get("left", 0.0) - block.get("right", 0.0))
    if not any(each.kind == "tab" for each in items):
        return "".join(each.markup for each in items)
    pieces: list[list[Item]] = [[]]
    for each in items:
        if each.kind == "tab":
            pieces.append([])
        else:
            pieces[-1].append(each)
    left, right = block.get("left", 0.0), block.get("right", 0.0)
    if sum(item.width for piece in pieces[:-1] for item in piece) > room - left - right:
        return _gap(_USUAL).join("".join(item.markup for item in piece) for piece in pieces)
    at = left + block.get("first", 0.0)
    least = _SPACE * size
    stops = sorted(block.get("tabs", {}).items())
    if block.get("first", 0.0) < 0:
        stops = sorted([*stops, (left, ("left", "none"))])
    end = room - right
    found: list[str] = []
    waiting = "".join(each.markup for each in pieces[0])
    used = sum(each.width for each in pieces[0])
    for piece in pieces[1:]:
        markup = "".join(each.markup for each in piece)
        wide = sum(each.width for each in piece)
        here = at + used
        place, (kind, leader) = next(
            ((stop, how) for stop, how in stops if stop > here + 0.5 and how[0] not in ("bar", "clear")),
            (next_stop({}, here), ("left", "none")),
        )
        if kind in ("right", "end", "decimal", "center"):
            place = min(place, max(end, here)) if kind != "center" else place
            start = place - (wide if kind != "center" else wide / 2)
            if start < here - 0.5 and kind != "center":
                # It does not fit before its tab stop, so it follows the preceding text directly.
                waiting += f" {markup}"
                used += wide + 3
                continue
            start = max(start, here + (least if used else 0.0))
            found.append(_box(waiting, here - at, ""))
            if _LEADERS.get(leader):
                found.append(_leader(start - here, _LEADERS[leader]))
            elif start > here:
                found.append(_gap(start - here))
            waiting, used, at = markup, wide, start
            continue
        if place > end + 1 and here >= left and found:
            waiting += f" {markup}"
            used += wide + 3
            continue
        place = max(place, here + least)
        found.append(_box(waiting, here - at, ""))
        found.append(_leader(place - here, _LEADERS[leader]) if leader in _LEADERS else _gap(place - here))
        waiting, used, at = markup, wide, place
    return "".join(found) + waiting


def _ended(items: Sequence[Item], room: float) -> Sequence[Item]:
    """A line without the spaces at its end that have no room: Word leaves them in the margin, unseen."""
    at = len(items)
    while at and items[at - 1].kind == "text" and _is_blank(items[at - 1].markup):
        at -= 1
    if not sum(each.width for each in items[at:]) > room > 0:
        return items
    left = room - sum(each.width for each in items[:at]) % room
    kept = list(items[:at])
    for each in items[at:]:
        share = min(left / each.width, 1.0) if each.width else 1.0
        if share < 1.0:
            blanks = _BLANKS.search(each.markup)
            first, last = blanks.span() if blanks else (0, 0)
            least = each.markup[: first + int((last - first) * share)] + each.markup[last:]
            each = Item(each.kind, least, each.width * share)
        kept.append(each)
        left -= each.width
    return kept


def _is_blank(markup: str) -> bool:
    text = _TAG.sub("", markup)
    return bool(text) and not text.strip(" ")


def _box(markup: str, wide: float, more: str) -> str:
    if not markup:
        return _gap(wide) if wide > 0.5 else ""
    return f'<span class="cell" style="width:{pt(wide)}{more}">{markup}</span>' if wide > 0 else markup


def _gap(wide: float) -> str:
    # The space is for readers of the text order rather than of positions.
    return f'<span class="gap" style="width:{pt(max(wide, 0))}"> </span>'


def _leader(wide: float, style: str) -> str:
    # Without a space of its own it stands on the baseline, and its line there.
    line = f"white-space:nowrap;border-bottom:0.75pt {style} #000000"
    return f'<span class="gap" style="width:{pt(max(wide, 0))};{line}"> </span>'
