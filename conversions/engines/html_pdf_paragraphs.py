"""Lines of text: where they may be broken, in scripts without spaces too, and how they sit in their line height."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import xhtml2pdf.builders.flex
import xhtml2pdf.reportlab_paragraph
from reportlab.pdfbase.pdfmetrics import getAscentDescent
from xhtml2pdf.reportlab_paragraph import (
    FragLine,
    ParaLines,
    _breakable,
    _chunkWord,
    _handleBulletWidth,
    _reserved,
    imgVRange,
)
from xhtml2pdf.util import getBorderWidth, stringWidth
from xhtml2pdf.xhtml2pdf_reportlab import PmlParagraph

from conversions.engines.html_pdf_shaping import text_of

ZERO_WIDTH_SPACE = "\u200b"
_FUZZ = 1e-6
_CHUNK = 200  # lines
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


class BrokenParagraph(PmlParagraph):  # type: ignore[misc]
    """A paragraph of one document."""

    def breakLines(self, width: Any) -> Any:
        if not self.frags or (hasattr(self, "blPara") and getattr(self, "_splitpara", 0)):
            return super().breakLines(width)
        widths = list(width) if isinstance(width, list | tuple) else [width]
        _handleBulletWidth(self.bulletText, self.style, widths, rtl=self.dir == "rtl")
        self.height = 0
        lines: list[Any] = []
        line = Line()
        for unit in units(self.frags, max(min(widths), 1.0)):
            room = widths[min(len(lines), len(widths) - 1)]
            if hasattr(unit[2][0][0], "lineBreak"):
                line.end(unit[2][0][0])
                lines.append(line.done(room, forced=True))
                line = Line()
                continue
            if line.count and line.width_with(unit) > room + _FUZZ:
                lines.append(line.done(room, glued=unit[0] is None))
                line = Line()
            line.add(unit)
        if line.words:
            lines.append(line.done(widths[min(len(lines), len(widths) - 1)]))
        self.width = max([self.width, *(each.used for each in lines)])
        return ParaLines(kind=1, lines=lines)

    def _get_split_blParaFunc(self) -> Any:
        return _rejoined

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        lines = getattr(getattr(self, "blPara", None), "lines", ())
        parts = super().split(availWidth, availHeight)
        if len(parts) != 2:
            return list(parts)
        rest = lines[len(parts[0].blPara.lines) :]
        if getattr(self, "_JustifyLast", 0):
            parts[1]._JustifyLast = 1
        if len(rest) <= 2 * _CHUNK:
            return list(parts)
        # What is left would be broken into lines anew for every page: in chunks it is broken once.
        style = copy.copy(parts[1].style)
        style.spaceBefore = style.spaceAfter = 0
        chunks = []
        for start in range(0, len(rest), _CHUNK):
            chosen = ParaLines(kind=1, lines=rest[start : start + _CHUNK])
            frags = _rejoined(chosen, 0, len(chosen.lines))
            chunk = type(self)(None, style, frags=frags, dir=self.dir)
            chunk.autoLeading = self.autoLeading
            chunk._JustifyLast = 1
            chunks.append(chunk)
        chunks[-1].style = parts[1].style
        chunks[-1]._JustifyLast = getattr(self, "_JustifyLast", 0)
        return [parts[0], *chunks]

    def drawPara(self, debug: int = 0) -> None:
        lines = self.blPara.lines
        if lines and self.blPara.kind == 1:
            # The engine puts the first line's letters at the very top, and what the line has to spare beneath.
            above, _ = extent(lines[0], self.style.leading)
            self.canv.translate(0, lines[0].ascent - above)
        super().drawPara(debug)


class Line:
    """One line as it fills: its fragments in the order of the text, and their extents."""

    def __init__(self) -> None:
        self.words: list[Any] = []
        self.count = 0
        self._spaces = 0
        self._width = 0.0
        self._size = self._ascent = self._descent = 0.0

    def width_with(self, unit: Unit) -> float:
        return self._width + self._space(unit) + unit[1]

    def _space(self, unit: Unit) -> float:
        if unit[0] is None or not self.count:
            return 0.0
        return float(stringWidth(" ", unit[0].fontName, unit[0].fontSize))

    def add(self, unit: Unit) -> None:
        space = self._space(unit)
        self._width += space + unit[1]
        if space:
            self._spaces += 1
            self._append(unit[0], " ")
        for frag, text in unit[2]:
            self._append(frag, text)
        self.count += 1

    def _append(self, frag: Any, text: str) -> None:
        if self.words and self.words[-1].source is frag and text:
            self.words[-1].text += text
            return
        word = frag.clone()
        word.text, word.source = text, frag
        self.words.append(word)
        self._extend(word)

    def end(self, frag: Any) -> None:
        """Take the fragment of a forced line break."""
        word = frag.clone()
        word.source = frag
        self.words.append(word)
        if len(self.words) == 1:
            self._extend(word)

    def _extend(self, word: Any) -> None:
        box = getattr(word, "cbDefn", None)
        if getattr(box, "width", 0):
            descent, ascent = imgVRange(box.height, box.valign, word.fontSize)
        else:
            ascent, descent = getAscentDescent(word.fontName, word.fontSize)
        if len(self.words) == 1:
            self._size, self._ascent, self._descent = word.fontSize, ascent, descent
        self._size = max(self._size, word.fontSize)
        self._ascent = max(self._ascent, ascent)
        self._descent = min(self._descent, descent)

    def done(self, room: float, *, forced: bool = False, glued: bool = False) -> FragLine:
        """The line as the engine draws it; `glued` says that the text goes on without a space."""
        return FragLine(
            extraSpace=room - self._width + _reserved(self.words),
            wordCount=self._spaces + 1,
            lineBreak=forced,
            glued=glued,
            words=self.words,
            used=self._width,
            fontSize=self._size,
            ascent=self._ascent,
            descent=self._descent,
        )


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
        elif hasattr(frag, "lineBreak") or getattr(getattr(frag, "cbDefn", None), "width", 0):
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


def _rejoined(lines: Any, start: int, stop: int) -> list[Any]:
    """The fragments of some lines of a paragraph that goes on on the next page, as text to be broken again."""
    frags: list[Any] = []
    chosen = lines.lines[start:stop]
    for line in chosen:
        frags += line.words
        if line is not chosen[-1] and not line.lineBreak:
            gap = ZERO_WIDTH_SPACE if getattr(line, "glued", False) else " "
            last = next((each for each in reversed(line.words) if not hasattr(each, "cbDefn")), None)
            if last is None or last is not line.words[-1]:
                last = line.words[-1].clone(text="")
                frags.append(last)
            last.text = (last.text or "") + gap
    return frags


def extent(line: Any, leading: float) -> tuple[float, float]:
    """How far a line reaches above and below its baseline: half of its spare room each (CSS 2.1, 10.8.1)."""
    spare = max(leading - (line.ascent - line.descent), 0.0)
    return line.ascent + spare / 2, -line.descent + spare / 2


def paragraph_widths(paragraph: Any, style: Any) -> tuple[float, float]:
    """The least width that `paragraph` needs, and the width of its longest line where nothing breaks it."""
    narrowest = widest = line = 0.0
    for space, width, pieces in units(paragraph.frags, float("inf")):
        frag = pieces[0][0]
        if hasattr(frag, "lineBreak"):
            widest, line = max(widest, line), 0.0
            continue
        narrowest = max(narrowest, width)
        line += width + (stringWidth(" ", space.fontName, space.fontSize) if space and line else 0.0)
    beside = style.leftIndent + style.rightIndent
    for side in ("Left", "Right"):
        beside += getattr(style, f"padding{side}", 0)
        beside += getBorderWidth(getattr(style, f"border{side}Style", None), getattr(style, f"border{side}Width", 0))
    return narrowest + beside + 0.01, max(widest, line) + beside + 0.01


def install() -> None:
    """Make the layout engine space and measure lines our way."""
    xhtml2pdf.reportlab_paragraph._maxLeadingExtent = extent
    xhtml2pdf.builders.flex._paragraph_widths = paragraph_widths


install()
