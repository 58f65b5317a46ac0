"""Detect whether the author of a page hides an element from all sighted readers.

Content for screen readers alone is hidden, too: a box of one pixel, an empty clip, a position far outside the page.
Text in the colour of its background is not, because that does not express an intent to hide it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.families.html_pdf.plutoprint.declared import Pair
from engine.families.html_pdf.source.cleaning import Element

_SIDES = ("left", "right", "top", "bottom", "margin-left", "margin-top", "margin-right")
_SIZES = ("width", "height", "max-width", "max-height")
NAMES = (
    "display", "visibility", "opacity", "font-size", "font", "text-indent", "clip", "clip-path", "-webkit-clip-path",
    "position", "overflow", "overflow-x", "overflow-y", "transform", "-webkit-transform", "content-visibility", "scale",
    *_SIDES, *_SIZES,
)  # fmt: skip
_FAR = 500.0
"""CSS pixels left of or above an element's position from which it counts as moved out of sight."""
_BEYOND = 3_000.0
"""The same to the right and below, where large pages may have content."""
_TINY = 2.0
_LENGTH = re.compile(r"(-?(?:\d++(?:\.\d++)?|\.\d++))(px|pt|em|rem|%|vw|vh|cm|mm|in)?")
_PIXELS = {
    "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 8.0, "vw": 8.0, "vh": 11.0, "cm": 37.8, "mm": 3.78,
    "in": 96.0,
}  # fmt: skip
_NOTHING = re.compile(
    r"rect\(\s*(?:[01](?:px)?[\s,]*){4}\)|inset\(\s*(?:100|[5-9]\d)%[^)]*\)|circle\(\s*0\D.*|polygon\(\s*(?:0(?:px|%)?[\s,]*)+\)"
)
_SCALED = re.compile(r"scale[xy]?\(\s*0+(?:\.0*)?\s*[,)]")
_NO_SIZE = re.compile(r"(?:^|\s)0+(?:\.0*)?(?:px|pt|em|rem|%)?\s*/|(?:^|\s)0(?:px|pt|em|rem|%)(?:\s|/|$)")
_IMPORTANT = re.compile(r"(?<!\s)\s*+!\s*+important\s*+$", re.IGNORECASE)


def merged(pairs: list[Pair]) -> dict[str, str]:
    """Return the values in effect for one element, in lower case: important declarations win, then later ones."""
    found: dict[str, str] = {}
    firm: set[str] = set()
    for name, value in pairs:
        plain = _IMPORTANT.sub("", value)
        if plain != value or name not in firm:
            found[name] = plain.strip().lower()
        if plain != value:
            firm.add(name)
    return found


def hides(said: Mapping[Element, Mapping[str, str]], element: Element) -> bool:
    """Return whether an element is hidden by its own declarations or by those of an ancestor."""
    chain = [own for each in (element, *element.iterancestors()) if (own := said.get(each))]
    if any(map(_is_away, chain)):
        return True
    visibility, indent = (
        next((own[name] for own in chain if name in own), "") for name in ("visibility", "text-indent")
    )
    sized = next((own for own in chain if "font-size" in own or "font" in own), {})
    no_size = _is_zero(sized.get("font-size")) or ("font-size" not in sized and _NO_SIZE.search(sized.get("font", "")))
    return bool(no_size) or visibility in ("hidden", "collapse") or _is_far(indent) or indent == "100%"


def has_no_size(said: Mapping[Element, Mapping[str, str]], picture: Element) -> bool:
    """Return whether a picture is declared to have no width or no height."""
    own = said.get(picture, {})
    return any((size := _pixels(own.get(name))) is not None and size < _TINY / 4 for name in _SIZES)


def _is_away(own: Mapping[str, str]) -> bool:
    if not own:
        return False
    get = own.get
    if (
        get("display") == "none"
        or get("content-visibility") == "hidden"
        or _is_zero(get("opacity"))
        or get("scale") == "0"
    ):
        return True
    if _SCALED.search(get("transform", "") or get("-webkit-transform", "")):
        return True
    if any(_NOTHING.match(get(name, "")) for name in ("clip", "clip-path", "-webkit-clip-path")):
        return True
    placed = get("position") in ("absolute", "fixed", "relative", "sticky")
    if any(_is_far(get(side)) for side in _SIDES if placed or side.startswith("margin")):
        return True
    cut = any(get(name, "").split(" ")[0] in ("hidden", "clip") for name in ("overflow", "overflow-x", "overflow-y"))
    return cut and any((size := _pixels(get(name))) is not None and size <= _TINY for name in _SIZES)


def _is_far(value: str | None) -> bool:
    moved = _pixels(value) or 0.0
    return moved <= -_FAR or moved >= _BEYOND


def _pixels(value: str | None) -> float | None:
    match = _LENGTH.fullmatch(value or "")
    return float(match[1]) * _PIXELS[match[2] or "px"] if match else None


def _is_zero(value: str | None) -> bool:
    match = _LENGTH.fullmatch(value or "")
    return match is not None and abs(float(match[1])) < 0.02
