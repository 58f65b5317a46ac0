"""Write styles as OpenDocument automatic styles (ODF 1.3, 16 and 20)."""

from __future__ import annotations

import copy
from collections.abc import Hashable

from lxml import etree

from engine.families.documents.odf.names import FO, OFFICE, STYLE
from engine.families.documents.ooxml.package import Element
from engine.families.documents.style_transfer.styles import AUTO, Block, Border, Cell, Run

_SIDES = ("top", "right", "bottom", "left")
_LINES = {"single": "solid"}
_PLACES = {"superscript": "super 58%", "subscript": "sub 58%"}
_DRAWN = {"style": "solid", "width": "auto", "color": "font-color"}
_LEADERS = {"dot": ("dotted", "."), "middleDot": ("dotted", "·"), "hyphen": ("dash", "-"),
            "underscore": ("solid", "_"), "heavy": ("solid", "_")}  # fmt: skip
_PARENT, _NAME = f"{STYLE}parent-style-name", f"{STYLE}name"


class Automatic:
    """The automatic styles of a text; equal styles with the same parent share one."""

    def __init__(self, root: Element) -> None:
        self._at = root.find(f"{OFFICE}automatic-styles")
        self._known = {each.get(_NAME): each for each in self._at.iterfind(f"{STYLE}style")}
        for each in self._known.values():
            self._settle(each)
        self._made: dict[tuple[str, str, Hashable], str] = {}

    def _settle(self, style: Element) -> None:
        """Base a style on none of the automatic ones, which pandoc does for the cells of a column."""
        for _ in range(len(self._known)):
            base = self._known.get(style.get(_PARENT))
            if base is None or base is style:
                return
            for name, value in base.attrib.items():
                if name not in (_NAME, _PARENT) and style.get(name) is None:
                    style.set(name, value)
            for each in base:
                own = style.find(each.tag)
                if own is None:
                    style.append(copy.deepcopy(each))
                else:
                    own.attrib.update({name: value for name, value in each.attrib.items() if name not in own.attrib})
            if base.get(_PARENT) is None:
                del style.attrib[_PARENT]
            else:
                style.set(_PARENT, base.get(_PARENT))

    def give(
        self,
        element: Element,
        namespace: str,
        family: str,
        formatting: Hashable,
        attributes: dict[str, str],
        stops: Element | None = None,
    ) -> Element:
        """The style of an element with its own style plus `attributes`; `stops` are its tab stops."""
        name = f"{namespace}style-name"
        element.set(name, self.name(family, element.get(name) or "", formatting, attributes, stops))
        return self._known[element.get(name)]

    def name(
        self, family: str, parent: str, formatting: Hashable, attributes: dict[str, str], stops: Element | None = None
    ) -> str:
        """The name of a style that holds the differences from `parent`."""
        key = (family, parent, formatting)
        if key not in self._made:
            self._made[key] = name = f"L{family[0]}{len(self._made) + 1}"
            if parent in self._known:  # nothing can be based on an automatic style
                style = copy.deepcopy(self._known[parent])
                style.set(_NAME, name)
            else:
                style = etree.Element(f"{STYLE}style", {_NAME: name, f"{STYLE}family": family})
                if parent:
                    style.set(_PARENT, parent)
            properties = style.find(f"{STYLE}{family}-properties")
            if properties is None:
                properties = etree.SubElement(style, f"{STYLE}{family}-properties")
                style.insert(0, properties)
            for attribute, value in attributes.items():
                properties.set(attribute, value)
            if stops is not None:
                for old in properties.findall(stops.tag):
                    properties.remove(old)
                properties.insert(0, stops)
            self._at.append(style)
            self._known[name] = style
        return self._made[key]


