"""Compute lengths that mix a share of the room with other units (CSS Values 4, 10), which PlutoPrint can't."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.families.html_pdf.css.shares import MARK, NAMES, as_percentage
from engine.families.html_pdf.plutoprint.declared import Declared, Pair, declared
from engine.families.html_pdf.plutoprint.grid_measure import Draw, rooms
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST_MEASURED = 2_000
"""The boxes whose room is measured: two marks each, 0.1 ms."""
_LEVELS = 6
_FIT = 0.05
"""Pixels that a room is taken to be narrower, or rounding would wrap a row that fills it."""
_IMPORTANT = "!important"
_WHOLE = re.compile(r"(?<![\w.#-])([+-]?(?:\d++\.?\d*+|\.\d++))%")
_OWN = re.compile(rf"{MARK}|grid")
_PLACES = ("display", "position")
_READ = (*_PLACES, *(f"{MARK}{name}" for name in NAMES), *NAMES)
_ELSEWHERE = {"absolute", "fixed"}
_CELLS = {"td", "th", "tr", "thead", "tbody", "tfoot", "table", "html"}
"""Elements in which no mark can be set: their room is their table's to give."""


@dataclass(frozen=True)
class Share:
    """An element, its declarations that mix units by name, and the number of such elements around it."""

    element: Element
    values: dict[str, str]
    depth: int


def found(page: Page, sheets: Sequence[str], warn: Warn, *, media: str) -> tuple[list[Share], list[Share]]:
    """The elements with such lengths: those outside grids, and those in them; names those whose room is unknown."""
    winning = declared(page.root, sheets, _READ, None, media=media, merged=_winning)
    styled = [each for each in page.styled if each not in winning and _OWN.search(each.get("style") or "")]
    winning |= declared(page.root, (), _READ, styled, media=media, merged=_winning)
    mixed = {each for each, values in winning.items() if any(name.startswith(MARK) for name in values)}
    parts: tuple[list[Share], list[Share]] = [], []
    for element in page.root.iter() if mixed else ():
        if element not in mixed:
            continue
        around = list(element.iterancestors())
        values = {name: value for name, value in winning[element].items() if name.startswith(MARK)}
        share = Share(element, values, sum(each in mixed for each in around))
        if _has_room_elsewhere(element, winning):
            _report(share, warn)
        else:
            parts[any("grid" in winning.get(each, {}).get("display", "") for each in around)].append(share)
    return parts


def lower(root: Element, shares: Sequence[Share], draw: Draw, warn: Warn) -> None:
    """Set these lengths from the measured room, outer boxes first."""
    levels: list[list[Share]] = [[] for _ in range(_LEVELS)]
    for share in shares:
        levels[min(share.depth, _LEVELS - 1)].append(share)
    for level in filter(None, levels):
        parents = list(dict.fromkeys(each.element.getparent() for each in level))[:MOST_MEASURED]
        if not draw.affords():
            parents = []
        room = dict(zip(parents, rooms(root, parents, draw), strict=True)) if parents else {}
        for share in level:
            parent = share.element.getparent()
            if parent not in room:
                _report(share, warn)
            elif (width := room[parent]) is not None:
                _set(share, width)


def _winning(pairs: list[Pair]) -> dict[str, str]:
    """The declarations that apply, by name; a length is under its own name or its marked one, whichever was last."""
    kept: dict[str, str] = {}
    for name, value in sorted(pairs, key=lambda pair: pair[1].rstrip().lower().endswith(_IMPORTANT)):
        kept.pop(name, None)
        plain = name.removeprefix(MARK)
        for other in kept.keys() & {plain, f"{MARK}{plain}"}:
            del kept[other]
        kept[name] = value.strip().lower()
    return kept


def _has_room_elsewhere(element: Element, found: Declared) -> bool:
    """Whether the room of a box is not that of its parent, or can't be measured."""
    parent, own = element.getparent(), found[element]
    position = own.get("position", "").removesuffix(_IMPORTANT).strip()
    return (
        position in _ELSEWHERE
        or own.get("display", "").startswith("table-")
        or element.tag in ("td", "th")
        or parent is None
        or parent.tag in _CELLS - {"td", "th"}
        or "grid" in found.get(parent, {}).get("display", "")
    )


def _set(share: Share, room: float) -> None:
    for name, value in share.values.items():
        width = _WHOLE.sub(lambda match: f"{float(match[1]) / 100 * (room - _FIT):.3f}px", value)
        add_style(share.element, f"{name.removeprefix(MARK)}:{width}")


def _report(share: Share, warn: Warn) -> None:
    for name, value in share.values.items():
        plain = value.removesuffix(_IMPORTANT).strip()
        message = say(
            "{name}: {plain} was treated as {outer}.",
            name=name.removeprefix(MARK),
            plain=plain[:60],
            outer=as_percentage(plain)[:40],
        )
        warn("CSS_UNSUPPORTED", message)
