"""The inherited properties of an element in a drawing that affect the cost of drawing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from engine.families.images.drawings import outlines, values

_OWN = frozenset(("transform", "fill", "stroke", "stroke-width", "font-size"))


class State(NamedTuple):
    """The inherited state of an element: the area of its unit square in the root's units, whether it is neither moved
    nor rotated, how often it is drawn, its paints, and its line width and font size."""

    scale: float = 1.0
    straight: bool = True
    times: float = 1.0
    fill: str = ""
    stroke: str = ""
    line: float = 1.0
    letter: float = 16.0
    chain: tuple[Element, ...] = ()
    """The references followed so far: one that leads back to itself is not drawn."""

    def referred(self, element: Element, times: float = 1.0) -> State:
        """The state of an element that is drawn because something refers to it."""
        return State(self.scale, False, self.times * times, chain=(*self.chain, element))

    def within(self, declared: Mapping[str, str]) -> State:
        """The state inside an element with these declarations."""
        if _OWN.isdisjoint(declared):
            return self
        text = declared.get("transform", "")
        turned = outlines.transform(text) if text else (1.0, 0.0, 0.0, 1.0)
        return State(
            self.scale * abs(turned[0] * turned[3] - turned[1] * turned[2]),
            self.straight and not text,
            self.times,
            declared.get("fill", self.fill),
            declared.get("stroke", self.stroke),
            length(declared.get("stroke-width", ""), self.line),
            length(declared.get("font-size", ""), self.letter),
            self.chain,
        )


def length(text: str, usual: float) -> float:
    """The first number of a value, without its sign."""
    found = values.numbers(text)
    return abs(found[0]) if found else usual
