"""Keep the attributes of a feed's elements, and name those that have no place in a record.

Those of a known element stand beside its value, as in `"id.isPermaLink": "false"`, and for several values in a list
that is as long, as in `"enclosures.type": ["audio/mpeg", null]`. Other elements have an object `attributes`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any
from xml.etree.ElementTree import Element

from engine.toolkit.warnings import Kind, Warn

Record = dict[str, Any]

ADDRESSES = {
    "media:thumbnail": "url", "media:content": "url", "media:player": "url", "itunes:image": "href",
}  # fmt: skip
"""Elements of other vocabularies whose value is an attribute."""
BY_ADDRESS = ("url", "href", "resource", "src")
"""Attributes that are the value of an element without text."""
MOST_NAMES = 20
"""Different attributes of the values in one list; each of them takes as much room as the list."""
_LOST = Kind("METADATA_DROPPED", "Attributes of the feed's elements are not in the output: {count}{places}.")
_NOTATION = frozenset({"xml:space", "parseType", "rdf:parseType", "version"})
"""Attributes that only control how an element is parsed."""
_MARKUP_TYPES = frozenset({"text", "html", "xhtml", "text/plain", "text/html"})
_XML = "http://www.w3.org/XML/1998/namespace"


class Attributes:
    """The attributes that are in no record."""

    def __init__(self, spaces: dict[str, str]) -> None:
        self._spaces = spaces
        self._lost: list[tuple[str, str]] = []

    def of(self, element: Element, without: Iterable[str] = ()) -> dict[str, str]:
        """Return the attributes of an element, except those of notation and those named."""
        found: dict[str, str] = {}
        for attribute, value in element.items():
            name, given = self.name(attribute), value.strip()
            is_of_text = name == "type" and given in _MARKUP_TYPES and _local(element) != "link"
            is_notation = name in _NOTATION or is_of_text
            if given and not is_notation and name not in without and found.setdefault(name, given) != given:
                self._lost.append((f"{_local(element)} {name}", given))
        return found

    def name(self, attribute: str) -> str:
        """The name of an attribute with the usual prefix of its vocabulary."""
        space, _, name = attribute.rpartition("}")
        space = space.lstrip("{")
        return f"xml:{name}" if space == _XML else self._spaces.get(space, "") + name

    def put(self, record: Record, key: str, given: list[dict[str, str]], *, many: bool) -> None:
        """Put attributes beside the value of a key, or lists of them beside several values."""
        names = [*dict.fromkeys(name for each in given for name in each)]
        for name in names[:MOST_NAMES] if many else names:
            record[f"{key}.{name}"] = [each.get(name) for each in given] if many else given[0][name]
        if many and len(names) > MOST_NAMES:
            kept = {*names[:MOST_NAMES]}
            self._lost += (
                (f"{key} {name}", value) for each in given for name, value in each.items() if name not in kept
            )

    def lose(self, elements: Iterable[Element], names: Collection[str] = ()) -> None:
        """Count the attributes of elements that are in no record, or those of these names."""
        for each in elements:
            given = self.of(each).items()
            self._lost += ((f"{_local(each)} {name}", value) for name, value in given if not names or name in names)

    def tell(self, warn: Warn) -> None:
        """Warn of the lost ones."""
        warn.tally(_LOST, len(self._lost), (f"{place}={value[:60]}" for place, value in self._lost))
        warn.leave_out(value for _, value in self._lost)


def joined(given: dict[str, str]) -> str:
    """The attributes of an element that has nothing else, as its value."""
    return "; ".join(f"{name.rpartition(':')[2]}={value}" for name, value in given.items())


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]
