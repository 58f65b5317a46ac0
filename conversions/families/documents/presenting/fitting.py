"""Fitting: how much room each part takes, and what of it goes together on one slide, so that nothing runs off."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from PIL import Image

from conversions.families.documents.presenting import tables
from conversions.families.documents.presenting.blocks import Block, Code, Line, Look, Picture, Run, Table
from conversions.families.documents.presenting.measure import LEADING, MONO, broken, cut
from conversions.toolkit.picture_limits import MAX_PIXELS

_TEXT, _CODE = (20.0, 18.0, 16.0), 14.0
_SMALLEST_CODE = 9.0
GAP = 10.0
"""Points between texts, tables and pictures."""

INSIDE = 8.0
"""Points between the edge of a box of code and its letters."""


@dataclass(frozen=True)
class Text:
    """A paragraph, or a part of one, set in a size after `before` points."""

    line: Line
    size: float
    before: float
    height: float


@dataclass(frozen=True)
class Listing:
    """Lines of code in a size."""

    lines: tuple[str, ...]
    size: float
    height: float


@dataclass(frozen=True)
class Shown:
    """A picture as large as it is shown, in points."""

    data: bytes
    kind: str
    alternative: str
    width: float
    height: float


Piece = Text | Listing | Shown | tables.Grid


def pieces(blocks: Iterable[Block], scale: float, room: float, height: float, unshown: list[int]) -> Iterator[Piece]:
    """All parts of a chapter, none higher than `height`; `unshown` counts pictures that slides can't show."""
    unshown[0] = 0
    for each in blocks:
        if isinstance(each, Line):
            yield from _texts(each, scale, room, height)
        elif isinstance(each, Code):
            yield from _listings(each, scale, room, height)
        elif isinstance(each, Table):
            yield from tables.laid_out(each, room, height)
        elif isinstance(each, Picture):
            shown = _shown(each, room, height)
            if shown is not None:
                yield shown
                continue
            unshown[0] += 1
            if each.alternative:
                yield from _texts(Line((Run(each.alternative, Look(italic=True)),)), scale, room, height)


def indent(line: Line, size: float) -> tuple[float, float]:
    """How far a paragraph is from the left, and how much further its mark is to the left, in points."""
    step = 1.2 * size
    left = line.level * step + (step if line.quoted else 0.0)
    if line.mark == "" and not line.continued:
        return left, 0.0
    mark = 1.9 * size if isinstance(line.mark, int) and line.mark > 99 else 1.35 * size
    return left + mark, mark if line.mark != "" else 0.0


def _texts(line: Line, scale: float, room: float, height: float) -> Iterator[Text]:
    size = _TEXT[min(line.level, 2)] * scale
    before = (12.0 if line.heading else 6.0 if line.level == 0 else 3.0) * scale
    places = broken(line, size, room - indent(line, size)[0])
    most = int((height - before) / (size * LEADING))
    if len(places) <= most:
        yield Text(line, size, before, len(places) * size * LEADING + before)
        return
    parts = cut(line.runs, [0, *places[most::most]])
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


def packed(pieces: Iterable[Piece], height: float) -> Iterator[list[Piece]]:
    """The pieces slide by slide: a table may be cut between rows, a picture may be made smaller."""
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
    """Headings that what follows them takes along; none where nothing else is on the slide."""
    count = 0
    for each in reversed(page):
        if not (isinstance(each, Text) and each.line.heading):
            break
        count += 1
    return page[len(page) - count :] if 0 < count < len(page) else []
