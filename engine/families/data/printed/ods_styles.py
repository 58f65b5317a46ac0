"""The styles of an OpenDocument spreadsheet (OpenDocument 1.3, part 3, 16)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from engine.families.data.printed.boxes import INDENT
from engine.families.data.printed.looks import Edge, Font, Style
from engine.families.data.printed.papers import MM
from engine.families.data.printed.xlsx_parts import Parts
from engine.toolkit.xml_elements import child, children, given, local, number

_LENGTH = re.compile(r"(-?\d{1,6}(?:\.\d+)?)(mm|cm|in|pt|pc|px)")
_UNITS = {"mm": MM, "cm": 10 * MM, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
_HEX = re.compile("#[0-9A-Fa-f]{6}")
_SIDES = ("left", "right", "top", "bottom")
_ACROSS = {"start": "left", "end": "right", "left": "left", "right": "right", "center": "center", "justify": "justify"}
_DOWN = {"top": "top", "middle": "center", "bottom": "bottom", "automatic": "bottom"}
_DEEPEST = 20
USUAL = Font("Liberation Sans", 10.0)


def points(text: str | None, otherwise: float = 0.0) -> float:
    """A length in points."""
    match = _LENGTH.fullmatch(text or "")
    return float(match[1]) * _UNITS[match[2]] if match else otherwise


class Styles:
    """The styles of a file by family and name, with what they inherit."""

    def __init__(self, parts: Parts) -> None:
        self._found: dict[tuple[str, str], Any] = {}
        self._defaults: dict[str, Any] = {}
        self._fonts: dict[str, str] = {}
        self._cells: dict[str, int] = {}
        self.masters: dict[str, Any] = {}
        self.layouts: dict[str, Any] = {}
        self.list: list[Style] = []
        self.add(parts.xml("styles.xml"))

    def add(self, root: Any) -> None:
        """Take the styles of a part, or of one of its elements."""
        for each in () if root is None else root.iter():
            if not isinstance(each.tag, str):
                continue
            name, kind = given(each, "name") or "", local(each)
            if kind == "style":
                self._found[given(each, "family") or "", name] = each
            elif kind == "default-style":
                self._defaults[given(each, "family") or ""] = each
            elif kind == "font-face":
                self._fonts[name] = (given(each, "font-family") or name).strip("'\"")
            elif kind == "master-page":
                self.masters[name] = each
            elif kind == "page-layout":
                self.layouts[name] = each

    def chain(self, family: str, name: str) -> list[Any]:
        """The elements of a style, from the default one to its own."""
        found: list[Any] = []
        while name and len(found) < _DEEPEST and (each := self._found.get((family, name))) is not None:
            found.insert(0, each)
            name = given(each, "parent-style-name") or ""
        return [*([self._defaults[family]] if family in self._defaults else []), *found]

    def property(self, family: str, name: str, key: str) -> str | None:
        """The value of a property of a style."""
        values = [
            value
            for each in self.chain(family, name)
            for properties in children(each)
            if (value := given(properties, key)) is not None
        ]
        return values[-1] if values else None

    def number_of(self, name: str) -> int:
        """The number of a cell style in `list`."""
        if name not in self._cells:
            style = Style(font=USUAL)
            for each in self.chain("table-cell", name or "Default"):
                style = self._changed(style, each)
            self._cells[name] = len(self.list)
            self.list.append(style)
        return self._cells[name]

    def _changed(self, style: Style, element: Any) -> Style:
        texts = child(element, "text-properties")
        if texts is not None:
            style = replace(style, font=self.font(texts, style.font))
        cell = child(element, "table-cell-properties")
        if cell is not None:
            style = _of_cell(style, cell)
        paragraph = child(element, "paragraph-properties")
        if paragraph is not None:
            across = _ACROSS.get(given(paragraph, "text-align") or "")
            if across:
                style = replace(style, across=across)
            if margin := given(paragraph, "margin-left"):
                style = replace(style, indent=min(max(round(points(margin) / INDENT), 0), 250))
        if cell is not None and given(cell, "text-align-source") == "value-type":
            style = replace(style, across="general")
        return style

    def span(self, name: str, base: Font) -> Font:
        """The font of a span."""
        for each in self.chain("text", name):
            texts = child(each, "text-properties")
            base = base if texts is None or local(each) == "default-style" else self.font(texts, base)
        return base

    def font(self, element: Any, base: Font) -> Font:
        """The font that text properties set."""
        values: dict[str, Any] = {}
        if name := given(element, "font-name"):
            values["name"] = self._fonts.get(name, name)
        if family := given(element, "font-family"):
            values["name"] = family.strip("'\"")
        if size := points(given(element, "font-size")):
            values["size"] = min(max(size, 1.0), 409.0)
        if weight := given(element, "font-weight"):
            values["bold"] = weight == "bold" or number(weight) >= 600
        if slant := given(element, "font-style"):
            values["italic"] = slant in ("italic", "oblique")
        if under := given(element, "text-underline-style"):
            double = given(element, "text-underline-type") == "double"
            values["underline"] = "" if under == "none" else "double" if double else "single"
        if through := given(element, "text-line-through-style"):
            values["strike"] = through != "none"
        colour = given(element, "color") or ""
        if _HEX.fullmatch(colour):
            values["colour"] = colour[1:].upper()
        if place := given(element, "text-position"):
            values["rise"] = 1 if place.startswith("super") else -1 if place.startswith("sub") else 0
        return replace(base, **values)


def _of_cell(style: Style, cell: Any) -> Style:
    values: dict[str, Any] = {}
    if ground := given(cell, "background-color"):
        values["fill"] = ground[1:].upper() if _HEX.fullmatch(ground) else None
    edges = list(style.edges)
    whole = given(cell, "border")
    for at, side in enumerate(_SIDES):
        own = given(cell, f"border-{side}") or whole
        edges[at] = edges[at] if own is None else _edge(own)
    for at, name in ((4, "diagonal-tl-br"), (5, "diagonal-bl-tr")):
        if own := given(cell, name):
            edges[at] = _edge(own)
    turn = int(number(given(cell, "rotation-angle")))
    turn = turn - 360 if turn > 180 else turn
    if given(cell, "direction") == "ttb":
        turn = 255
    return replace(
        style,
        **values,
        edges=tuple(edges),
        down=_DOWN.get(given(cell, "vertical-align") or "", style.down),
        wrap=given(cell, "wrap-option") == "wrap" if given(cell, "wrap-option") else style.wrap,
        shrink=given(cell, "shrink-to-fit") == "true" if given(cell, "shrink-to-fit") else style.shrink,
        turn=turn if turn == 255 or -90 <= turn <= 90 else style.turn,
    )


def _edge(text: str) -> Edge | None:
    """A line as in style sheets: its width, kind and colour."""
    words = text.split()
    width = points(words[0]) if words else 0.0
    kind = next((each for each in words if each in ("solid", "dashed", "dotted", "double", "double-thin")), "")
    if not width or not kind:
        return None
    colour = next((each[1:].upper() for each in words if _HEX.fullmatch(each)), "000000")
    if kind.startswith("double"):
        return Edge("double", colour)
    if kind == "dotted":
        return Edge("dotted", colour)
    if kind == "dashed":
        return Edge("mediumDashed" if width > 1.2 else "dashed", colour)
    return Edge("thick" if width > 2 else "medium" if width > 1.2 else "thin" if width > 0.3 else "hair", colour)
