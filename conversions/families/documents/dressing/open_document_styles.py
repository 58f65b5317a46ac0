"""Automatic styles of an OpenDocument text, and what looks say in them (ODF 1.3, 16 and 20)."""

from __future__ import annotations

import copy
from collections.abc import Hashable

from lxml import etree

from conversions.families.documents.dressing.looks import AUTO, Block, Border, Cell, Run
from conversions.families.documents.odf.names import FO, OFFICE, STYLE
from conversions.families.documents.ooxml.package import Element

_SIDES = ("top", "right", "bottom", "left")
_LINES = {"single": "solid"}
_DRAWN = {"style": "solid", "width": "auto", "color": "font-color"}
_LEADERS = {"dot": ("dotted", "."), "middleDot": ("dotted", "·"), "hyphen": ("dash", "-"),
            "underscore": ("solid", "_"), "heavy": ("solid", "_")}  # fmt: skip
_PARENT, _NAME = f"{STYLE}parent-style-name", f"{STYLE}name"


class Automatic:
    """The automatic styles of a text; the same look of what had the same style has the same one."""

    def __init__(self, root: Element) -> None:
        self._at = root.find(f"{OFFICE}automatic-styles")
        self._known = {each.get(_NAME): each for each in self._at.iterfind(f"{STYLE}style")}
        self._made: dict[tuple[str, str, Hashable], str] = {}

    def give(
        self,
        element: Element,
        namespace: str,
        family: str,
        look: Hashable,
        said: dict[str, str],
        stops: Element | None = None,
    ) -> Element:
        """The style of an element that looks as its style did and as `said`; `stops` are where its tabs lead."""
        name = f"{namespace}style-name"
        element.set(name, self.name(family, element.get(name) or "", look, said, stops))
        return self._known[element.get(name)]

    def name(self, family: str, parent: str, look: Hashable, said: dict[str, str], stops: Element | None = None) -> str:
        """The style that says what a look says beside what `parent` does."""
        key = (family, parent, look)
        if key not in self._made:
            self._made[key] = name = f"L{family[0]}{len(self._made) + 1}"
            if parent in self._known:  # which nothing can be based on, as it is an automatic one itself
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
            for attribute, value in said.items():
                properties.set(attribute, value)
            if stops is not None:
                for old in properties.findall(stops.tag):
                    properties.remove(old)
                properties.insert(0, stops)
            self._at.append(style)
            self._known[name] = style
        return self._made[key]


def run_properties(look: Run) -> dict[str, str]:
    """How text looks, as attributes of its style."""
    said: dict[str, str] = {}
    if look.font:
        said[f"{FO}font-family"] = f"'{look.font.replace(chr(39), '')}'"
    if look.size:
        for script in ("", "-asian", "-complex"):
            said[f"{STYLE if script else FO}font-size{script}"] = f"{look.size:g}pt"
    for name, value in look.lettering():
        said[f"{FO}{name}"] = value
    for name, on in (("underline", look.underlined), ("line-through", look.struck)):
        if on:
            said |= {
                f"{STYLE}text-{name}-{each}": value
                for each, value in _DRAWN.items()
                if (name, each) != ("line-through", "color")
            }
        elif on is not None:
            said[f"{STYLE}text-{name}-style"] = "none"
    if look.color == AUTO:
        said[f"{STYLE}use-window-font-color"] = "true"
    elif look.color:
        said[f"{FO}color"] = f"#{look.color}"
    if look.fill:
        said[f"{FO}background-color"] = f"#{look.fill}"
    if look.spacing:
        said[f"{FO}letter-spacing"] = f"{look.spacing:g}pt"
    return said


def block_properties(look: Block) -> dict[str, str]:
    """How a paragraph looks, as attributes of its style."""
    said = _ground(look.fill, look.borders)
    if look.new_page:
        said[f"{FO}break-before"] = "page"
    if look.align:
        said[f"{FO}text-align"] = {"both": "justify", "right": "end", "left": "start"}.get(look.align, look.align)
    if look.first:
        said[f"{FO}text-indent"] = f"{look.first:g}pt"
    if look.indent or look.end:
        said |= {f"{FO}margin-left": f"{look.indent:g}pt", f"{FO}margin-right": f"{look.end:g}pt"}
    for name, length in (("margin-top", look.before), ("margin-bottom", look.after)):
        if length is not None:
            said[f"{FO}{name}"] = f"{length:g}pt"
    if look.line and look.line > 0:
        said[f"{FO}line-height"] = f"{look.line:.0%}"
    elif look.line:
        said[f"{STYLE}line-height-at-least"] = f"{-look.line:g}pt"
    return said


def tab_stops(look: Block) -> Element | None:
    """Where the tabs of a paragraph lead, counted from where its text begins."""
    if not look.stops:
        return None
    stops = etree.Element(f"{STYLE}tab-stops")
    for place, kind, leader in sorted(look.stops):
        said = {f"{STYLE}position": f"{place - look.indent:g}pt"}
        if kind != "left":
            said |= {f"{STYLE}type": "char", f"{STYLE}char": "."} if kind == "decimal" else {f"{STYLE}type": kind}
        if leader in _LEADERS:
            style, text = _LEADERS[leader]
            said |= {f"{STYLE}leader-style": style, f"{STYLE}leader-text": text}
        etree.SubElement(stops, f"{STYLE}tab-stop", said)
    return stops


def cell_properties(look: Cell) -> dict[str, str]:
    """How a cell looks, as attributes of its style."""
    said = _ground(look.fill, look.borders)
    for side, length in zip(_SIDES, look.padding, strict=False):
        said.pop(f"{FO}padding", None)
        said[f"{FO}padding-{side}"] = f"{length:g}pt"
    if look.align:
        said[f"{STYLE}vertical-align"] = look.align
    return said


def _ground(fill: str | None, borders: tuple[Border | None, ...]) -> dict[str, str]:
    said = {f"{FO}background-color": f"#{fill}"} if fill else {}
    for side, line in zip(_SIDES, borders, strict=False):
        drawn = f"{line[1] / 8:g}pt {_LINES.get(line[0], line[0])} #{line[2].lower()}" if line else "none"
        said[f"{FO}border-{side}"] = drawn
    if said and any(borders):
        said[f"{FO}padding"] = "2pt"
    return said
