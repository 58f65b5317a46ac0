"""The font that joins emoji of several characters, and which it draws otherwise than they are written."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

import uharfbuzz

from engine.toolkit import emoji_sequences
from engine.toolkit.own_fonts import FONTS
from engine.toolkit.warnings import Kind, Warn

PATH = FONTS / "noto/NotoEmoji-Regular.ttf"
_TONELESS = Kind("COLOR_CONVERTED", "Skin tones of emoji are not drawn, as emoji have one colour: {count}{places}.")
_POSSIBLE = re.compile("[\u203c-\u2bff\u3030\u303d\u3297\u3299\ufe0f\u20e3\U0001f000-\U0001faff]")
_JOINING = "\ufe0f\u20e3"
_TONE = re.compile("[\U0001f3fb-\U0001f3ff]")


def report(found: Counter[str], warn: Warn) -> None:
    """Warn of emoji in a part of the input that the font draws as their parts or without their skin tone."""
    parted = Counter({each: count for each, count in found.items() if not is_joined(each)})
    toneless = Counter({each: found[each] for each in found if each not in parted and _TONE.search(each)})
    emoji_sequences.report(parted, warn)
    warn.tally(_TONELESS, toneless.total(), toneless, part=repr(sorted(toneless.items())))


def symbols(characters: Iterable[str]) -> set[str]:
    """Those of the characters of a page with emoji that the font has, but that are emoji only before a variation
    selector; none if the page has no emoji.
    """
    possible = {each for each in characters if _POSSIBLE.match(each)}
    emoji = {each for each in possible if _is_alone(each) or each in _JOINING}
    return {each for each in possible - emoji if ord(each) in _characters()} if emoji else set()


@functools.cache
def alone() -> tuple[str, ...]:
    """The characters of the font that are emoji by themselves (Unicode, Emoji_Presentation)."""
    return tuple(each for each in map(chr, _characters()) if each > "\u2000" and _is_alone(each))


@functools.cache
def run() -> str:
    """A regular expression for one or more emoji, of one or several characters."""
    return f"(?:{emoji_sequences.SEQUENCE}|[{''.join(alone())}](?!\ufe0e))+"


def is_emoji(text: str) -> bool:
    """Whether a text is an emoji that the font has."""
    return _POSSIBLE.search(text) is not None and re.fullmatch(run(), text) is not None


def _is_alone(character: str) -> bool:
    """Such characters are wide, or half of a flag; those that this Python doesn't know are newer emoji."""
    if "\U0001f1e6" <= character <= "\U0001f1ff":
        return True
    return unicodedata.east_asian_width(character) == "W" or unicodedata.category(character) == "Cn"


def is_joined(emoji: str) -> bool:
    """Whether the font has one glyph for these characters."""
    return glyph(emoji) is not None


@functools.lru_cache(maxsize=4096)
def glyph(emoji: str) -> int | None:
    """The number of the glyph that draws these characters, if it is one."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(emoji)
    buffer.guess_segment_properties()
    uharfbuzz.shape(_shaper(), buffer)
    shaped = zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
    seen = [info.codepoint for info, position in shaped if position.x_advance]
    return seen[0] if len(seen) == 1 and seen[0] else None


@functools.cache
def _characters() -> uharfbuzz.Set:
    return _face().unicodes


@functools.cache
def _shaper() -> uharfbuzz.Font:
    return uharfbuzz.Font(_face())


@functools.cache
def _face() -> uharfbuzz.Face:
    return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(PATH)))
