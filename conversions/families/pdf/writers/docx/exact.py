"""The exact layout: every line of a PDF at its place of the page, in frames."""

from __future__ import annotations

from collections.abc import Iterator

from conversions.families.pdf.page.document import Document
from conversions.families.pdf.page.lines import Line
from conversions.families.pdf.page.reading import Page
from conversions.families.pdf.page.segments import Segment
from conversions.families.pdf.page.tables import Table, table_lines
from conversions.families.pdf.writers.docx.letters import family, placed_picture_xml, runs_xml
from conversions.families.pdf.writers.docx.package import Relations
from conversions.families.pdf.writers.docx.sections import section_xml
from conversions.families.pdf.writers.docx.widths import Widths

_TWIPS = 20
_WIDER = 1.4
"""Another font may need so much more room."""

_NARROWEST, _WIDEST = 50, 200
"""Percent: letters that would be narrower or wider are rather set apart on the page, as a row of dots is."""

_NONE = (0.0, 0.0, 0.0, 0.0)


def body_xml(document: Document, relations: Relations, *, font: str) -> Iterator[str]:
    """The pages one after the other, each a section of its size; turned text is put at its page's end."""
    with Widths() as widths:
        yield from _pages(document, relations, font, widths)


def _pages(document: Document, relations: Relations, font: str, widths: Widths) -> Iterator[str]:
    files = {path.name: path for path in document.pictures}
    pictures = 0
    last = document.pages[-1] if document.pages else None
    for page in document.pages:
        lines, shown = _parts(document, page)
        anchored = ""
        for box, file in shown:
            pictures += 1
            x0, y0, x1, y1 = box
            anchored += placed_picture_xml(
                files[file], relations, x=x0, y=y0, width=x1 - x0, height=y1 - y0, number=pictures
            )
        if anchored:
            yield f"<w:p>{anchored}</w:p>"
        for line in lines:
            yield from _frames(line, relations, document.body, font, widths)
        section = section_xml((page.width, page.height), _NONE, "")
        small = '<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>'
        yield section if page is last else f"<w:p><w:pPr>{small}{section}</w:pPr></w:p>"


def _parts(document: Document, page: Page) -> tuple[list[Line], list[tuple[tuple[float, float, float, float], str]]]:
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
    """The segments of a line in frames of their own, wider than they are where another font may find room."""
    for at, segment in enumerate(line.row):
        room = _WIDER * (segment.x1 - segment.x0) + 12
        if at + 1 < len(line.row):
            room = max(segment.x1 - segment.x0, min(room, line.row[at + 1].x0 - segment.x0))
        height = max(1, round(segment.size * 1.2 * _TWIPS))
        x, y = max(1, round(segment.x0 * _TWIPS)), max(1, round((segment.base - segment.size * 0.95) * _TWIPS))
        width = max(1, round(room * _TWIPS))
        look = (
            f'<w:framePr w:w="{width}" w:h="{height}" w:hRule="exact" w:wrap="none" w:vAnchor="page" w:hAnchor="page" '
            f'w:x="{x}" w:y="{y}"/><w:spacing w:before="0" w:after="0" w:line="{height}" w:lineRule="exact"/>'
        )
        runs = runs_xml(segment.spans, relations, size=size, font=font, exact=True, scale=_scale(segment, widths))
        yield f"<w:p><w:pPr>{look}</w:pPr>{runs}</w:p>"


def _scale(segment: Segment, widths: Widths) -> int:
    """Percent of their own width that the letters have on the page, 100 where their font is not known."""
    total = 0.0
    for span in segment.spans:
        style = span.style
        width = widths.of(span.text, family(style.font), bold=style.bold, italic=style.italic, size=style.size)
        if width is None:
            return 100
        total += width
    scale = round(100 * (segment.x1 - segment.x0) / total) if total > 0 else 100
    return scale if _NARROWEST <= scale <= _WIDEST else 100
