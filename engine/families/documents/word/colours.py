"""Colours of DrawingML and how they are modified (ECMA-376, part 1, 20.1.2.3)."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import share_of

_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_SHARE = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?%?")
"""A share in thousandths of a percent or, in the strict variant, in percent (20.1.10.40 and 22.9.2.9)."""
_DEGREE = 60_000.0
_SHORT = (("dk", "dark"), ("lt", "light"), ("med", "medium"))
"""How names of preset colours begin, and those of CSS that they stand for (20.1.10.47)."""


def colour_of(element: Element, named: Callable[[str], str | None]) -> str | None:
    """The colour of an element such as `a:srgbClr` as CSS, None for others; `named` knows those of the theme."""
    kind = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    name = element.get("val") or ""
    found: str | None = None
    if kind == "srgbClr":
        found = name if _HEX.fullmatch(name) else None
    elif kind == "sysClr":
        last = element.get("lastClr") or ""
        found = last if _HEX.fullmatch(last) else "000000" if name == "windowText" else "ffffff"
    elif kind == "prstClr":
        found = _preset(name)
    elif kind == "schemeClr":
        found = named(name)
    elif kind == "scrgbClr":
        found = _digits(*(shown(share_of(element.get(each))) for each in "rgb"))
    elif kind == "hslClr":
        hue = share_of(element.get("hue")) * 100_000 / _DEGREE / 360
        found = _digits(*colorsys.hls_to_rgb(hue % 1, share_of(element.get("lum")), share_of(element.get("sat"))))
    return _modified(found.lower(), element) if found else None


def _preset(name: str) -> str | None:
    from PIL.ImageColor import colormap

    for short, long in _SHORT:
        if name.startswith(short) and name[len(short) :][:1].isupper():
            name = long + name[len(short) :]
            break
    found = colormap.get(name.lower())
    return found.removeprefix("#") if isinstance(found, str) else None


def light(shown: float) -> float:
    """The light of a channel of sRGB, of which tints and shades are shares (IEC 61966-2-1)."""
    return shown / 12.92 if shown <= 0.04045 else float(((shown + 0.055) / 1.055) ** 2.4)


def shown(light: float) -> float:
    """The channel of sRGB that has this light."""
    light = min(max(light, 0.0), 1.0)
    return light * 12.92 if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


def _digits(*channels: float) -> str:
    return "".join(f"{round(min(max(each, 0), 1) * 255):02x}" for each in channels)


def _modified(colour: str, element: Element) -> str:
    channels = tuple(int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4))
    alpha = int(colour[6:8], 16) / 255 if len(colour) == 8 else 1.0
    for each in element:
        kind, text = each.tag.rpartition("}")[2] if isinstance(each.tag, str) else "", each.get("val") or ""
        if kind in ("gray", "inv", "comp"):
            channels = _turned(kind, channels)
            continue
        if not _SHARE.fullmatch(text):
            continue
        share = share_of(text)
        if kind[:3] in ("hue", "sat", "lum"):
            channels = _shifted(kind, share, channels)
        elif kind == "tint":
            channels = tuple(shown(light(one) * share + 1 - share) for one in channels)
        elif kind == "shade":
            channels = tuple(shown(light(one) * share) for one in channels)
        elif kind.startswith("alpha"):
            alpha = {"alphaMod": alpha * share, "alphaOff": alpha + share}.get(kind, share)
            alpha = min(max(alpha, 0.0), 1.0)
    digits = f"#{_digits(*channels)}"
    return digits if alpha == 1 else f"{digits}{round(alpha * 255):02x}"


def _shifted(kind: str, share: float, channels: tuple[float, ...]) -> tuple[float, ...]:
    """A colour whose hue, saturation or luminance is set, multiplied (`Mod`) or moved (`Off`)."""
    hue, lum, sat = colorsys.rgb_to_hls(*channels)
    parts = {"hue": hue, "sat": sat, "lum": lum}
    name, how = kind[:3], kind[3:]
    given = share * 100_000 / _DEGREE / 360 if name == "hue" and how != "Mod" else share
    parts[name] = {"Mod": parts[name] * given, "Off": parts[name] + given}.get(how, given)
    return colorsys.hls_to_rgb(parts["hue"] % 1, *(min(max(parts[each], 0.0), 1.0) for each in ("lum", "sat")))


def _turned(kind: str, channels: tuple[float, ...]) -> tuple[float, ...]:
    """A colour's grey, its inverse, or its complement on the circle of hues."""
    if kind == "inv":
        return tuple(shown(1 - light(each)) for each in channels)
    if kind == "gray":
        red, green, blue = map(light, channels)
        return (shown(0.2126 * red + 0.7152 * green + 0.0722 * blue),) * 3
    hue, lum, sat = colorsys.rgb_to_hls(*channels)
    return colorsys.hls_to_rgb((hue + 0.5) % 1, lum, sat)
