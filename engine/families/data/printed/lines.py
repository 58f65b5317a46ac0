"""Break the text of a cell into lines of pieces in one font each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.families.data.printed import lettering
from engine.families.data.printed.lettering import Piece
from engine.families.data.printed.looks import Font, Run

Missing = Callable[[str], None]
_BREAK = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(r"\s+|[^\s\u2e80-\u9fff\uac00-\ud7ff\uff00-\uffef-]+-*|-+|.", re.DOTALL)
"""White space, words with their hyphens, and letters of scripts that break anywhere."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


@dataclass(slots=True)
class Line:
    """A line, its width, and how far it reaches above and below its baseline."""

    pieces: list[Piece]
    width: float
    ascent: float
    descent: float

    @property
    def height(self) -> float:
        return self.ascent + self.descent


def one_line(text: str, font: Font, missing: Missing) -> Line:
    """A text without breaks in one font."""
    found = lettering.pieces(_clean(text), font, missing)
    face = lettering.face(font)
    return Line(found, sum([each.width for each in found]), face.ascent, face.descent)


def _clean(text: str) -> str:
    if text.isprintable():
        return text
    return _CONTROL.sub("\ufffd", _BREAK.sub("", text).replace("\t", "    "))


def lines(runs: Sequence[Run], font: Font, room: float | None, missing: Missing) -> list[Line]:
    """Runs as lines no wider than `room`; on one line if it is None, without their breaks."""
    if room is None:
        return [_joined([one_line(each.text, each.font or font, missing) for each in runs], font)]
    found: list[Line] = []
    for paragraph in _paragraphs(runs):
        found += _broken(paragraph, font, max(room, 1.0), missing)
    return found


def _paragraphs(runs: Sequence[Run]) -> Iterator[list[Run]]:
    paragraph: list[Run] = []
    for run in runs:
        first, *others = _BREAK.split(run.text)
        paragraph.append(Run(first, run.font))
        for each in others:
            yield paragraph
            paragraph = [Run(each, run.font)]
    yield paragraph


def _broken(runs: Sequence[Run], font: Font, room: float, missing: Missing) -> list[Line]:
    found: list[Line] = []
    words: list[tuple[str, Font]] = []
    wide = 0.0
    for run in runs:
        own = run.font or font
        for token in _TOKEN.findall(_clean(run.text)):
            across = lettering.width(token, own)
            if wide + across > room and words and not token.isspace():
                found.append(_line(words, font, missing))
                words, wide = [], 0.0
            if across > room and len(token) > 1 and not token.isspace():
                *parts, token = _cut(token, own, room)
                found += [_line([(each, own)], font, missing) for each in parts]
                across = lettering.width(token, own)
            if words and words[-1][1] is own:
                words[-1] = (words[-1][0] + token, own)
            else:
                words.append((token, own))
            wide += across
    found.append(_line(words, font, missing))
    return found


def _cut(word: str, font: Font, room: float) -> list[str]:
    """A word in parts that fit, of one letter at least."""
    found, start, wide = [], 0, 0.0
    for at, letter in enumerate(word):
        across = lettering.width(letter, font)
        if wide + across > room and at > start:
            found.append(word[start:at])
            start, wide = at, 0.0
        wide += across
    return [*found, word[start:]]


def _line(words: list[tuple[str, Font]], font: Font, missing: Missing) -> Line:
    if words:
        words[-1] = (words[-1][0].rstrip(), words[-1][1])
    return _joined([one_line(text, own, missing) for text, own in words if text], font)


def _joined(parts: list[Line], font: Font) -> Line:
    face = lettering.face(font)
    if not parts:
        return Line([], 0.0, face.ascent, face.descent)
    if len(parts) == 1:
        return parts[0]
    pieces = [piece for each in parts for piece in each.pieces]
    return Line(
        pieces,
        sum(each.width for each in parts),
        max(each.ascent for each in parts),
        max(each.descent for each in parts),
    )
