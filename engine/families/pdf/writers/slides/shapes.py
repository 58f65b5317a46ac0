"""Slide shapes at their places on the page: text boxes, tables and pictures."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from statistics import median

from engine.families.pdf.page.blocks import Block, Typography, blocks_of, cell_parts
from engine.families.pdf.page.lines import Line
from engine.families.pdf.page.reading import Page
from engine.families.pdf.page.segments import Span
from engine.families.pdf.page.tables import Table
from engine.families.pdf.page.view import Box
from engine.families.pdf.writers.docx.runs import family
from engine.families.pdf.writers.runs import Run, cleaned, runs_of
from engine.toolkit.presentation import HEAD, NAMESPACES, ROOT, Relations

_EMU = 12_700
_WIDER = 1.04
"""The factor by which another font may be wider."""

_NO_INSETS = 'lIns="0" tIns="0" rIns="0" bIns="0"'


class Slide:
    """One slide: `left` and `top` are its page's offset on it, in points, `scale` the page's enlargement."""

    def __init__(self, page: Page, typography: Typography, *, left: float, top: float, scale: float) -> None:
        self._page = page
        self._typography = typography
        self._left = left
        self._top = top
        self._scale = scale
        self._shapes: list[str] = []
        self.relations = Relations()

    def xml(self) -> str:
        return (
            f"{HEAD}<p:sld {NAMESPACES}><p:cSld><p:spTree>{ROOT}{''.join(self._shapes)}</p:spTree></p:cSld>"
            "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
        )

    def picture(self, box: Box, name: str) -> None:
        """Put a picture on the slide."""
        number = self._number()
        self._shapes.append(
            f'<p:pic><p:nvPicPr><p:cNvPr id="{number}" name="Picture {number}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
            f'<p:blipFill><a:blip r:embed="{self.relations.id("image", f"../media/{name}")}"/><a:stretch><a:fillRect/>'
            f'</a:stretch></p:blipFill><p:spPr>{self._place(box, "a:xfrm")}<a:prstGeom prst="rect"><a:avLst/>'
            "</a:prstGeom></p:spPr></p:pic>"
        )

    def text(self, lines: list[Line]) -> None:
        """Put consecutive lines in a box; those of one paragraph are joined."""
        number = self._number()
        size = lines[0].size
        x0, x1 = min(each.x0 for each in lines), max(each.x1 for each in lines)
        top = lines[0].base - 0.95 * size
        box = (x0, top, x0 + (x1 - x0) * _WIDER + 0.5 * size, max(each.base for each in lines) + 0.3 * size)
        turn = ""
        if 0 < lines[0].turn < 4:
            box, turn = self._turned(lines[0]), f' rot="{lines[0].turn * 5_400_000}"'
        spacing = ""
        if gaps := [after.base - before.base for before, after in pairwise(lines)]:
            spacing = f'<a:lnSpc><a:spcPts val="{self._hundredths(median(gaps))}"/></a:lnSpc>'
        blocks = blocks_of([*lines], self._page.number, self._typography)
        wrap = "square" if len(blocks) < len(lines) else "none"
        paragraphs = "".join(self._paragraph(block, spacing) for block in blocks)
        self._shapes.append(
            f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Text {number}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
            f'<p:spPr>{self._place(box, "a:xfrm", turn)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/>'
            f'</p:spPr><p:txBody><a:bodyPr wrap="{wrap}" {_NO_INSETS}><a:noAutofit/></a:bodyPr><a:lstStyle/>'
            f"{paragraphs}</p:txBody></p:sp>"
        )

    def table(self, table: Table) -> None:
        """Put a table on the slide, with the borders it has on the page."""
        number = self._number()
        height = (table.box[3] - table.box[1]) / table.rows * self._scale
        at = {(cell.row, cell.column): cell for cell in table.cells}
        covered = {
            (cell.row + down, cell.column + across): (down, across)
            for cell in table.cells
            for down in range(cell.rows)
            for across in range(cell.columns)
            if down or across
        }
        line = 'w="6350"><a:solidFill><a:srgbClr val="000000"/></a:solidFill>' if table.ruled else 'w="0"><a:noFill/>'
        properties = '<a:tcPr marL="25400" marR="25400" marT="12700" marB="12700">' + "".join(
            f"<a:ln{side} {line}</a:ln{side}>" for side in "LRTB"
        )
        rows = []
        for row in range(table.rows):
            cells = []
            for column in range(len(table.widths)):
                cell, over = at.get((row, column)), covered.get((row, column))
                spans = ""
                if over:
                    spans = (' hMerge="1"' if over[1] else "") + (' vMerge="1"' if over[0] else "")
                elif cell:
                    spans = (f' gridSpan="{cell.columns}"' if cell.columns > 1 else "") + (
                        f' rowSpan="{cell.rows}"' if cell.rows > 1 else ""
                    )
                parts = [] if over or cell is None else cell_parts(table, cell)
                text = "".join(f"<a:p>{self._runs(part)}</a:p>" for part in parts)
                text = text or '<a:p><a:endParaRPr sz="600"/></a:p>'
                cells.append(
                    f"<a:tc{spans}><a:txBody><a:bodyPr/><a:lstStyle/>{text}</a:txBody>{properties}</a:tcPr></a:tc>"
                )
            rows.append(f'<a:tr h="{round(height * _EMU)}">{"".join(cells)}</a:tr>')
        grid = "".join(f'<a:gridCol w="{max(1, round(width * self._scale * _EMU))}"/>' for width in table.widths)
        self._shapes.append(
            f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{number}" name="Table {number}"/><p:cNvGraphicFramePr/>'
            f"<p:nvPr/></p:nvGraphicFramePr>{self._place(table.box, 'p:xfrm')}<a:graphic><a:graphicData "
            f'uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/><a:tblGrid>{grid}</a:tblGrid>'
            f"{''.join(rows)}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
        )

    def _number(self) -> int:
        return len(self._shapes) + 2

    def _place(self, box: Box, tag: str, turn: str = "") -> str:
        x0, y0, x1, y1 = (each * self._scale for each in box)
        return (
            f'<{tag}{turn}><a:off x="{round((x0 + self._left) * _EMU)}" y="{round((y0 + self._top) * _EMU)}"/>'
            f'<a:ext cx="{max(1, round((x1 - x0) * _EMU))}" cy="{max(1, round((y1 - y0) * _EMU))}"/></{tag}>'
        )

    @staticmethod
    def _turned(line: Line) -> Box:
        """The box of a line before its rotation about its centre; its ends are given along its own direction."""
        length, size = line.x1 - line.x0, line.size
        along, across = (line.x0 + line.x1) / 2, line.base - 0.35 * size
        x, y = {1: (-across, along), 2: (-along, -across), 3: (across, -along)}[line.turn]
        return x - length / 2, y - 0.6 * size, x + length / 2, y + 0.6 * size

    def _hundredths(self, points: float) -> int:
        return max(100, round(points * self._scale * 100))

    def _paragraph(self, block: Block, spacing: str) -> str:
        properties = ' algn="ctr"' if block.centred else ""
        bullet = "<a:buNone/>"
        if block.kind == "item":
            properties = ' marL="171450" indent="-171450"'
            first = block.marker[:-1]
            bullet = (
                '<a:buChar char="•"/>'
                if block.marker == "-"
                else f'<a:buAutoNum type="arabicPeriod" startAt="{max(1, int(first))}"/>'
            )
        return f"<a:p><a:pPr{properties}>{spacing}{bullet}</a:pPr>{self._runs(block.spans)}</a:p>"

    def _runs(self, spans: list[Span]) -> str:
        return "".join(map(self._run, runs_of(spans)))

    def _run(self, run: Run) -> str:
        properties = f'sz="{min(400_000, self._hundredths(run.size))}"' + ' b="1"' * run.bold + ' i="1"' * run.italic
        properties += ' baseline="30000"' if run.raised > 0 else ' baseline="-25000"' if run.raised < 0 else ""
        link = (
            f'<a:hlinkClick r:id="{self.relations.id("hyperlink", cleaned(run.link))}"/>'
            if run.link and not run.note
            else ""
        )
        text = escape(run.text.replace("\n", " ").replace("\t", "    "), quote=False)
        return (
            f'<a:r><a:rPr lang="en-US" {properties}><a:solidFill><a:srgbClr val="{run.colour}"/></a:solidFill>'
            f'<a:latin typeface="{escape(family(run.font))}"/>{link}</a:rPr><a:t>{text}</a:t></a:r>'
        )
