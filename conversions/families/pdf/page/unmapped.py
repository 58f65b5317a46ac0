"""Unmapped letters: those of which a file does not say what they are, told from text and named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pypdfium2

from conversions.families.pdf.letters import CONTROL, UNKNOWN, is_seen, unknown_in
from conversions.families.pdf.page.glyphs import Glyph
from conversions.toolkit.warnings import Warn

_GARBLED = 0.1
"""Part of a page's letters that mean nothing, from which on it is named."""


def told(page: pypdfium2.PdfPage, glyphs: Iterable[Glyph]) -> list[Glyph]:
    """The letters of a page, those without a meaning as U+FFFD, and those without a shape as well as spaces."""
    found = [*glyphs]
    text = page.get_textpage()
    try:
        unknown = unknown_in(text, ((each.order, each.text) for each in found))
        controls = {each.order: is_seen(text, each.order) for each in found if CONTROL.match(each.text)}
    finally:
        text.close()
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


def is_garbled(letter: str) -> bool:
    """Whether it means nothing to anybody who does not have its font."""
    return letter == UNKNOWN or CONTROL.match(letter) is not None or "\ue000" <= letter < "\uf000"


def is_garbage(*, garbled: int, letters: int) -> bool:
    """Whether a page with as many letters that mean nothing can't be read."""
    return garbled > _GARBLED * letters


def tell(warn: Warn, *, garbage: Sequence[int], unread: Sequence[int], some: bool) -> None:
    """Name the pages that can't be read, those with text that is not there, and `some` letters that are U+FFFD."""
    if garbage:
        warn(
            "ENCODING_REPLACED",
            f"The PDF does not say which characters its letters are on page {named(garbage)}: their text is garbage.",
        )
    if some:
        warn("ENCODING_REPLACED", "The PDF does not say which characters some letters are; they became U+FFFD.")
    if unread:
        warn(
            "ENCODING_REPLACED",
            f"The PDF does not say which characters most letters are on page {named(unread)}: their text is missing.",
        )


def named(numbers: Iterable[int]) -> str:
    """Pages by their numbers, counted from 0, as people count them."""
    found = sorted(numbers)
    return ", ".join(str(number + 1) for number in found[:20]) + (", ..." if len(found) > 20 else "")
