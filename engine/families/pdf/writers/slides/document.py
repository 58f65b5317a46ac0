"""Convert PDF pages to slides, with text boxes, tables and pictures in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from engine.families.pdf.page.blocks import typography_of
from engine.families.pdf.page.document import Document, ReadOptions, document_of
from engine.families.pdf.page.lines import Line
from engine.families.pdf.page.reading import Page
from engine.families.pdf.page.tables import Table, table_lines
from engine.families.pdf.writers.runs import cleaned
from engine.families.pdf.writers.slides.shapes import Slide
from engine.toolkit import presentation
from engine.toolkit.warnings import Warn

_EMU = 12_700
_SMALLEST, _LARGEST = 914_400, 51_206_400
"""English metric units: the limits of the slide size (ECMA-376, part 1, 19.7.11)."""

_LINE_GAP = 1.65
"""Times the text size: lines farther apart are in separate boxes."""

_LEAST = 0.001
"""Points, the side of a page that PDFium gives none."""

_ASIDE = 4.0
"""Times the text size: a line offset this far sideways is in a separate box."""


class SlideOptions(ReadOptions, Protocol):
    """The options needed for writing slides."""

    @property
    def images(self) -> str: ...


def to_pptx(source: Path, target: Path, options: SlideOptions, warn: Warn) -> None:
    """Write the chosen pages as slides; pages of other sizes are fitted in."""
    folder = target.with_name("pictures") if options.images == "embed" else None
    document = document_of(source, options, warn, folder=folder, text_in_drawings=False, drawn_fields=True)
    size = Counter(document.sizes.values()).most_common(1)[0][0]
    if any(each[0] > size[0] or each[1] > size[1] for each in document.sizes.values()):
        warn("CONTENT_CLIPPED", "Larger pages were shrunk, because all slides have the same size.")
    width, height = (min(max(round(each * _EMU), _SMALLEST), _LARGEST) for each in size)
    presentation.write(
        target,
        _slides(document, width, height),
        width=width,
        height=height,
        pictures=document.pictures,
        title=cleaned(document.title),
    )


def _slides(document: Document, width: int, height: int) -> Iterator[presentation.Page]:
    files = {path.name for path in document.pictures}
    typography = typography_of(_lines(document.pages), {})
    for page in document.pages:
        scale = min(width / _EMU / max(page.width, _LEAST), height / _EMU / max(page.height, _LEAST))
        left, top = (width / _EMU - page.width * scale) / 2, (height / _EMU - page.height * scale) / 2
        slide = Slide(page, typography, left=left, top=top, scale=scale)
        # The first one written is the lowest.
        for column in page.columns:
            for each in column:
                if not isinstance(each, Line | Table) and each.file in files:
                    slide.picture(each.box, str(each.file))
        for column in page.columns:
            for each in column:
                if isinstance(each, Table):
                    slide.table(each)
        lines = [[each for each in column if isinstance(each, Line)] for column in page.columns]
        for group_of in (document.heads.get(page.number, []), *lines, document.feet.get(page.number, [])):
            for group in _groups(group_of):
                slide.text(group)
        yield presentation.Page(slide.xml(), slide.relations)


def _lines(pages: Iterable[Page]) -> Iterator[Line]:
    for page in pages:
        for column in page.columns:
            for each in column:
                if isinstance(each, Line):
                    yield each
                elif isinstance(each, Table):
                    yield from table_lines(each)


def _groups(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Groups of consecutive lines in one style."""
    group: list[Line] = []
    for line in lines:
        last = group[-1] if group else None
        if last is None or not (
            last.turn == line.turn == 0
            and abs(last.size - line.size) <= 0.6
            and 0 < line.base - last.base <= _LINE_GAP * line.size
            and (abs(line.x0 - last.x0) <= _ASIDE * line.size or abs(_middle(line) - _middle(last)) <= line.size)
        ):
            if group:
                yield group
            group = []
        group.append(line)
    if group:
        yield group


def _middle(line: Line) -> float:
    return (line.x0 + line.x1) / 2
