"""Colours in workbooks: of the theme, of the palette, tinted (ECMA-376, part 1, 18.3.1.15 and 18.8.27)."""

from __future__ import annotations

import colorsys
import re
from typing import Any

from engine.toolkit.xml_elements import child, children, is_on, local, number

_HEX = re.compile("[0-9A-Fa-f]{6}")
_BASE = "000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF"
_PALETTE = (
    f"{_BASE} {_BASE} 800000 008000 000080 808000 800080 008080 C0C0C0 808080 9999FF 993366 FFFFCC CCFFFF 660066 "
    "FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF 00CCFF CCFFFF CCFFCC FFFF99 "
    "99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 003366 339966 003300 333300 "
    "993300 993366 333399 333333"
).split()
_SCHEME = ("lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink",
           "folHlink")  # fmt: skip
"""The colours of a theme in the order of their numbers, in which light and dark change places."""
_USUAL = "FFFFFF 000000 EEECE1 1F497D 4F81BD C0504D 9BBB59 8064A2 4BACC6 F79646 0000FF 800080"
_OFFICE = dict(zip(_SCHEME, _USUAL.split(" "), strict=True))
_MAPPED = {"tx1": "dk1", "tx2": "dk2", "bg1": "lt1", "bg2": "lt2"}


class Colours:
    """The colours of a workbook."""

    def __init__(self, theme: Any, styles: Any) -> None:
        self.scheme = dict(_OFFICE)
        for each in children(child(theme, "themeElements", "clrScheme")):
            for colour in children(each):
                found = colour.get("lastClr") or colour.get("val") or ""
                if _HEX.fullmatch(found):
                    self.scheme[local(each)] = found
        own = [(each.get("rgb") or "")[-6:] for each in children(child(styles, "colors", "indexedColors"), "rgbColor")]
        self._palette = [*(each if _HEX.fullmatch(each) else "000000" for each in own), *_PALETTE[len(own) :]]

    def of(self, element: Any) -> str | None:
        """The colour that an element such as `color` or `fgColor` names; None for the automatic one."""
        if element is None or is_on(element.get("auto")):
            return None
        found: str | None = None
        if (rgb := element.get("rgb")) and _HEX.fullmatch(rgb[-6:]):
            found = rgb[-6:]
        elif (theme := element.get("theme")) is not None:
            at = int(number(theme, -1))
            found = self.scheme.get(_SCHEME[at]) if 0 <= at < len(_SCHEME) else None
        elif (index := element.get("indexed")) is not None:
            at = int(number(index, -1))
            found = self._palette[at] if 0 <= at < len(self._palette) else None
        return tinted(found, number(element.get("tint"))) if found else None

    def drawn(self, element: Any) -> str | None:
        """The colour of an element of DrawingML such as `solidFill` (20.1.2.3)."""
        for each in children(element):
            kind, name = local(each), each.get("val") or ""
            found = None
            if kind == "srgbClr" and _HEX.fullmatch(name):
                found = name
            elif kind == "sysClr":
                found = each.get("lastClr") or ("000000" if name == "windowText" else "FFFFFF")
            elif kind == "schemeClr":
                found = self.scheme.get(_MAPPED.get(name, name))
            if found and _HEX.fullmatch(found):
                return _modified(found, each)
        return None


def parts(colour: str) -> tuple[float, float, float]:
    """The red, green and blue of a colour, from 0 to 1."""
    return int(colour[:2], 16) / 255, int(colour[2:4], 16) / 255, int(colour[4:6], 16) / 255


def joined(red: float, green: float, blue: float) -> str:
    """The colour of parts from 0 to 1."""
    return "".join(f"{round(min(max(each, 0.0), 1.0) * 255):02X}" for each in (red, green, blue))


def tinted(colour: str, tint: float) -> str:
    """A colour made lighter or darker, as 18.3.1.15 does."""
    if not tint:
        return colour
    hue, light, full = colorsys.rgb_to_hls(*parts(colour))
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    return joined(*colorsys.hls_to_rgb(hue, min(max(light, 0.0), 1.0), full))


def between(first: str, second: str, share: float) -> str:
    """The colour at a share of the way from one to another."""
    return joined(*(a + (b - a) * share for a, b in zip(parts(first), parts(second), strict=True)))


def _modified(colour: str, element: Any) -> str:
    hue, light, full = colorsys.rgb_to_hls(*parts(colour))
    for each in children(element):
        share = number(each.get("val")) / 100_000
        if local(each) == "lumMod":
            light *= share
        elif local(each) == "lumOff":
            light += share
        elif local(each) == "shade":
            light *= share
        elif local(each) == "tint":
            light = light * share + 1 - share
    return joined(*colorsys.hls_to_rgb(hue, min(max(light, 0.0), 1.0), full))
