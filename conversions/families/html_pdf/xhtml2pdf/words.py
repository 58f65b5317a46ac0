"""Words: what a line is never broken in, in scripts that write no spaces too, and how wide it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from xhtml2pdf.reportlab_paragraph import _breakable, _chunkWord
from xhtml2pdf.util import stringWidth

from conversions.families.html_pdf.fonts.shaping import text_of

ZERO_WIDTH_SPACE = "\u200b"
_SPACES = " \t\n\r\f"
_SPACE = re.compile(f"[{_SPACES}]+")
# Ideographs, kana and full-width forms: a line may be broken between any two of them (UAX #14, class ID).
_IDEOGRAPHS = "\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
# Thai, Lao and Khmer write no spaces between words; without a dictionary any syllable may end a line.
_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff"
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHS}]")
_SYLLABLE = re.compile(f"[{_UNSPACED}]")
_ANY_BREAK = re.compile(f"[{ZERO_WIDTH_SPACE}{_IDEOGRAPHS}{_UNSPACED}\U00100000-\U0010fffd]")
_NEVER_FIRST = frozenset(
    "、。，．・：；？！ー）」』】〕〉》”’］｝〗〙…‥々〻ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)]}%％‰℃°"
    "ะาำๆฯະາຳໆ"
)
_NEVER_LAST = frozenset("（「『【〔〈《“‘［｛〖〘([{￥＄£เแโใไເແໂໃໄ")

Piece = tuple[Any, str]
Unit = tuple[Any, float, list[Piece]]
"""What a line is never broken in: the fragment of the space before it or None, its width, its fragments and texts."""


def units(frags: list[Any], limit: float) -> Iterator[Unit]:
    """The text of `frags` in pieces that a line is never broken in; those wider than `limit` are cut where they may."""
    for space, word in _words(frags):
        parts = _cut(word) if any(text and _ANY_BREAK.search(text) for _, text in word) else (word,)
        for part in parts:
            width = sum(map(_advance, part))
            if width > limit and any(_breakable(frag) for frag, _ in part):
                for chunk in _chunks(part, limit):
                    yield space, sum(map(_advance, chunk)), chunk
                    space = None
            else:
                yield space, width, part
            space = None


def _words(frags: list[Any]) -> Iterator[tuple[Any, list[Piece]]]:
    """The words of `frags`, each with the fragment of the space before it; a picture or a line break is a word."""
    word: list[Piece] = []
    space: Any = None
    after_break = False
    for frag in frags:
        text = frag.text if isinstance(frag.text, str) else str(frag.text or "")
        if text:
            if after_break:
                text, after_break = text.lstrip(_SPACES), False
            for at, part in enumerate(_SPACE.split(text)):
                if at:
                    if any(written for _, written in word):
                        yield space, word
                        word, space = [], None
                    space = space or frag
                if part:
                    word.append((frag, part))
        elif hasattr(frag, "lineBreak") or _picture_width(frag):
            if word:
                yield space, word
                word, space = [], None
            yield space, [(frag, "")]
            space, after_break = None, hasattr(frag, "lineBreak")
        elif hasattr(frag, "cbDefn"):
            word.append((frag, ""))  # a marker: it stays with the word that it is next to
    if word:
        yield space, word


def _chunks(part: list[Piece], limit: float) -> Iterator[list[Piece]]:
    """A word wider than `limit` in the parts that fill lines of that width."""
    if len(part) > 1 or hasattr(part[0][0], "cbDefn"):
        for chunk in _chunkWord(part, limit):
            yield chunk[1:]
        return
    frag, text = part[0]
    start = 0
    count = max(1, int(len(text) * limit / max(_advance(part[0]), 1.0)))
    while start < len(text):
        while count > 1 and _advance((frag, text[start : start + count])) > limit:
            count -= max(1, count // 16)
        while start + count < len(text) and _advance((frag, text[start : start + count + 1])) <= limit:
            count += 1
        yield [(frag, text[start : start + count])]
        start += count


def _picture_width(frag: Any) -> float:
    return float(getattr(getattr(frag, "cbDefn", None), "width", 0) or 0)


def _advance(piece: Piece) -> float:
    frag, text = piece
    box = getattr(frag, "cbDefn", None)
    if box is not None:
        return float(getattr(box, "width", 0) or getattr(box, "advance", 0) + getattr(box, "reserve", 0))
    return float(stringWidth(text, frag.fontName, frag.fontSize))


def _cut(pieces: list[Piece]) -> Iterator[list[Piece]]:
    """One word in the parts between which a line may be broken."""
    part: list[Piece] = []
    before = ""
    for frag, text in pieces:
        if not text:
            part.append((frag, text))
            continue
        start = 0
        for at, char in enumerate(text):
            if before and _may_break(before, char):
                if text[start:at]:
                    part.append((frag, text[start:at]))
                if part:
                    yield part
                part, start = [], at
            if char == ZERO_WIDTH_SPACE:
                if text[start:at]:
                    part.append((frag, text[start:at]))
                start = at + 1
            before = char
        if text[start:]:
            part.append((frag, text[start:]))
    if part:
        yield part


def _may_break(before: str, after: str) -> bool:
    if before == ZERO_WIDTH_SPACE:
        return True
    before, after = text_of(ord(before))[-1], text_of(ord(after))[0]
    if before in _NEVER_LAST or after in _NEVER_FIRST:
        return False
    if _IDEOGRAPH.match(before) or _IDEOGRAPH.match(after):
        return True
    return bool(_SYLLABLE.match(before) and _SYLLABLE.match(after))
