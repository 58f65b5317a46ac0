"""Arrange the sections of a page whose text stands in columns on sheets, one below the other."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from engine.families.html_pdf.css import pages
from engine.families.html_pdf.plutoprint import columns, footnotes
from engine.families.html_pdf.plutoprint.column_rows import Filled, Section
from engine.families.html_pdf.plutoprint.column_stage import Stage
from engine.families.html_pdf.plutoprint.columns import Lay, Placed, Sheets
from engine.toolkit.warnings import Warn

_MOST = 40
"""The sections in columns of one page; each is laid out up to a dozen times."""
_FULL = 12.0
"""The height in points below which text begins on the next sheet."""
_END = "fc-section-end"
_FLAT = "display:block;height:1px;margin-bottom:-1px"


def arranged(root: Any, paper: pages.Paper, beside: float, scale: float, lay: Lay, warn: Warn) -> Sheets:
    """The sheets of a page with columns; `beside` are the indents of the text within the margins, in points."""
    stage = Stage(root.find("body"), paper, scale, lay)
    found = columns.wrappers(root)
    sections = set([each for each in found if each.getparent() is stage.body][:_MOST])
    for each in found:
        if each in sections:
            continue
        each.set("style", "")
        each.set("class", "")
        warn("VALUE_CONVERTED", "Multi-column sections that cross pages became one column.")
    runs = [
        (apart, list(run)) for apart, run in groupby(stage.texts, key=lambda each: each if each in sections else None)
    ]
    while runs and runs[-1][0] is None and not any(map(_has_content, runs[-1][1])):
        runs.pop()
    made = Filled()
    for at, (wrapper, elements) in enumerate(runs):
        followed = at + 1 < len(runs)
        if wrapper is not None:
            Section(stage, wrapper, beside).fill(made, followed=followed)
        else:
            _below(stage, elements, made)
    return made.sheets


def _has_content(element: Any) -> bool:
    return bool(element.text_content().strip()) or next(element.iter("img", "svg", "table", "hr"), None) is not None


def _below(stage: Stage, elements: list[Any], made: Filled) -> None:
    """Add text over the whole width."""
    if stage.room - made.used < _FULL:
        made.turn()
    body = stage.body
    above = [body.makeelement("div", style=f"height:{made.used / stage.scale:.2f}pt")] if made.used else []
    end = body.makeelement("fc-run", id=_END, style=_FLAT)
    book = stage.book([*above, *elements, end], stage.paper, [_END])
    for number in range(book.get_page_count()):
        if number:
            made.turn()
        made.sheets[-1].append(Placed(book, number))
    _, down = footnotes.find_marks(book, frozenset((_END,))).places.get(_END, (0, stage.paper.height))
    made.used = min(max(down - stage.paper.margins.top, 0.0), stage.room)
