"""Detect and report glyphs without a Unicode mapping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pypdfium2

from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.page_text import CONTROL, UNKNOWN, is_seen, unknown_in
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_GARBLED = 0.1
"""The share of unmapped characters from which on a page is reported."""


def with_unmapped_marked(text: pypdfium2.PdfTextPage, glyphs: Iterable[Glyph]) -> list[Glyph]:
    """The glyphs of a page, with unmapped ones as U+FFFD, and control characters without an outline as spaces."""
    found = [*glyphs]
    unknown = unknown_in(text, ((each.order, each.text) for each in found))
    controls = {each.order: is_seen(text, each.order) for each in found if CONTROL.match(each.text)}
    return list(_named(found, unknown, controls)) if unknown or controls else found


def _named(glyphs: Sequence[Glyph], unknown: set[int], controls: Mapping[int, bool]) -> Iterator[Glyph]:
    spaced = False
    for glyph in glyphs:
        seen = controls.get(glyph.order)
        if seen is False:
            spaced = True
            continue
        if seen or glyph.order in unknown:
            glyph = glyph._replace(text=UNKNOWN)
        yield glyph._replace(spaced=True) if spaced else glyph
        spaced = False


def is_unmapped(letter: str) -> bool:
    """Whether it is unmapped: meaningless without its font."""
    return letter == UNKNOWN or CONTROL.match(letter) is not None or "\ue000" <= letter < "\uf000"


def is_unreadable(*, garbled: int, characters: int) -> bool:
    """Whether a page with this many unmapped characters is unreadable."""
    return garbled > _GARBLED * characters


def report(warn: Warn, *, garbage: Sequence[int], unread: Sequence[int], some: bool) -> None:
    """Report the unreadable pages, those with missing text, and `some` characters that became U+FFFD."""
    if garbage:
        warn(
            "ENCODING_REPLACED",
            say(
                "The letters on page {garbage} have no known characters, so their text is garbled.",
                garbage=page_numbers(garbage),
            ),
        )
    if some:
        warn("ENCODING_REPLACED", "Some letters in the PDF have no known characters and became U+FFFD.")
    if unread:
        warn(
            "ENCODING_REPLACED",
            say(
                "Most letters on page {unread} have no known characters, so their text is missing.",
                unread=page_numbers(unread),
            ),
        )


def page_numbers(numbers: Iterable[int]) -> str:
    """Page numbers, given from 0, as text that counts from 1."""
    found = sorted(numbers)
    return ", ".join(str(number + 1) for number in found[:20]) + (", ..." if len(found) > 20 else "")
