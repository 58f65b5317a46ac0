"""The styles of an xlsx workbook (ECMA-376, part 1, 18.8)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from engine.families.data.printed.looks import PLAIN, Edge, Font, Run, Style
from engine.families.data.printed.xlsx_colours import Colours, between
from engine.families.data.printed.xlsx_parts import Parts
from engine.toolkit.xml_elements import child, children, is_on, local, number

_SIDES = ("left", "right", "top", "bottom")
_SHARES = {
    "darkGray": 0.75, "mediumGray": 0.5, "lightGray": 0.25, "gray125": 0.125, "gray0625": 0.0625, "darkHorizontal": 0.5,
    "darkVertical": 0.5, "darkDown": 0.5, "darkUp": 0.5, "darkGrid": 0.5, "darkTrellis": 0.75, "lightHorizontal": 0.25,
    "lightVertical": 0.25, "lightDown": 0.25, "lightUp": 0.25, "lightGrid": 0.4, "lightTrellis": 0.375,
}  # fmt: skip
"""The share of a pattern's area that has its first colour; a pattern is drawn as the mixture of its two colours."""


@dataclass
class Styles:
    """All styles of a workbook: of cells, and those that conditions and tables apply, which set a part only."""

    colours: Colours
    cells: list[Style] = field(default_factory=lambda: [PLAIN])
    changes: list[Any] = field(default_factory=list)
    normal: Font = PLAIN.font
    tables: dict[str, Any] = field(default_factory=dict)
    """The styles of tables that the workbook declares, by name."""
    patterns: set[int] = field(default_factory=set)
    """The styles whose pattern is drawn as a plain colour."""

    def changed(self, style: Style, number: int) -> Style:
        """A style with one of the `changes` on it (18.8.14)."""
        if not 0 <= number < len(self.changes):
            return style
        change = self.changes[number]
        found = style
        if (font := child(change, "font")) is not None:
            found = replace(found, font=self.font(font, found.font))
        if (fill := child(change, "fill")) is not None:
            colour, gradient, _ = self._fill(fill, differential=True)
            if colour or gradient:
                found = replace(found, fill=colour, gradient=gradient)
        if (border := child(change, "border")) is not None:
            own = self._edges(border)
            found = replace(found, edges=tuple(a or b for a, b in zip(own, found.edges, strict=True)))
        return found

    def font(self, element: Any, base: Font | None = None) -> Font:
        """A font element, or the properties of a run; what is not set comes from `base`."""
        found = base or Font("Calibri", 11.0)
        values: dict[str, Any] = {}
        for each in children(element):
            name, value = local(each), each.get("val")
            if name in ("name", "rFont") and value:
                values["name"] = value
            elif name == "sz":
                values["size"] = min(max(number(value, found.size), 1.0), 409.0)
            elif name in ("b", "i", "strike"):
                values[{"b": "bold", "i": "italic"}.get(name, name)] = is_on(value, True)
            elif name == "u":
                values["underline"] = "" if value == "none" else value or "single"
            elif name == "color":
                values["colour"] = self.colours.of(each)
            elif name == "vertAlign":
                values["rise"] = {"superscript": 1, "subscript": -1}.get(value or "", 0)
        return replace(found, **values)

    def runs(self, item: Any) -> tuple[Run, ...] | None:
        """The runs of a shared or inline string (18.4.8); None if it has only one font, that of the cell."""
        found, plain = [], True
        for each in children(item, "r", "t"):
            if local(each) == "t":
                found.append(Run(each.text or ""))
                continue
            own = child(each, "rPr")
            plain = plain and own is None
            text = "".join(part.text or "" for part in children(each, "t"))
            found.append(Run(text, None if own is None else self.font(own)))
        return None if plain else tuple(found)

    def _fill(self, element: Any, *, differential: bool = False) -> tuple[str | None, Any, bool]:
        """The colour or gradient of a fill, and whether it is of a pattern."""
        gradient = child(element, "gradientFill")
        if gradient is not None:
            stops = [self.colours.of(child(each, "color")) or "FFFFFF" for each in children(gradient, "stop")]
            if len(stops) > 1:
                return None, (stops[0], stops[-1], number(gradient.get("degree"))), False
        pattern = child(element, "patternFill")
        if pattern is None:
            return None, None, False
        kind = pattern.get("patternType") or ("solid" if differential else "none")
        front, back = (self.colours.of(child(pattern, name)) for name in ("fgColor", "bgColor"))
        if kind == "solid":
            return (back or front) if differential else (front or "000000"), None, False
        if kind in _SHARES:
            return between(back or "FFFFFF", front or "000000", _SHARES[kind]), None, True
        return None, None, False

    def _edges(self, element: Any) -> tuple[Edge | None, ...]:
        found: dict[str, Edge] = {}
        for each in children(element):
            style = each.get("style") or "none"
            if style != "none":
                found[local(each)] = Edge(style, self.colours.of(child(each, "color")) or "000000")
        ends = {"start": "left", "end": "right"}
        found |= {ends[name]: found[name] for name in ends if name in found}
        diagonal = found.get("diagonal")
        falls, rises = (diagonal if is_on(element.get(name)) else None for name in ("diagonalDown", "diagonalUp"))
        return (*(found.get(side) for side in _SIDES), falls, rises)


def read(parts: Parts, book: str) -> Styles:
    """The styles of a workbook whose main part is `book`."""
    root = next((found for name in parts.related(book, "styles") if (found := parts.xml(name)) is not None), None)
    theme = next((found for name in parts.related(book, "theme") if (found := parts.xml(name)) is not None), None)
    styles = Styles(Colours(theme, root))
    if root is None:
        return styles
    fonts = [styles.font(each) for each in children(child(root, "fonts"), "font")] or [Font()]
    fills = [styles._fill(each) for each in children(child(root, "fills"), "fill")]
    edges = [styles._edges(each) for each in children(child(root, "borders"), "border")]
    styles.normal = fonts[0]
    styles.changes = list(children(child(root, "dxfs"), "dxf"))
    styles.tables = {each.get("name") or "": each for each in children(child(root, "tableStyles"), "tableStyle")}
    named = next(children(child(root, "cellStyleXfs"), "xf"), None)
    if named is not None:
        styles.normal = _at(fonts, named.get("fontId"), fonts[0])
    cells: list[Style] = []
    for each in children(child(root, "cellXfs"), "xf"):
        fill = _at(fills, each.get("fillId"), (None, None, False))
        if fill[2]:
            styles.patterns.add(len(cells))
        placing = child(each, "alignment")
        style = Style(
            font=_at(fonts, each.get("fontId"), fonts[0]),
            fill=fill[0],
            gradient=fill[1],
            edges=_at(edges, each.get("borderId"), PLAIN.edges),
        )
        cells.append(style if placing is None else _placed(style, placing))
    styles.cells = cells or [Style(font=fonts[0])]
    return styles


def _placed(style: Style, alignment: Any) -> Style:
    turn = int(number(alignment.get("textRotation")))
    return replace(
        style,
        across=alignment.get("horizontal") or "general",
        down=alignment.get("vertical") or "bottom",
        wrap=is_on(alignment.get("wrapText")),
        shrink=is_on(alignment.get("shrinkToFit")),
        indent=min(max(int(number(alignment.get("indent"))), 0), 250),
        turn=255 if turn == 255 else 90 - turn if 90 < turn <= 180 else turn if 0 <= turn <= 90 else 0,
    )


def _at(items: list[Any], index: str | None, otherwise: Any) -> Any:
    at = int(number(index, -1))
    return items[at] if 0 <= at < len(items) else otherwise
