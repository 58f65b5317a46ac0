"""Substitutes of equal width for missing fonts."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.families.images.drawings import text_measurement
from engine.families.images.drawings.styles import name_of
from engine.families.images.drawings.text_measurement import TextStyle
from engine.toolkit import font_twins
from engine.toolkit.warnings import Kind, Warn

_FONTS = Kind("FONT_SUBSTITUTED", "Fonts that are not installed were replaced: {count}{places}.")
_TEXTS = {"text", "tspan", "textPath", "tref", "a"}
_AS_WIDE = {
    "arial", "helvetica", "arimo", "times", "timesnewroman", "tinos", "courier", "couriernew", "cousine",
}  # fmt: skip
"""Fonts with metric-compatible bundled substitutes."""
_GENERIC = {
    "serif", "sans-serif", "sans", "monospace", "cursive", "fantasy", "system-ui", "-apple-system",
    "blinkmacsystemfont", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded", "math", "emoji",
}  # fmt: skip
_WORDS = {"inherit", "initial", "unset", "revert", "revert-layer", ""}
_NOTHING = TextStyle(families=())


def report(root: Element, warn: Warn) -> None:
    """Warn of missing fonts that are the first choice of texts, with the number of texts."""
    met = [family for family in _of_texts(root) if not _is_there(family)]
    warn.tally(_FONTS, len(met), (f"“{each[:60]}”" for each in dict.fromkeys(met)))


def _of_texts(root: Element) -> Iterator[str]:
    """The first font family of each element with its own text."""
    left = [(root, "")]
    while left:
        element, above = left.pop()
        family = _family_of(element) or above
        within = name_of(element) in _TEXTS
        if family and within and ((element.text or "").strip() or name_of(element) == "tref"):
            yield family
        left += [(child, family) for child in reversed(element)]
        if family and within:
            yield from (family for child in element if (child.tail or "").strip())


def _family_of(element: Element) -> str:
    given = element.attrib
    if "font-family" not in given and "font" not in given and "font" not in given.get("style", ""):
        return ""
    families = _NOTHING.within(element).families
    return families[0] if families and families[0].lower() not in _WORDS else ""


def _is_there(family: str) -> bool:
    plain = font_twins.plain(family)
    return plain in _AS_WIDE or family.lower() in _GENERIC or text_measurement.is_installed(family)
