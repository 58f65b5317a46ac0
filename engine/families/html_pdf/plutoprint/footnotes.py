"""Footnotes: reserve space at the foot of the page that refers to them, and release it when drawing.

PlutoPrint does not support footnotes, and all its pages have the same height. An empty box after each reference makes
its line taller by the height of the note, so that line and note are always on the same page. When the page is drawn,
everything below such a box moves up by its height, which leaves room for the notes at the foot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pikepdf
import plutoprint
import pypdfium2

from engine.families.html_pdf.plutoprint import output
from engine.families.html_pdf.plutoprint.finishing import destinations

RULE = 8.0
"""The height of the rule above the notes, with its margins, in points."""
_ROUNDED = 1.5
"""Points by which letters may be over the edge of their line."""
LARGEST = 0.45
"""The maximum share of a page for the notes of one line."""
_RULE = (
    f'<div style="border-top:0.5pt solid #000000;width:144pt;height:{RULE / 2 - 0.5}pt;margin-top:{RULE / 2}pt"></div>'
)


@dataclass(frozen=True)
class Band:
    """Space reserved for notes on a page, in points from the top of the paper."""

    top: float
    height: float


@dataclass(frozen=True)
class MarkPositions:
    """The page and vertical position of each mark in a book, and the number of links on each page."""

    places: Mapping[str, tuple[int, float]]
    links: Sequence[int]
    pictures: Sequence[Sequence[tuple[float, float]]]
    """The vertical ranges of pictures, and of text that may be beside a note's line, on each page from the top."""


@dataclass
class Feet:
    """The notes of each page of a part, by its number from 0, and the space reserved for them."""

    notes: dict[int, list[str]] = field(default_factory=dict)
    bands: dict[int, list[Band]] = field(default_factory=dict)
    links: Sequence[int] = ()
    """The number of links that the part itself has on each page."""


def find_marks(book: plutoprint.Book, names: frozenset[str], *, floats: bool = False) -> MarkPositions:
    """The positions of the marks with these `names` in a book; with `floats`, text may be beside their lines."""
    stream = BytesIO()
    book.write_to_pdf_stream(stream)
    with output.opened(stream) as pdf:
        numbers = {page.obj.objgen: at for at, page in enumerate(pdf.pages)}
        heights = [float(page.mediabox[3]) for page in pdf.pages]
        places = {}
        for name, place in destinations(pdf).items():
            if name in names:
                at = numbers[place[0].objgen]
                places[name] = (at, heights[at] - float(place[3]))
        here = {at for at, _ in places.values()}
        pictures = [_pictures(page, heights[at]) if at in here else [] for at, page in enumerate(pdf.pages)]
        if floats:
            for at, ranges in _texts(stream.getvalue(), here).items():
                pictures[at] += ranges
        return MarkPositions(places, [len(page.obj.get("/Annots", [])) for page in pdf.pages], pictures)


def _pictures(page: pikepdf.Page, height: float) -> list[tuple[float, float]]:
    if "/XObject" not in page.resources:
        return []
    found = []
    matrix = pikepdf.Matrix()
    held = []
    for each in pikepdf.parse_content_stream(page, "q Q cm Do"):
        operands, name = each.operands, str(each.operator)
        if name == "q":
            held.append(matrix)
        elif name == "Q" and held:
            matrix = held.pop()
        elif name == "cm":
            matrix = pikepdf.Matrix(*(float(number) for number in operands)) @ matrix
        elif name == "Do" and page.resources.XObject[str(operands[0])].get("/Subtype") == "/Image":
            ends = [height - matrix.transform(corner)[1] for corner in ((0, 0), (1, 0), (0, 1), (1, 1))]
            found.append((min(ends), max(ends)))
    return found


def _texts(data: bytes, numbers: Iterable[int]) -> dict[int, list[tuple[float, float]]]:
    """The vertical ranges of the letters on some pages, in points from the top, without what fonts are rounded by."""
    found = {}
    with pypdfium2.PdfDocument(data) as pdf:
        for at in numbers:
            page = pdf[at]
            text, height = page.get_textpage(), page.get_height()
            boxes = [text.get_rect(number) for number in range(text.count_rects())]
            found[at] = [(height - top + _ROUNDED, height - bottom - _ROUNDED) for _, bottom, _, top in boxes]
            text.close()
            page.close()
    return found


