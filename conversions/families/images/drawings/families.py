"""Families: the fonts that texts of a drawing name and that there are not, as others are as wide as they."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from conversions.families.images.drawings import faces
from conversions.families.images.drawings.faces import TextStyle
from conversions.families.images.drawings.styles import name_of
from conversions.toolkit.warnings import Kind, Warn

_FONTS = Kind("FONT_SUBSTITUTED", "Texts are set in other fonts, as those that they name are not installed")
_TEXTS = {"text", "tspan", "textPath", "tref", "a"}
_AS_WIDE = {
    "arial", "helvetica", "arimo", "times", "timesnewroman", "tinos", "courier", "couriernew", "cousine",
}  # fmt: skip
"""Those whose letters are as wide as those of the bundled fonts that stand in for them."""
_GENERIC = {
    "serif", "sans-serif", "sans", "monospace", "cursive", "fantasy", "system-ui", "-apple-system",
    "blinkmacsystemfont", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded", "math", "emoji",
}  # fmt: skip
_WORDS = {"inherit", "initial", "unset", "revert", "revert-layer", ""}
_NOTHING = TextStyle(families=())


def name(root: Element, warn: Warn) -> None:
    """Warn of the fonts that come first in what texts name and are not there, with how many texts they are of."""
    met = [family for family in _of_texts(root) if not _is_there(family)]
    warn.tally(_FONTS, len(met), (f"“{each[:60]}”" for each in dict.fromkeys(met)))


def _of_texts(root: Element) -> Iterator[str]:
    """The first family of each element with text of its own."""
    left = [(root, "")]
    while left:
        element, above = left.pop()
        family = _said(element) or above
        within = name_of(element) in _TEXTS
        if family and within and ((element.text or "").strip() or name_of(element) == "tref"):
            yield family
        left += [(child, family) for child in reversed(element)]
        if family and within:
            yield from (family for child in element if (child.tail or "").strip())


def _said(element: Element) -> str:
    given = element.attrib
    if "font-family" not in given and "font" not in given and "font" not in given.get("style", ""):
        return ""
    families = _NOTHING.within(element).families
    return families[0] if families and families[0].lower() not in _WORDS else ""


def _is_there(family: str) -> bool:
    plain = faces.plain(family)
    return plain in _AS_WIDE or family.lower() in _GENERIC or faces.is_bundled(family)
