"""Sizes that the engine does not work out: of pictures that say one side, and of what is used larger."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from conversions.families.images.drawings import embedded, references
from conversions.families.images.drawings.references import HREFS
from conversions.families.images.drawings.styles import name_of

MAX_SHARED = 50_000
"""Parts of drawings that are copied to be of another size."""
_LENGTH = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(px|pt|pc|mm|cm|in|em|ex)?\s*")
_MAX_NESTED = 3
_SIDES = ("width", "height")


def mend(root: Element) -> None:
    """Say of pictures the side that they leave to the other (SVG 2, 7.8), and draw used drawings in place (5.6)."""
    by_id = references.by_id(root)
    for image in [each for each in root.iter() if name_of(each) == "image"]:
        _complete(image)
    uses = [each for each in root.iter() if name_of(each) == "use" and _is_sized(each, _target(each, by_id))]
    shared = 0
    for _ in range(_MAX_NESTED):
        for use in [each for each in uses if name_of(each) == "use"]:
            target = _target(use, by_id)
            parts = [name_of(each) for each in target.iter()]
            # One in which something is used may be part of itself.
            if "use" not in parts and shared + len(parts) <= MAX_SHARED:
                shared += len(parts)
                _place(use, target)


def _is_sized(use: Element, target: Element) -> bool:
    """Whether what is used is of the size that its use says, and the engine draws it as if it were of another."""
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
    said = [image.get(key, "auto").strip() for key in _SIDES]
    if (said[0] == "auto") == (said[1] == "auto"):
        return
    missing = said.index("auto")
    length = _LENGTH.fullmatch(said[1 - missing])
    size = embedded.size_of(_address(image)) if length else None
    if length and size:
        other = float(length[1]) * size[missing] / size[1 - missing]
        image.set(_SIDES[missing], f"{other:.6g}{length[2] or ''}")


def _place(use: Element, target: Element) -> None:
    place = [_LENGTH.fullmatch(use.get(key, "0")) for key in ("x", "y")]
    if not all(each and each[2] in (None, "px") for each in place):
        return
    said = {key: use.attrib[key] for key in _SIDES if use.get(key, "auto") != "auto"}
    copy = Element(f"{target.tag.removesuffix(name_of(target))}svg", target.attrib | said)
    copy.text = target.text
    copy.extend(list(target))
    use.tag = f"{target.tag.removesuffix(name_of(target))}g"
    for key in (*_SIDES, *HREFS):
        use.attrib.pop(key, None)
    across, down = (each[1] for each in place if each)
    use.set("transform", f"{use.get('transform', '')} translate({across} {down})".strip())
    use[:] = [copy]
