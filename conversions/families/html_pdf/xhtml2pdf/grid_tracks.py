"""The columns of a CSS grid: what is asked of each, and how wide it is in the room that there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xhtml2pdf.util import CSSLength, getLengthOrAuto

_FUZZ = 1e-6


@dataclass(frozen=True)
class Track:
    """One column: its `least` and its `most` width are lengths, or what is in it where they are None.

    `fr` is its share of what is left, and `stretches` whether it takes of that where nobody has a share. `widest`
    says that it is at least as wide as its longest line, `narrow` that it is at most as wide as its longest word.
    """

    least: CSSLength | None = None
    most: CSSLength | None = None
    fr: float = 0.0
    stretches: bool = False
    widest: bool = False
    narrow: bool = False


@dataclass(frozen=True)
class Content:
    """What one cell needs over `span` columns: the widths of its longest word and of its longest line, in points."""

    column: int
    span: int
    least: float
    most: float


AUTO_TRACK = Track(stretches=True)


def read_tracks(text: str, font_size: float) -> tuple[list[Track], Track | None]:
    """The columns that css.grid_styles has written down; the second is one that fills the room again and again."""
    tracks = [_read(each.strip("*"), font_size) for each in text.split()]
    return ([], tracks[0]) if text.startswith("*") else (tracks, None)


def _read(text: str, font_size: float) -> Track:
    least, most = text.split(",")
    fr = float(most[:-2]) if most.endswith("fr") else 0.0
    if most.startswith("fit:"):
        return Track(most=getLengthOrAuto(most[4:], font_size))
    return Track(
        least=None if least in ("auto", "min-content", "max-content") else getLengthOrAuto(least, font_size),
        most=None if fr or most in ("auto", "min-content", "max-content") else getLengthOrAuto(most, font_size),
        fr=fr,
        stretches=most == "auto",
        widest=least == "max-content",
        narrow=most == "min-content",
    )


def repeated(track: Track, room: float, gap: float, cells: int) -> int:
    """How often a column fits into `room` points, but not more often than there are cells for (`auto-fit`)."""
    width = (track.least or track.most or CSSLength("auto")).resolve(room) or 0.0
    fitting = int((room + gap + _FUZZ) // (width + gap)) if width + gap > 0 else cells
    return max(1, min(fitting, cells))


def track_widths(tracks: Sequence[Track], contents: Sequence[Content], room: float, gap: float) -> list[float]:
    """The width of each column in points; with the gaps between them they are never wider than `room`.

    As CSS Grid Layout 1, 11.3 to 11.8: what each needs, then what it may have, then shares of what is left; columns
    that need more than there is all give in proportion, where a screen would be scrolled.
    """
    room = max(room - gap * (len(tracks) - 1), 1.0)
    lows, highs = _needs(tracks, contents, room, gap)
    total = sum(lows)
    if total >= room - _FUZZ:
        return [low * room / total for low in lows]
    widths = _grown(lows, [low if each.fr else high for each, low, high in zip(tracks, lows, highs, strict=True)], room)
    if any(each.fr for each in tracks):
        return _shared(tracks, widths, room)
    stretching = [at for at, each in enumerate(tracks) if each.stretches]
    left = room - sum(widths)
    return [width + (left / len(stretching) if at in stretching else 0.0) for at, width in enumerate(widths)]


def _needs(
    tracks: Sequence[Track], contents: Sequence[Content], room: float, gap: float
) -> tuple[list[float], list[float]]:
    """What each column has at least and at most, by its lengths and by what is in it."""
    lows = [0.0] * len(tracks)
    highs = [0.0] * len(tracks)
    for cell in sorted(contents, key=lambda each: each.span):
        columns = range(cell.column, cell.column + cell.span)
        for widths, need in ((lows, cell.least), (highs, cell.most)):
            short = need - gap * (cell.span - 1) - sum(widths[at] for at in columns)
            if short > 0:
                for at in columns:
                    widths[at] += short / cell.span
    for at, each in enumerate(tracks):
        least = None if each.least is None else each.least.resolve(room)
        most = None if each.most is None else each.most.resolve(room)
        # Never less than the longest word: what a screen would draw over the next column would be lost on paper.
        lows[at] = max(highs[at] if each.widest else lows[at], least or 0.0)
        if each.narrow:
            highs[at] = lows[at]
        elif most is not None:
            # `fit-content()` is as wide as its longest line, up to its length.
            highs[at] = most if each.least is not None else min(highs[at], most)
        highs[at] = max(lows[at], highs[at])
    return lows, highs


def _grown(lows: list[float], highs: list[float], room: float) -> list[float]:
    """Widths between the two, all grown alike until the room is used up."""
    widths = list(lows)
    growing = [at for at in range(len(widths)) if highs[at] > widths[at] + _FUZZ]
    while growing and (left := room - sum(widths)) > _FUZZ:
        step = min(left / len(growing), min(highs[at] - widths[at] for at in growing))
        for at in growing:
            widths[at] += step
        growing = [at for at in growing if highs[at] > widths[at] + _FUZZ]
    return widths


def _shared(tracks: Sequence[Track], widths: list[float], room: float) -> list[float]:
    """What is left shared by `fr`; a column that needs more than its share keeps what it needs."""
    sharing = [at for at, each in enumerate(tracks) if each.fr]
    while sharing:
        left = room - sum(width for at, width in enumerate(widths) if at not in sharing)
        one = left / max(sum(tracks[at].fr for at in sharing), 1.0)
        tight = [at for at in sharing if widths[at] > one * tracks[at].fr + _FUZZ]
        if not tight:
            return [one * tracks[at].fr if at in sharing else width for at, width in enumerate(widths)]
        sharing = [at for at in sharing if at not in tight]
    return widths
