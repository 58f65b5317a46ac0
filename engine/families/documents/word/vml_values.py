"""The values of VML attributes and styles: lengths, shares and colours (ECMA-376, part 4, 19.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.families.documents.ooxml.package import Element
from engine.toolkit.shapes.geometry import MOST

_LENGTH = re.compile(r"(-?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(pt|in|cm|mm|px|pc|pi|emu)?")
_UNITS = {"pt": 12_700.0, "in": 914_400.0, "cm": 360_000.0, "mm": 36_000.0, "px": 9_525.0, "pc": 152_400.0,
          "pi": 152_400.0, "emu": 1.0, "": 9_525.0}  # fmt: skip
_FAR = 63_360_000
"""EMU: the longest side that paper may have, four times."""
_COLOUR = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_NAMED = {
    "black": "000000", "white": "FFFFFF", "red": "FF0000", "green": "008000", "lime": "00FF00", "blue": "0000FF",
    "yellow": "FFFF00", "gray": "808080", "silver": "C0C0C0", "maroon": "800000", "purple": "800080",
    "fuchsia": "FF00FF", "olive": "808000", "navy": "000080", "teal": "008080", "aqua": "00FFFF",
    "windowtext": "000000", "window": "FFFFFF",
}  # fmt: skip
"""The colours of HTML 4, and two of the system's."""

Style = Mapping[str, str]


def style_of(shape: Element) -> Style:
    return declarations(shape.get("style"))


def declarations(text: str | None) -> Style:
    pairs = (each.partition(":") for each in (text or "").split(";"))
    return {name.strip().lower(): value.strip() for name, colon, value in pairs if colon}


def ends(text: str | None) -> tuple[str, str]:
    first, _, second = (text or "0,0").partition(",")
    return first.strip(), second.strip()


def points(shape: Element) -> list[tuple[str, str]]:
    """The ends of a line, or the points of a polyline (ECMA-376, part 4, 19.1.2.12 and 19.1.2.15); none of others."""
    tag = shape.tag.rpartition("}")[2]
    if tag == "line":
        return [ends(shape.get(name)) for name in ("from", "to")]
    if tag != "polyline":
        return []
    texts = (shape.get("points") or "").replace(",", " ").split()[: 2 * MOST]
    return list(zip(texts[::2], texts[1::2], strict=False))


def spread(places: Sequence[tuple[int, int]]) -> tuple[int, int, int, int]:
    """The left, top, width and height of points."""
    across, down = zip(*places, strict=True)
    return min(across), min(down), max(across) - min(across), max(down) - min(down)


def length(text: str | None, usual: int = 0) -> int:
    """A length in English Metric Units; a number alone is one of pixels."""
    match = _LENGTH.fullmatch(text or "")
    return usual if match is None else max(-_FAR, min(round(float(match[1]) * _UNITS[match[2] or ""]), _FAR))


def plain(text: str | None) -> int:
    """A number in the coordinates of a group."""
    match = _LENGTH.fullmatch(text or "")
    return 0 if match is None else round(float(match[1]))


def share(text: str | None) -> float | None:
    """Thousandths as a share; None if there are none (-10001)."""
    return (
        int(text) / 1000
        if text and re.fullmatch(r"-?\d{1,5}", text) and abs(int(text)) < 10_000 and int(text)
        else None
    )


def fraction(text: str | None) -> float:
    match = re.fullmatch(r"(-?\d{0,9}\.?\d{0,9})([f%]?)", text or "")
    if match is None or not any(map(str.isdigit, match[1])):
        return 0.0
    return max(-1.0, min(float(match[1]) / {"f": 65_536, "%": 100}.get(match[2], 1), 1.0))


def colour_of(text: str | None) -> str | None:
    """A colour such as `#4f81bd [3204]` or `red` as six digits."""
    if found := _COLOUR.match(text or ""):
        digits = found[1]
        return digits if len(digits) == 6 else "".join(each * 2 for each in digits)
    return _NAMED.get((text or "").partition(" ")[0].lower())
