"""Build a Word document in memory from another format."""

from __future__ import annotations

from collections import Counter
from types import TracebackType
from typing import Any

from lxml import etree

from engine.families.documents.ooxml.package import Element, Package, Relation
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MAIN = "main"


def element(name: str, /, **attributes: Any) -> Element:
    """A new WordprocessingML element with these attributes."""
    made = etree.Element(W + name)
    for key, value in attributes.items():
        made.set(W + key, str(value))
    return made


def add(parent: Element, name: str, /, **attributes: Any) -> Element:
    """Append a new WordprocessingML element to another."""
    made = etree.SubElement(parent, W + name)
    for key, value in attributes.items():
        made.set(W + key, str(value))
    return made


class Made(Package):
    """Parts by name, as elements or bytes; `found` counts what WordprocessingML can't express."""

    def __init__(self) -> None:
        self._elements: dict[str, Element] = {}
        self._bytes: dict[str, bytes] = {}
        self._relations: dict[str, dict[str, Relation]] = {"": {}, MAIN: {}}
        self._known: dict[tuple[str, Relation], str] = {}
        self.names = frozenset()
        self.found: Counter[Kind] = Counter()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    def put(self, name: str, content: Element | bytes, *, source: str | None = None, kind: str = "") -> str:
        """Add a part, and return the id of the relationship from the part `source` to it."""
        if isinstance(content, bytes):
            self._bytes[name] = content
        else:
            self._elements[name] = content
        return "" if source is None else self.relate(source, kind, name)

    def relate(self, part: str, kind: str, target: str, *, external: bool = False) -> str:
        """The id of a relationship of a part; the same target has the same id."""
        relation = Relation(kind, target, external)
        if (part, relation) not in self._known:
            relations = self._relations.setdefault(part, {})
            self._known[part, relation] = f"rId{len(relations) + 1}"
            relations[self._known[part, relation]] = relation
        return self._known[part, relation]

    def close(self) -> None:
        """Finish: all parts have been added."""
        self.names = frozenset((*self._elements, *self._bytes))

    def read(self, name: str) -> bytes:
        if name not in self._bytes:
            raise Unreadable(say("The file is damaged: its part {name} is missing.", name=name[:80]), reason="damaged")
        return self._bytes[name]

    def xml(self, name: str) -> Element:
        if name not in self._elements:
            raise Unreadable(say("The file is damaged: its part {name} is missing.", name=name[:80]), reason="damaged")
        return self._elements[name]

    def relations(self, name: str) -> dict[str, Relation]:
        return self._relations.get(name, {})
