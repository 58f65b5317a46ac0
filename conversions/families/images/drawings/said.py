"""What elements say of themselves in their `style`, which is stronger than their attributes."""

from __future__ import annotations

from collections.abc import Collection
from xml.etree.ElementTree import Element

from conversions.families.images.drawings.values import declarations


def styled(element: Element) -> dict[str, str]:
    """The value of each property that the element's `style` has."""
    return {name: value for name, value, _ in declarations(element.get("style") or "")}


def forget(element: Element, keys: Collection[str]) -> None:
    """Take properties from an element, as attributes and in its `style`."""
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
