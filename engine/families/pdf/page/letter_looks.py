"""Report the words whose underlines and colours of letters an output can't have."""

from __future__ import annotations

from collections.abc import Iterable

from engine.families.pdf.page.blocks import Block
from engine.families.pdf.page.segments import Span
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn
from engine.toolkit.word_search import WORD

_LINES = Kind("STYLE_DROPPED", "Underlines of words are missing from the result: {count}{places}.")
_COLOURS = Kind("STYLE_DROPPED", "Colours of words are missing from the result: {count}{places}.")


def report(blocks: Iterable[Block], warn: Warn) -> None:
    """Report the words of blocks that are underlined, and those in a colour; links have looks of their own."""
    spans = [span for block in blocks for span in _spans(block) if not span.link]
    for kind, words in (
        (_LINES, [word for span in spans if span.style.underlined for word in WORD.findall(span.text)]),
        (_COLOURS, [word for span in spans if span.style.colour != "000000" for word in WORD.findall(span.text)]),
    ):
        warn.tally(kind, len(words), (say("“{words}”", words=each[:40]) for each in words))


def _spans(block: Block) -> Iterable[Span]:
    if block.table is None:
        return block.spans
    return (span for cell in block.table.cells for line in cell.lines for each in line for span in each.spans)
