"""The state shared by all parts of a Word document while it is converted to HTML."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from engine.families.documents.ooxml.diagram import Diagrams
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word import hidden_text
from engine.families.documents.word.character_grid import NO_GRID, CharacterGrid
from engine.families.documents.word.charts import OfficeCharts
from engine.families.documents.word.css_classes import Classes
from engine.families.documents.word.field_values import FieldValues
from engine.families.documents.word.line_numbers import LineNumbering, NumberedParagraph
from engine.families.documents.word.names import W
from engine.families.documents.word.number_formats import ordinal
from engine.families.documents.word.numbering import Numbering
from engine.families.documents.word.page_positions import TakenRoom
from engine.families.documents.word.recolouring import Recolouring
from engine.families.documents.word.running_titles import Titled
from engine.families.documents.word.sections import Paper
from engine.families.documents.word.styles import Styles
from engine.families.documents.word.theme import Theme
from engine.toolkit import office_objects, symbol_fonts
from engine.toolkit.data_uris import Repetitions
from engine.toolkit.warnings import Kind

DEEPEST = 30
"""The maximum nesting of tables and boxes: Word itself stops far earlier."""

DIAGRAM = Kind("VALUE_CONVERTED", "Diagrams became lists of their text: {count}{places}.")
OBJECT = office_objects.PREVIEWED
SHAPE = Kind("CONTENT_DROPPED", "Shapes were left out: {count}{places}.")
BOXED = Kind("VALUE_CONVERTED", "Shapes with text became rectangles: {count}{places}.")
PICTURE = Kind(
    "CONTENT_DROPPED",
    "Pictures that are damaged or in formats that can't be shown were left out: {count}{places}.",
    counts="pictures",
)
LOST_PICTURE = Kind(
    "CONTENT_DROPPED",
    "Missing pictures were left out: {count}{places}.",
    counts="pictures",
)
PLACED = Kind("CONTENT_DROPPED", "Floating pictures and boxes were moved to their paragraphs: {count}{places}.")
MOVED = Kind("VALUE_CONVERTED", "Boxes within a line of text were moved above it: {count}{places}.")
UNSETTLED = Kind("VALUE_CONVERTED", "Drawings may be misplaced, because they move the text: {count}{places}.")
CUT = Kind("CONTENT_DROPPED", "Floating pictures and shapes in the top margin were cut off: {count}{places}.")
CONTROL = Kind("CONTENT_DROPPED", "Form fields became text: {count}{places}.", drawn=True)
NOTE = Kind("VALUE_CONVERTED", "Footnotes were moved to the end of the text: {count}{places}.")  # as the engine says it
EQUATION = Kind("VALUE_CONVERTED", "Equations were written on one line: {count}{places}.")
FIELD = Kind("CONTENT_DROPPED", "Formulas written as fields (EQ) were left out: {count}{places}.")
NARROWED = Kind("VALUE_CONVERTED", "Tables wider than their paper were made narrower: {count}{places}.")
DEEP = Kind("CONTENT_DROPPED", "Tables and boxes that are nested too deeply were left out: {count}{places}.")
TOP = Kind("VALUE_CONVERTED", "Sections that are aligned vertically begin at the top of their pages: {count}{places}.")
UNNUMBERED = Kind("CONTENT_DROPPED", "Line numbers of sections with columns or vertical text were left out: {count}.")
UNEVEN = Kind("CONTENT_DROPPED", "Text columns of different widths became equally wide: {count}{places}.")
WIDE = Kind("CONTENT_DROPPED", "Table columns after the 200th were left out: {count}{places}.")
GROUND = Kind("CONTENT_DROPPED", "Page backgrounds and borders were left out: {count}{places}.")
PICTURED = Kind("VALUE_CONVERTED", "Bullets that are pictures became characters: {count}{places}.")
NUMBERED = Kind("NOT_UNDERSTOOD", "Unknown list number formats became decimal: {count}{places}.")
SYMBOL = symbol_fonts.UNKNOWN
INSERTED = Kind("CONTENT_DROPPED", "Tracked insertions were left out: {count}{places}.", drawn=True)
ACCEPTED = Kind("CONTENT_DROPPED", "Tracked insertions were accepted: {count}{places}.", drawn=True)
DELETED = Kind("CONTENT_DROPPED", "Tracked deletions were left out: {count}{places}.", drawn=True)
KEPT = Kind("CONTENT_DROPPED", "Tracked deletions were kept: {count}{places}.", drawn=True)
SHOWN = Kind("VALUE_CONVERTED", "Tracked changes are shown underlined or struck out: {count}{places}.", drawn=True)
COMMENT = Kind("COMMENTS_DROPPED", "Comments were left out: {count}{places}.")


@dataclass(frozen=True)
class Pinned:
    """A drawing beside the text; in drawing order those behind the text come first, and then the lower ones."""

    order: tuple[bool, int]
    markup: str


@dataclass
class Job:
    """The shared state; `drawn` is false if the result is a page for browsers."""

    package: Package
    part: str
    theme: Theme
    styles: Styles
    numbering: Numbering
    changes: Literal["accept", "reject", "all"]
    drawn: bool
    summed: bool = False
    """Whether the spacing after a paragraph and before the next add up, rather than the larger one applying."""
    outdented: bool = True
    """Whether tables extend into the margin by their cell padding, as in Word before 2013."""
    like_word: bool = True
    """Whether it was written for Word: otherwise a table's borders are not part of its cell padding."""
    classes: Classes = field(default_factory=Classes)
    found: Counter[Kind] = field(default_factory=Counter)
    recolouring: Recolouring = field(init=False)
    diagrams: Diagrams = field(init=False)
    notes: list[tuple[str, str]] = field(default_factory=list)
    """The kind and id of each referenced note, in text order."""
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    """The number of each note in `notes`, from 1."""
    labels: dict[int, str] = field(default_factory=dict)
    """The reference labels by that number; empty if the text has a custom mark."""
    begins: bool = False
    """Whether the current paragraph is the first one of its pages, above which nothing is drawn."""
    footed: bool = False
    """Whether notes in the current text may be placed at the foot of its page."""
    column: tuple[float, float] = (0.0, 0.0)
    """Where the first column of the current section begins on its paper, and its width, in points."""
    paper: Paper = field(default_factory=Paper)
    """The paper of the current section."""
    running: Literal["", "head", "foot"] = ""
    """Whether a header or footer is read, which is as far from the edge of the paper as the paper says."""
    line_numbering: LineNumbering | None = None
    """How the lines of the current section are numbered."""
    turned: int = 0
    """The degrees by which pictures in vertical text are rotated against it."""
    section: int = 0
    """The number of the current section."""
    titles: set[str] = field(default_factory=set)
    """The styles whose paragraphs headers and footers show."""
    titled: list[Titled] = field(default_factory=list)
    """The paragraphs with such a style, in text order."""
    values: FieldValues | None = None
    """The values of fields without a stored result."""
    numbered: list[NumberedParagraph] = field(default_factory=list)
    """The paragraphs whose lines are numbered, in text order."""
    grid: CharacterGrid = NO_GRID
    """The character grid of the current section."""
    pitch: float = 0.0
    """The line pitch of the current section's grid, in points; 0 without a grid."""
    rowed: list[int] | None = None
    """The notes referenced in the current table row."""
    below: dict[int, float | None] = field(default_factory=dict)
    """The descent below the baseline of the line with each note that may be a footnote; None after a table row."""
    anchors: dict[str, str] = field(default_factory=dict)
    """The HTML id of each bookmark, by name."""
    linked: set[str] = field(default_factory=set)
    placed: list[str] = field(default_factory=list)
    """The ids of fields that show the page number they are on, and of drawings that are placed on their page."""
    pinned: dict[str, Pinned] = field(default_factory=dict)
    """The drawings that reach into the margins of their pages, by the id of what is on the same page."""
    fonts: dict[str, set[str]] = field(default_factory=dict)
    """The fonts that text is set in, in text order, with the characters set in each."""
    east_asian_fonts: dict[str, None] = field(default_factory=dict)
    """The fonts that Chinese, Japanese and Korean text is set in."""
    hidden: dict[str, list[str]] = field(default_factory=dict)
    """The hidden texts that were removed from each part."""
    headings: list[tuple[int, str, str]] = field(default_factory=list)
    pictures: dict[str, str | None] = field(default_factory=dict)
    charts: OfficeCharts = field(init=False)
    repetitions: Repetitions = field(default_factory=Repetitions)
    room: TakenRoom | None = None
    """What the last drawing with a place on its page keeps free of text."""
    since_room: int = 0
    """The paragraphs since that drawing."""
    floated: int = 0
    """The frames and tables that were placed."""
    measured: int = 0
    """The frames and tables whose height was asked for, to place them."""

    formats: dict[str, str] = field(default_factory=dict)
    """The number format of each kind of note, if set (17.11.17)."""
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.charts = OfficeCharts(self.package, size=10.0)
        self.recolouring = Recolouring(self.found)
        self.diagrams = Diagrams(self.package)

    def shown(self, name: str) -> Element:
        """The root element of a part, without its hidden text."""
        root = self.package.xml(name)
        if self.styles.hides or next(root.iter(W + "vanish", W + "hidden"), None) is not None:
            self.hidden[name] = hidden_text.leave_out(root, self.styles)
        return root

    def label(self, kind: str) -> str:
        """The label of the next note of a kind."""
        self.counts[kind] += 1
        number_format = self.formats.get(kind, "lowerRoman" if kind == "endnote" else "decimal")
        return ("C" if kind == "comment" else "") + ordinal(self.counts[kind], number_format)

    def anchor(self, name: str) -> str:
        """The id for a bookmark."""
        return self.anchors.setdefault(name, f"b{len(self.anchors) + 1}")
