"""Expand internal XML entities, which drawing programs write, within limits; external ones are never loaded."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import EntitiesForbidden
from defusedxml.ElementTree import DefusedXMLParser

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MAX_ENTITIES = 1_000
MAX_EXPANDED = 10_000_000
"""The most characters that all entity references may expand to, and that one of them may."""

_AMPLIFIED = 43
"""The limit of the parser itself was exceeded (expat.h, XML_ERROR_AMPLIFICATION_LIMIT_BREACH)."""

_REFERENCE = re.compile(r"&([^#;&\s][^;&\s]*);")


def expanded(data: bytes, *, elements: int) -> Element:
    """The root of a document with its internal entities (XML 1.0, 4.2.1) expanded.

    Raises EntitiesForbidden for external or recursive entities; OverLimit if the expansion exceeds MAX_EXPANDED
    characters or the document has more than `elements` elements; ParseError if it is not well-formed.
    """
    parser = _Parser(len(data), elements)
    try:
        parser.feed(data)
        root = parser.close()
    except ParseError as error:
        if error.code == _AMPLIFIED:
            raise _too_long() from error
        raise
    assert isinstance(root, Element)
    return root


class _Parser(DefusedXMLParser):  # type: ignore[misc]
    """Collects entity declarations and checks them before the first element."""

    def __init__(self, size: int, elements: int) -> None:
        self._values: dict[str, str] = {}
        builder = _Builder(size + MAX_EXPANDED, elements, self._judge)
        super().__init__(target=builder, forbid_dtd=False, forbid_entities=True, forbid_external=True)

    def defused_entity_decl(
        self, name: str, parameter: bool, value: str | None, base: Any, system: Any, public: Any, notation: Any
    ) -> None:
        if parameter or value is None or len(self._values) >= MAX_ENTITIES:
            raise EntitiesForbidden(name, value, base, system, public, notation)
        self._values.setdefault(name, value)

    def _judge(self) -> None:
        lengths: dict[str, int] = {}
        for name in self._values:
            self._length(name, lengths, frozenset())

    def _length(self, name: str, lengths: dict[str, int], around: frozenset[str]) -> int:
        """The number of characters an entity expands to, counting each reference as at least one."""
        if name in around or len(around) > 50:
            raise EntitiesForbidden(name, None, None, None, None, None)
        if name not in lengths:
            value = self._values.get(name, "")
            inner = (self._length(each, lengths, around | {name}) for each in _REFERENCE.findall(value))
            lengths[name] = len(value) + 1 + sum(inner)
            if lengths[name] > MAX_EXPANDED:
                raise _too_long()
        return lengths[name]


class _Builder(TreeBuilder):
    """Builds a tree with a limited number of characters and elements."""

    def __init__(self, room: int, elements: int, judge: Callable[[], None]) -> None:
        super().__init__()
        self._room = room
        self._elements = elements
        self._judge: Callable[[], None] | None = judge

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        if self._judge is not None:
            self._judge()
            self._judge = None
        self._elements -= 1
        if self._elements < 0:
            raise OverLimit("timeout", "The file has too many elements after its entities are expanded.")
        self._take(len(tag) + sum(len(name) + len(value) for name, value in attrs.items()))
        return super().start(tag, attrs)

    def data(self, data: str) -> None:
        self._take(len(data))
        super().data(data)

    def _take(self, length: int) -> None:
        self._room -= length
        if self._room < 0:
            raise _too_long()


def _too_long() -> OverLimit:
    return OverLimit(
        "memory",
        say("The file's entities expand to more than {max_expanded} characters.", max_expanded=MAX_EXPANDED),
    )
