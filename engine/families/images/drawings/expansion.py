"""Count what a drawing takes with its markers, paints and references expanded, and refuse too much of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from engine.families.images.drawings import references
from engine.families.images.drawings.references import HREFS, MAX_DRAWN, urls
from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say

MOST_FOLLOWED = 500
"""The maximum depth of elements, references included; the time for chains of `use` is the square of their length."""
_GRADIENT = 6
"""The elements that a gradient counts as, for each shape: in a PDF 15,000 shapes with one of two stops take 4 s, and
90,000 stops more 3 s."""

_PAINTS = ("fill", "stroke")
_MARKERS = ("marker-start", "marker-mid", "marker-end")
_GROUPS = (("mask", "mask"), ("clip-path", "clipPath"), ("filter", "filter"))
_SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))
_SERVERS = frozenset(("linearGradient", "radialGradient", "pattern"))
_REFERRED = frozenset(("defs", "mask", "clipPath", "marker", "symbol", "filter", *_SERVERS))
"""Elements that are drawn only by reference."""
_OWN = frozenset(("style", "marker", *_PAINTS, *_MARKERS))

_COMMAND = re.compile(r"([MmLlTtHhVvCcSsQqAaZz])([^MmLlTtHhVvCcSsQqAaZz]*)")
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d+)?")
_ARGUMENTS = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "a": 5}
"""The numbers for each vertex (SVG 2, 9.3); the flags of an arc may be written in one with what follows."""


class _At(NamedTuple):
    element: Element
    depth: int = 1
    times: int = 1
    inherited: Mapping[str, str] = {}
    chain: tuple[Element, ...] = ()
    """The references followed so far: one that leads back to itself is not drawn."""

    def child(self, element: Element, inherited: Mapping[str, str]) -> _At:
        return self._replace(element=element, depth=self.depth + 1, inherited=inherited)

    def referred(self, element: Element, times: int = 1, inherited: Mapping[str, str] | None = None) -> _At:
        return _At(element, self.depth + 1, self.times * times, inherited or {}, (*self.chain, element))


def check(root: Element, already: int = 0) -> int:
    """The number of elements of a drawing as they are drawn, and of `already` drawn ones.

    The contents of a marker count for each vertex that has one, those of a paint for each shape. Raises OverLimit for
    more than MAX_DRAWN, and Unreadable for elements more than MOST_FOLLOWED deep.
    """
    by_id = references.by_id(root)
    servers: dict[Element, int] = {}
    drawn = already
    left = [_At(root)]
    while left:
        at = left.pop()
        if at.depth > MOST_FOLLOWED:
            raise too_deep()
        element = at.element
        declared = {**element.attrib, **styled(element)} if "style" in element.attrib else element.attrib
        inherited = at.inherited if _OWN.isdisjoint(declared) else _within(at.inherited, declared)
        drawn += at.times
        for next_ in _referred(at, declared, inherited, by_id):
            if name_of(next_.element) not in _SERVERS:
                left.append(next_)
                continue
            if next_.element not in servers:
                servers[next_.element] = _server(next_.element, by_id)
            drawn += servers[next_.element] * next_.times
            left += [next_.child(child, {}) for child in next_.element if name_of(child) != "stop"]
        left += [at.child(child, inherited) for child in element if name_of(child) not in _REFERRED]
        if drawn > MAX_DRAWN:
            raise references.too_many()
    return drawn


def too_deep() -> Unreadable:
    return Unreadable(
        say("The SVG's elements are nested more than {max_depth} deep.", max_depth=MOST_FOLLOWED), reason="limit"
    )


def _within(inherited: Mapping[str, str], declared: Mapping[str, str]) -> Mapping[str, str]:
    """The paints and markers that the children of an element inherit."""
    every = dict.fromkeys(_MARKERS, declared["marker"]) if "marker" in declared else {}
    own = {key: declared[key] for key in (*_PAINTS, *_MARKERS) if declared.get(key, "inherit") != "inherit"}
    return {**inherited, **every, **own}


def _referred(
    at: _At, declared: Mapping[str, str], inherited: Mapping[str, str], by_id: Mapping[str, Element]
) -> Iterator[_At]:
    """What is drawn by reference for an element itself."""
    name = name_of(at.element)
    if name == "use":
        target = _target(at.element, by_id)
        if target is not None and target not in at.chain:
            yield at.referred(target, inherited=inherited)
    found: list[tuple[str, tuple[str, ...], int]] = [(declared.get(key, ""), (kind,), 1) for key, kind in _GROUPS]
    if name in _SHAPES or name in ("text", "tspan"):
        found += [(inherited.get(key, ""), tuple(_SERVERS), 1) for key in _PAINTS]
    if name in _SHAPES and any("url(" in inherited.get(key, "") for key in _MARKERS):
        vertices = (1, _vertices(at.element), 1)
        found += [(inherited.get(key, ""), ("marker",), each) for key, each in zip(_MARKERS, vertices, strict=True)]
    for value, kinds, times in found:
        for match in urls(value) if "url(" in value else ():
            each = by_id.get(match["address"].strip()[1:])
            if each is not None and name_of(each) in kinds and each not in at.chain:
                yield at.referred(each, times)


def _target(element: Element, by_id: Mapping[str, Element]) -> Element | None:
    name = next((element.get(key, "").strip()[1:] for key in HREFS if key in element.attrib), "")
    return by_id.get(name) if name else None


def _vertices(shape: Element) -> int:
    """The vertices of a shape, at least."""
    if "points" in shape.attrib:
        return len(_NUMBER.findall(shape.get("points", ""))) // 2
    return sum(
        max(len(_NUMBER.findall(numbers)) // _ARGUMENTS.get(command.lower(), 1), 1)
        for command, numbers in _COMMAND.findall(shape.get("d", ""))
    )


def _server(server: Element, by_id: Mapping[str, Element]) -> int:
    """What a gradient or pattern takes besides the contents of the pattern: stops, and those it inherits them from."""
    total = 0
    seen: set[Element] = set()
    at: Element | None = server
    while at is not None and at not in seen and len(seen) <= MOST_FOLLOWED:
        seen.add(at)
        total += len(at) + _GRADIENT
        at = _target(at, by_id)
    if len(seen) > MOST_FOLLOWED:
        raise too_deep()
    return total
