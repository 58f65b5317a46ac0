"""Lines of text: how words fill them, and how they go on on the next page."""

from __future__ import annotations

from typing import Any

from reportlab.pdfbase.pdfmetrics import getAscentDescent
from xhtml2pdf.reportlab_paragraph import (
    FragLine,
    ParaLines,
    _handleBulletWidth,
    _reserved,
    imgVRange,
)
from xhtml2pdf.util import getBorderWidth, stringWidth
from xhtml2pdf.xhtml2pdf_reportlab import PmlParagraph

from conversions.families.html_pdf.xhtml2pdf.words import ZERO_WIDTH_SPACE, Unit, units

_FUZZ = 1e-6
_SMALL_PICTURE = 72.0
"""Points that a picture needs at least in a column; it is made smaller before anything else."""


class Paragraph(PmlParagraph):  # type: ignore[misc]
    """A paragraph whose lines break in any script."""

    width: float

    def breakLines(self, width: Any) -> Any:
        if not self.frags or (hasattr(self, "blPara") and getattr(self, "_splitpara", False)):
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

    def draw(self) -> None:
        ledger = getattr(getattr(self.canv, "_doctemplate", None), "ledger", None)
        if ledger is not None:
            ledger.draw(self, self.canv)
        super().draw()


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
        box: Any = getattr(word, "cbDefn", None)
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
        if hasattr(self.words[-1], "cbDefn"):
            # The engine goes on to the next line after text only.
            self.words.append(self.words[-1].clone(text=""))
            self.words[-1].source = None
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


def paragraph_widths(paragraph: Any, style: Any) -> tuple[float, float]:
    """The least width that `paragraph` needs, and the width of its longest line where nothing breaks it."""
    narrowest = widest = line = 0.0
    for space, width, pieces in units(paragraph.frags, float("inf")):
        frag = pieces[0][0]
        if hasattr(frag, "lineBreak"):
            widest, line = max(widest, line), 0.0
            continue
        narrowest = max(narrowest, min(width, _SMALL_PICTURE) if hasattr(frag, "cbDefn") else width)
        line += width + (stringWidth(" ", space.fontName, space.fontSize) if space and line else 0.0)
    beside = style.leftIndent + style.rightIndent
    for side in ("Left", "Right"):
        beside += getattr(style, f"padding{side}", 0)
        beside += getBorderWidth(getattr(style, f"border{side}Style", None), getattr(style, f"border{side}Width", 0))
    return narrowest + beside + 0.01, max(widest, line) + beside + 0.01
