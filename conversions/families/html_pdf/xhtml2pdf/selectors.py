"""How style rules see an element: its place among its siblings, counted once a parent, and what it inherits."""

from __future__ import annotations

from typing import Any
from xml.dom.minidom import Node

from xhtml2pdf.w3c.cssDOMElementInterface import CSSDOMElementInterface


class Siblings:
    """The element children of one parent: all of them, those of each name, and the place of each in both."""

    def __init__(self, parent: Node) -> None:
        self.all = [child for child in parent.childNodes if child.nodeType == Node.ELEMENT_NODE]
        self.named: dict[str, list[Node]] = {}
        self.place: dict[int, tuple[int, int]] = {}
        for at, child in enumerate(self.all):
            same = self.named.setdefault(child.tagName, [])
            self.place[id(child)] = at, len(same)
            same.append(child)


def _siblings(element: Any) -> Siblings | None:
    parent = element.parentNode
    if parent is None:
        return None
    if not hasattr(parent, "siblings"):
        parent.siblings = Siblings(parent)
    return parent.siblings  # type: ignore[no-any-return]


def sibling_elements(self: Any, *, same_type: bool) -> list[Any]:
    siblings = _siblings(self.domElement)
    if siblings is None:
        return [self.domElement]
    return siblings.named.get(self.domElement.tagName, []) if same_type else siblings.all


def index_among_siblings(self: Any, *, same_type: bool) -> int:
    siblings = _siblings(self.domElement)
    return 1 if siblings is None else siblings.place[id(self.domElement)][same_type] + 1


def element_position(element: Any) -> int:
    siblings = _siblings(element)
    return 0 if siblings is None else siblings.place[id(element)][0]


class Interface:
    """The engine's view of an element, made when it is first asked for.

    The engine itself makes none for an element whose styles it has in its cache, and then fails for a child that
    inherits one of them by name.
    """

    def __get__(self, element: Any, owner: type | None = None) -> Any:
        if element is None:
            return self
        element.cssElement = CSSDOMElementInterface(element)
        return element.cssElement


interface = Interface()
