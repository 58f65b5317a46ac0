"""Slide tables: cells with texts, fills and borders (ECMA-376, part 1, 21.1.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides import table_styles
from engine.families.documents.slides.deck import Deck, Slide, number
from engine.families.documents.slides.table_styles import Look
from engine.families.documents.slides.texts import Paragraph, Run, Styles, paragraphs
from engine.families.documents.word.names import A, emu, pt

_SIDES = {"marT": 3.6, "marR": 7.2, "marB": 3.6, "marL": 7.2}
"""The margins of a cell that says none, in points (21.1.3.17)."""
_TURNS = {"vert": 90, "eaVert": 90, "wordArtVert": 90, "mongolianVert": 90, "wordArtVertRtl": 90, "vert270": 270}
_MOST_COLUMNS = 200


@dataclass
class Cell:
    """A cell as it looks: colours as CSS, `edges` as CSS borders by side, and margins in points from the top on."""

    paragraphs: list[Paragraph]
    columns: int = 1
    rows: int = 1
    fill: str | None = None
    margins: tuple[float, ...] = tuple(_SIDES.values())
    edges: Mapping[str, str] = field(default_factory=dict)
    anchor: str = "top"
    bold: bool = False
    turn: int = 0
    """The degrees by which its text is turned."""
    column: int = 0


@dataclass
class Grid:
    """A table: its rows, column widths and minimum row heights in points."""

    rows: list[list[Cell]] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    headed: bool = False


def read(deck: Deck, slide: Slide, part: str, table: Element) -> Grid:
    """Read the table of a slide."""
    made = Grid()
    properties = table.find(A + "tblPr")
    style = table_styles.of(deck, slide, properties)
    made.headed = "firstRow" in style.shown
    made.widths = [emu(each.get("w")) for each in table.iterfind(f"{A}tblGrid/{A}gridCol")][:_MOST_COLUMNS]
    texts: dict[str | None, Styles] = {}
    rows = table.findall(A + "tr")
    for down, row in enumerate(rows):
        cells = []
        made.heights.append(emu(row.get("h")))
        for across, each in enumerate(row.iterfind(A + "tc")):
            if each.get("hMerge") in ("1", "true") or each.get("vMerge") in ("1", "true"):
                continue
            columns, spanned = (max(1, min(number(each, name) or 1, 200)) for name in ("gridSpan", "rowSpan"))
            look = style.cell(down, across, (len(rows), len(made.widths)), (spanned, columns))
            if look.colour not in texts:
                texts[look.colour] = Styles(deck, slide, None, [], None, colour=look.colour)
            cell = _cell(deck, slide, part, each, texts[look.colour], look)
            cell.columns, cell.rows, cell.column = columns, spanned, across
            cells.append(cell)
        made.rows.append(cells)
    return made


def _cell(deck: Deck, slide: Slide, part: str, source: Element, styles: Styles, look: Look) -> Cell:
    body, own = source.find(A + "txBody"), source.find(A + "tcPr")
    lines = [] if body is None else paragraphs(deck, slide, part, body, styles)
    said = {} if own is None else own.attrib
    margins = tuple(emu(said[name]) if said.get(name) else usual for name, usual in _SIDES.items())
    anchor = {"ctr": "middle", "b": "bottom"}.get(said.get("anchor") or "", "top")
    fill = look.fill
    if own is not None:
        gradient = own.find(f"{A}gradFill/{A}gsLst/{A}gs")
        pattern = own.find(f"{A}pattFill/{A}fgClr")
        for each in (own.find(A + "solidFill"), gradient, pattern):
            fill = slide.theme.drawn(each, slide.colours) or fill
        fill = None if own.find(A + "noFill") is not None else fill
    turn = _TURNS.get(said.get("vert") or "", 0)
    edges = {**look.lines, **_edges(slide, own)}
    return Cell(lines, 1, 1, fill, margins, edges, anchor, bool(look.bold), turn)


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


def plain(text: str, colour: str | None, line: str) -> Cell:
    """A cell of chart data, in the colours of its slide."""
    looks = {"size": 12.0, "color": colour}
    return Cell(
        [Paragraph(0, [Run(text, looks)], {}, base=looks)],
        edges=dict.fromkeys(("top", "right", "bottom", "left"), line),
    )
