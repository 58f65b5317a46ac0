"""Build the structure tree of a page from its elements and what is drawn of them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field

from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.tagged import lists, tables
from engine.families.html_pdf.tagged.drawn import Run
from engine.families.html_pdf.tagged.nodes import FLOWING, Node
from engine.families.html_pdf.tagged.placing import Found, Placed
from engine.families.html_pdf.tagged.roles import INLINE, language_of, level_of, role_of

_WITHIN_LIST = frozenset(("li", "dt", "dd"))


@dataclass
class Built:
    """The tree of a page, and what its author sets aside from it."""

    root: Node
    decorative: list[Run] = field(default_factory=list)


def built(root: Element, found: Found, linked: Set[Element]) -> Built:
    """The tree of a page's body; `linked` are the elements with links on the pages."""
    builder = _Builder(found, linked)
    body = root.find("body")
    builder.visit(body)
    return builder.made


class _Builder:
    def __init__(self, found: Found, linked: Set[Element]) -> None:
        self._found, self._linked = found, linked
        self.made = Built(Node("Document"))
        self._path = [self.made.root]
        self._paragraph: Node | None = None
        self._around: list[tuple[Element, str]] = []
        """The elements in a line, such as links, within which the next text is, with their roles."""
        self._opened: list[tuple[Element, Node]] = []
        """Those of them that the text before is within, too."""

    def visit(self, element: Element) -> None:
        if not isinstance(element.tag, str) or element.tag in ("style", "title", "script", "template"):
            return
        role = (element.get("role") or "").strip().lower()
        if (element.get("aria-hidden") or "").strip().lower() == "true":
            self._set_aside(element)
        elif element.tag in ("img", "svg"):
            self._picture(element, role)
        elif element.tag in INLINE and role != "heading":
            self._inline(element)
        else:
            self._block(element, role)

    def _set_aside(self, element: Element) -> None:
        for each in element.iter():
            own = self._found.elements.get(each)
            if own is not None:
                self.made.decorative += [
                    *own.label,
                    *own.picture,
                    *(run for runs in own.texts.values() for run in runs),
                ]

    def _picture(self, element: Element, role: str) -> None:
        own = self._found.elements.get(element)
        if own is None or not own.picture:
            return
        if role in ("presentation", "none") or (element.tag == "img" and element.get("alt") == ""):
            self.made.decorative += own.picture
            return
        place = self._path[-1] if self._paragraph is None and not self._around else self._line()
        if place.role not in FLOWING and place.role in ("L", "Table", "TR", "THead", "TBody", "TFoot"):
            place = self._line()
        figure = place.add("Figure", element)
        figure.kids += own.picture

    def _inline(self, element: Element) -> None:
        language = language_of(element)
        is_formula = element.get("role") == "math" and bool(element.get("aria-label"))
        role = "Link" if element in self._linked else "Formula" if is_formula else "Span" if language else None
        if role:
            self._around.append((element, role))
        if element.tag == "br":
            return
        self._content(element)
        if role:
            if role == "Link" and not any(own is element for own, _ in self._opened):
                self._line()
            self._around.pop()
            self._opened = [each for each in self._opened if each[0] is not element]

    def _content(self, element: Element) -> None:
        own = self._found.elements.get(element, Placed())
        self._add(own.texts.get(0, ()))
        for number, child in enumerate(element, 1):
            self.visit(child)
            self._add(own.texts.get(number, ()))

    def _add(self, runs: list[Run] | tuple[()]) -> None:
        if runs:
            self._line().kids += runs

    def _line(self) -> Node:
        """The element that gets the next text, in a paragraph if nothing else is there for it."""
        place = self._path[-1]
        if place.role not in FLOWING:
            if self._paragraph is None:
                self._paragraph = self._grouping().add("P")
                self._opened = []
            place = self._paragraph
        wanted = [element for element, _ in self._around]
        while self._opened and [each for each, _ in self._opened] != wanted[: len(self._opened)]:
            self._opened.pop()
        place = self._opened[-1][1] if self._opened else place
        for element, role in self._around[len(self._opened) :]:
            place = place.add(role, element)
            if role == "Span":
                place.language = language_of(element)
            elif role == "Formula":
                place.alt = element.get("aria-label")
            self._opened.append((element, place))
        return place

    def _grouping(self) -> Node:
        """The innermost element that may have a paragraph."""
        node = self._path[-1]
        if node.role == "L":
            return node.add("LI").add("LBody")
        if node.role == "LI":
            return node.add("LBody")
        return next(
            each for each in reversed(self._path) if each.role not in ("Table", "THead", "TBody", "TFoot", "TR", "L")
        )

    @contextmanager
    def _within(self, *nodes: Node) -> Iterator[None]:
        """Build inside of elements; texts before and after are in other paragraphs."""
        self._path += nodes
        self._paragraph, self._opened = None, []
        yield
        del self._path[len(self._path) - len(nodes) :]
        self._paragraph, self._opened = None, []

    def _block(self, element: Element, role: str) -> None:
        tag = element.tag
        kind = role_of(element, role)
        if role == "doc-toc":
            self._inside("TOC", element)
        elif tag == "tr" and self._path[-1].role == "TOC":
            self._inside("TOCI", element)
        elif tag == "table" and tables.is_data(element):
            self._table(element)
        elif tag in _WITHIN_LIST:
            self._item(element)
        elif role == "listitem" and len(element) and "data-label" in element[0].attrib:
            self._labelled(element)
        elif kind is None and language_of(element):
            self._inside("Div", element)
        elif kind is None:
            with self._within():
                self._content(element)
        else:
            self._inside(kind, element)

    def _inside(self, role: str, element: Element) -> Node:
        place = self._path[-1]
        if place.role in ("L", "LI", "Table", "THead", "TBody", "TFoot", "TR") and not (place.role == "L" == role):
            place = self._grouping() if role != "Caption" else place
        node = place.add(role, element)
        node.language = language_of(element)
        with self._within(node):
            self._content(element)
        return node

    def _item(self, element: Element) -> None:
        place = self._path[-1]
        if place.role != "L":
            place = lists.at_level(place, 1)
        last = place.kids[-1] if place.kids else None
        before = last.element if isinstance(last, Node) and last.role == "LI" else None
        if isinstance(last, Node) and element.tag == "dd" and before is not None and before.tag in ("dt", "dd"):
            item = last
        else:
            item = place.add("LI", element)
        item.language = item.language or language_of(element)
        own = self._found.elements.get(element, Placed())
        if own.label:
            item.add("Lbl").kids += own.label
            text = "".join(each.text for each in own.label)
            lists.number(place, text)
        with self._within(item, item.add("Lbl" if element.tag == "dt" else "LBody")):
            self._content(element)

    def _labelled(self, element: Element) -> None:
        """A paragraph with a label, which is an item of a list at its level."""
        place = lists.at_level(self._path[-1], level_of(element, 1))
        item = place.add("LI", element)
        own = self._found.elements.get(element, Placed())
        label = item.add("Lbl")
        with self._within(item, label):
            self.visit(element[0])
        lists.number(place, label.text())
        with self._within(item, item.add("LBody")):
            for number, child in enumerate(element, 1):
                if number > 1:
                    self.visit(child)
                self._add(own.texts.get(number, ()))

    def _table(self, element: Element) -> None:
        place = self._path[-1] if self._path[-1].role not in ("L", "LI", "TR", "Table") else self._grouping()
        table = place.add("Table", element)
        table.language = language_of(element)
        with self._within(table):
            for child in element:
                if child.tag in ("thead", "tbody", "tfoot"):
                    part = table.add({"thead": "THead", "tbody": "TBody", "tfoot": "TFoot"}[child.tag], child)
                    with self._within(part):
                        for row in child:
                            self._row(row)
                else:
                    self._row(child)
        tables.arrange(table)

    def _row(self, element: Element) -> None:
        if element.tag != "tr":
            self.visit(element)
            return
        row = self._path[-1].add("TR", element)
        with self._within(row):
            for cell in element:
                if cell.tag not in ("td", "th"):
                    self.visit(cell)
                    continue
                node = row.add(cell.tag.upper(), cell)
                node.language = language_of(cell)
                with self._within(node):
                    self._content(cell)
