"""The elements of a structure tree (ISO 32000-1, 14.7 and 14.8), before they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.tagged.drawn import Run

HEADINGS = frozenset(("H1", "H2", "H3", "H4", "H5", "H6"))
FLOWING = frozenset(("P", "Caption", "TD", "TH", "LBody", "Lbl", "Link", "Span", "Formula", "Figure", *HEADINGS))
"""The roles that have text directly; all others have elements only."""
_CELLS = frozenset(("TR", "TD", "TH"))
_PARTS = frozenset(("Table", "THead", "TBody", "TFoot"))


@dataclass(eq=False)
class Node:
    """An element of the tree: its role, what is in it in reading order, and its attributes.

    `own` are attributes by their owner, such as Table, and their name (14.8.5). `element` is that of the page.
    """

    role: str
    kids: list[Node | Run] = field(default_factory=list)
    alt: str | None = None
    language: str | None = None
    own: dict[str, dict[str, object]] = field(default_factory=dict)
    element: Element | None = None

    def add(self, role: str, element: Element | None = None) -> Node:
        """Append an element."""
        made = Node(role, element=element)
        self.kids.append(made)
        return made

    def within(self) -> Iterator[Node]:
        """This element and those in it, in reading order."""
        ahead = [self]
        while ahead:
            node = ahead.pop()
            yield node
            ahead.extend(each for each in reversed(node.kids) if isinstance(each, Node))

    def runs(self) -> Iterator[Run]:
        """All that is painted in it, in reading order."""
        ahead: list[Node | Run] = [self]
        while ahead:
            each = ahead.pop()
            if isinstance(each, Run):
                yield each
            else:
                ahead.extend(reversed(each.kids))

    def text(self) -> str:
        """Its text in reading order."""
        return " ".join("".join(each.text for each in self.runs()).split())


def prune(node: Node, kept: frozenset[Element]) -> bool:
    """Remove elements without content, except cells, and links of `kept` elements; returns whether anything is left."""
    rows = [each for each in node.kids if isinstance(each, Node) and each.role == "TR"]
    spanned = any("RowSpan" in cell.own.get("Table", {}) for row in rows for cell in row.kids if isinstance(cell, Node))
    left = [
        each
        for each in node.kids
        if isinstance(each, Run) or prune(each, kept) or each.role in _CELLS - {"TR"} or (each.role == "TR" and spanned)
    ]
    node.kids = left
    if node.role in _CELLS or node.role in _PARTS:
        return any(_matters(each, kept) for each in node.within())
    return bool(left) or _matters(node, kept)


def _matters(node: Node, kept: frozenset[Element]) -> bool:
    return any(isinstance(each, Run) for each in node.kids) or (node.role == "Link" and node.element in kept)
