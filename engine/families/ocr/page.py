"""A recognised page: blocks, paragraphs, lines and words with their positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels from the upper left corner."""

_BARS = "|¦‖"
"""Characters as which rules of tables are read."""


def is_upright(rule: Box) -> bool:
    """Whether a rule of a table stands rather than lies."""
    left, top, right, bottom = rule
    return bottom - top > right - left


@dataclass(frozen=True)
class Word:
    """A word, its confidence (0 to 100), its box, and the start and end of its baseline."""

    text: str
    confidence: float
    box: Box
    baseline: tuple[float, float, float, float]


@dataclass(frozen=True)
class Line:
    """Words on one baseline; `height` is the distance from ascender to descender, in pixels."""

    words: tuple[Word, ...]
    height: float

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.words)

    @property
    def left(self) -> float:
        return min(each.box[0] for each in self.words)

    @property
    def bottom(self) -> float:
        return max(each.box[3] for each in self.words)


@dataclass(frozen=True)
class Paragraph:
    """Lines that belong together."""

    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Page:
    """The recognised text of a picture of `size` pixels, in reading order.

    The picture was rotated `turn` degrees clockwise, then `tilt` degrees counter-clockwise, before recognition: size
    and positions are those of the rotated picture.
    """

    paragraphs: tuple[Paragraph, ...]
    size: tuple[int, int]
    turn: int = 0
    tilt: float = 0.0
    rules: tuple[tuple[Box, ...], ...] = ()
    """The lines of each ruled table."""

    @property
    def lines(self) -> Iterator[Line]:
        for paragraph in self.paragraphs:
            yield from paragraph.lines

    @property
    def words(self) -> Iterator[Word]:
        for line in self.lines:
            yield from line.words

    @property
    def confidence(self) -> float:
        """The average confidence, from 0 to 100; 100 without any text."""
        character_count = self.character_count
        return (
            sum(each.confidence * len(each.text) for each in self.words) / character_count if character_count else 100.0
        )

    @property
    def character_count(self) -> int:
        return sum(len(each.text) for each in self.words)

    @property
    def rotation(self) -> int:
        """The clockwise rotation in degrees after which most words run to the right."""
        runs = {0: 0, 90: 0, 270: 0}
        for x, y, end_x, end_y in (each.baseline for each in self.words if len(each.text) > 1):
            turn = 0 if end_x - x >= abs(end_y - y) else 90 if end_y < y else 270
            runs[turn] += 1
        return max(runs, key=lambda turn: runs[turn])

    def turned(self, degrees: int) -> Page:
        """The same page, recorded as that of a picture that was rotated clockwise by so much."""
        return replace(self, turn=degrees)

    def straightened(self, degrees: float) -> Page:
        """The same page, recorded as that of a picture that was rotated counter-clockwise by so much."""
        return replace(self, tilt=degrees)

    def ruled(self, rules: tuple[tuple[Box, ...], ...]) -> Page:
        """The same page with the lines of its tables, and without what was read of them."""
        standing = [each for lines in rules for each in lines if is_upright(each)]
        if not standing:
            return replace(self, rules=rules)

        def cleaned(word: Word) -> Word | None:
            near = (word.box[3] - word.box[1]) / 2
            for at, text in ((word.box[0], word.text.lstrip(_BARS)), (word.box[2], word.text.rstrip(_BARS))):
                if text != word.text and any(
                    rule[0] - near <= at <= rule[2] + near and rule[1] < word.box[3] and word.box[1] < rule[3]
                    for rule in standing
                ):
                    word = replace(word, text=text)
                    if not text:
                        return None
            return word

        paragraphs = []
        for paragraph in self.paragraphs:
            lines = ((tuple(filter(None, map(cleaned, line.words))), line.height) for line in paragraph.lines)
            kept = tuple(Line(words, height) for words, height in lines if words)
            if kept:
                paragraphs.append(Paragraph(kept))
        return replace(self, paragraphs=tuple(paragraphs), rules=rules)

    def scaled(self, by: float) -> Page:
        """The same page of a picture `by` times as large."""
        if by == 1.0:
            return self
        return replace(
            self,
            paragraphs=tuple(
                Paragraph(
                    tuple(
                        Line(tuple(_scaled(word, by) for word in line.words), line.height * by)
                        for line in paragraph.lines
                    )
                )
                for paragraph in self.paragraphs
            ),
            size=(max(1, round(self.size[0] * by)), max(1, round(self.size[1] * by))),
            rules=tuple(
                tuple((left * by, top * by, right * by, bottom * by) for left, top, right, bottom in lines)
                for lines in self.rules
            ),
        )


def _scaled(word: Word, by: float) -> Word:
    left, top, right, bottom = (each * by for each in word.box)
    x, y, end, height = (each * by for each in word.baseline)
    return replace(word, box=(left, top, right, bottom), baseline=(x, y, end, height))
