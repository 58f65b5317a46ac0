"""Convert OpenDocument pictures, text boxes and shapes to WordprocessingML drawings."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from engine.families.documents.odf import forms, places
from engine.families.documents.odf.equations import equation
from engine.families.documents.odf.forms import Form
from engine.families.documents.odf.geometries import Drawn
from engine.families.documents.odf.names import (
    DRAW,
    FO,
    OFFICE,
    STYLE,
    SVG,
    TEXT,
    XLINK,
    colour,
    edge,
    share,
    twips,
)
from engine.families.documents.odf.paint import Named, Painter
from engine.families.documents.odf.places import Place
from engine.families.documents.odf.properties import Properties
from engine.families.documents.odf.text import Text
from engine.families.documents.ooxml.made import Made, add
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word import drawings
from engine.families.documents.word import job as kinds
from engine.families.documents.word.names import PIC, WP, WPG, WPS, A, R
from engine.toolkit.warnings import Kind

_WRAPS = {"none": "wrapTopAndBottom", "run-through": "wrapNone"}
_SHAPES = ("custom-shape", "rect", "ellipse", "circle", "path", "polygon", "polyline", "regular-polygon", "caption")
_USUAL = {DRAW + "fill": "solid", DRAW + "stroke": "solid", DRAW + "fill-color": "#729fcf",
          SVG + "stroke-color": "#3465a4"}  # fmt: skip
"""How LibreOffice paints a shape without a style."""
_ANCHORS = {"middle": "ctr", "bottom": "b"}
_LINES = ("line", "connector", "measure")
_DEEPEST = 10
_CROPPED = Kind("VALUE_CONVERTED", "Cropped pictures are shown in full: {count}{places}.")
_FORMULA = b"<math"

Blocks = Callable[[Element, Element, int], None]
"""Writes the paragraphs of a text box of a given width in twips."""


@dataclass
class _Group:
    """A group that is being written: the element for its shapes, and the place of each of them."""

    held: Element
    places: list[Place] = field(default_factory=list)


class Frames:
    """Writes drawings into the runs of one part; a picture is read from the file on its first use."""

    def __init__(
        self, made: Made, file: Package, part: str, blocks: Blocks, room: int, left: int, named: Named
    ) -> None:
        self._made = made
        self._file = file
        self._part = part
        self._blocks = blocks
        self._room = room
        self._left = left
        self._named = named
        self._depth = 0
        self._group: _Group | None = None

    def draw(self, each: Element, text: Text) -> None:
        """Write a frame or shape at the current position in the text."""
        kind = each.tag.removeprefix(DRAW)
        if kind == "g" and self._depth < _DEEPEST:
            self._depth += 1
            if self._group is None:
                self._grouped(each, text)
            else:
                self._members(each, text)
            self._depth -= 1
            return
        style = text.scope.resolved("graphic", each.get(DRAW + "style-name") or "", "graphic")
        if kind == "frame":
            self._frame(each, style, text)
        elif kind in _SHAPES or kind in _LINES:
            self._shape(each, style, kind, text)
        elif kind not in ("control", "layer-set"):
            self._made.found[kinds.SHAPE] += 1

    def _members(self, group: Element, text: Text) -> None:
        for inner in group:
            if isinstance(inner.tag, str) and inner.tag.startswith(DRAW):
                self.draw(inner, text)

    def _grouped(self, each: Element, text: Text) -> None:
        """Write a group, whose shapes have their places on what the group is anchored to, as one drawing."""
        self._group = group = _Group(etree.Element(WPG + "wgp"))
        self._members(each, text)
        self._group = None
        if not group.places:
            return
        left, top = min(at.x for at in group.places), min(at.y for at in group.places)
        wide = max(at.x + at.wide for at in group.places) - left
        high = max(at.y + at.high for at in group.places) - top
        style = text.scope.resolved("graphic", each.get(DRAW + "style-name") or "", "graphic")
        place = Place(left, top, wide, high)
        whole = etree.Element(WPG + "grpSpPr")
        _at(whole, place, inside=place)
        group.held.insert(0, whole)
        for member, at in zip(list(group.held)[1:], group.places, strict=True):
            _at(_properties_of(member), at)
        self._placed(each, style, text, wide, high, place=place).append(group.held)

    def _frame(self, each: Element, style: Properties, text: Text) -> None:
        box, part, picture = each.find(DRAW + "text-box"), each.find(DRAW + "object"), self._picture(each)
        ole = each.find(DRAW + "object-ole")
        if part is not None and (made := self._formula(part)) is not None:
            text.target.append(made)
            return
        wide, high = self._size(each, box, style)
        if box is not None:
            data = self._placed(each, style, text, wide, high)
            self._box(data, box, style, wide, high)
            return
        if ole is not None or part is not None:
            self._made.found[kinds.OBJECT] += 1
        if picture is None:
            if part is None and ole is None and each.find(DRAW + "image") is None:
                self._made.found[kinds.SHAPE] += 1
            return
        if any(twips(cut) for cut in re.findall(r"[^\s(),]+", style.get(FO + "clip", ""))):
            self._made.found[_CROPPED] += 1
        data = self._placed(each, style, text, wide, high)
        shown = etree.SubElement(data, PIC + "pic")
        blip = etree.SubElement(etree.SubElement(shown, PIC + "blipFill"), A + "blip")
        blip.set(R + "embed", picture)

    def _formula(self, part: Element) -> Element | None:
        """The equation of an object that contains one."""
        inside = next((each for each in part if isinstance(each.tag, str)), None)
        if inside is not None:
            return equation(inside)
        name = (part.get(XLINK + "href") or "").removeprefix("./") + "/content.xml"
        if name not in self._file.names or _FORMULA not in self._file.read(name)[:2000].replace(b"math:", b""):
            return None
        return equation(self._file.xml(name))

    def _picture(self, frame: Element) -> str | None:
        """The relationship of a frame's picture: the first displayable representation, else one that isn't."""
        other = None
        for each in frame.iterfind(DRAW + "image"):
            inside = each.findtext(OFFICE + "binary-data")
            name = (each.get(XLINK + "href") or "").removeprefix("./")
            if inside is not None:
                try:
                    data = base64.b64decode(inside)
                except (binascii.Error, ValueError):
                    continue
                name = f"picture{len(self._made.relations(self._part))}"
            elif name in self._file.names:
                data = self._file.read(name)
            else:
                if name and ":" not in name:
                    other = other or self._made.relate(self._part, "image", name)
                continue
            if drawings.type_of(name, data) is not None:
                return self._made.put(name, data, source=self._part, kind="image")
            other = self._made.put(name, data, source=self._part, kind="image")
        return other

    def _size(self, each: Element, box: Element | None, style: Properties) -> tuple[int, int]:
        wide, high = twips(each.get(SVG + "width")), twips(each.get(SVG + "height"))
        if (source := share(each.get(STYLE + "rel-width"))) is not None and not wide:
            wide = round(self._room * min(source, 100) / 100)
        if box is not None:
            wide = wide or twips(box.get(FO + "min-width")) or twips(style.get(FO + "min-width"))
            high = twips(box.get(FO + "min-height")) or high
        return wide or 2000, high or 0

    def _placed(
        self, each: Element, style: Properties, text: Text, wide: int, high: int, *, place: Place | None = None
    ) -> Element:
        """Write the frame of a drawing at its anchor, and return the element for its content."""
        at = place or places.of(each)
        if self._group is not None:
            self._group.places.append(replace(at, wide=wide, high=high))
            return self._group.held
        kind = each.get(TEXT + "anchor-type") or "as-char"
        anchored = kind != "as-char"
        drawing = add(text.run(), "drawing")
        frame = etree.SubElement(drawing, WP + ("anchor" if anchored else "inline"))
        if anchored:
            for side, name in (("T", "top"), ("R", "right"), ("B", "bottom"), ("L", "left")):
                gap = twips(style.get(f"{FO}margin-{name}", style.get(FO + "margin"))) or 0
                frame.set(f"dist{side}", str(_emu(max(gap, 0))))
            if style.get(STYLE + "run-through") == "background":
                frame.set("behindDoc", "1")
            self._across(frame, at.x, style, kind)
            self._down(frame, at.y, style, kind)
            # A frame without words about it keeps the text away, a drawn shape does not.
            around = style.get(STYLE + "wrap", "none" if each.tag == DRAW + "frame" else "run-through")
            wrap = etree.SubElement(frame, WP + _WRAPS.get(around, "wrapSquare"))
            if around in ("left", "right"):
                wrap.set("wrapText", around)
        size = etree.SubElement(frame, WP + "extent")
        size.set("cx", str(_emu(wide)))
        size.set("cy", str(_emu(high)))
        described = etree.SubElement(frame, WP + "docPr")
        label = each.findtext(SVG + "desc") or each.findtext(SVG + "title") or ""
        described.set("descr", " ".join(label.split()))
        graphic = etree.SubElement(frame, A + "graphic")
        data: Any = etree.SubElement(graphic, A + "graphicData")
        return data

    def _across(self, frame: Element, x: int, style: Properties, kind: str) -> None:
        place = etree.SubElement(frame, WP + "positionH")
        align = style.get(STYLE + "horizontal-pos", "from-left")
        if align in ("left", "center", "right"):
            etree.SubElement(place, WP + "align").text = align
            return
        if style.get(STYLE + "horizontal-rel", "page" if kind == "page" else "") in ("page", "page-start-margin"):
            x -= self._left
        etree.SubElement(place, WP + "posOffset").text = str(_emu(x))

    def _down(self, frame: Element, y: int, style: Properties, kind: str) -> None:
        place = etree.SubElement(frame, WP + "positionV")
        rel = style.get(STYLE + "vertical-rel", "page" if kind == "page" else "paragraph")
        place.set("relativeFrom", "page" if rel.startswith("page") else "paragraph")
        if style.get(STYLE + "vertical-pos", "from-top") not in ("from-top", "below"):
            y = 0
        etree.SubElement(place, WP + "posOffset").text = str(_emu(y))

    def _box(self, data: Element, content: Element, style: Properties, wide: int, high: int) -> None:
        shape = etree.SubElement(data, WPS + "wsp")
        formatting = etree.SubElement(shape, WPS + "spPr")
        ground = colour(style.get(FO + "background-color"))
        if style.get(DRAW + "fill", "none") == "none" and ground is not None:
            style = {**style, DRAW + "fill": "solid", DRAW + "fill-color": f"#{ground}"}
        Painter(self._named, self._related).fill(formatting, style)
        frame = edge(style.get(FO + "border", style.get(FO + "border-top")))
        if frame is not None and frame["val"] != "none":
            _stroked(formatting, round(float(frame["sz"]) / 8 * 12_700), str(frame.get("color")))
        self._text(shape, content, style, wide)

    def _text(self, shape: Element, content: Element, style: Properties, wide: int) -> None:
        """Write the text of a box or shape, within its padding."""
        margins = etree.SubElement(shape, WPS + "bodyPr")
        margins.set("anchor", _ANCHORS.get(style.get(DRAW + "textarea-vertical-align", ""), "t"))
        taken = 0
        for name, side in (("tIns", "top"), ("rIns", "right"), ("bIns", "bottom"), ("lIns", "left")):
            gap = max(twips(style.get(f"{FO}padding-{side}", style.get(FO + "padding"))) or 0, 0)
            margins.set(name, str(_emu(gap)))
            taken += gap if side in ("left", "right") else 0
        inside = add(etree.SubElement(shape, WPS + "txbx"), "txbxContent")
        self._blocks(content, inside, max(wide - taken, 200))

    def _shape(self, each: Element, style: Properties, kind: str, text: Text) -> None:
        looks = {**_USUAL, **text.scope.usual("graphic"), **style}
        ends = places.ends_of(each) if kind in _LINES else None
        form: Form | Drawn | None
        if ends is not None:
            form, (x, y, wide, high) = forms.of_line(each, ends, looks)
            at = Place(round(x), round(y), round(wide), round(high))
            looks |= {DRAW + "fill": "none"}
        else:
            at = places.of(each)
            wide, high = self._size(each, None, style)
            at = replace(at, wide=at.wide or wide, high=at.high or high)
            form = forms.of(each, at.wide, at.high)
        has_text = any(inner.tag in (TEXT + "p", TEXT + "h", TEXT + "list") for inner in each)
        filled = any("".join(inner.itertext()).strip() for inner in each if inner.tag != SVG + "desc")
        if form is None and not (has_text and filled):
            self._made.found[kinds.SHAPE] += 1
            return
        data = self._placed(each, style, text, at.wide, at.high, place=at)
        shape = etree.SubElement(data, WPS + "wsp")
        formatting = etree.SubElement(shape, WPS + "spPr")
        _at(formatting, at)
        if form is None:
            self._made.found[kinds.BOXED] += 1
        else:
            form.write(formatting)
        self._painted(formatting, looks)
        if has_text and filled:
            self._text(shape, each, style, at.wide)

    def _painted(self, formatting: Element, looks: Properties) -> None:
        painter = Painter(self._named, self._related)
        painter.fill(formatting, looks)
        painter.line(formatting, looks)
        painter.shadow(formatting, looks)

    def _related(self, address: str) -> str | None:
        """The relationship to the picture of a fill; None, and counted, if it is missing."""
        name = address.removeprefix("./")
        if name not in self._file.names:
            self._made.found[kinds.LOST_PICTURE] += 1
            return None
        return self._made.put(name, self._file.read(name), source=self._part, kind="image")


def _properties_of(shape: Element) -> Element:
    """The properties of a picture or shape, made if missing."""
    name = PIC + "spPr" if shape.tag == PIC + "pic" else WPS + "spPr"
    found = shape.find(name)
    return etree.SubElement(shape, name) if found is None else found


def _at(formatting: Element, place: Place, *, inside: Place | None = None) -> None:
    """Write a place, and for a group the coordinates of what is `inside`."""
    made = formatting.find(A + "xfrm")
    if made is None:
        made = etree.Element(A + "xfrm")
        formatting.insert(0, made)
    sizes = [("off", {"x": place.x, "y": place.y}), ("ext", {"cx": place.wide, "cy": place.high})]
    if inside is not None:
        sizes += [("chOff", {"x": inside.x, "y": inside.y}), ("chExt", {"cx": inside.wide, "cy": inside.high})]
    for name, lengths in sizes:
        for each in made.findall(A + name):
            made.remove(each)
        element = etree.SubElement(made, A + name)
        for side, length in lengths.items():
            element.set(side, str(_emu(length)))
    if place.turned:
        made.set("rot", place.turn)
    for flip in place.flips:
        made.set(flip, "1")


def _stroked(formatting: Element, width: int, shade: str) -> None:
    line = etree.SubElement(formatting, A + "ln")
    line.set("w", str(width))
    known = shade if len(shade) == 6 else "000000"
    etree.SubElement(etree.SubElement(line, A + "solidFill"), A + "srgbClr").set("val", known)


def _emu(length: int) -> int:
    return length * 635
