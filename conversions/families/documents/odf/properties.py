"""What OpenDocument says of text and paragraphs, said as WordprocessingML does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from conversions.families.documents.odf.names import FO, LOEXT, STYLE, TEXT, colour, edge, share, twips
from conversions.families.documents.ooxml.made import add
from conversions.families.documents.ooxml.package import Element

Said: TypeAlias = Mapping[str, str]
"""Attributes by qualified name."""

_UNDERLINES = {"dotted": "dotted", "dash": "dash", "long-dash": "dashLong", "dot-dash": "dotDash",
               "dot-dot-dash": "dotDotDash", "wave": "wave"}  # fmt: skip
_ALIGN = {"start": "start", "left": "left", "end": "end", "right": "right", "center": "center", "justify": "both"}
_TABS = {"left": "left", "center": "center", "right": "right", "char": "decimal"}
_LEADERS = {"dotted": "dot", "solid": "underscore", "dash": "hyphen", "long-dash": "hyphen"}
_SIDES = ("top", "left", "bottom", "right")


def letters(parent: Element, said: Said, fonts: Mapping[str, str], *, size: float | None = None) -> None:
    """Write properties of text to a `w:rPr`; `size` in points is what a share of the size is of."""
    face = said.get(FO + "font-family") or fonts.get(said.get(STYLE + "font-name", ""), said.get(STYLE + "font-name"))
    if face:
        add(parent, "rFonts", ascii=face.split(",")[0].strip("'\" "))
    if (weight := said.get(FO + "font-weight")) is not None:
        add(parent, "b", val=int(weight == "bold" or (weight.isdecimal() and int(weight[:4]) >= 600)))
    if (slant := said.get(FO + "font-style")) is not None:
        add(parent, "i", val=int(slant in ("italic", "oblique")))
    if (case := said.get(FO + "text-transform")) is not None:
        add(parent, "caps", val=int(case == "uppercase"))
    if (variant := said.get(FO + "font-variant")) is not None:
        add(parent, "smallCaps", val=int(variant == "small-caps"))
    if (struck := said.get(STYLE + "text-line-through-style", said.get(STYLE + "text-line-through-type"))) is not None:
        add(parent, "strike", val=int(struck != "none"))
    if (hidden := said.get(TEXT + "display")) is not None:
        add(parent, "vanish", val=int(hidden == "none"))
    shade = said.get(FO + "color")
    if said.get(STYLE + "use-window-font-color") == "true":
        add(parent, "color", val="auto")
    elif shade is not None:
        add(parent, "color", val=colour(shade) or "auto")
    if (points := points_of(said, size)) is not None:
        add(parent, "sz", val=round(points * 2))
    if (line := said.get(STYLE + "text-underline-style")) is not None:
        double = said.get(STYLE + "text-underline-type") == "double"
        add(parent, "u", val="none" if line == "none" else "double" if double else _UNDERLINES.get(line, "single"))
    if (ground := said.get(FO + "background-color")) is not None:
        add(parent, "shd", val="clear" if colour(ground) else "nil", fill=colour(ground) or "auto")
    if (gap := twips(said.get(FO + "letter-spacing"))) is not None or said.get(FO + "letter-spacing") == "normal":
        add(parent, "spacing", val=gap or 0)
    if (place := said.get(STYLE + "text-position")) is not None:
        _position(parent, place, points or size)
    if (frame := edge(said.get(FO + "border"))) is not None:
        add(parent, "bdr", **frame)


def points_of(said: Said, size: float | None) -> float | None:
    """How large text is, in points."""
    text = said.get(FO + "font-size")
    if (of := share(text)) is not None:
        return None if size is None else size * of / 100
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


def block(parent: Element, said: Said, tabs: Element | None, *, offset: int = 0) -> None:
    """Write properties of a paragraph to a `w:pPr`; `offset` in twips is where its stops are counted from."""
    for name, key, yes in (
        ("keepNext", "keep-with-next", "always"), ("keepLines", "keep-together", "always"),
        ("pageBreakBefore", "break-before", "page"),
    ):  # fmt: skip
        if (text := said.get(FO + key)) is not None:
            add(parent, name, val=int(text == yes))
    if (alone := said.get(FO + "widows", said.get(FO + "orphans"))) is not None:
        add(parent, "widowControl", val=int(alone not in ("0", "1")))
    gap = {side: twips(said.get(f"{FO}padding-{side}", said.get(FO + "padding"))) or 0 for side in _SIDES}
    edges = {side: edge(said.get(f"{FO}border-{side}", said.get(FO + "border"))) for side in _SIDES}
    frame = add(parent, "pBdr") if any(each is not None for each in edges.values()) else None
    for side, each in edges.items():
        if frame is not None and each is not None:
            add(frame, side, **each, space=min(round(gap[side] / 20), 31))
    inner = {side: gap[side] if (edges[side] or {}).get("val", "none") != "none" else 0 for side in _SIDES}
    if (ground := said.get(FO + "background-color")) is not None:
        add(parent, "shd", val="clear" if colour(ground) else "nil", fill=colour(ground) or "auto")
    if tabs is not None:
        stops = add(parent, "tabs")
        for each in tabs:
            if (place := twips(each.get(STYLE + "position"))) is not None:
                style = each.get(STYLE + "leader-style") or "none"
                leader = _LEADERS.get(style, "none" if style == "none" else "dot")
                kind = _TABS.get(each.get(STYLE + "type") or "left", "left")
                add(stops, "tab", val=kind, pos=place + offset, leader=leader)
    _spacing(parent, said)
    indent(parent, said, inner["left"], inner["right"])
    if (align := _ALIGN.get(said.get(FO + "text-align", ""))) is not None:
        add(parent, "jc", val=align)
    if (mode := said.get(STYLE + "writing-mode")) is not None and mode != "page":
        add(parent, "bidi", val=int(mode in ("rl-tb", "rl")))
    if (context := said.get(STYLE + "contextual-spacing", said.get(LOEXT + "contextual-spacing"))) is not None:
        add(parent, "contextualSpacing", val=int(context == "true"))


def indent(parent: Element, said: Said, left: int = 0, right: int = 0) -> None:
    """Write how far a paragraph is from its column; `left` and `right` are what its frame takes."""
    found: dict[str, int] = {}
    for side, more in (("left", left), ("right", right)):
        length = twips(said.get(f"{FO}margin-{side}", said.get(FO + "margin")))
        if length is not None:
            found[side] = length + more
    first = twips(said.get(FO + "text-indent"))
    if first is not None:
        found["hanging" if first < 0 else "firstLine"] = abs(first)
    if found:
        add(parent, "ind", **found)


def _spacing(parent: Element, said: Said) -> None:
    found: dict[str, int | str] = {}
    for name, side in (("before", "top"), ("after", "bottom")):
        length = twips(said.get(f"{FO}margin-{side}", said.get(FO + "margin")))
        if length is not None:
            found[name] = max(length, 0)
    height = said.get(FO + "line-height")
    least, leading = twips(said.get(STYLE + "line-height-at-least")), twips(said.get(STYLE + "line-spacing"))
    if height is not None and (of := share(height)) is not None:
        found |= {"line": round(of * 2.4), "lineRule": "auto"}
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
