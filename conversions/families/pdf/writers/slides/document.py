"""PDF to slides: every page a slide, its texts in boxes where they stand, its tables and pictures in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from conversions.families.pdf.page.blocks import looks_of
from conversions.families.pdf.page.document import Document, ReadOptions, document_of
from conversions.families.pdf.page.lines import Line
from conversions.families.pdf.page.reading import Page
from conversions.families.pdf.page.tables import Table, table_lines
from conversions.families.pdf.writers.runs import cleaned
from conversions.families.pdf.writers.slides.shapes import Slide
from conversions.toolkit import presentation
from conversions.toolkit.warnings import Warn

_EMU = 12_700
_SMALLEST, _LARGEST = 914_400, 51_206_400
"""English metric units: how small and large slides may be (ECMA-376, part 1, 19.7.11)."""

_LINE_GAP = 1.65
"""Times the size of the letters: lines farther apart are in boxes of their own."""

_ASIDE = 4.0
"""Times the size: a line that begins so far to the side is in a box of its own."""


class SlideOptions(ReadOptions, Protocol):
    """What writing slides needs of its options."""

    @property
    def images(self) -> str: ...


def to_pptx(source: Path, target: Path, options: SlideOptions, warn: Warn) -> None:
    """Write the chosen pages as slides; those of another size than most are fitted in."""
    folder = target.with_name("pictures") if options.images == "embed" else None
    document = document_of(source, options, warn, folder=folder, drawn_letters=False, drawn_fields=True)
    size = Counter(document.sizes.values()).most_common(1)[0][0]
    if any(each[0] > size[0] or each[1] > size[1] for each in document.sizes.values()):
        warn("CONTENT_CLIPPED", "Pages that are larger than most were shrunk, as all slides have one size.")
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
    looks = looks_of(_lines(document.pages), {})
    for page in document.pages:
        scale = min(width / _EMU / page.width, height / _EMU / page.height)
        left, top = (width / _EMU - page.width * scale) / 2, (height / _EMU - page.height * scale) / 2
        slide = Slide(page, looks, left=left, top=top, scale=scale)
        # What is written first lies below.
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
    """Lines of one look that follow each other closely."""
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
