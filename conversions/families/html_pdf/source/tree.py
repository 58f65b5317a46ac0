"""The tree of a page, and how to walk it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from xml.dom.minidom import Document, Node

Element: TypeAlias = Any
"""An element of the tree; minidom's own types leave open what every walk knows."""


@dataclass
class Page:
    """A page as the layout needs it: its tree, its style sheets in order, and what its elements are called."""

    document: Document
    sheets: list[str] = field(default_factory=list)
    tables: list[Element] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    base: str = ""
    characters: int = 0
    moved: list[Element] = field(default_factory=list)


def rows_of(table: Element) -> Iterator[Element]:
    """The rows of a table, without those of the tables in it."""
    for child in table.childNodes:
        if child.nodeType == Node.ELEMENT_NODE:
            if child.tagName == "tr":
                yield child
            elif child.tagName in ("thead", "tbody", "tfoot"):
                yield from rows_of(child)


def text_of(element: Element) -> str:
    """All text in an element."""
    parts = []
    stack: list[Any] = [element]
    while stack:
        node = stack.pop()
        if node.nodeType == Node.TEXT_NODE:
            parts.append(node.data)
        stack.extend(reversed(node.childNodes))
    return "".join(parts)
