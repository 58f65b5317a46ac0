"""Split text into runs of one font, with complex scripts shaped."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable

import arabic_reshaper
from arabic_reshaper.ligatures import LETTERS_LIGATURES, SENTENCES_LIGATURES, WORDS_LIGATURES

from engine.families.html_pdf.fonts import bundled
from engine.toolkit import emoji_font

_UNDRAWN = re.compile("[\\s\u200c\u200d\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
_PICTURES = re.compile("[\u203c-\u2bff\u3030-\u3299\ufe0f\u20e3\U0001f000-\U0001faff]")
"""Characters of which each emoji has one."""
_JOINED = re.compile("[\ufb50-\ufdff\ufe70-\ufefc]")
"""Characters as joined by the layout engine, which may differ from the font's forms."""
# Invisible if a font has no glyph for it (Unicode, Default_Ignorable_Code_Point), except line breaks.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)

# Only lam-alef ligatures: no bundled font has those for whole words and phrases.
_reshaper = arabic_reshaper.ArabicReshaper(
    {
        "delete_harakat": False,
        **{
            name: "LAM WITH ALEF" in name and "MAKSURA" not in name
            for name, _ in (*SENTENCES_LIGATURES, *WORDS_LIGATURES, *LETTERS_LIGATURES)
        },
    }
)


def runs(
    text: str, first: tuple[str, ...], *, bold: bool, italic: bool, missing: Callable[[str], None]
) -> list[tuple[str, str]]:
    """The characters to draw and the font of each run; those in `first` are preferred to the bundled ones.

    Calls `missing` with every character that no font has.
    """
    if text.isascii():
        return [(text, first[0])]
    found: list[tuple[str, str]] = []
    at = 0
    for emoji in _emoji().finditer(text) if _PICTURES.search(text) else ():
        found += _of_letters(text[at : emoji.start()], first, bold=bold, italic=italic, missing=missing)
        name = bundled.EMOJI.style(bold=False, italic=False)
        found.append((bundled.drawn(emoji[0], name), name))
        at = emoji.end()
    return found + _of_letters(text[at:], first, bold=bold, italic=italic, missing=missing)


@functools.cache
def _emoji() -> re.Pattern[str]:
    return re.compile(emoji_font.run())


def _of_letters(
    text: str, first: tuple[str, ...], *, bold: bool, italic: bool, missing: Callable[[str], None]
) -> list[tuple[str, str]]:
    text = _IGNORABLE.sub("", text)
    if _ARABIC.search(text):
        text = _reshaper.reshape(_JOINED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text))
    found: list[list[str]] = []
    for char in text:
        name = found[-1][1] if found else None
        if not _UNDRAWN.match(char):
            mark = unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Mc", "Me")
            if not (mark and name and bundled.covers(name, ord(char))):
                own = bundled.font_for(ord(char), first, bold, italic)
                if own is None:
                    missing(char)
                name = own or name
        name = name or first[0]
        if found and found[-1][1] == name:
            found[-1][0] += char
        else:
            found.append([char, name])
    return [(bundled.drawn(run, name), name) for run, name in found]
