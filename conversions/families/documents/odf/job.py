"""One OpenDocument text on its way to a Word document: what all of its parts share while they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from conversions.families.documents.odf.lists import Lists
from conversions.families.documents.odf.styles import Scope
from conversions.families.documents.ooxml.made import Made
from conversions.families.documents.ooxml.package import Element, Package


@dataclass
class Job:
    """What is shared."""

    file: Package
    made: Made
    running: Scope
    """The styles of heads and feet."""
    list_styles: Mapping[str, Mapping[str, Element]]
    """Styles of lists by name, by the mark of what they are in: `s` of heads and feet, `c` of the text, else named."""
    regions: dict[str, Element] = field(default_factory=dict)
    """Tracked changes by their ids."""
    open: list[str] = field(default_factory=list)
    """Insertions that have begun and not ended."""
    lists: Lists = field(default_factory=Lists)
    notes: dict[str, Element] = field(default_factory=dict)
    """The parts of notes and comments by kind."""
    cells: Counter[str] = field(default_factory=Counter)
    """Of all tables: cells that are `repeated`, one more of the same, and those with text `beyond` the last column."""
