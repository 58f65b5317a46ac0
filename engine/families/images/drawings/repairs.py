"""Rewrite what the engine rejects or ignores and browsers accept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from engine.families.images.drawings import references, values
from engine.families.images.drawings.references import HREFS
from engine.families.images.drawings.styles import name_of
from engine.toolkit.failures import OverLimit

MAX_SHARED = 50_000
"""The maximum filter primitives copied to other filters."""

_NUMBER = r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?+"
_SEPARATOR = r"(?:\s++,?\s*+|,\s*+|(?=[-+]))"
_TRANSFORM = re.compile(
    rf"\s*+(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*+\(\s*+{_NUMBER}(?:{_SEPARATOR}{_NUMBER}){{0,5}}\s*+\)\s*+,?\s*+)*+"
)
_POINT = re.compile(rf"\s*+,?\s*+({_NUMBER})")
_SERVERS = {
    "linearGradient": {"linearGradient", "radialGradient"},
    "radialGradient": {"linearGradient", "radialGradient"},
    "pattern": {"pattern"},
}
"""Paint servers that inherit from another one, and the types that may be."""
_OF_GROUPS = ("opacity", "filter", "mask", "clip-path", "mix-blend-mode", "isolation")
_OF_FILTERS = ("x", "y", "width", "height", "filterUnits", "primitiveUnits")
_SIDEWAYS = {"vertical-lr": "tb", "sideways-rl": "tb", "sideways-lr": "tb"}


def repair_references(root: Element) -> None:
    """Remove dead references from paints, and copy inherited primitives into filters.

    Raises OverLimit for filters that take more than MAX_SHARED primitives from each other.
    """
    by_id = references.by_id(root)
    shared = 0
    for element in root.iter():
        name = name_of(element)
        if name in _SERVERS:
            _mend_paint(element, name, by_id)
        elif name == "mask":
            element.attrib.pop("transform", None)
        elif name in ("polygon", "polyline"):
            element.set("points", _pairs(element.get("points", "")))
        elif name == "filter":
            shared += _fill_filter(element, by_id)
            if shared > MAX_SHARED:
                raise OverLimit("timeout", "The drawing's filters refer to each other too often.")
        if element.get("writing-mode") in _SIDEWAYS:
            element.set("writing-mode", _SIDEWAYS[element.get("writing-mode", "")])


def _mend_paint(element: Element, name: str, by_id: Mapping[str, Element]) -> None:
    transform = "patternTransform" if name == "pattern" else "gradientTransform"
    if transform in element.attrib and not _TRANSFORM.fullmatch(element.attrib[transform][: values.MAX_VALUE]):
        del element.attrib[transform]
    if _target(element) is not None and not _ends(element, _SERVERS[name], by_id):
        _unlink(element)


def _target(element: Element) -> str | None:
    return next((element.attrib[key].strip()[1:] for key in HREFS if key in element.attrib), None)


def _unlink(element: Element) -> None:
    for key in HREFS:
        element.attrib.pop(key, None)


def _chain(element: Element, by_id: Mapping[str, Element]) -> Iterator[Element | None]:
    """The chain of references from an element; ends with None if one is missing or repeated."""
    seen = {element}
    at = element
    while (target := _target(at)) is not None:
        next_ = by_id.get(target)
        if next_ is None or next_ in seen:
            yield None
            return
        yield next_
        seen.add(next_)
        at = next_


def _ends(element: Element, able: set[str], by_id: Mapping[str, Element]) -> bool:
    """Whether an element's reference is to a type that it can inherit from, and not part of a cycle."""
    first = next(_chain(element, by_id), None)
    if first is None or name_of(first) not in able:
        return False
    return all(each is not None or _target(element) is None for each in _short(_chain(element, by_id)))


def _short(chain: Iterator[Element | None]) -> Iterator[Element | None]:
    for _, each in zip(range(50), chain, strict=False):
        yield each


def _fill_filter(element: Element, by_id: Mapping[str, Element]) -> int:
    """Copy to a filter the primitives of the one it references (SVG 1.1, 15.3); return their number."""
    if _target(element) is None:
        return 0
    own = bool(len(element))
    shared = 0
    for other in _short(_chain(element, by_id)):
        if other is None or name_of(other) != "filter":
            break
        for key in _OF_FILTERS:
            if key in other.attrib:
                element.attrib.setdefault(key, other.attrib[key])
        if not own and len(other):
            element.extend(list(other))
            shared, own = len(other), True
    _unlink(element)
    return shared


def _pairs(points: str) -> str:
    """The points up to the first invalid one, where drawing ends (SVG 2, 9.7)."""
    found = []
    at = 0
    while match := _POINT.match(points, at):
        found.append(match[1])
        at = match.end()
    return " ".join(found[: len(found) // 2 * 2])


def move_group_properties(root: Element) -> None:
    """Move group properties of a symbol or of the root, such as opacity, to a group inside of it."""
    for whole in [each for each in root.iter() if each is root or name_of(each) == "symbol"]:
        styled = values.declarations(whole.get("style", ""))
        moved = "; ".join(f"{key}: {value}" for key, value, _ in styled if key in _OF_GROUPS)
        attributes = {key: whole.attrib.pop(key) for key in _OF_GROUPS if key in whole.attrib}
        if not moved and not attributes:
            continue
        inside = Element(f"{whole.tag.removesuffix(name_of(whole))}g", attributes | ({"style": moved} if moved else {}))
        inside.extend(list(whole))
        for child in list(whole):
            whole.remove(child)
        whole.append(inside)
        if moved:
            whole.set("style", "; ".join(f"{key}: {value}" for key, value, _ in styled if key not in _OF_GROUPS))
