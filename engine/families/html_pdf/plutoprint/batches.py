"""Group thousands of sibling blocks into boxes, as PlutoPrint visits all children once per page."""

from __future__ import annotations

import math
import re

from engine.families.html_pdf.plutoprint.declared import declared, reached
from engine.families.html_pdf.source import limits
from engine.families.html_pdf.source.cleaning import Element, Page

FEW = 2_000
_BLOCKS = frozenset((
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "section", "article",
    "hr", "pre", "figure", "address", "header", "footer", "aside", "nav", "form", "fieldset", "center",
))  # fmt: skip
_PARENTS = frozenset(("body", "div", "section", "article", "main", "form", "center", "blockquote"))
_DISPLAYS = frozenset(("block", "none", "table", "flex", "list-item"))
_ROWS = frozenset(("table", "thead", "tbody", "tfoot"))
_STRUCTURAL = re.compile(r"[>+~]|:(?:first|last|nth|only)-|:empty|:has\(")
_PLAIN = "display:block;position:static;float:none;margin:0;border:0;padding:0;background:none;break-inside:auto"


def batch(page: Page, sheets: list[str], *, media: str) -> None:
    """Group long runs of blocks into plain boxes, through which margins collapse and which are invisible.

    Blocks to which positional selectors apply are left alone. Raises OverLimit if these are too many.
    """
    for parent in [each for each in page.root.iter() if len(each) > FEW and each.tag not in _ROWS]:
        if not _may(parent, sheets, media):
            limits.check_siblings(len(parent))
            continue
        declarations = declared(page.root, sheets, ("display",), [parent, *parent], media=media)
        if declarations.get(parent, {}).get("display", "block").strip() not in ("block", "list-item"):
            limits.check_siblings(len(parent))
            continue
        runs: list[list[Element]] = [[]]
        for child in parent:
            plain = child.tag in _BLOCKS and declarations.get(child, {}).get("display", "block").strip() in _DISPLAYS
            if plain:
                runs[-1].append(child)
            if runs[-1] and (not plain or (child.tail and child.tail.strip())):
                runs.append([])
        for run in runs:
            if len(run) > FEW // 2:
                _wrap(parent, run)
        limits.check_siblings(len(parent))


def _may(parent: Element, sheets: list[str], media: str) -> bool:
    if parent.tag not in _PARENTS or any("counter-reset" in each or "counter-set" in each for each in sheets):
        return False  # counters are scoped to one parent
    return not reached(parent.getroottree().getroot(), sheets, _STRUCTURAL, parent, media=media)


def _wrap(parent: Element, run: list[Element]) -> None:
    size = math.isqrt(len(run)) + 1
    at = parent.index(run[0])
    boxes = []
    for start in range(0, len(run), size):
        box = parent.makeelement("fc-run", style=_PLAIN)
        box.extend(run[start : start + size])
        boxes.append(box)
    parent[at:at] = boxes
