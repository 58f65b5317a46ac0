"""A track: subtitles with their times, pieces of formatted text and places, whatever file they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NoReturn

from conversions.toolkit.failures import OverLimit, Unreadable

MAX_CUES = 100_000
BOTTOM = 2
"""Where subtitles are unless they say otherwise, as on the number block of a keyboard (ASS, `\\an`)."""


@dataclass(frozen=True)
class Piece:
    """Some text, with `\\n` between lines, in one look; `colour` is `rrggbb`."""

    text: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    colour: str | None = None

    @property
    def look(self) -> tuple[bool, bool, bool, bool, str | None]:
        return self.bold, self.italic, self.underline, self.strike, self.colour

    def having(self, name: str, value: bool = True) -> Piece:
        """The same with another value of `bold`, `italic`, `underline` or `strike`."""
        return replace(self, **{name: value})  # type: ignore[arg-type]  # all four are bool


PLAIN = Piece("")


@dataclass(frozen=True)
class Cue:
    """One subtitle; times in milliseconds, `place` as keys on a number block, `speaker` who says it."""

    start: int
    end: int
    pieces: tuple[Piece, ...]
    place: int = BOTTOM
    speaker: str = ""

    @property
    def text(self) -> str:
        return "".join(each.text for each in self.pieces)


@dataclass
class Track:
    """The subtitles of a file in its order; `lost` counts by name what was read and no other format can hold."""

    cues: list[Cue] = field(default_factory=list)
    fps: float | None = None
    lost: Counter[str] = field(default_factory=Counter)

    def add(self, start: int, end: int, pieces: Iterable[Piece], *, place: int = BOTTOM, speaker: str = "") -> None:
        """Add a subtitle, unless nothing is to be seen of it. Raises OverLimit for one too many."""
        kept = _trimmed(_joined(pieces))
        if len(self.cues) >= MAX_CUES:
            raise OverLimit("timeout", f"The file has more than {MAX_CUES:,} subtitles.")
        if not kept:
            self.lost["Subtitles without a text"] += 1
            return
        if end < start:
            self.lost["Times that end before they begin, which were made to end there"] += 1
            end = start
        self.cues.append(Cue(start, end, kept, place, speaker))

    def shifted(self, milliseconds: int) -> None:
        """Show all later, or earlier; what would be over before the beginning is left out."""
        moved = [replace(each, start=each.start + milliseconds, end=each.end + milliseconds) for each in self.cues]
        self.cues = [replace(each, start=max(0, each.start)) for each in moved if each.end > 0 or milliseconds >= 0]
        self.lost["Subtitles that would be over before the beginning"] += len(moved) - len(self.cues)


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for each in pieces:
        if joined and each.look == joined[-1].look:
            joined[-1] = replace(each, text=joined[-1].text + each.text)
        elif each.text:
            joined.append(each)
    return joined


def _trimmed(pieces: list[Piece]) -> tuple[Piece, ...]:
    while pieces and not (start := pieces[0].text.lstrip()):
        del pieces[0]
    if pieces:
        pieces[0] = replace(pieces[0], text=start)
    while pieces and not (end := pieces[-1].text.rstrip()):
        del pieces[-1]
    if pieces:
        pieces[-1] = replace(pieces[-1], text=end)
    return tuple(pieces)


def none_found(what: str, *, line: int | None = None) -> NoReturn:
    """Say that a file is not what its name says."""
    raise Unreadable(f"The file has no subtitles that can be read: {what}.", line=line)
