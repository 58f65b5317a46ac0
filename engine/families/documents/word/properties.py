"""WordprocessingML paragraph and run properties as plain values (17.3)."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import W, child, integer, on, points, value
from engine.families.documents.word.theme import Theme

Properties: TypeAlias = dict[str, Any]
"""Values by element name; unset properties are absent."""

TOGGLES = ("b", "i", "caps", "smallCaps", "strike", "dstrike", "vanish", "outline", "shadow", "emboss", "imprint")
_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_HIGHLIGHTS = {
    "black": "#000000", "blue": "#0000ff", "cyan": "#00ffff", "green": "#00ff00", "magenta": "#ff00ff",
    "red": "#ff0000", "yellow": "#ffff00", "white": "#ffffff", "darkBlue": "#000080", "darkCyan": "#008080",
    "darkGreen": "#008000", "darkMagenta": "#800080", "darkRed": "#800000", "darkYellow": "#808000",
    "darkGray": "#808080", "lightGray": "#c0c0c0",
}  # fmt: skip
_MOST_CHARACTERS = 10_000
"""Hundredths of characters and lines."""
_STRIPED = ("Stripe", "Cross")
"""Suffixes of pattern names that are drawn as their average colour."""
_SIDES = ("top", "left", "bottom", "right", "between", "insideH", "insideV")
_LINES = {
    "dotted": "dotted", "dashed": "dashed", "dashSmallGap": "dashed", "dotDash": "dashed", "dotDotDash": "dashed",
    "double": "double", "inset": "inset", "outset": "outset", "threeDEngrave": "groove", "threeDEmboss": "ridge",
}  # fmt: skip


def colour(element: Element, theme: Theme, name: str = "color", prefix: str = "theme") -> str | None:
    """The colour in an element's attributes; None for none and for `auto`."""
    themed = element.get(f"{W}{prefix}Color" if prefix == "theme" else f"{W}{prefix}")
    if themed:
        capital = "theme" if prefix == "theme" else prefix
        found = theme.colour(themed, tint=element.get(f"{W}{capital}Tint"), shade=element.get(f"{W}{capital}Shade"))
        if found:
            return f"#{found}"
    raw = element.get(W + name) or ""
    return f"#{raw.lower()}" if _HEX.fullmatch(raw) else None


def shading(element: Element, theme: Theme) -> str | None:
    """The background of `w:shd` (17.3.5); a pattern becomes the mix of its two colours."""
    fill = colour(element, theme, "fill", "themeFill")
    pattern = element.get(W + "val") or "clear"
    if pattern == "nil":
        return "transparent"
    if pattern == "solid" or pattern.startswith("pct") or pattern.endswith(_STRIPED):
        front = colour(element, theme) or "#000000"
        stripes = 0.2 if pattern.startswith("thin") else 0.35
        share = 1.0 if pattern == "solid" else (integer(pattern[3:]) or 0) / 100 if pattern[:3] == "pct" else stripes
        back = fill or "#ffffff"
        mixed = (round(int(front[i : i + 2], 16) * share + int(back[i : i + 2], 16) * (1 - share)) for i in (1, 3, 5))
        return "#" + "".join(f"{each:02x}" for each in mixed)
    return fill or "transparent"


def line(element: Element, theme: Theme) -> str:
    """A border edge (17.3.4) as CSS."""
    kind = element.get(W + "val") or "none"
    if kind in ("nil", "none"):
        return "none"
    width = min(max((integer(element.get(W + "sz")) or 4) / 8, 0.25), 12)
    style = _LINES.get(kind, "double" if kind.startswith("thin") or kind == "triple" else "solid")
    if style == "double":
        width = max(width * 3, 2.25)
    return f"{width:g}pt {style} {colour(element, theme) or '#000000'}"


def borders(parent: Element | None, theme: Theme) -> dict[str, tuple[str, float]]:
    """The edges in an element such as `w:pBdr`: the style of each, and its distance from the text."""
    found = {}
    for each in () if parent is None else parent:
        side = each.tag.rpartition("}")[2]
        side = {"start": "left", "end": "right"}.get(side, side)
        if side in _SIDES:
            found[side] = (line(each, theme), float(min(integer(each.get(W + "space")) or 0, 31)))
    return found


