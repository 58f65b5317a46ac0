"""The characters of a text with the position attributes that apply to each (SVG 1.1, 10.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from engine.families.images.drawings.styles import name_of
from engine.families.images.drawings.text_measurement import TextStyle, advance, clusters, kerning, length

SPANS = frozenset(("tspan", "textPath", "a"))
_SPACES = " \t\r\n"
_SEPARATOR = re.compile(r"[\s,]+")
_WHOLE = {"x": 0, "y": 1, "dx": 0, "dy": 1}


@dataclass
class Character:
    """A character with its attributes: `spans` are the elements around it within its text, `x` to `rotate` its position
    attributes.

    `left`, `top`, `turn` (degrees) and `scale` are its final position, `width` its own width, `kerning` is added before
    the next character, and `advance` is the distance to that.
    """

    text: str
    spans: tuple[Element, ...]
    style: TextStyle
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    rotate: float = 0.0
    width: float = 0.0
    kerning: float = 0.0
    left: float = 0.0
    top: float = 0.0
    turn: float = 0.0
    scale: float = 1.0
    hidden: bool = False

    @property
    def advance(self) -> float:
        spacing = self.style.letter_spacing + (self.style.word_spacing if self.text == " " else 0.0)
        return (self.width + self.kerning + spacing) * self.scale

    @property
    def path(self) -> Element | None:
        """The enclosing textPath."""
        return next((each for each in self.spans if name_of(each) == "textPath"), None)


@dataclass(frozen=True)
class _Char:
    char: str
    spans: tuple[Element, ...]
    style: TextStyle


def characters(text: Element, style: TextStyle, view: tuple[float, float]) -> list[Character]:
    """The characters of a text in document order; percentages refer to `view`."""
    chars = list(_collapsed(_chars(text, (), style)))
    positions: list[dict[str, float]] = [{} for _ in chars]
    for element in [each for each in text.iter() if each is text or name_of(each) in SPANS]:
        own = [at for at, char in enumerate(chars) if element is text or element in char.spans]
        for name in ("x", "y", "dx", "dy", "rotate"):
            values = [each for each in _SEPARATOR.split((element.get(name) or "").strip()) if each]
            if name == "rotate" and values:
                values += values[-1:] * (len(own) - len(values))
            for at, value in zip(own, values, strict=False):
                whole = view[_WHOLE.get(name, 0)]
                positions[at][name] = length(value, chars[at].style.size, whole)
    found: list[Character] = []
    at = 0
    for cluster in clusters("".join(each.char for each in chars)):
        char = chars[at]
        letter = Character(cluster, char.spans, char.style, width=advance(cluster, char.style))
        letter.x, letter.y = positions[at].get("x"), positions[at].get("y")
        letter.dx, letter.dy = positions[at].get("dx", 0.0), positions[at].get("dy", 0.0)
        letter.rotate = positions[at].get("rotate", 0.0)
        if found and _is_beside(found[-1], letter):
            found[-1].kerning = kerning(found[-1].text, cluster, char.style)
        found.append(letter)
        at += len(cluster)
    return found


def _is_beside(one: Character, two: Character) -> bool:
    return one.style == two.style and one.path is two.path and two.x is None and two.y is None


def _chars(element: Element, spans: tuple[Element, ...], style: TextStyle) -> Iterator[_Char]:
    for char in element.text or "":
        yield _Char(char, spans, style)
    for child in element:
        if name_of(child) in SPANS:
            yield from _chars(child, (*spans, child), style.within(child))
        for char in child.tail or "":
            yield _Char(char, spans, style)


def _collapsed(chars: Iterator[_Char]) -> list[_Char]:
    """White space as it is drawn (SVG 1.1, 10.15; CSS Text 3, 4.1)."""
    kept: list[_Char] = []
    for each in chars:
        if each.char not in _SPACES:
            kept.append(each)
        elif each.style.preserved or (kept and kept[-1].char != " "):
            kept.append(_Char(" ", each.spans, each.style))
    while kept and kept[-1].char == " " and not kept[-1].style.preserved:
        kept.pop()
    return kept
