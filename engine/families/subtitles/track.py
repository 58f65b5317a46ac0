"""A subtitle track: times, formatted text and positions, the model between formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import NoReturn

from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

MAX_CUES = 100_000
"""Reading and writing that many takes 4 to 6 s; a film has about 2,000."""
BOTTOM = 2
"""The default position, as on a number pad (ASS, `\an`)."""


@dataclass(frozen=True)
class Piece:
    """Text in one style, with `\n` between lines; `colour` is `rrggbb`."""

    text: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    colour: str | None = None

    @property
    def formatting(self) -> tuple[bool, bool, bool, bool, str | None]:
        return self.bold, self.italic, self.underline, self.strike, self.colour

    def having(self, name: str, value: bool = True) -> Piece:
        """The same with another value of `bold`, `italic`, `underline` or `strike`."""
        return replace(self, **{name: value})  # type: ignore[arg-type]  # all four are bool


PLAIN = Piece("")


@dataclass(frozen=True)
class Cue:
    """One subtitle; times in milliseconds, `place` as a number pad position, `speaker` its speaker."""

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
    """The subtitles of a file in order; `lost` counts, by name, features that no other format can hold.

    `timeless` are the texts of cues whose times are invalid, and which are left out. `details` are what the file says
    of itself, such as its title.
    """

    cues: list[Cue] = field(default_factory=list)
    fps: float | None = None
    lost: Counter[str] = field(default_factory=Counter)
    timeless: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)

    def add(self, start: int, end: int, pieces: Iterable[Piece], *, place: int = BOTTOM, speaker: str = "") -> None:
        """Add a subtitle, unless it is invisible. Raises OverLimit for one too many."""
        kept = _trimmed(_joined(pieces))
        if len(self.cues) >= MAX_CUES:
            raise OverLimit("timeout", say("The file has more than {max_cues} subtitles.", max_cues=MAX_CUES))
        if not kept:
            self.lost[say("Subtitles without text")] += 1
            return
        if end < start:
            self.lost[say("Subtitles that ended before they began, now with no duration")] += 1
            end = start
        self.cues.append(Cue(start, end, kept, place, speaker))

    def shifted(self, milliseconds: int) -> list[str]:
        """Shift all times by `milliseconds`, drop the cues that would end before the start, and return their texts."""
        moved = [replace(each, start=each.start + milliseconds, end=each.end + milliseconds) for each in self.cues]
        self.cues = [replace(each, start=max(0, each.start)) for each in moved if each.end > 0 or milliseconds >= 0]
        over = [each.text for each in moved if each.end <= 0 and milliseconds < 0]
        self.lost[say("Subtitles that would end before the start of the file")] += len(over)
        return over


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    runs = groupby((each for each in pieces if each.text), attrgetter("formatting"))
    return [Piece("".join(each.text for each in run), *formatting) for formatting, run in runs]


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


def wrong_format(what: str, *, line: int | None = None) -> NoReturn:
    """The error for a file that isn't of the declared format."""
    raise Unreadable(say("The file has no readable subtitles: {what}.", what=what), line=line, reason="empty")
