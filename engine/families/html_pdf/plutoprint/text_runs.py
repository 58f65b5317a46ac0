"""Put elements into a text of an element."""

from __future__ import annotations

from collections.abc import Sequence

from engine.families.html_pdf.source.cleaning import Element


def put(element: Element, child: Element | None, before: str, runs: Sequence[Element]) -> None:
    """Replace the text at the start of an element, or the one after its `child`, by a text and the runs after it."""
    if child is None:
        element.text = before
        element[:0] = runs
        return
    child.tail = None  # addnext leaves it after what is added
    for run in reversed(runs):
        child.addnext(run)
    child.tail = before
