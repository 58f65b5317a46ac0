"""Convert WordprocessingML properties to styles that other formats can express."""

from __future__ import annotations

import re
from dataclasses import fields, replace

from engine.families.documents.style_transfer.styles import AUTO, Block, Border, Cell, Run
from engine.families.documents.word.properties import Properties
from engine.families.documents.word.table_grid import CellFormatting

_ALIGNED = {"center": "center", "right": "right", "end": "right", "both": "both", "distribute": "both", "left": "left",
            "start": "left"}  # fmt: skip
_STOPS = {"left": "left", "start": "left", "num": "left", "center": "center", "right": "right", "end": "right",
          "decimal": "decimal"}  # fmt: skip
_PADDING = (0.0, 5.4, 0.0, 5.4)
"""Word's default cell margins."""
_SIDES = ("top", "right", "bottom", "left")
_EDGE = re.compile(r"([\d.]+)pt (\w+) #([0-9a-f]{6})")
_KINDS = {"dashed": "dashed", "dotted": "dotted", "double": "double"}
_UPRIGHT = {"top": "top", "center": "middle", "bottom": "bottom"}

_SWITCHES = ("bold", "italic", "capitals", "small_capitals", "struck", "underlined")
_RAISED = ("superscript", "subscript")


def run_formatting(text: Properties) -> Run:
    """The run style, with all toggles explicit."""
    ground = text.get("highlight") or text.get("shd")
    return Run(
        font=text.get("font"),
        bold=bool(text.get("b")),
        italic=bool(text.get("i")),
        capitals=bool(text.get("caps")),
        small_capitals=bool(text.get("smallCaps")),
        struck=bool(text.get("strike") or text.get("dstrike")),
        color=_colour(text.get("color")),
        spacing=text.get("spacing") or None,
        size=text.get("size"),
        underlined=text.get("u", "none") != "none",
        fill=_colour(ground),
        raised=place if (place := text.get("vertAlign")) in _RAISED else None,
        outlined=text.get("outline") or None,
        shadowed=text.get("shadow") or None,
    )


def marked_formatting(text: Properties, usual: Run, *, heading: bool) -> Run:
    """Return the style that a mark encodes for a run: its differences from the default.

    In a heading it encodes the whole style including colour, because named styles have their own colours.
    """
    formatting = run_formatting(text)
    return replace(formatting, color=formatting.color or AUTO) if heading else without(formatting, usual)


def titled_formatting(formatting: Block, style: str) -> Block:
    """The paragraph style under a named style, such as a title, that has its own alignment and spacing."""
    return replace(
        formatting, style=style, align=formatting.align or "left", before=formatting.before or 0.0,
        after=formatting.after or 0.0, line=formatting.line or 1.0,
    )  # fmt: skip


def _colour(css: str | None) -> str | None:
    return css[1:].upper() if css and css.startswith("#") else None


def usual_formatting(text: Properties) -> Run:
    """The run style that needs no mark: what is off is left unset."""
    formatting = run_formatting(text)
    return replace(formatting, **{each: getattr(formatting, each) or None for each in _SWITCHES})


def without(formatting: Run, usual: Run) -> Run:
    """The differences of a style from the default."""
    return Run(
        **{each.name: None if (own := getattr(formatting, each.name)) == getattr(usual, each.name) else own
           for each in fields(Run)}
    )  # fmt: skip


def block_formatting(block: Properties, *, packed: bool) -> Block:
    """Return the paragraph style; a `packed` one has no spacing."""
    rule, height = block.get("line", ("auto", 1.0))
    edges = tuple(_edge(block.get("borders", {}).get(side, ("none", 0.0))[0]) for side in _SIDES)
    listed = bool(block.get("numId"))
    return Block(
        new_page=bool(block.get("pageBreakBefore")),
        kept=bool(block.get("keepNext")),
        borders=edges if any(edges) else (),
        fill=_colour(block.get("shd")),
        before=None if packed else block.get("before"),
        after=None if packed else block.get("after"),
        line=(None if abs(height - 1) < 0.01 else height) if rule == "auto" else -height,
        indent=0.0 if listed else block.get("left", 0.0),
        end=block.get("right", 0.0),
        first=0.0 if listed else block.get("first", 0.0),
        stops=tuple(
            (place, _STOPS[kind], leader) for place, (kind, leader) in block.get("tabs", {}).items() if kind in _STOPS
        ),
        align=None if (align := _ALIGNED.get(block.get("jc", ""))) == "left" else align,
    )


def _edge(css: str) -> Border | None:
    match = _EDGE.fullmatch(css)
    if match is None:
        return None
    return _KINDS.get(match[2], "single"), max(2, min(round(float(match[1]) * 8), 96)), match[3].upper()


def cell_formatting(cell: CellFormatting, *, rows: int = 1, height: float | None = None) -> Cell:
    """The cell style from the table, its style and the cell itself, over `rows` the first of which has a `height`."""
    edges = tuple(_edge(cell.edges[side]) for side in _SIDES)
    return Cell(
        fill=_colour(cell.fill),
        borders=edges if any(edges) else (),
        padding=() if cell.padding == _PADDING else cell.padding,
        align=_UPRIGHT.get(cell.align),
        rows=rows,
        height=height,
    )
