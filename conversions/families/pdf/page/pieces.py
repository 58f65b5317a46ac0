"""Pieces: what is on a page beside and below each other, before it is put in order."""

from __future__ import annotations

from dataclasses import dataclass

from conversions.families.pdf.page.segments import Segment
from conversions.families.pdf.page.tables import Table
from conversions.families.pdf.page.view import Box


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the page at `box`: the name of the file that holds it, None where it is left out."""

    box: Box
    file: str | None


@dataclass(slots=True)
class Piece:
    """What is put in order: its box, and what it is."""

    box: Box
    what: Segment | Table | Picture
