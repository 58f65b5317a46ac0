"""Match footnotes at the foot of a page to their superscript numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from engine.families.pdf.page.blocks import Block
from engine.families.pdf.page.segments import Span
from engine.toolkit.warnings import Warn

REFERENCE = "#note-"
"""The prefix of a span's link to a note; the note's number follows."""

_SMALLER = 0.95
"""Times the body size: the maximum text size of a footnote."""

_MARKS = frozenset("*†‡§¶")


def take_notes(blocks: Iterable[Block], body: float, warn: Warn) -> tuple[list[Block], list[Block]]:
    """The blocks without the footnotes, and these; `marker` numbers them through the document.

    The old numbers, also where they follow a word, are noted in `warn` as no words of the text.
    """
    by_page: dict[int, list[Block]] = {}
    for block in blocks:
        by_page.setdefault(block.page, []).append(block)
    rest: list[Block] = []
    notes: list[Block] = []
    for found in by_page.values():
        taken: set[int] = set()
        for at, block in enumerate(found):
            mark = _mark_of(block) if block.kind == "paragraph" and block.size <= _SMALLER * body else ""
            spans = _reference(mark, (each for each in found[:at] if id(each) not in taken)) if mark else None
            if spans is not None:
                notes.append(block)
                taken.add(id(block))
                before, reference = spans
                if mark != str(len(notes)):
                    warn.leave_out([mark, f"{before.text.rpartition(' ')[2]}{mark}"])
                reference.link = f"{REFERENCE}{len(notes)}"
                reference.text = mark + " " * reference.text[-1:].isspace()
                block.marker = str(len(notes))
                block.spans = [replace(block.spans[1], text=block.spans[1].text.lstrip()), *block.spans[2:]]
        rest += (block for block in found if id(block) not in taken)
    return rest, notes


def _mark_of(block: Block) -> str:
    """The superscript number or sign that a block starts with."""
    if len(block.spans) < 2 or block.spans[0].raised != 1:
        return ""
    text = block.spans[0].text.strip()
    return text if (text.isdigit() and len(text) <= 3) or text in _MARKS else ""


def _reference(mark: str, blocks: Iterable[Block]) -> tuple[Span, Span] | None:
    """The first superscript span with only this mark that refers to no note yet, after the one before it."""
    for block in blocks:
        if block.kind in ("paragraph", "item", "heading"):
            for before, span in pairwise(block.spans):
                if span.raised == 1 and span.text.strip() == mark and not span.link:
                    return before, span
    return None
