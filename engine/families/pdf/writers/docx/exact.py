"""The exact layout: every line in a frame at its place, before the rectangles and pictures of its page."""

from __future__ import annotations

from collections.abc import Iterator

from engine.families.pdf.page.document import Document
from engine.families.pdf.page.lines import Line
from engine.families.pdf.page.reading import Page
from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.tables import Table, table_lines
from engine.families.pdf.page.view import Box
from engine.families.pdf.writers.docx.drawings import placed_panel_xml, placed_picture_xml
from engine.families.pdf.writers.docx.package import Relations
from engine.families.pdf.writers.docx.runs import family, runs_xml
from engine.families.pdf.writers.docx.sections import section_xml
from engine.families.pdf.writers.docx.widths import Widths

_TWIPS = 20
_WIDER = 1.4
"""The factor by which another font may be wider."""

_NARROWEST, _WIDEST = 50, 200
"""Per cent: characters outside this range are more likely letter-spaced, as in a dot leader."""

_NONE = (0.0, 0.0, 0.0, 0.0)


def body_xml(document: Document, relations: Relations, *, font: str) -> Iterator[str]:
    """The pages in order, each in a section of its size; rotated text is put at the end of its page."""
    with Widths() as widths:
        yield from _pages(document, relations, font, widths)


def _pages(document: Document, relations: Relations, font: str, widths: Widths) -> Iterator[str]:
    files = {path.name: path for path in document.pictures}
    number = 0
    last = document.pages[-1] if document.pages else None
    for page in document.pages:
        lines, shown = _parts(document, page)
        panels = [placed_panel_xml(each, number=at) for at, each in enumerate(page.panels, number + 1)]
        number += len(panels)
        pictures = [
            placed_picture_xml(files[file], relations, box, number=at)
            for at, (box, file) in enumerate(shown, number + 1)
        ]
        number += len(pictures)
        anchored = "".join((*panels, *pictures))
        if anchored:
            yield f"<w:p>{anchored}</w:p>"
        for line in lines:
            yield from _frames(line, relations, document.body, font, widths)
        section = section_xml((page.width, page.height), _NONE, "")
        small = '<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>'
        yield section if page is last else f"<w:p><w:pPr>{small}{section}</w:pPr></w:p>"


def _parts(document: Document, page: Page) -> tuple[list[Line], list[tuple[Box, str]]]:
    lines: list[Line] = [*document.heads.get(page.number, ())]
    shown = []
    for column in page.columns:
        for each in column:
            if isinstance(each, Line):
                lines.append(each)
            elif isinstance(each, Table):
                lines += table_lines(each)
            elif each.file is not None:
                shown.append((each.box, each.file))
    return [*lines, *document.feet.get(page.number, ())], shown


def _frames(line: Line, relations: Relations, size: float, font: str, widths: Widths) -> Iterator[str]:
    """The segments of a line in frames, widened if another font may need more space."""
    for at, segment in enumerate(line.row):
        room = _WIDER * (segment.x1 - segment.x0) + 12
        if at + 1 < len(line.row):
            room = max(segment.x1 - segment.x0, min(room, line.row[at + 1].x0 - segment.x0))
        height = max(1, round(segment.size * 1.2 * _TWIPS))
        x, y = max(1, round(segment.x0 * _TWIPS)), max(1, round((segment.base - segment.size * 0.95) * _TWIPS))
        width = max(1, round(room * _TWIPS))
        properties = (
            f'<w:framePr w:w="{width}" w:h="{height}" w:hRule="exact" w:wrap="none" w:vAnchor="page" w:hAnchor="page" '
            f'w:x="{x}" w:y="{y}"/><w:spacing w:before="0" w:after="0" w:line="{height}" w:lineRule="exact"/>'
        )
        runs = runs_xml(segment.spans, relations, size=size, font=font, exact=True, scale=_scale(segment, widths))
        yield f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"


def _scale(segment: Segment, widths: Widths) -> int:
    """The character width in percent of that of its font, 100 if that is unknown."""
    total = 0.0
    for span in segment.spans:
        style = span.style
        width = widths.width(span.text, family(style.font), bold=style.bold, italic=style.italic, size=style.size)
        if width is None:
            return 100
        total += width
    scale = round(100 * (segment.x1 - segment.x0) / total) if total > 0 else 100
    return scale if _NARROWEST <= scale <= _WIDEST else 100
