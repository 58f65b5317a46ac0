"""Page headers and footers as plain lines, common to all paged formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.families.documents.style_transfer.styles import Block, Run

Kind = Literal["default", "first", "even"]
KINDS: tuple[Kind, ...] = ("default", "first", "even")


@dataclass(frozen=True)
class Piece:
    """A run of a line with its complete style; for a page number, `text` is the number format in XSLT's terms."""

    what: Literal["text", "tab", "break", "page", "pages"]
    formatting: Run = field(default_factory=Run)
    text: str = ""
    link: str = ""
    """The link address."""


@dataclass(frozen=True)
class Line:
    """A paragraph."""

    block: Block = field(default_factory=Block)
    pieces: tuple[Piece, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether nothing in it is visible."""
        bare = not any(self.block.borders) and not self.block.fill
        return bare and not any(each.what in ("page", "pages") or each.text.strip() for each in self.pieces)


Lines = tuple[Line, ...]


@dataclass(frozen=True)
class Heads:
    """Headers and footers by kind of page, and their distance from the paper's edges in points."""

    heads: Mapping[Kind, Lines] = field(default_factory=dict)
    feet: Mapping[Kind, Lines] = field(default_factory=dict)
    first_differs: bool = False
    even_differs: bool = False
    above: float = 36.0
    below: float = 36.0
    starts: int | None = None
    """The number of the first page, if set."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of pages that exist."""
        there = {"default": True, "first": self.first_differs, "even": self.even_differs}
        return tuple(each for each in KINDS if there[each])

    def shown(self, side: Mapping[Kind, Lines]) -> dict[Kind, Lines]:
        """Headers or footers by kind; empty if none has visible content."""
        found = {kind: side.get(kind, ()) for kind in self.kinds}
        return found if any(not line.is_blank for lines in found.values() for line in lines) else {}
