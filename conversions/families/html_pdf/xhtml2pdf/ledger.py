"""What was handed to the layout and what of it was drawn where it can be read: the rest is appended, and said."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reportlab.platypus.flowables import Flowable

SMALLEST = 5.0
"""Points of the smallest letters that can be read on paper."""
_HEAD = "Text of the page that has no place where it stands in it"


def _letters(text: Any) -> int:
    """How many characters of a text leave a mark; a line may be broken at the spaces, which are not drawn then."""
    return sum(1 for char in text if not char.isspace() and char != "\u200b") if isinstance(text, str) else 0


class Repeated(str):
    """A text that is drawn again where a table goes on, and is not owed."""

    __slots__ = ()


class Ledger:
    """The texts of one document by the order in which they were handed over, and how many letters of each are drawn."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._expected: Counter[int] = Counter()
        self._drawn: Counter[int] = Counter()

    def handed(self, text: object) -> int:
        """Note a text; returns the number that its fragments are to carry, which is negative for one not owed."""
        if isinstance(text, Repeated):
            return -1
        self._texts.append(text if isinstance(text, str) else "")
        return len(self._texts) - 1

    def expect(self, frags: list[Any]) -> None:
        """Note what fragments hold, as it is to be drawn."""
        for frag in frags:
            self._expected[getattr(frag, "origin", -1)] += _letters(frag.text)

    def draw(self, paragraph: Any, canvas: Any) -> None:
        """Note the lines of a paragraph that is drawn with its lower left corner at the origin of `canvas`."""
        a, b, c, d, x, y = canvas._currentMatrix
        width, height = canvas._pagesize
        size = (abs(a * d - b * c)) ** 0.5
        top = paragraph.height
        on_page = -1 <= y + d * top <= height + 1 and y + d * top > 0 and -1 <= x < width
        if not on_page:
            return
        for line in paragraph.blPara.lines:
            reach = x + size * (paragraph.style.leftIndent + getattr(line, "used", 0.0))
            for word in line.words:
                if reach <= width + 2 and word.fontSize * size >= min(SMALLEST, word.fontSize) - 0.05:
                    self._drawn[getattr(word, "origin", -1)] += _letters(word.text)

    def missing(self) -> list[str]:
        """The texts of which letters were not drawn, or too small to be read, in their order."""
        lost = [each for each in self._expected if each >= 0 and self._drawn[each] < self._expected[each]]
        return [" ".join(self._texts[each].split()) for each in sorted(lost)]


class Remainder(Flowable):  # type: ignore[misc]
    """The end of a document, in whose place comes what is missing in all that is before it."""

    def __init__(self, context: Any) -> None:
        super().__init__()
        self._context = context

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        return 0, 0

    def draw(self) -> None:
        """Nothing is missing."""

    def paragraphs(self, color: Any) -> list[Any]:
        """What is missing, under a line that says so."""
        texts = self._context.ledger.missing()
        if not texts:
            return []
        shown = "; ".join(texts)
        self._context.report(
            "CONTENT_CLIPPED",
            f"{len(texts)} texts have no place in the layout and were put at its end: “{shown[:120]}”.",
        )
        return [
            self._context.text_block(text, size=size, color=color, alignment=0)
            for text, size in ((_HEAD, 8.0), *((each, 10.0) for each in texts))
        ]