def run(parent: Element | None, theme: Theme) -> Properties:
    """The properties of `w:rPr`."""
    found: Properties = {}
    for each in () if parent is None else parent:
        name = each.tag.rpartition("}")[2] if isinstance(each.tag, str) else ""
        raw = each.get(W + "val") or ""
        if name in TOGGLES:
            found[name] = on(each)
        elif name == "rStyle":
            found["style"] = raw
        elif name == "rFonts":
            themed = each.get(W + "asciiTheme") or each.get(W + "hAnsiTheme")
            face = theme.font(themed) if themed else each.get(W + "ascii") or each.get(W + "hAnsi")
            if face:
                found["font"] = face
            if (east := each.get(W + "eastAsia")) and not each.get(W + "eastAsiaTheme"):
                found["eastFont"] = east
        elif name == "lang" and raw:
            found["lang"] = raw
        elif name == "sz" and (size := integer(raw)):
            found["size"] = min(max(size, 2), 3276) / 2
        elif name == "color":
            found["color"] = colour(each, theme, "val") or "auto"
        elif name == "u":
            found["u"] = raw or "single"
            found["uColor"] = colour(each, theme)
        elif name == "highlight":
            found["highlight"] = _HIGHLIGHTS.get(raw, "transparent")
        elif name == "shd":
            found["shd"] = shading(each, theme)
        elif name == "vertAlign":
            found[name] = raw
        elif name == "em":
            found[name] = raw if raw != "none" else ""
        elif name == "w" and (share := integer(raw.rstrip("%"))):
            found["scale"] = min(max(share, 1), 600) / 100
        elif name == "snapToGrid":
            found[name] = on(each)
        elif name == "spacing" and (length := points(raw)) is not None:
            found["spacing"] = max(-20.0, min(length, 100.0))
        elif name == "kern" and (size := integer(raw)) is not None:
            found["kern"] = size / 2
        elif name == "position" and (size := integer(raw)) is not None:
            found["position"] = max(-100, min(size, 100)) / 2
        elif name == "bdr":
            found["bdr"] = line(each, theme)
        elif name == "rtl":
            found["rtl"] = on(each)
    return found


def paragraph(parent: Element | None, theme: Theme) -> Properties:
    """The properties of `w:pPr`."""
    found: Properties = {}
    for each in () if parent is None else parent:
        name = each.tag.rpartition("}")[2] if isinstance(each.tag, str) else ""
        raw = each.get(W + "val") or ""
        if name in (
            "keepNext",
            "keepLines",
            "pageBreakBefore",
            "widowControl",
            "contextualSpacing",
            "bidi",
            "snapToGrid",
            "suppressLineNumbers",
        ):
            found[name] = on(each)
        elif name == "pStyle":
            found["style"] = raw
        elif name == "framePr" and each.get(W + "dropCap") == "drop":
            found["drop"] = min(max(integer(each.get(W + "lines")) or 1, 1), 10)
        elif name == "framePr" and each.get(W + "dropCap") == "margin":
            found["drop"] = min(max(integer(each.get(W + "lines")) or 1, 1), 10)
            found["outside"] = True
        elif name == "framePr":
            found["frame"] = tuple(sorted((str(key).removeprefix(W), text) for key, text in each.attrib.items()))
        elif name == "jc":
            found["jc"] = raw
        elif name == "ind":
            _indent(each, found)
        elif name == "spacing":
            _spacing(each, found)
        elif name == "pBdr":
            found["borders"] = {**found.get("borders", {}), **borders(each, theme)}
        elif name == "shd":
            found["shd"] = shading(each, theme)
        elif name == "outlineLvl":
            found["outline"] = integer(raw)
        elif name == "numPr":
            if (number := integer(value(child(each, "numId")))) is not None:
                found["numId"] = number
            if (level := integer(value(child(each, "ilvl")))) is not None:
                found["ilvl"] = min(max(level, 0), 8)
        elif name == "tabs":
            found["tabs"] = dict(found.get("tabs", {}))
            for tab in each.iterfind(W + "tab"):
                place = points(tab.get(W + "pos"))
                if place is not None:
                    found["tabs"][place] = (tab.get(W + "val") or "left", tab.get(W + "leader") or "none")
    return found


def _indent(element: Element, found: Properties) -> None:
    for name, keys in (("left", ("left", "start")), ("right", ("right", "end"))):
        lengths = [points(element.get(W + key)) for key in keys]
        if (length := next((each for each in lengths if each is not None), None)) is not None:
            found[name] = length
    hanging, first = points(element.get(W + "hanging")), points(element.get(W + "firstLine"))
    counts = {"left": ("leftChars", "startChars"), "right": ("rightChars", "endChars")}
    for name, keys in counts.items():
        if (count := next((n for key in keys if (n := integer(element.get(W + key))) is not None), None)) is not None:
            found[f"{name}Chars"] = _count(count)
    hung, indented = integer(element.get(W + "hangingChars")), integer(element.get(W + "firstLineChars"))
    if hung or indented is not None or hung is not None:
        found["firstChars"] = _count(-hung if hung else indented or 0)
    if hanging is not None:
        found["first"] = -hanging
    elif first is not None:
        found["first"] = first


def _count(hundredths: int) -> int:
    return max(-_MOST_CHARACTERS, min(hundredths, _MOST_CHARACTERS))


def _spacing(element: Element, found: Properties) -> None:
    for name in ("before", "after"):
        length = points(element.get(W + name))
        if (element.get(f"{W}{name}Autospacing") or "0") in ("1", "true", "on"):
            found |= {name: 14.0, f"{name}Auto": True}
        elif length is not None:
            found |= {name: max(length, 0.0), f"{name}Auto": False}
        if (count := integer(element.get(f"{W}{name}Lines"))) is not None:
            found[f"{name}Lines"] = max(_count(count), 0)
    rule = element.get(W + "lineRule") or "auto"
    text = element.get(W + "line")
    if text is not None and (height := points(text)) is not None:
        found["line"] = (rule, min(max(height / 12 if rule == "auto" else height, 0.06), 1584))
