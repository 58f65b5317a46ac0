"""A Word document made in memory of what another format said, for the one reader that knows how pages look."""

from __future__ import annotations

from collections import Counter
from types import TracebackType
from typing import Any

from lxml import etree

from conversions.families.documents.ooxml.package import Element, Package, Relation
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Kind

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MAIN = "main"


def element(name: str, /, **said: Any) -> Element:
    """A new element of WordprocessingML; `said` are its attributes."""
    made = etree.Element(W + name)
    for key, value in said.items():
        made.set(W + key, str(value))
    return made


def add(parent: Element, name: str, /, **said: Any) -> Element:
    """A new element of WordprocessingML at the end of another."""
    made = etree.SubElement(parent, W + name)
    for key, value in said.items():
        made.set(W + key, str(value))
    return made


class Made(Package):
    """Parts by name, either elements or bytes; `found` counts what could not be said in WordprocessingML."""

    def __init__(self) -> None:
        self._elements: dict[str, Element] = {}
        self._bytes: dict[str, bytes] = {}
        self._relations: dict[str, dict[str, Relation]] = {"": {}, MAIN: {}}
        self._known: dict[tuple[str, Relation], str] = {}
        self.names = frozenset()
        self.found: Counter[Kind] = Counter()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    def put(self, name: str, content: Element | bytes, *, of: str | None = None, kind: str = "") -> str:
        """Add a part, and a relationship of the part `of` to it; gives the id of that."""
        if isinstance(content, bytes):
            self._bytes[name] = content
        else:
            self._elements[name] = content
        return "" if of is None else self.relate(of, kind, name)

    def relate(self, part: str, kind: str, target: str, *, external: bool = False) -> str:
        """The id of a relationship of a part, the same for the same target."""
        relation = Relation(kind, target, external)
        if (part, relation) not in self._known:
            relations = self._relations.setdefault(part, {})
            self._known[part, relation] = f"r{len(relations) + 1}"
            relations[self._known[part, relation]] = relation
        return self._known[part, relation]

    def close(self) -> None:
        """All parts are there."""
        self.names = frozenset((*self._elements, *self._bytes))

    def read(self, name: str) -> bytes:
        if name not in self._bytes:
            raise Unreadable(f"The file is damaged: its part {name[:80]} is missing.")
        return self._bytes[name]

    def xml(self, name: str) -> Element:
        if name not in self._elements:
            raise Unreadable(f"The file is damaged: its part {name[:80]} is missing.")
        return self._elements[name]

    def relations(self, name: str) -> dict[str, Relation]:
        return self._relations.get(name, {})
