"""One Word document on its way to HTML: what all of its parts share, and what is found out on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from conversions.families.documents.ooxml.package import Package
from conversions.families.documents.word.looks import Looks
from conversions.families.documents.word.numbering import Numbering, ordinal
from conversions.families.documents.word.styles import Styles
from conversions.families.documents.word.theme import Theme
from conversions.toolkit.warnings import Kind

DEEPEST = 30
"""Tables in tables, boxes in boxes: Word itself stops far before."""

CHART = Kind("CONTENT_DROPPED", "Charts were left out")
DIAGRAM = Kind("VALUE_CONVERTED", "Diagrams became lists of their texts")
OBJECT = Kind("CONTENT_DROPPED", "Embedded objects are shown by their pictures, if they have any")
SHAPE = Kind("CONTENT_DROPPED", "Drawn shapes other than boxes, lines and ellipses were left out")
PICTURE = Kind("CONTENT_DROPPED", "Pictures of a type that can't be shown (EMF, WMF, ...) were left out")
LOST_PICTURE = Kind("CONTENT_DROPPED", "Pictures that the file refers to but does not have were left out")
PLACED = Kind("CONTENT_DROPPED", "Pictures and boxes placed on the page stand at their paragraphs")
CONTROL = Kind("CONTENT_DROPPED", "Form fields are shown as their text")
NOTE = Kind("VALUE_CONVERTED", "Footnotes stand at the end of the text")  # as the engine says it
EQUATION = Kind("VALUE_CONVERTED", "Equations are written on one line")
FIELD = Kind("CONTENT_DROPPED", "Formulas written as fields (EQ) were left out")
TURNED = Kind("CONTENT_DROPPED", "Text that is turned in its cell stands upright")
DEEP = Kind("CONTENT_DROPPED", "Tables and boxes that are nested too deep were left out")
UNEVEN = Kind("CONTENT_DROPPED", "Columns of unlike widths are equally wide")
WIDE = Kind("CONTENT_DROPPED", "Columns of tables beyond the 200th were left out")
GROUND = Kind("CONTENT_DROPPED", "Backgrounds and borders of pages were left out")
INSERTED = Kind("CONTENT_DROPPED", "Tracked insertions were left out")
ACCEPTED = Kind("CONTENT_DROPPED", "Tracked insertions were accepted")
DELETED = Kind("CONTENT_DROPPED", "Tracked deletions were left out")
KEPT = Kind("CONTENT_DROPPED", "Tracked deletions were kept")
SHOWN = Kind("VALUE_CONVERTED", "Tracked changes are underlined or struck out")
COMMENT = Kind("COMMENTS_DROPPED", "Comments were left out")


@dataclass
class Job:
    """What is shared; `drawn` is false where the result is a page for browsers."""

    package: Package
    part: str
    theme: Theme
    styles: Styles
    numbering: Numbering
    changes: Literal["accept", "reject", "all"]
    drawn: bool
    summed: bool = False
    """Whether the blank below a paragraph and that above the next one are added, in place of the larger one of both."""
    outdented: bool = True
    """Whether tables stand out by what is blank in their cells, as they did in Word before its version of 2013."""
    like_word: bool = True
    """Whether it was written for Word: elsewhere a table's edges are no part of what is blank in its cells."""
    looks: Looks = field(default_factory=Looks)
    found: Counter[Kind] = field(default_factory=Counter)
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Kind and id of each note that is referred to, in the order of the text."""
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    """The place of each of them in `notes`, from 1."""
    labels: dict[int, str] = field(default_factory=dict)
    """What the references are written as, by that place; nothing where the text has a mark of its own."""
    footed: bool = False
    """Whether what is written now may have its notes at the foot of its page."""
    rowed: list[int] | None = None
    """The notes that the row of a table refers to that is being written."""
    below: dict[int, float | None] = field(default_factory=dict)
    """How far below its baseline the line of each note reaches that may stand at a foot; None behind a row."""
    anchors: dict[str, str] = field(default_factory=dict)
    """Bookmarks by name: the id that each has in the HTML."""
    linked: set[str] = field(default_factory=set)
    headings: list[tuple[int, str, str]] = field(default_factory=list)
    pictures: dict[str, str | None] = field(default_factory=dict)

    formats: dict[str, str] = field(default_factory=dict)
    """How notes of a kind are numbered, where the document says so (17.11.17)."""
    counts: Counter[str] = field(default_factory=Counter)

    def label(self, kind: str) -> str:
        """What the next note of a kind is called."""
        self.counts[kind] += 1
        said = self.formats.get(kind, "lowerRoman" if kind == "endnote" else "decimal")
        return ("C" if kind == "comment" else "") + ordinal(self.counts[kind], said)

    def anchor(self, name: str) -> str:
        """The id of a bookmark."""
        return self.anchors.setdefault(name, f"b{len(self.anchors) + 1}")
