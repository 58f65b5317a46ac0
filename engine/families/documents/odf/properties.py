"""Convert OpenDocument text and paragraph properties to WordprocessingML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from engine.families.documents.odf.names import FO, LOEXT, STYLE, TEXT, colour, edge, share, twips
from engine.families.documents.ooxml.made import add
from engine.families.documents.ooxml.package import Element

Properties: TypeAlias = Mapping[str, str]
"""Attributes by qualified name."""

_UNDERLINES = {"dotted": "dotted", "dash": "dash", "long-dash": "dashLong", "dot-dash": "dotDash",
               "dot-dot-dash": "dotDotDash", "wave": "wave"}  # fmt: skip
_ALIGN = {"start": "start", "left": "left", "end": "end", "right": "right", "center": "center", "justify": "both"}
_TABS = {"left": "left", "center": "center", "right": "right", "char": "decimal"}
_LEADERS = {"dotted": "dot", "solid": "underscore", "dash": "hyphen", "long-dash": "hyphen"}
_SIDES = ("top", "left", "bottom", "right")


def write_run(parent: Element, style: Properties, fonts: Mapping[str, str], *, size: float | None = None) -> None:
    """Write text properties to a `w:rPr`; percentages refer to `size` in points."""
    face = style.get(FO + "font-family") or fonts.get(
        style.get(STYLE + "font-name", ""), style.get(STYLE + "font-name")
    )
    if face:
        add(parent, "rFonts", ascii=face.split(",")[0].strip("'\" "))
    if (weight := style.get(FO + "font-weight")) is not None:
        add(parent, "b", val=int(weight == "bold" or (weight.isdecimal() and int(weight[:4]) >= 600)))
    if (slant := style.get(FO + "font-style")) is not None:
        add(parent, "i", val=int(slant in ("italic", "oblique")))
    if (case := style.get(FO + "text-transform")) is not None:
        add(parent, "caps", val=int(case == "uppercase"))
    if (variant := style.get(FO + "font-variant")) is not None:
        add(parent, "smallCaps", val=int(variant == "small-caps"))
    if (
        struck := style.get(STYLE + "text-line-through-style", style.get(STYLE + "text-line-through-type"))
    ) is not None:
        add(parent, "strike", val=int(struck != "none"))
    if (outline := style.get(STYLE + "text-outline")) is not None:
        add(parent, "outline", val=int(outline == "true"))
    if (shadow := style.get(FO + "text-shadow")) is not None:
        add(parent, "shadow", val=int(shadow != "none"))
    if (hidden := style.get(TEXT + "display")) is not None:
        add(parent, "vanish", val=int(hidden == "none"))
    shade = style.get(FO + "color")
    if style.get(STYLE + "use-window-font-color") == "true":
        add(parent, "color", val="auto")
    elif shade is not None:
        add(parent, "color", val=colour(shade) or "auto")
    if (points := points_of(style, size)) is not None:
        add(parent, "sz", val=round(points * 2))
    if (line := style.get(STYLE + "text-underline-style")) is not None:
        double = style.get(STYLE + "text-underline-type") == "double"
        add(parent, "u", val="none" if line == "none" else "double" if double else _UNDERLINES.get(line, "single"))
    if (ground := style.get(FO + "background-color")) is not None:
        add(parent, "shd", val="clear" if colour(ground) else "nil", fill=colour(ground) or "auto")
    if (gap := twips(style.get(FO + "letter-spacing"))) is not None or style.get(FO + "letter-spacing") == "normal":
        add(parent, "spacing", val=gap or 0)
    if (kerned := style.get(STYLE + "letter-kerning")) is not None:
        add(parent, "kern", val=int(kerned == "true"))
    if (place := style.get(STYLE + "text-position")) is not None:
        _position(parent, place, points or size)
    if (frame := edge(style.get(FO + "border"))) is not None:
        add(parent, "bdr", **frame)


def points_of(style: Properties, size: float | None) -> float | None:
    """The text size in points."""
    text = style.get(FO + "font-size")
    if (relative := share(text)) is not None:
        return None if size is None else size * relative / 100
    length = twips(text)
    return None if length is None else max(length / 20, 1.0)


def _position(parent: Element, place: str, size: float | None) -> None:
    words = place.split()
    raised = words[0] if words else "0%"
    height = share(raised)
    if raised in ("super", "sub"):
        add(parent, "vertAlign", val="superscript" if raised == "super" else "subscript")
    elif height is not None and len(words) > 1 and (share(words[1]) or 100) < 95 and height:
        add(parent, "vertAlign", val="superscript" if height > 0 else "subscript")
    else:
        add(parent, "vertAlign", val="baseline")
        if height:
            add(parent, "position", val=round(height / 100 * (size or 12) * 2))


def write_paragraph(parent: Element, style: Properties, tabs: Element | None, *, offset: int = 0) -> None:
    """Write paragraph properties to a `w:pPr`; tab stops are relative to `offset` in twips."""
    for name, key, yes in (
        ("keepNext", "keep-with-next", "always"), ("keepLines", "keep-together", "always"),
        ("pageBreakBefore", "break-before", "page"),
    ):  # fmt: skip
        if (text := style.get(FO + key)) is not None:
            add(parent, name, val=int(text == yes))
    if (alone := style.get(FO + "widows", style.get(FO + "orphans"))) is not None:
        add(parent, "widowControl", val=int(alone not in ("0", "1")))
    gap = {side: twips(style.get(f"{FO}padding-{side}", style.get(FO + "padding"))) or 0 for side in _SIDES}
    edges = {side: edge(style.get(f"{FO}border-{side}", style.get(FO + "border"))) for side in _SIDES}
    frame = add(parent, "pBdr") if any(each is not None for each in edges.values()) else None
    for side, each in edges.items():
        if frame is not None and each is not None:
            add(frame, side, **each, space=min(round(gap[side] / 20), 31))
    inner = {side: gap[side] if (edges[side] or {}).get("val", "none") != "none" else 0 for side in _SIDES}
    if (ground := style.get(FO + "background-color")) is not None:
        add(parent, "shd", val="clear" if colour(ground) else "nil", fill=colour(ground) or "auto")
    if tabs is not None:
        stops = add(parent, "tabs")
        for each in tabs:
            if (place := twips(each.get(STYLE + "position"))) is not None:
                leader_style = each.get(STYLE + "leader-style") or "none"
                leader = _LEADERS.get(leader_style, "none" if leader_style == "none" else "dot")
                kind = _TABS.get(each.get(STYLE + "type") or "left", "left")
                add(stops, "tab", val=kind, pos=place + offset, leader=leader)
    _spacing(parent, style)
    write_indent(parent, style, inner["left"], inner["right"])
    if (align := _ALIGN.get(style.get(FO + "text-align", ""))) is not None:
        add(parent, "jc", val=align)
    if (mode := style.get(STYLE + "writing-mode")) is not None and mode != "page":
        add(parent, "bidi", val=int(mode in ("rl-tb", "rl")))
    if (context := style.get(STYLE + "contextual-spacing", style.get(LOEXT + "contextual-spacing"))) is not None:
        add(parent, "contextualSpacing", val=int(context == "true"))


def write_indent(parent: Element, style: Properties, left: int = 0, right: int = 0) -> None:
    """Write the paragraph's indents; `left` and `right` are the space its frame takes."""
    found: dict[str, int] = {}
    for side, more in (("left", left), ("right", right)):
        length = twips(style.get(f"{FO}margin-{side}", style.get(FO + "margin")))
        if length is not None:
            found[side] = length + more
    first = twips(style.get(FO + "text-indent"))
    if first is not None:
        found["hanging" if first < 0 else "firstLine"] = abs(first)
    if found:
        add(parent, "ind", **found)


def _spacing(parent: Element, style: Properties) -> None:
    found: dict[str, int | str] = {}
    for name, side in (("before", "top"), ("after", "bottom")):
        length = twips(style.get(f"{FO}margin-{side}", style.get(FO + "margin")))
        if length is not None:
            found[name] = max(length, 0)
    height = style.get(FO + "line-height")
    least, leading = twips(style.get(STYLE + "line-height-at-least")), twips(style.get(STYLE + "line-spacing"))
    if height is not None and (relative := share(height)) is not None:
        found |= {"line": round(relative * 2.4), "lineRule": "auto"}
    elif height is not None and (exact := twips(height)) is not None:
        found |= {"line": exact, "lineRule": "exact"}
    elif least:
        found |= {"line": least, "lineRule": "atLeast"}
    elif leading:
        found |= {"line": 276 + leading, "lineRule": "atLeast"}
    elif height == "normal":
        found |= {"line": 240, "lineRule": "auto"}
    if found:
        add(parent, "spacing", **found)
