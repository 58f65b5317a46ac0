"""Find the declarations of each background of a page, with what its element inherits (CSS Cascade 4, 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import cssselect2

from engine.families.html_pdf.css import background_frames, backgrounds, gradients
from engine.families.html_pdf.css.cascade import VARIABLE, Declaration, declarations
from engine.families.html_pdf.css.ignored import MOST_ZOOMED, standard, zoom_factor
from engine.families.html_pdf.plutoprint import text_sizes
from engine.families.html_pdf.source import limits
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.selectors import compiled, visited

NAMES = frozenset(("background", *(f"background-{each}" for each in (*backgrounds.LONGHANDS, "color"))))
IMAGES = ("background", "background-image")
_READ = NAMES.union(background_frames.NAMES)
_INHERITED = frozenset(("color", "zoom", *text_sizes.NAMES))
_PARTS = (None, "before", "after")
_OF_TEXT = re.compile(r"\bcurrentcolor\b", re.IGNORECASE)
_DEEPEST = 8

Values = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Inherited:
    """What an element passes on: custom properties, its text size, colour and zoom."""

    custom: dict[str, str] = field(default_factory=dict)
    size: float = 16.0
    colour: str = "black"
    zoom: float = 1.0


def block_of(body: str) -> list[Declaration]:
    """The declarations of a rule that a background depends on."""
    if not any(each in body for each in ("background", "--", "font", "border", "color", "zoom")):
        return []
    return [
        (name, value, important)
        for written, value, important in declarations(body)
        if (name := standard(written)) in _READ or name.startswith("--") or name in _INHERITED
    ]


def declared(
    root: Element, found: list[tuple[str, list[Declaration]]], inline: dict[Element, list[Declaration]]
) -> Iterator[tuple[Element, str | None, Values, Inherited, float]]:
    """The declarations of each background, the winning one last, what its element inherits, and the root's size."""
    matcher = cssselect2.Matcher()
    for selectors, block in found:
        try:
            for each in compiled(selectors):
                if each.pseudo_element in _PARTS:
                    matcher.add_selector(each, block)
        except cssselect2.SelectorError:
            continue
    around: dict[Element, Inherited] = {}
    first = 16.0
    for wrapped in visited(root):
        element = wrapped.etree_element
        parts: dict[str | None, list[Declaration]] = {each: [] for each in _PARTS}
        for _, _, part, block in matcher.match(wrapped):
            parts[part] += block
        parts[None] += inline.get(element, ())
        own = around.get(element.getparent()) or Inherited()
        for part, block in parts.items():
            said = [(name, value) for name, value, _ in sorted(block, key=lambda each: each[2])]
            its = _inherited("" if part else str(element.tag), said, own, first) if said or part is None else own
            if part is None:
                around[element] = own = its
                first = its.size if element is root else first
            if any(name in IMAGES for name, _ in said):
                yield element, part, tuple((name, value) for name, value in said if name in _READ), its, first


def _inherited(tag: str, said: list[tuple[str, str]], outer: Inherited, root: float) -> Inherited:
    own = {name: value for name, value in said if name.startswith("--")}
    custom = {**outer.custom, **own} if own else outer.custom
    size = text_sizes.size(tag, said, outer.size, root)
    colours = [known for name, value in said if name == "color" and (known := filled(value, custom)) is not None]
    colour = colours[-1] if colours and gradients.is_colour(colours[-1]) else outer.colour
    factors = [factor for name, value in said if name == "zoom" and (factor := zoom_factor(value)) is not None]
    zoom = min(outer.zoom * (factors[-1] if factors else 1.0), MOST_ZOOMED)
    if not own and (size, colour, zoom) == (outer.size, outer.colour, outer.zoom):
        return outer
    return Inherited(custom, size, colour, zoom)


def filled(value: str, custom: dict[str, str]) -> str | None:
    """A value with its custom properties; None for one that is too long."""
    for _ in range(_DEEPEST if "var(" in value else 0):
        if sum(len(custom.get(each[1], "")) for each in VARIABLE.finditer(value)) > limits.MOST_EXPANDED:
            return None
        value = VARIABLE.sub(lambda match: custom.get(match[1], match[2] or match[0]), value)
    return value.strip()


def computed(value: str, inherited: Inherited) -> str | None:
    """A value with its custom properties and the colour of the text."""
    found = filled(value, inherited.custom)
    return _OF_TEXT.sub(inherited.colour, found) if found is not None and _OF_TEXT.search(found) else found
