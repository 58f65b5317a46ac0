"""Write PDF blocks as Word paragraphs, lists and tables."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from engine.families.pdf.page.blocks import Block, cell_parts, joined_pages
from engine.families.pdf.page.continued import joined_tables
from engine.families.pdf.page.document import Document
from engine.families.pdf.page.links_and_fields import Field
from engine.families.pdf.page.segments import Span
from engine.families.pdf.page.tables import Cell, Table
from engine.families.pdf.writers.docx.drawings import picture_xml
from engine.families.pdf.writers.docx.package import BULLETED, Relations
from engine.families.pdf.writers.docx.runs import runs_xml
from engine.families.pdf.writers.docx.sections import Margins, section_xml
from engine.families.pdf.writers.runs import cleaned

_TWIPS = 20


class Body:
    """Writes blocks in order; `numbered` are the level and first number of each numbered list."""

    def __init__(self, document: Document, relations: Relations, *, font: str, margins: Margins, ends: str) -> None:
        self._document = document
        self._relations = relations
        self._font = font
        self._margins = margins
        self._ends = ends
        self._files = {path.name: path for path in document.pictures}
        self._pictures = 0
        self._next: dict[int, int] = {}
        self._list: dict[int, int] = {}
        self.numbered: list[tuple[int, int]] = []

    def xml(self) -> Iterator[str]:
        """The body's content in pieces, with a section for each run of pages of one size."""
        page = -1
        size = self._document.sizes[self._document.numbers[0]]
        blocks = joined_tables(joined_pages(self._document.blocks), self._document.sizes)
        numbers = iter(self._document.numbers)
        for block in blocks:
            fresh = ""
            if block.page != page:
                for number in numbers:
                    if page >= 0:
                        yield self._fields(page)
                    page = number
                    if self._document.sizes[number] != size:
                        yield f"<w:p><w:pPr>{section_xml(size, self._margins, self._ends)}</w:pPr></w:p>"
                        size = self._document.sizes[number]
                    elif number in self._document.fresh:
                        fresh = "<w:pageBreakBefore/>"
                    if number == block.page:
                        break
            yield self._block(block, fresh)
        if page >= 0:
            yield self._fields(page)
        for number in numbers:
            yield self._fields(number)
        yield section_xml(size, self._margins, self._ends)

    def _block(self, block: Block, fresh: str) -> str:
        if block.kind != "item":
            self._list.clear()
            self._next.clear()
        if block.kind == "table" and block.table is not None:
            before = f"<w:p><w:pPr>{fresh}</w:pPr></w:p>" if fresh else ""
            return before + self._table(block.table)
        if block.kind == "picture":
            return self._picture(block, fresh)
        if block.kind == "heading":
            style, plain = f"Heading{block.level}", True
        else:
            style, plain = {"item": "ListParagraph", "code": "Code"}.get(block.kind, ""), False
        properties = f'<w:pStyle w:val="{style}"/>' if style else ""
        properties += fresh + (self._numbering(block) if block.kind == "item" else "")
        properties += '<w:jc w:val="center"/>' if block.centred and block.kind != "item" else ""
        runs = runs_xml(block.spans, self._relations, size=self._document.body, font=self._font, plain=plain)
        return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{runs}</w:p>"

    def _numbering(self, block: Block) -> str:
        """The list of an item: the current one if it continues the count, else a new one."""
        for deeper in [depth for depth in self._next if depth > block.depth]:
            del self._next[deeper]
        number = BULLETED
        if block.marker != "-":
            value = int(block.marker[:-1])
            if self._next.get(block.depth) != value:
                self.numbered.append((block.depth, value))
                self._list[block.depth] = BULLETED + len(self.numbered)
            self._next[block.depth] = value + 1
            number = self._list[block.depth]
        return f'<w:numPr><w:ilvl w:val="{block.depth}"/><w:numId w:val="{number}"/></w:numPr>'

    def _picture(self, block: Block, fresh: str) -> str:
        picture = block.picture
        if picture is None or picture.file is None:
            return ""
        x0, y0, x1, y1 = picture.box
        width, height = x1 - x0, y1 - y0
        page_width, page_height = self._document.sizes[block.page]
        left, top, right, bottom = self._margins
        scale = min(1, (page_width - left - right) / width, (page_height - top - bottom) * 0.95 / height)
        self._pictures += 1
        drawing = picture_xml(
            self._files[picture.file],
            self._relations,
            width=width * scale,
            height=height * scale,
            number=self._pictures,
        )
        return f"<w:p><w:pPr>{fresh}</w:pPr>{drawing}</w:p>"

    def _table(self, table: Table) -> str:
        style = '<w:tblStyle w:val="TableGrid"/>' if table.ruled else ""
        out = [
            f'<w:tbl><w:tblPr>{style}<w:tblW w:w="0" w:type="auto"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>',
            *(f'<w:gridCol w:w="{max(1, round(width * _TWIPS))}"/>' for width in table.widths),
            "</w:tblGrid>",
        ]
        at = {(cell.row, cell.column): cell for cell in table.cells}
        above: dict[tuple[int, int], Cell] = {
            (cell.row + down, cell.column): cell for cell in table.cells for down in range(1, cell.rows)
        }
        for row in range(table.rows):
            head = "<w:trPr><w:tblHeader/></w:trPr>" if row == 0 and table.rows > 2 else ""
            out.append(f"<w:tr>{head}")
            column = 0
            while column < len(table.widths):
                cell = at.get((row, column))
                over = above.get((row, column))
                wide = (cell or over).columns if cell or over else 1  # type: ignore[union-attr]
                properties = (
                    f'<w:tcW w:w="{max(1, round(sum(table.widths[column : column + wide]) * _TWIPS))}" w:type="dxa"/>'
                )
                properties += f'<w:gridSpan w:val="{wide}"/>' if wide > 1 else ""
                if over:
                    properties += "<w:vMerge/>"
                elif cell and cell.rows > 1:
                    properties += '<w:vMerge w:val="restart"/>'
                paragraphs = "".join(
                    f'<w:p><w:pPr><w:pStyle w:val="Cell"/></w:pPr>{self._runs(spans)}</w:p>'
                    for spans in (cell_parts(table, cell) if cell else None) or [[]]
                )
                out.append(f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraphs}</w:tc>")
                column += wide
            out.append("</w:tr>")
        out.append('</w:tbl><w:p><w:pPr><w:pStyle w:val="Cell"/></w:pPr></w:p>')
        return "".join(out)

    def _runs(self, spans: list[Span]) -> str:
        return runs_xml(spans, self._relations, size=self._document.body, font=self._font)

    def _fields(self, page: int) -> str:
        return "".join(_pair(field) for field in self._document.fields.get(page, ()))


def _pair(field: Field) -> str:
    name, value = (escape(" ".join(cleaned(each).split()), quote=False) for each in (field.name, field.value))
    return (
        f'<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">{name}: </w:t></w:r>'
        f'<w:r><w:t xml:space="preserve">{value}</w:t></w:r></w:p>'
    )
