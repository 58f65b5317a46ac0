"""The headers and footers of a Word document that a page for browsers, which has one of each, shows nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape

from engine.families.documents.word.page_numbers import filled
from engine.families.documents.word.reading import Running, Sheets
from engine.toolkit.warnings import Kind, Warn

_UNSHOWN = Kind(
    "CONTENT_DROPPED", "Headers and footers of later pages that differ from the first were left out: {count}{places}."
)
_TAG = re.compile(r"<[^<>]*>")


def first_kind(running: Running) -> str:
    """The kind of the header and footer of a section's first page."""
    return "first" if running.first_differs else "default"


def report(made: Sequence[Sheets], warn: Warn) -> None:
    """Report the headers and footers that are on no first page, each text once."""
    shown = {markup for each in made for markup in _of(each.running, first_kind(each.running))}
    others = [
        markup
        for sheets in made
        for running in (sheets.running, *sheets.later)
        for markup in _of(running, *_in_use(running))
        if markup not in shown
    ]
    lost = dict.fromkeys(text for each in others if (text := _text(each)) or "<img" in each)
    warn.tally(_UNSHOWN, len(lost), (f"“{each[:60]}”" for each in lost if each))


def _in_use(running: Running) -> Iterator[str]:
    yield "default"
    if running.first_differs:
        yield "first"
    if running.even_differs:
        yield "even"


def _of(running: Running, *kinds: str) -> Iterator[str]:
    yield from (markup for parts in (running.heads, running.feet) for kind in kinds if (markup := parts.get(kind)))


def _text(markup: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", filled(markup, lambda _: None))).split())
