"""Resolve conditional processing (SVG 1.1, 5.8)."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from engine.families.images.drawings.styles import name_of

LANGUAGE = "en"
"""The language of drawings with several: the service has no other one."""

_NEVER_SHOWN = frozenset(("desc", "title", "metadata", "script", "style"))
_SVG = "{http://www.w3.org/2000/svg"
_DRAWN = frozenset((
    "a", "circle", "ellipse", "foreignObject", "g", "image", "line", "path", "polygon", "polyline", "rect", "svg",
    "switch", "text", "use",
))  # fmt: skip
_GROUPS = frozenset(("a", "defs", "g", "svg", "switch"))
_REFERRED_TO = frozenset((
    "defs", "symbol", "marker", "clipPath", "mask", "linearGradient", "radialGradient", "pattern", "filter",
))  # fmt: skip
"""Elements drawn only by reference; their conditions are ignored (SVG 2, 5.9.2)."""


def resolve_conditions(root: Element) -> bool:
    """Keep the first child of each switch whose conditions hold, and no element whose don't.

    Returns whether content that isn't SVG gave way to a later child.
    """
    replaced = False
    stack = [root]
    while stack:
        parent = stack.pop()
        if name_of(parent) == "switch":
            replaced |= _first(parent)
        for child in list(parent):
            if _holds(child) or _is_kept(parent, child):
                stack.append(child)
    return replaced


def _is_kept(parent: Element, child: Element) -> bool:
    """Remove what does not hold, but keep a group with ids, undrawn, for references to it."""
    if name_of(child) in _GROUPS and any("id" in each.attrib for each in child.iter() if each is not child):
        child.tag = f"{child.tag.removesuffix(name_of(child))}defs"
        for key in ("systemLanguage", "requiredExtensions"):
            child.attrib.pop(key, None)
        return True
    parent.remove(child)
    return False


def _first(switch: Element) -> bool:
    able = [each for each in switch if _is_drawn(each) and _holds(each)]
    foreign = bool(able) and name_of(able[0]) == "foreignObject"
    drawn = next((each for each in able if name_of(each) != "foreignObject"), None)
    chosen = drawn if drawn is not None else able[0] if able else None
    for each in list(switch):
        if each is not chosen and name_of(each) not in _NEVER_SHOWN:
            _is_kept(switch, each)
    switch.tag = str(switch.tag).removesuffix("switch") + "g"
    return foreign and drawn is not None


def _is_drawn(element: Element) -> bool:
    """Whether it is something that a switch may choose: an element in another namespace is not."""
    namespace, _, name = str(element.tag).rpartition("}")
    return namespace in ("", _SVG) and name in _DRAWN


def _holds(element: Element) -> bool:
    if name_of(element) in _REFERRED_TO:
        return True
    languages = element.attrib.pop("systemLanguage", None)
    if languages is not None:
        spoken = (each.strip().lower() for each in languages.split(","))
        if not any(each == LANGUAGE or each.startswith(f"{LANGUAGE}-") for each in spoken):
            element.set("systemLanguage", languages)
            return False
    return element.get("requiredExtensions") is None
