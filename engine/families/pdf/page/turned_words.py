"""Put the glyphs of words of right-to-left scripts into reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.families.pdf.page.glyphs import Glyph
from engine.families.pdf.right_to_left import from_left, has_letters


def in_reading_order(glyphs: Iterable[Glyph]) -> Iterator[Glyph]:
    """The glyphs of a page in content order, with words reversed that the file shows from the left."""
    word: list[Glyph] = []
    for each in glyphs:
        if word and (each.spaced or each.base != word[-1].base or not has_letters(each.text)):
            yield from _turned(word)
            word = []
        if each.text > "\u058f" and has_letters(each.text):
            word.append(each)
        else:
            yield each
    yield from _turned(word)


def _turned(word: list[Glyph]) -> list[Glyph]:
    if not from_left([(each.x0 + each.x1) / 2 for each in word]):
        return word
    places = [(each.spaced, each.order) for each in word]
    return [
        each._replace(spaced=spaced, order=order) for each, (spaced, order) in zip(reversed(word), places, strict=True)
    ]
