"""Pictures, text boxes and shapes of RTF (1.9.1, “Pictures”, “Word 97 through Word 2007 RTF for Drawing Objects”)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from engine.families.documents.ooxml.made import element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import PIC, WP, WPS, A, R
from engine.toolkit.shapes.old_types import NAMES, UPSIDE_DOWN

_DIGITS = re.compile(r"[^0-9a-fA-F]+")
_NUMBERS = ("picw", "pich", "picwgoal", "pichgoal", "picscalex", "picscaley")
_CROPS = ("piccropl", "piccropt", "piccropr", "piccropb")
_PLACES = ("shpleft", "shptop", "shpright", "shpbottom", "shpwr", "shpz")
_WRAPS = {1: "wrapTopAndBottom", 2: "wrapSquare", 3: "wrapNone", 4: "wrapSquare", 5: "wrapSquare"}
_LINES = ("line", "straightConnector1")
_EMU = 635


@dataclass
class Picture:
    """A picture whose digits are being read; lengths in twips."""

    properties: dict[str, int] = field(default_factory=dict)
    digits: list[str] = field(default_factory=list)

    def word(self, word: str, number: int | None) -> None:
        if number is not None and (word in _NUMBERS or word in _CROPS):
            self.properties[word] = max(-100_000, min(number, 1_000_000))

    def data(self) -> bytes:
        digits = _DIGITS.sub("", "".join(self.digits))
        return bytes.fromhex(digits[: len(digits) // 2 * 2])

    def size(self) -> tuple[int, int]:
        """The displayed width and height, in twips."""
        found = []
        for goal, own, scale, crops in (
            ("picwgoal", "picw", "picscalex", ("piccropl", "piccropr")),
            ("pichgoal", "pich", "picscaley", ("piccropt", "piccropb")),
        ):
            length = self.properties.get(goal) or self.properties.get(own, 100) * 15
            length -= sum(self.properties.get(each, 0) for each in crops)
            length = round(length * max(self.properties.get(scale, 100), 1) / 100)
            found.append(max(20, min(length, 30_000)))
        return found[0], found[1]

    def crop(self) -> dict[str, int]:
        """The cropping of each side, in thousandths of a percent."""
        found = {}
        for side, word, goal in zip("ltrb", _CROPS, ("picwgoal", "pichgoal") * 2, strict=True):
            if (cut := self.properties.get(word, 0)) > 0 and self.properties.get(goal):
                found[side] = min(round(cut / self.properties[goal] * 100_000), 95_000)
        return found


@dataclass
class Shape:
    """A shape being read: its position in twips, its properties, and its text or picture."""

    places: dict[str, int] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    from_page: bool = False
    across_page: bool = False
    behind: bool = False
    text: Element | None = None
    picture: tuple[str, Picture] | None = None

    def word(self, word: str, number: int | None) -> None:
        if word in _PLACES and number is not None:
            self.places[word] = max(-40_000, min(number, 40_000))
        elif word in ("shpbypage", "shpbymargin"):
            self.from_page = True
        elif word == "shpbxpage":
            self.across_page = True
        elif word == "shpfblwtxt":
            self.behind = number == 1

    def size(self) -> tuple[int, int]:
        wide, high = (
            self.places.get(end, 0) - self.places.get(start, 0)
            for start, end in (("shpleft", "shpright"), ("shptop", "shpbottom"))
        )
        return max(wide, 0), max(high, 0)

    def drawing(self) -> Element | None:
        """The shape as a drawing; None for a type that can't be drawn."""
        wide, high = self.size()
        number = _number(self.properties.get("shapeType"), 1)
        form = NAMES.get(number)
        if self.picture is None and self.text is None and form is None:
            return None
        drawing, data = framed(wide, high, self)
        if self.picture is not None:
            _blip(data, *self.picture)
            return drawing
        shape = etree.SubElement(data, WPS + "wsp")
        formatting = etree.SubElement(shape, WPS + "spPr")
        place = etree.SubElement(formatting, A + "xfrm")
        for name, over in (("flipH", False), ("flipV", number == UPSIDE_DOWN)):
            if (self.properties.get(f"f{name[0].upper()}{name[1:]}", "0") != "0") != over:
                place.set(name, "1")
        if form is None:
            etree.SubElement(formatting, A + "custGeom")  # counted where it is drawn
        else:
            etree.SubElement(formatting, A + "prstGeom").set("prst", form)
        if self.properties.get("fFilled", "1") != "0" and form not in _LINES:
            fill = _bgr(self.properties.get("fillColor", "16777215"))
            etree.SubElement(etree.SubElement(formatting, A + "solidFill"), A + "srgbClr").set("val", fill)
        if self.properties.get("fLine", "1") != "0":
            line = etree.SubElement(formatting, A + "ln")
            line.set("w", str(_number(self.properties.get("lineWidth"), 9525)))
            colour = _bgr(self.properties.get("lineColor", "0"))
            etree.SubElement(etree.SubElement(line, A + "solidFill"), A + "srgbClr").set("val", colour)
        if self.text is not None:
            margins = etree.SubElement(shape, WPS + "bodyPr")
            for name, key, usual in (
                ("lIns", "dxTextLeft", 91_440), ("tIns", "dyTextTop", 45_720), ("rIns", "dxTextRight", 91_440),
                ("bIns", "dyTextBottom", 45_720),
            ):  # fmt: skip
                margins.set(name, str(_number(self.properties.get(key), usual)))
            etree.SubElement(shape, WPS + "txbx").append(self.text)
        return drawing


