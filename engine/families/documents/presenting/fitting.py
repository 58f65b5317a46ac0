"""Measure blocks and group them so that they fit on a slide."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from PIL import Image

from engine.families.documents.presenting import tables
from engine.families.documents.presenting.blocks import Block, Code, Formatting, Line, Picture, Run, Table
from engine.families.documents.presenting.measure import LEADING, MONO, line_starts, split_at
from engine.toolkit.picture_limits import MAX_PIXELS

_TEXT, _CODE = (20.0, 18.0, 16.0), 14.0
_SMALLEST_CODE = 9.0
GAP = 10.0
"""Points between texts, tables and pictures."""

INSIDE = 8.0
"""Points between the border of a code box and its text."""


@dataclass(frozen=True)
class Text:
    """A paragraph or a part of one, in a given size, `before` points below what precedes it."""

    line: Line
    size: float
    before: float
    height: float


@dataclass(frozen=True)
class Listing:
    """Lines of code in a given size."""

    lines: tuple[str, ...]
    size: float
    height: float


@dataclass(frozen=True)
class Shown:
    """A picture with its displayed size in points."""

    data: bytes
    kind: str
    alternative: str
    width: float
    height: float


Piece = Text | Listing | Shown | tables.Grid


def pieces(blocks: Iterable[Block], scale: float, room: float, height: float, unshown: list[int]) -> Iterator[Piece]:
    """All pieces of a chapter, none higher than `height`; `unshown` counts pictures that slides can't show."""
    unshown[0] = 0
    for each in blocks:
        if isinstance(each, Line):
            yield from _texts(each, scale, room, height)
        elif isinstance(each, Code):
            yield from _listings(each, scale, room, height)
        elif isinstance(each, Table):
            yield from tables.layout(each, room, height)
        elif isinstance(each, Picture):
            shown = _shown(each, room, height)
            if shown is not None:
                yield shown
                continue
            unshown[0] += 1
            if each.alternative:
                yield from _texts(Line((Run(each.alternative, Formatting(italic=True)),)), scale, room, height)


def indent(line: Line, size: float) -> tuple[float, float]:
    """The indent of a paragraph and the hanging indent of its bullet or number, in points."""
    step = 1.2 * size
    left = line.level * step + (step if line.quoted else 0.0)
    if line.mark == "" and not line.continued:
        return left, 0.0
    mark = 1.9 * size if isinstance(line.mark, int) and line.mark > 99 else 1.35 * size
    return left + mark, mark if line.mark != "" else 0.0


def _texts(line: Line, scale: float, room: float, height: float) -> Iterator[Text]:
    size = _TEXT[min(line.level, 2)] * scale
    before = (12.0 if line.heading else 6.0 if line.level == 0 else 3.0) * scale
    places = line_starts(line, size, room - indent(line, size)[0])
    most = int((height - before) / (size * LEADING))
    if len(places) <= most:
        yield Text(line, size, before, len(places) * size * LEADING + before)
        return
    parts = split_at(line.runs, [0, *places[most::most]])
    for at, runs in enumerate(parts):
        count = min(most, len(places) - at * most)
        part = replace(line, runs=runs) if at == 0 else replace(line, runs=runs, mark="", continued=line.mark != "")
        yield Text(part, size, before, count * size * LEADING + before)


def _listings(code: Code, scale: float, room: float, height: float) -> Iterator[Listing]:
    size = _CODE * scale
    longest = max((len(each) for each in code.lines), default=0)
    inside = room - 2 * INSIDE
    if longest * size * MONO > inside:
        size = max(inside / (longest * MONO), _SMALLEST_CODE)
    most = max(int(inside / (size * MONO)), 1)
    lines = [each[at : at + most] for each in code.lines for at in range(0, max(len(each), 1), most)]
    count = max(int((height - 2 * INSIDE) / (size * LEADING)), 1)
    for at in range(0, len(lines), count):
        part = tuple(lines[at : at + count])
        yield Listing(part, size, len(part) * size * LEADING + 2 * INSIDE)


_KINDS = {"PNG": "png", "JPEG": "jpg", "GIF": "gif"}


@lru_cache(maxsize=32)
def _shown(picture: Picture, room: float, height: float) -> Shown | None:
    data = picture.data
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=(*_KINDS, "WEBP", "BMP", "TIFF")) as opened:
                width, tall = opened.size
                if width * tall > MAX_PIXELS:
                    return None
                kind = _KINDS.get(opened.format or "")
                if kind is None:
                    file = io.BytesIO()
                    opened.convert("RGBA").save(file, "PNG")
                    data, kind = file.getvalue(), "png"
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    wide = (picture.width or width) * 0.75
    scale = min(room / wide, height / (wide * tall / width), 1.0)
    return Shown(data, kind, picture.alternative, wide * scale, wide * scale * tall / width)


def fill_slides(pieces: Iterable[Piece], height: float) -> Iterator[list[Piece]]:
    """The pieces of each slide: a table may be split between rows, a picture may be shrunk."""
    page: list[Piece] = []
    used = 0.0
    for each in pieces:
        if isinstance(each, tables.Grid) and each.height > height:
            if page and (height - used < 0.4 * height or height - used - GAP < each.rows[0].height):
                yield page
                page, used = [], 0.0
            at = 0
            while at < len(each.rows):
                part, at = each.from_row(at, height - used - (GAP if page else 0.0))
                page.append(part)
                used += part.height + GAP
                if at < len(each.rows):
                    yield page
                    page, used = [], 0.0
            continue
        gap = _gap(page, each)
        left = height - used - gap
        if isinstance(each, Shown) and left < each.height and left > 0.45 * height:
            each = replace(each, width=each.width * left / each.height, height=left)
        if page and used + gap + each.height > height:
            kept = _headings_at_the_end(page)
            yield page[: len(page) - len(kept)]
            page = list(kept)
            used = sum(one.height for one in page)
            gap = _gap(page, each)
            if page and used + gap + each.height > height:
                if isinstance(each, Shown):
                    small = (height - used - gap) / each.height
                    each = replace(each, width=each.width * small, height=each.height * small)
                else:
                    yield page
                    page, used, gap = [], 0.0, 0.0
        page.append(each)
        used += gap + each.height
    yield page


def _gap(page: Sequence[Piece], piece: Piece) -> float:
    return GAP if page and not (isinstance(piece, Text) and isinstance(page[-1], Text)) else 0.0


def _headings_at_the_end(page: list[Piece]) -> list[Piece]:
    """The trailing headings of a slide, which move to the next one; none if it holds nothing else."""
    count = 0
    for each in reversed(page):
        if not (isinstance(each, Text) and each.line.heading):
            break
        count += 1
    return page[len(page) - count :] if 0 < count < len(page) else []
