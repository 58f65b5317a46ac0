"""The declarations of `style` attributes, which override presentation attributes."""

from __future__ import annotations

from collections.abc import Collection
from xml.etree.ElementTree import Element

from engine.families.images.drawings.values import declarations


def styled(element: Element) -> dict[str, str]:
    """The properties in the element's `style` with their values."""
    return {name: value for name, value, _ in declarations(element.get("style") or "")}


def forget(element: Element, keys: Collection[str]) -> None:
    """Remove properties from an element's attributes and its `style`."""
    for key in keys:
        element.attrib.pop(key, None)
    found = declarations(element.get("style") or "")
    kept = [f"{name}:{value}" for name, value, _ in found if name not in keys]
    if len(kept) == len(found):
        return
    if kept:
        element.set("style", ";".join(kept))
    else:
        del element.attrib["style"]
