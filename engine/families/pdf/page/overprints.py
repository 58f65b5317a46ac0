"""Find glyphs that are drawn again at nearly the same place, for a bold or shadow effect: they are one text."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.drawing import objects_of, placed
from engine.families.pdf.page.glyphs import Glyph, glyphs_of
from engine.families.pdf.page.letter_spacing import with_even_letters
from engine.families.pdf.page.view import view_of
from engine.families.pdf.page_text import characters_of
from engine.families.pdf.right_to_left import has_letters

_SHADOW = 0.4
"""Times a glyph's width: the same one this close is an overprint."""

_BOLD, _NARROW = 1.0, 0.7
"""Points by which narrow letters are shifted for a bold effect, and times their width, as equal letters follow each
other at their width."""

_BUCKET, _LINE = 64, 16
"""Points along and across a line: the cell size of the search; farther glyphs are never compared."""

_MOST_NEAR = 64
"""The maximum equal glyphs at one place that are compared; only a hostile page has more."""

_SAME_LINE, _TOUCHING, _WORD = 0.05, 0.05, 0.16
"""Times the text size: how far baselines of one line are apart, glyphs of one word, and words."""

_ALIKE = 0.1
"""Times the width of a glyph: how far the widths of its copies differ."""

_BLANK = re.compile(r"(?<=\n) +\r\n")
"""A line of which all is left out."""

_NEAR = 1.5
"""Points between the beginnings of texts that may be one text drawn twice."""


def _may_have_overprints(page: pypdfium2.PdfPage) -> bool:
    """Whether two texts of a page begin at nearly the same place."""
    seen: set[tuple[int, int]] = set()
    for item, around in objects_of(page.raw):
        if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_TEXT:
            *_, x, y = placed(item, around)
            at = int(x // _NEAR), int(y // _NEAR)
            if any((at[0] + right, at[1] + up) in seen for right in (-1, 0, 1) for up in (-1, 0, 1)):
                return True
            seen.add(at)
    return False


def once_drawn(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage, *, always: bool = False) -> str:
    """The text of a page without what is drawn again, and with the words that its glyphs form; empty if nothing is.

    Pages without two texts in one place are only looked at if `always`.
    """
    if not (always or _may_have_overprints(page)):
        return ""
    text = characters_of(text_page)
    if len(text) != text_page.count_chars() or has_letters(text):
        return ""
    every = glyphs_of(text_page, view_of(page), {})
    kept = {each.order: each for each in with_even_letters(once(every))}
    left_out = {each.order for each in every if each.order not in kept}
    if not (left_out or always):
        return ""
    found: list[str] = []
    for at, letter in enumerate(text):
        if at in left_out:
            continue
        if glyph := kept.get(at):
            while not glyph.spaced and found and found[-1].isspace():
                found.pop()
            if glyph.spaced and found and not found[-1].isspace():
                found.append(" ")
        if not (letter in " \r\n" and found and found[-1] == letter) and not (letter == "\r" and found[-1:] == ["\n"]):
            found.append(letter)
    return _BLANK.sub("", "".join(found))


def once(glyphs: list[Glyph]) -> Iterator[Glyph]:
    """The glyphs without those that are drawn again."""
    doubles = _doubles(glyphs)
    if not doubles:
        yield from glyphs
        return
    gone = _repeated(glyphs, doubles)
    spaced = left_out = False
    previous: Glyph | None = None
    for at, glyph in enumerate(glyphs):
        if at in gone:
            spaced, left_out = spaced or glyph.spaced, True
            continue
        if left_out and previous is not None and _is_on(previous, glyph):
            guessed = glyph.guessed or not glyph.spaced
            glyph = glyph._replace(spaced=_is_spaced(previous, glyph, spaced=spaced), guessed=guessed)
        elif left_out:
            glyph = glyph._replace(spaced=spaced or glyph.spaced)
            left_out = at - 1 in gone
        yield glyph
        previous, spaced = glyph, False


def _repeated(glyphs: list[Glyph], doubles: dict[int, int]) -> set[int]:
    """The indexes of glyphs that are left out, as another one stands in the same place."""
    gone: set[int] = set()
    word_of: list[range] = []
    begin = 0
    for at in range(1, len(glyphs) + 1):
        if at < len(glyphs) and not glyphs[at].spaced:
            continue
        found = range(begin, at)
        word_of += [found] * len(found)
        word = {each: doubles[each] for each in found if each in doubles}
        within = {each for each, other in word.items() if other >= begin and _is_again(glyphs[other], glyphs[each])}
        if len(word) == len(found):
            gone.update(word)
        else:
            # If only parts of a word are overprinted, the duplicates are removed; two overlapping texts may have equal
            # glyphs in one place by chance, but not those of one word.
            gone |= within
            printed = {other for each, other in word.items() if each not in within}
            chance = 2 * (len(word) - len(within)) < len(found) - len(within)
            gone.update(each for each in printed if not chance or printed.issuperset(word_of[each]))
        begin = at
    return gone


def _is_again(first: Glyph, second: Glyph) -> bool:
    """Whether two equal glyphs of a word are drawn apart, and are neither of one ligature nor joined letters."""
    width = first.x1 - first.x0
    return (
        (first.drawn != second.drawn or first.x0 != second.x0)
        and abs(second.x1 - second.x0 - width) < _ALIKE * width
        and not has_letters(first.text)
    )


def _is_on(previous: Glyph, glyph: Glyph) -> bool:
    """Whether a glyph is on the line of the one before it, and behind it."""
    return abs(previous.base - glyph.base) < _SAME_LINE * glyph.style.size and glyph.x0 > previous.x0


def _is_spaced(previous: Glyph, glyph: Glyph, *, spaced: bool) -> bool:
    """Whether a space is between two glyphs of a line on which PDFium saw others between them."""
    apart = (glyph.x0 - previous.x1) / glyph.style.size
    return apart > _WORD or ((spaced or glyph.spaced) and apart >= _TOUCHING)


def _doubles(glyphs: list[Glyph]) -> dict[int, int]:
    """The indexes of overprinted glyphs, and of the glyph that each repeats."""
    seen: dict[tuple[str, int, int], deque[int]] = {}
    found: dict[int, int] = {}
    for at, glyph in enumerate(glyphs):
        text, x0, x1, base, style = glyph[:5]
        near = max(min(max(_SHADOW * min(x1 - x0, style.size), min(_BOLD, _NARROW * (x1 - x0))), _LINE), 0.0)
        left, right = int((x0 - near) // _BUCKET), int((x0 + near) // _BUCKET)
        above, below = int((base - near) // _LINE), int((base + near) // _LINE)
        if left == right and above == below:  # the fast path of most glyphs
            place = text, above, left
            places = [place]
        else:
            place = text, int(base // _LINE), int(x0 // _BUCKET)
            places = [(text, y, x) for y in range(above, below + 1) for x in range(left, right + 1)]
        for each_place in places:
            for other in seen.get(each_place, ()):
                each = glyphs[other]
                if (
                    abs(each.x0 - x0) < near
                    and abs(each.base - base) < near
                    and each.style.turn == style.turn
                    # The characters of a ligature share one place.
                    and (each.order < glyph.order - 1 or each.drawn != glyph.drawn or each.x0 != x0)
                    and abs(each.style.size - style.size) <= 0.5
                ):
                    found.setdefault(at, other)
        if at not in found:
            if place in seen:
                seen[place].append(at)
            else:
                seen[place] = deque((at,), _MOST_NEAR)
    return found
