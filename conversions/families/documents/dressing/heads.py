"""Heads and feet of pages as plain lines, which any text that has pages can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from conversions.families.documents.dressing.looks import Block, Run

Kind = Literal["default", "first", "even"]
KINDS: tuple[Kind, ...] = ("default", "first", "even")


@dataclass(frozen=True)
class Piece:
    """A piece of a line with all of its looks said; `text` of a number is how it is written, as XSLT names that."""

    what: Literal["text", "tab", "break", "page", "pages"]
    look: Run = field(default_factory=Run)
    text: str = ""
    link: str = ""
    """The address that it leads to."""


@dataclass(frozen=True)
class Line:
    """A paragraph."""

    block: Block = field(default_factory=Block)
    pieces: tuple[Piece, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether nothing of it is seen."""
        bare = not any(self.block.borders) and not self.block.fill
        return bare and not any(each.what in ("page", "pages") or each.text.strip() for each in self.pieces)


Lines = tuple[Line, ...]


@dataclass(frozen=True)
class Heads:
    """The heads and feet by the kind of page that has them, and how far they are from the paper's edges, in points."""

    heads: Mapping[Kind, Lines] = field(default_factory=dict)
    feet: Mapping[Kind, Lines] = field(default_factory=dict)
    first_differs: bool = False
    even_differs: bool = False
    above: float = 36.0
    below: float = 36.0
    starts: int | None = None
    """The number of the first page, where it is said."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of pages that there are."""
        there = {"default": True, "first": self.first_differs, "even": self.even_differs}
        return tuple(each for each in KINDS if there[each])

    def shown(self, side: Mapping[Kind, Lines]) -> dict[Kind, Lines]:
        """What heads, or feet, there are by kind; empty where nothing of any is seen."""
        found = {kind: side.get(kind, ()) for kind in self.kinds}
        return found if any(not line.is_blank for lines in found.values() for line in lines) else {}