def run_properties(formatting: Run) -> dict[str, str]:
    """Run properties as style attributes."""
    attributes: dict[str, str] = {}
    if formatting.font:
        attributes[f"{FO}font-family"] = f"'{formatting.font.replace(chr(39), '')}'"
    if formatting.size:
        for script in ("", "-asian", "-complex"):
            attributes[f"{STYLE if script else FO}font-size{script}"] = f"{formatting.size:g}pt"
    for name, value in formatting.lettering():
        attributes[f"{FO}{name}"] = value
    for name, on in (("underline", formatting.underlined), ("line-through", formatting.struck)):
        if on:
            attributes |= {
                f"{STYLE}text-{name}-{each}": value
                for each, value in _DRAWN.items()
                if (name, each) != ("line-through", "color")
            }
        elif on is not None:
            attributes[f"{STYLE}text-{name}-style"] = "none"
    if formatting.color == AUTO:
        attributes[f"{STYLE}use-window-font-color"] = "true"
    elif formatting.color:
        attributes[f"{FO}color"] = f"#{formatting.color}"
    if formatting.fill:
        attributes[f"{FO}background-color"] = f"#{formatting.fill}"
    if formatting.spacing:
        attributes[f"{FO}letter-spacing"] = f"{formatting.spacing:g}pt"
    if formatting.raised:
        attributes[f"{STYLE}text-position"] = _PLACES[formatting.raised]
    if formatting.outlined:
        attributes[f"{STYLE}text-outline"] = "true"
    if formatting.shadowed:
        attributes[f"{FO}text-shadow"] = "1pt 1pt"
    return attributes


def block_properties(formatting: Block) -> dict[str, str]:
    """Paragraph properties as style attributes."""
    attributes = _ground(formatting.fill, formatting.borders)
    if formatting.new_page:
        attributes[f"{FO}break-before"] = "page"
    if formatting.kept:
        attributes[f"{FO}keep-with-next"] = "always"
    if formatting.align:
        attributes[f"{FO}text-align"] = {"both": "justify", "right": "end", "left": "start"}.get(
            formatting.align, formatting.align
        )
    if formatting.first:
        attributes[f"{FO}text-indent"] = f"{formatting.first:g}pt"
    if formatting.indent or formatting.end:
        attributes |= {f"{FO}margin-left": f"{formatting.indent:g}pt", f"{FO}margin-right": f"{formatting.end:g}pt"}
    for name, length in (("margin-top", formatting.before), ("margin-bottom", formatting.after)):
        if length is not None:
            attributes[f"{FO}{name}"] = f"{length:g}pt"
    if formatting.line and formatting.line > 0:
        attributes[f"{FO}line-height"] = f"{formatting.line:.0%}"
    elif formatting.line:
        attributes[f"{STYLE}line-height-at-least"] = f"{-formatting.line:g}pt"
    return attributes


def tab_stops(formatting: Block) -> Element | None:
    """The tab stops of a paragraph, relative to its indent."""
    if not formatting.stops:
        return None
    stops = etree.Element(f"{STYLE}tab-stops")
    for place, kind, leader in sorted(formatting.stops):
        attributes = {f"{STYLE}position": f"{place - formatting.indent:g}pt"}
        if kind != "left":
            attributes |= {f"{STYLE}type": "char", f"{STYLE}char": "."} if kind == "decimal" else {f"{STYLE}type": kind}
        if leader in _LEADERS:
            style, text = _LEADERS[leader]
            attributes |= {f"{STYLE}leader-style": style, f"{STYLE}leader-text": text}
        etree.SubElement(stops, f"{STYLE}tab-stop", attributes)
    return stops


def cell_properties(formatting: Cell) -> dict[str, str]:
    """Cell properties as style attributes."""
    attributes = _ground(formatting.fill, formatting.borders)
    for side, length in zip(_SIDES, formatting.padding, strict=False):
        attributes.pop(f"{FO}padding", None)
        attributes[f"{FO}padding-{side}"] = f"{length:g}pt"
    if formatting.align:
        attributes[f"{STYLE}vertical-align"] = formatting.align
    return attributes


def _ground(fill: str | None, borders: tuple[Border | None, ...]) -> dict[str, str]:
    attributes = {f"{FO}background-color": f"#{fill}"} if fill else {}
    for side, line in zip(_SIDES, borders, strict=False):
        drawn = f"{line[1] / 8:g}pt {_LINES.get(line[0], line[0])} #{line[2].lower()}" if line else "none"
        attributes[f"{FO}border-{side}"] = drawn
    if attributes and any(borders):
        attributes[f"{FO}padding"] = "2pt"
    return attributes