def style(height: float, below: float | None) -> str:
    """The style of a note's mark that reserves `height` points in a line that extends `below` its baseline."""
    if not height:
        return "display:inline-block;width:1px;margin-right:-1px;height:1px"
    if below is None:
        return f"height:{height:.2f}pt"
    deep = f"{height + below:.2f}pt"
    return f"display:inline-block;width:1px;margin-right:-1px;height:{deep};vertical-align:-{deep}"


def on_one_line(
    drawn: MarkPositions, heights: Mapping[str, float], below: Mapping[str, float | None]
) -> dict[str, float]:
    """The space that each mark reserves: the first one of a line reserves it for all."""
    found: dict[str, float] = {}
    first: dict[tuple[int, int], str] = {}
    for name, height in heights.items():
        place = drawn.places.get(name)
        key = None if place is None or below[name] is None else (place[0], round(place[1] * 2))
        other = None if key is None else first.setdefault(key, name)
        if other is None or other == name:
            found[name] = height
        else:
            found[name] = 0.0
            found[other] += height
    return found


def feet(drawn: MarkPositions, left: Mapping[str, float], below: Mapping[str, float | None], scale: float) -> Feet:
    """The notes of each page and the space for them; `left` is the space of each mark, in text order."""
    found = Feet(links=drawn.links)
    for name, height in left.items():
        if name not in drawn.places:
            continue
        at, y = drawn.places[name]
        found.notes.setdefault(at, []).append(name)
        if height:
            found.bands.setdefault(at, []).append(Band(y + (below[name] or 0.0) * scale, height * scale))
    for each in found.bands.values():
        each.sort(key=lambda band: band.top)
    return found


def cut(drawn: MarkPositions, found: Feet) -> set[str]:
    """The notes of pages on which a picture is beside the reserved space."""
    names: set[str] = set()
    for at, bands in found.bands.items():
        if any(
            low < band.top + band.height - 1 and high > band.top + 1
            for band in bands
            for low, high in drawn.pictures[at]
        ):
            names.update(found.notes[at])
    return names


def sheet(notes: Sequence[str], *, left: float, width: float, bottom: float) -> str:
    """The notes of one page, as a block at its foot."""
    where = f"position:absolute;bottom:{bottom:.2f}pt;left:{left:.2f}pt;width:{width:.2f}pt"
    inside = "".join(f'<div style="overflow:hidden">{each}</div>' for each in notes)
    return f'<div style="{where}">{_RULE}{inside}</div>'


def strips(bands: Sequence[Band], height: float) -> list[tuple[float, float, float]]:
    """The strips of a page between its bands: start, end, and how far each moves up."""
    found = []
    top = moved = 0.0
    for each in bands:
        found.append((top, each.top, moved))
        top = each.top + each.height
        moved += each.height
    found.append((top, height, moved))
    return found


def mend(page: pikepdf.Page, bands: Sequence[Band], *, links: int, last: int, height: float) -> None:
    """Remove links to content outside of their strip; `last` is the number of links in the notes."""
    every = list(page.obj.get("/Annots", []))
    parts = strips(bands, height)
    first = len(every) - len(parts) * links - last
    if first < 0 or not links:
        return
    kept = every[:first]
    for number, (top, bottom, moved) in enumerate(parts):
        for each in every[first + number * links : first + (number + 1) * links]:
            middle = height - sum(float(each.Rect[side]) for side in (1, 3)) / 2
            if top - moved <= middle < bottom - moved:
                kept.append(each)
    page.obj.Annots = pikepdf.Array(kept + every[len(every) - last :] if last else kept)


def move(place: Any, bands: Sequence[Band], height: float) -> None:
    """The destination of a link after its strip has moved up."""
    y = height - float(place[3])
    moved = sum(each.height for each in bands if each.top + each.height <= y + 0.5)
    place[3] = float(place[3]) + moved
