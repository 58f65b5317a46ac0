"""The state shared by all parts of an OpenDocument text while it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.families.documents.odf.lists import Lists
from engine.families.documents.odf.paint import Named
from engine.families.documents.odf.styles import Scope
from engine.families.documents.ooxml.made import Made
from engine.families.documents.ooxml.package import Element, Package


@dataclass
class Job:
    """The shared state."""

    file: Package
    made: Made
    running: Scope
    """The styles of headers and footers."""
    list_styles: Mapping[str, Mapping[str, Element]]
    """List styles by name, by the defining scope: `s` for headers and footers, `c` for the body, else named."""
    named: Named
    """The gradients, dashes and heads of drawn elements."""
    regions: dict[str, Element] = field(default_factory=dict)
    """Tracked changes by their ids."""
    open: list[str] = field(default_factory=list)
    """Insertions that have started and not ended."""
    lists: Lists = field(default_factory=Lists)
    notes: dict[str, Element] = field(default_factory=dict)
    """The parts of notes and comments by kind."""
    cells: Counter[str] = field(default_factory=Counter)
    """In all tables: identical cells that are `repeated`, and cells with text `beyond` the last column."""
