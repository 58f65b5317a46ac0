"""Sizes the engine does not compute: pictures with one dimension, and enlarged `use`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from engine.families.images.drawings import embedded, references
from engine.families.images.drawings.references import HREFS
from engine.families.images.drawings.styles import name_of

MAX_SHARED = 50_000
"""The maximum elements copied to be drawn at another size."""
_LENGTH = re.compile(r"\s*+([-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d+)?)\s*+(px|pt|pc|mm|cm|in|em|ex)?+\s*+")
_MAX_NESTED = 3
_SIDES = ("width", "height")


def resolve_sizes(root: Element) -> None:
    """Set the missing dimension of pictures (SVG 2, 7.8), and draw nested `use` targets in place (5.6)."""
    by_id = references.by_id(root)
    for image in [each for each in root.iter() if name_of(each) == "image"]:
        _complete(image)
    uses = [each for each in root.iter() if name_of(each) == "use" and _is_sized(each, _target(each, by_id))]
    shared = 0
    for _ in range(_MAX_NESTED):
        for use in [each for each in uses if name_of(each) == "use"]:
            target = _target(use, by_id)
            parts = [name_of(each) for each in target.iter()]
            # A target that contains a `use` may be part of itself.
            if "use" not in parts and shared + len(parts) <= MAX_SHARED:
                shared += len(parts)
                _place(use, target)


def _is_sized(use: Element, target: Element) -> bool:
    """Whether a target takes the size on its `use`, which the engine ignores."""
    if name_of(target) != "symbol":
        return name_of(target) == "svg"
    parts = (value for each in target.iter() if each is not target for value in each.attrib.values())
    return (
        "viewBox" not in target.attrib and not set(_SIDES).isdisjoint(use.attrib) and any("%" in each for each in parts)
    )


def _target(element: Element, by_id: Mapping[str, Element]) -> Element:
    return by_id.get(_address(element)[1:], element)


def _address(element: Element) -> str:
    return next((element.attrib[key].strip() for key in HREFS if key in element.attrib), "")


def _complete(image: Element) -> None:
    sides = [image.get(key, "auto").strip() for key in _SIDES]
    if (sides[0] == "auto") == (sides[1] == "auto"):
        return
    missing = sides.index("auto")
    length = _LENGTH.fullmatch(sides[1 - missing])
    size = embedded.size_of(_address(image)) if length else None
    if length and size:
        other = float(length[1]) * size[missing] / size[1 - missing]
        image.set(_SIDES[missing], f"{other:.6g}{length[2] or ''}")


def _place(use: Element, target: Element) -> None:
    place = [_LENGTH.fullmatch(use.get(key, "0")) for key in ("x", "y")]
    if not all(each and each[2] in (None, "px") for each in place):
        return
    dimensions = {key: use.attrib[key] for key in _SIDES if use.get(key, "auto") != "auto"}
    copy = Element(f"{target.tag.removesuffix(name_of(target))}svg", target.attrib | dimensions)
    copy.text = target.text
    copy.extend(list(target))
    use.tag = f"{target.tag.removesuffix(name_of(target))}g"
    for key in (*_SIDES, *HREFS):
        use.attrib.pop(key, None)
    across, down = (each[1] for each in place if each)
    use.set("transform", f"{use.get('transform', '')} translate({across} {down})".strip())
    use[:] = [copy]
