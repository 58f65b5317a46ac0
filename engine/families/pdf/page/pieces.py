"""Split a page into adjacent pieces before ordering them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.families.pdf.page.segments import Segment
from engine.families.pdf.page.tables import Table
from engine.families.pdf.page.view import Box


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the page at `box`, with its file name; None if it is left out."""

    box: Box
    file: str | None


@dataclass(slots=True)
class Piece:
    """An item to be ordered, with its box."""

    box: Box
    what: Segment | Table | Picture
