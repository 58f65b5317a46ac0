"""Slide tables: cells with texts, fills and borders (ECMA-376, part 1, 21.1.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides.deck import Deck, Slide, number
from engine.families.documents.slides.texts import Paragraph, Run, Styles, paragraphs
from engine.families.documents.word.names import A, emu, pt


@dataclass
class Cell:
    paragraphs: list[Paragraph]
    columns: int = 1
    rows: int = 1
    fill: str | None = None
    margins: tuple[float, float] | None = None
    """Points left of and above the text, if set."""
    edges: dict[str, str] = field(default_factory=dict)
    """The cell's own borders by side, as CSS."""
    anchor: str = "top"


@dataclass
class Grid:
    """A table: its rows, column widths and minimum row heights in points, and its style id."""

    rows: list[list[Cell]] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    headed: bool = False
    banded: bool = False
    style: str = ""


def read(deck: Deck, slide: Slide, part: str, table: Element) -> Grid:
    """Read the table of a slide."""
    made = Grid()
    properties = table.find(A + "tblPr")
    made.headed, made.banded = (
        properties is not None and properties.get(each) in ("1", "true") for each in ("firstRow", "bandRow")
    )
    made.style = "" if properties is None else (properties.findtext(A + "tableStyleId") or "").strip().upper()
    made.widths = [emu(each.get("w")) for each in table.iterfind(f"{A}tblGrid/{A}gridCol")][:200]
    styles = Styles(deck, slide, None, [], None)
    for row in table.iterfind(A + "tr"):
        cells = []
        made.heights.append(emu(row.get("h")))
        for each in row.iterfind(A + "tc"):
            if each.get("hMerge") in ("1", "true") or each.get("vMerge") in ("1", "true"):
                continue
            body, own = each.find(A + "txBody"), each.find(A + "tcPr")
            fill = None if own is None else slide.theme.drawn(own.find(A + "solidFill"), slide.colours)
            columns, rows = (max(1, min(number(each, name) or 1, 200)) for name in ("gridSpan", "rowSpan"))
            margins = None
            if own is not None and own.get("marT") and own.get("marL"):
                margins = emu(own.get("marT")), emu(own.get("marL"))
            lines = [] if body is None else paragraphs(deck, slide, part, body, styles)
            anchor = {"ctr": "middle", "b": "bottom"}.get("" if own is None else own.get("anchor") or "", "top")
            cells.append(Cell(lines, columns, rows, fill, margins, _edges(slide, own), anchor))
        made.rows.append(cells)
    return made


def _edges(slide: Slide, own: Element | None) -> dict[str, str]:
    """The borders set on a cell itself (21.1.3)."""
    found = {}
    for name, side in (("lnL", "left"), ("lnR", "right"), ("lnT", "top"), ("lnB", "bottom")):
        line = None if own is None else own.find(A + name)
        if line is None:
            continue
        colour = slide.theme.drawn(line.find(A + "solidFill"), slide.colours)
        thick = max(emu(line.get("w")) if line.get("w") else 1.0, 0.25)
        found[side] = f"{pt(thick)} solid {colour[:7]}" if colour else "none"
    return found


def plain(text: str) -> Cell:
    """A cell of chart data."""
    return Cell([Paragraph(0, [Run(text, {"size": 12.0})], {}, base={"size": 12.0})])
