"""Distribute the parts of a document over slides so that all of them fit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

from engine.families.documents.presenting.blocks import (
    Block,
    Break,
    Formatting,
    Heading,
    Line,
    Notes,
    Run,
)
from engine.families.documents.presenting.fitting import Piece, fill_slides, pieces
from engine.families.documents.presenting.measure import line_starts, split_at
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_SLIDES = 2_000
"""That many are written in 0.4 s."""

LEFT, TOP, BOTTOM = 48.0, 108.0, 36.0
"""Where the body of a slide is, in points from its edges."""

UNTITLED_TOP = 40.0

TITLE_SIZES = (30.0, 26.0, 22.0)
_TITLE_LINES = (1, 2, 2)

_SCALES = (1.0, 0.9, 0.8)
_SPLIT_SCALE = 0.9

_SPLIT = Kind("VALUE_CONVERTED", "Content longer than a slide continues on more slides: {count}{places}.")
_UNSHOWN = Kind(
    "CONTENT_DROPPED", "Pictures in formats that slides can't show were left out: {count}{places}.", counts="pictures"
)


@dataclass(frozen=True)
class Frame:
    """The size of all slides in points."""

    width: float
    height: float

    @property
    def room(self) -> float:
        return self.width - 2 * LEFT


@dataclass
class Slide:
    """One slide; `part` counts from 1 if a chapter takes several. `named` is the link target of its content."""

    title: tuple[Run, ...]
    pieces: list[Piece] = field(default_factory=list)
    part: int = 1
    opening: bool = False
    subtitle: tuple[Line, ...] = ()
    notes: tuple[Line, ...] = ()
    names: tuple[str, ...] = ()
    title_size: float = TITLE_SIZES[0]


@dataclass
class _Chapter:
    heading: Heading | None = None
    opening: bool = False
    blocks: list[Block] = field(default_factory=list)
    notes: list[Line] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def plan(blocks: list[Block], frame: Frame, warn: Warn, *, title: str, level: int | None) -> list[Slide]:
    """The slides of a document. Raises OverLimit for more than MAX_SLIDES of them."""
    slides: list[Slide] = []
    front, rest = _front(blocks, title, level)
    if front is not None:
        slides.append(front)
    split = unshown = 0
    for chapter in _chapters(rest, _level(rest) if level is None else level):
        counter = [0]
        made = _slides(chapter, frame, counter)
        split += len(made) > 1
        unshown += counter[0]
        slides += made
        if len(slides) > MAX_SLIDES:
            raise OverLimit("output", say("The document needs more than {max_slides} slides.", max_slides=MAX_SLIDES))
    warn.tally(_SPLIT, split)
    warn.tally(_UNSHOWN, unshown)
    return slides or [Slide(())]


def _front(blocks: list[Block], title: str, level: int | None) -> tuple[Slide | None, list[Block]]:
    """The title slide: a first heading that is the only one of its level, or the given title."""
    first = blocks[0] if blocks else None
    headings = [each.level for each in blocks if isinstance(each, Heading)]
    if isinstance(first, Heading) and (
        first.text == title or (len(headings) > 1 and first.level < min(*headings[1:], level or 7))
    ):
        lines = []
        for each in blocks[1:4]:
            if not isinstance(each, Line) or len(each.text) > 160 or each.mark != "" or each.level:
                break
            lines.append(each)
        following = blocks[1 + len(lines) : 2 + len(lines)]
        if len(lines) > 2 or (following and not isinstance(following[0], Heading | Break | Notes)):
            lines = []
        rest = blocks[1 + len(lines) :]
        if rest and not isinstance(rest[0], Heading | Break | Notes):
            rest = [replace(first, name=""), *rest]
        slide = Slide(first.runs, opening=True, subtitle=tuple(lines), names=(first.name,))
        if rest and isinstance(rest[0], Notes):
            slide.notes, rest = rest[0].lines, rest[1:]
        return slide, rest
    if title:
        return Slide((Run(title, Formatting()),), opening=True), blocks
    return None, blocks


def _level(blocks: list[Block]) -> int:
    """The highest heading level that is followed by anything but a heading."""
    found = [
        each.level
        for each, after in pairwise([*blocks, Break()])
        if isinstance(each, Heading) and not isinstance(after, Heading | Break)
    ]
    return min(found, default=1)


def _chapters(blocks: list[Block], level: int) -> list[_Chapter]:
    found = [_Chapter()]
    for each in blocks:
        if isinstance(each, Heading) and each.level <= level:
            found.append(_Chapter(each, each.level < level, names=[each.name]))
        elif isinstance(each, Break):
            found.append(_Chapter())
        elif isinstance(each, Heading):
            bold = tuple(run._replace(formatting=run.formatting._replace(bold=True)) for run in each.runs)
            found[-1].blocks.append(Line(bold, heading=True))
            found[-1].names.append(each.name)
        elif isinstance(each, Notes):
            found[-1].notes += each.lines
        else:
            found[-1].blocks.append(each)
    return [each for each in found if each.heading or each.blocks or each.notes]


def _slides(chapter: _Chapter, frame: Frame, unshown: list[int]) -> list[Slide]:
    heading = chapter.heading.runs if chapter.heading else ()
    first = Slide(heading, notes=tuple(chapter.notes), names=tuple(filter(None, chapter.names)))
    blocks = list(chapter.blocks)
    if chapter.opening and not blocks:
        first.opening = True
        return [first]
    if heading:
        whole = Line(heading)
        for size, count in zip(TITLE_SIZES, _TITLE_LINES, strict=True):
            places = line_starts(whole, size, frame.room)
            first.title_size = size
            if len(places) <= count:
                break
        else:  # the slide's title is the start of the heading, and the whole heading is below
            begin = split_at(heading, places)[:2]
            first.title = (*begin[0], Run(" ", Formatting()), *begin[1], Run("…", Formatting()))
            blocks.insert(
                0, Line(tuple(run._replace(formatting=run.formatting._replace(bold=True)) for run in heading))
            )
    height = frame.height - BOTTOM - (TOP if heading else UNTITLED_TOP)
    # A chapter much longer than a slide is not tried in every size.
    amount = sum(len(each.text) for each in blocks if isinstance(each, Line))
    pages: list[list[Piece]] = []
    for scale in _SCALES if amount < 5_000 else ():
        pages = list(fill_slides(pieces(blocks, scale, frame.room, height, unshown), height))
        if len(pages) == 1:
            break
    else:
        unshown[0] = 0
        pages = list(fill_slides(pieces(blocks, _SPLIT_SCALE, frame.room, height, unshown), height))
    first.pieces = pages[0]
    return [first, *(replace(first, pieces=each, part=at, notes=(), names=()) for at, each in enumerate(pages[1:], 2))]
