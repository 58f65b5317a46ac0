"""Group thousands of sibling blocks into boxes, as PlutoPrint visits all children once per page."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import count

from engine.families.html_pdf.plutoprint.declared import declared, reached
from engine.families.html_pdf.source import limits
from engine.families.html_pdf.source.cleaning import Element, Page

FEW = 2_000
_VISITS = 7_000
"""The square of the children that are visited in the time for laying a box out: 10,000 take 0.3 s on 200 pages."""
_BLOCKS = frozenset((
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "section", "article",
    "hr", "pre", "figure", "address", "header", "footer", "aside", "nav", "form", "fieldset", "center",
))  # fmt: skip
_PARENTS = frozenset(("body", "div", "section", "article", "main", "form", "center", "blockquote"))
_DISPLAYS = frozenset(("block", "none", "table", "flex", "list-item"))
_ROWS = frozenset(("table", "thead", "tbody", "tfoot"))
_STRUCTURAL = re.compile(r"[>+~]|:(?:first|last|nth|only)-|:empty|:has\(")
_NUMBER = "data-fc-box"
_PLAIN = "display:block;position:static;float:none;margin:0;border:0;padding:0;background:none;break-inside:auto"


def batch(page: Page, sheets: list[str], *, media: str) -> None:
    """Group long runs of blocks into plain boxes, through which margins collapse and which are invisible.

    Blocks to which positional selectors apply are left alone. Raises OverLimit if these are too many.
    """
    for parent, boxes in _found(page, sheets, media):
        for box in boxes:
            _wrap(box)
        limits.check_siblings(len(parent))


def number(page: Page, sheets: list[str], *, media: str) -> int:
    """Write the number of its box on each block, for copies of the page that are only measured.

    Returns the boxes that take as long to draw as visiting on each page those that can't be grouped.
    """
    visited, numbers = 0, count()
    for parent, boxes in _found(page, sheets, media):
        for box in boxes:
            at = str(next(numbers))
            for each in box:
                each.set(_NUMBER, at)
        visited += (len(parent) - sum(map(len, boxes))) ** 2 // _VISITS
    return visited


def group(root: Element) -> None:
    """Group the numbered blocks of a copy."""
    boxes: dict[tuple[Element, str], list[Element]] = {}
    for each in root.iterfind(f".//*[@{_NUMBER}]"):
        boxes.setdefault((each.getparent(), each.get(_NUMBER)), []).append(each)
    for box in boxes.values():
        _wrap(box)


def forget(root: Element) -> None:
    """Remove the numbers."""
    for each in root.iterfind(f".//*[@{_NUMBER}]"):
        del each.attrib[_NUMBER]


def _found(page: Page, sheets: list[str], media: str) -> Iterator[tuple[Element, list[list[Element]]]]:
    """The elements with long runs of blocks, and the runs of each by box."""
    for parent in [each for each in page.root.iter() if len(each) > FEW and each.tag not in _ROWS]:
        if not _may(parent, sheets, media):
            yield parent, []
            continue
        declarations = declared(page.root, sheets, ("display",), [parent, *parent], media=media)
        if declarations.get(parent, {}).get("display", "block").strip() not in ("block", "list-item"):
            yield parent, []
            continue
        runs: list[list[Element]] = [[]]
        for child in parent:
            plain = child.tag in _BLOCKS and declarations.get(child, {}).get("display", "block").strip() in _DISPLAYS
            if plain:
                runs[-1].append(child)
            if runs[-1] and (not plain or (child.tail and child.tail.strip())):
                runs.append([])
        yield parent, [box for run in runs if len(run) > FEW // 2 for box in _divided(run)]


def _may(parent: Element, sheets: list[str], media: str) -> bool:
    if parent.tag not in _PARENTS or any("counter-reset" in each or "counter-set" in each for each in sheets):
        return False  # counters are scoped to one parent
    return not reached(parent.getroottree().getroot(), sheets, _STRUCTURAL, parent, media=media)


def _divided(run: list[Element]) -> list[list[Element]]:
    size = math.isqrt(len(run)) + 1
    return [run[start : start + size] for start in range(0, len(run), size)]


def _wrap(blocks: list[Element]) -> None:
    box = blocks[0].makeelement("fc-run", style=_PLAIN)
    blocks[0].addprevious(box)
    box.extend(blocks)
