"""What WordprocessingML says of text, paragraphs and cells, as looks that another format can have."""

from __future__ import annotations

import re
from dataclasses import fields, replace

from conversions.families.documents.dressing.looks import AUTO, Block, Border, Cell, Run
from conversions.families.documents.word.properties import Properties
from conversions.families.documents.word.table_grid import CellLook

_ALIGNED = {"center": "center", "right": "right", "end": "right", "both": "both", "distribute": "both", "left": "left",
            "start": "left"}  # fmt: skip
_STOPS = {"left": "left", "start": "left", "num": "left", "center": "center", "right": "right", "end": "right",
          "decimal": "decimal"}  # fmt: skip
_PADDING = (0.0, 5.4, 0.0, 5.4)
"""What Word has around the text of cells where nothing is said."""
_SIDES = ("top", "right", "bottom", "left")
_EDGE = re.compile(r"([\d.]+)pt (\w+) #([0-9a-f]{6})")
_KINDS = {"dashed": "dashed", "dotted": "dotted", "double": "double"}
_UPRIGHT = {"top": "top", "center": "middle", "bottom": "bottom"}

_SWITCHES = ("bold", "italic", "capitals", "small_capitals", "struck", "underlined")


def run_look(text: Properties) -> Run:
    """How text looks, with all switches said."""
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
    )


def headed_look(text: Properties) -> Run:
    """How text looks whose paragraph has a colour of its own elsewhere, such as a heading or a title."""
    look = run_look(text)
    return replace(look, color=look.color or AUTO)


def titled_look(look: Block, style: str) -> Block:
    """How a paragraph looks that gets a style such as that of titles, which has places and blanks of its own."""
    return replace(
        look, style=style, align=look.align or "left", before=look.before or 0.0, after=look.after or 0.0,
        line=look.line or 1.0,
    )  # fmt: skip


def _colour(said: str | None) -> str | None:
    return said[1:].upper() if said and said.startswith("#") else None


def usual_look(text: Properties) -> Run:
    """How text looks that is to have no mark: what is off there is said by nothing."""
    look = run_look(text)
    return replace(look, **{each: getattr(look, each) or None for each in _SWITCHES})


def without(look: Run, usual: Run) -> Run:
    """What a look says beside the usual one."""
    return Run(
        **{each.name: None if (own := getattr(look, each.name)) == getattr(usual, each.name) else own
           for each in fields(Run)}
    )  # fmt: skip


def block_look(block: Properties, *, packed: bool) -> Block:
    """How a paragraph looks; what is `packed` has no blank around it of its own."""
    rule, height = block.get("line", ("auto", 1.0))
    edges = tuple(_edge(block.get("borders", {}).get(side, ("none", 0.0))[0]) for side in _SIDES)
    listed = bool(block.get("numId"))
    return Block(
        new_page=bool(block.get("pageBreakBefore")),
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


def _edge(said: str) -> Border | None:
    match = _EDGE.fullmatch(said)
    if match is None:
        return None
    return _KINDS.get(match[2], "single"), max(2, min(round(float(match[1]) * 8), 96)), match[3].upper()


def cell_look(said: CellLook) -> Cell:
    """How the cell of a table looks, by its table, its table's style, and itself."""
    edges = tuple(_edge(said.edges[side]) for side in _SIDES)
    return Cell(
        fill=_colour(said.fill),
        borders=edges if any(edges) else (),
        padding=() if said.padding == _PADDING else said.padding,
        align=_UPRIGHT.get(said.align),
    )