def inline(relation: str, picture: Picture) -> Element:
    """A picture as an inline drawing."""
    drawing, data = framed(*picture.size(), None)
    _blip(data, relation, picture)
    return drawing


def framed(wide: int, high: int, shape: Shape | None) -> tuple[Element, Element]:
    """A drawing and the element for its content; inline unless it belongs to a shape."""
    drawing = element("drawing")
    frame = etree.SubElement(drawing, WP + ("inline" if shape is None else "anchor"))
    if shape is not None:
        if shape.behind:
            frame.set("behindDoc", "1")
        for name, key, of_page, usual in (
            ("positionH", "shpleft", shape.across_page, "column"),
            ("positionV", "shptop", shape.from_page, "paragraph"),
        ):
            place = etree.SubElement(frame, WP + name)
            place.set("relativeFrom", "page" if of_page else usual)
            etree.SubElement(place, WP + "posOffset").text = str(shape.places.get(key, 0) * _EMU)
        etree.SubElement(frame, WP + _WRAPS.get(shape.places.get("shpwr", 3), "wrapNone"))
    size = etree.SubElement(frame, WP + "extent")
    size.set("cx", str(wide * _EMU))
    size.set("cy", str(high * _EMU))
    if shape is not None and shape.properties.get("wzDescription"):
        etree.SubElement(frame, WP + "docPr").set("descr", shape.properties["wzDescription"][:1000])
    data: Any = etree.SubElement(etree.SubElement(frame, A + "graphic"), A + "graphicData")
    return drawing, data


def _blip(data: Element, relation: str, picture: Picture) -> None:
    fill = etree.SubElement(etree.SubElement(data, PIC + "pic"), PIC + "blipFill")
    etree.SubElement(fill, A + "blip").set(R + "embed", relation)
    if cut := picture.crop():
        rect = etree.SubElement(fill, A + "srcRect")
        for side, share in cut.items():
            rect.set(side, str(share))


def _bgr(text: str) -> str:
    number = _number(text, 0) & 0xFFFFFF
    return f"{number & 255:02x}{number >> 8 & 255:02x}{number >> 16:02x}"


def _number(text: str | None, otherwise: int) -> int:
    number = (text or "").strip()
    return int(number) if number.lstrip("-").isdecimal() and len(number) < 11 else otherwise
