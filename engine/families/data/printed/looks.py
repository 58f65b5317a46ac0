"""How a sheet looks when it is printed: styles, sizes, page setup and what is placed on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.families.data.cell_references import Area, Place

Colour = str
"""Six hex digits."""


@dataclass(frozen=True)
class Font:
    """A font; `rise` is 1 for superscript and -1 for subscript."""

    name: str = "Calibri"
    size: float = 11.0
    bold: bool = False
    italic: bool = False
    underline: str = ""
    strike: bool = False
    colour: Colour | None = None
    rise: int = 0


@dataclass(frozen=True)
class Edge:
    """One line of a border; `style` is a name of ECMA-376, part 1, 18.18.3."""

    style: str
    colour: Colour = "000000"


@dataclass(frozen=True)
class Style:
    """The looks of a cell.

    `edges` are its left, right, top and bottom line, the one that falls and the one that rises. `fill` is its
    colour; a gradient has two and an angle.
    """

    font: Font = Font()
    fill: Colour | None = None
    gradient: tuple[Colour, Colour, float] | None = None
    edges: tuple[Edge | None, ...] = (None,) * 6
    across: str = "general"
    down: str = "bottom"
    wrap: bool = False
    shrink: bool = False
    indent: int = 0
    turn: int = 0
    """Degrees counterclockwise; 255 for letters that stand one below the other."""
    bar: tuple[float, Colour] | None = None
    """How much of the cell a bar takes, and its colour."""
    unseen: bool = False
    """Whether the bar stands for the text."""

    @property
    def is_visible(self) -> bool:
        """Whether an empty cell shows it."""
        return self.fill is not None or self.gradient is not None or any(self.edges) or self.bar is not None

    @property
    def is_printed(self) -> bool:
        """Whether an empty cell with it is worth a page: white is the colour of paper."""
        return self.is_visible and (self.fill != "FFFFFF" or any(self.edges) or self.bar is not None)


PLAIN = Style()


@dataclass(frozen=True)
class Run:
    """A part of a cell's text in one font; None for the font of the cell."""

    text: str
    font: Font | None = None


@dataclass(frozen=True)
class Setup:
    """The page setup of a sheet: lengths in points, scale 1 for the original size.

    `fit` is the number of pages across and down to fit on, 0 for any number; None if the scale counts. `heads` and
    `feet` are the codes for odd, even and first pages.
    """

    paper: tuple[float, float] | None = None
    landscape: bool = False
    margins: tuple[float, float, float, float] = (54.0, 50.4, 54.0, 50.4)
    """Top, right, bottom, left."""
    head_margin: float = 21.6
    foot_margin: float = 21.6
    scale: float = 1.0
    fit: tuple[int, int] | None = None
    centred: tuple[bool, bool] = (False, False)
    """Across and down."""
    gridlines: bool = False
    headings: bool = False
    over_first: bool = False
    grey: bool = False
    first_number: int | None = None
    heads: tuple[str, str, str] = ("", "", "")
    feet: tuple[str, str, str] = ("", "", "")
    same_even: bool = True
    same_first: bool = True
    head_scales: bool = True
    head_aligns: bool = True


@dataclass(frozen=True)
class Anchor:
    """Where a picture or chart is, from and to a column, a row and an offset in points within each.

    `size` is its width and height in points, if it does not follow the cells; `at` its place, if it is not in a cell.
    """

    start: tuple[int, float, int, float] = (0, 0.0, 0, 0.0)
    end: tuple[int, float, int, float] | None = None
    size: tuple[float, float] | None = None
    at: tuple[float, float] | None = None


@dataclass(frozen=True)
class Placed:
    """A picture by its bytes, a chart by the root of its XML, or a box with text; and its turn in degrees clockwise.

    `part` is the left, top, width and height of a member of a group, as shares of the place of the group.
    """

    anchor: Anchor
    picture: bytes = b""
    chart: object = None
    box: object = None
    turn: float = 0.0
    crop: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)


@dataclass(slots=True)
class Cell:
    """A cell beside its text: its style, whether it holds a text (`s`), a number (`n`), a truth value or error (`b`) or
    nothing, its runs if it has several fonts, and its number if it has one."""

    style: int
    kind: str = ""
    runs: tuple[Run, ...] | None = None
    value: float | None = None


@dataclass
class Looks:
    """The looks of one sheet. Sizes are in points, rows and columns count from 0."""

    styles: list[Style]
    normal: Font
    setup: Setup = Setup()
    cells: dict[int, dict[int, Cell]] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    fixed_rows: set[int] = field(default_factory=set)
    """Rows whose height was set; others grow with their texts."""
    hidden_rows: set[int] = field(default_factory=set)
    row_styles: dict[int, int] = field(default_factory=dict)
    widths: list[tuple[range, float, int]] = field(default_factory=list)
    """Columns, the width of each (0 if hidden) and their style."""
    usual_width: float = 48.0
    usual_height: float = 15.0
    merged: list[Area] = field(default_factory=list)
    row_breaks: set[int] = field(default_factory=set)
    column_breaks: set[int] = field(default_factory=set)
    """The first row or column after each."""
    areas: tuple[Area, ...] = ()
    title_rows: tuple[int, int] | None = None
    title_columns: tuple[int, int] | None = None
    links: Mapping[Place, str] = field(default_factory=dict)
    placed: list[Placed] = field(default_factory=list)
    conditions: Mapping[Place, Style] = field(default_factory=dict)
    """The style of a cell on which a condition is met."""
    rules: int = 0
    """The conditional formats, page breaks, print areas and repeated rows that the sheet has."""
    right_to_left: bool = False
    zeros: bool = True
