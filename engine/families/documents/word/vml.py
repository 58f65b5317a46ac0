"""Shapes of VML as drawings of DrawingML, which the same code reads (ECMA-376, part 4, 19)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import vml_forms, vml_paint
from engine.families.documents.word import vml_values as values
from engine.families.documents.word.names import PIC, W10, WP, WPG, WPS, A, O, R, V, W
from engine.families.documents.word.sections import Paper

_WRAPS = {"square": "wrapSquare", "tight": "wrapTight", "through": "wrapThrough", "topAndBottom": "wrapTopAndBottom"}
_ORIGINS = {"page": "page", "margin": "margin", "text": "column", "char": "character", "line": "line",
            "left-margin-area": "leftMargin", "right-margin-area": "rightMargin", "top-margin-area": "topMargin",
            "bottom-margin-area": "bottomMargin", "inner-margin-area": "insideMargin",
            "outer-margin-area": "outsideMargin"}  # fmt: skip
_ALIGNED = ("left", "center", "right", "top", "bottom", "inside", "outside")
_SHAPES = ("shape", "rect", "roundrect", "oval", "line", "polyline", "image", "arc", "curve")
_DEEPEST = 30
_USUAL = 2_540_000
"""EMU: the width of a shape that says none."""
_GAP = 114_300
"""EMU: the usual distance of text beside a shape."""
_CUTS = {"l": "cropleft", "t": "croptop", "r": "cropright", "b": "cropbottom"}
_LARGEST = 400.0
"""Points of letters that fill a shape."""


@dataclass(frozen=True)
class _Place:
    """Where a shape is in English Metric Units, or in the coordinates of its group."""

    x: int
    y: int
    wide: int
    high: int
    flips: tuple[str, ...] = ()


def frames(parent: Element, paper: Paper) -> Iterator[Element]:
    """Yield the shapes of a `w:pict` or `w:object` as `wp:inline` or `wp:anchor`; hidden ones are left out."""
    kinds = {each.get("id") or "": each for each in parent.iter(V + "shapetype")}
    for each in parent:
        if isinstance(each.tag, str) and each.tag.removeprefix(V) in (*_SHAPES, "group"):
            style = values.style_of(each)
            if style.get("visibility") == "hidden":
                continue
            frame = _frame(each, style, paper)
            data = etree.SubElement(etree.SubElement(frame, A + "graphic"), A + "graphicData")
            size = frame.find(WP + "extent")
            data.extend(_made(each, style, _Place(0, 0, int(size.get("cx")), int(size.get("cy"))), kinds, 0))
            yield frame


def _made(
    shape: Element, style: values.Style, place: _Place, kinds: Mapping[str, Element], depth: int
) -> Iterable[Element]:
    if shape.tag == V + "group":
        if depth < _DEEPEST:
            return [_group(shape, style, place, kinds, depth)]
        return [_formless(style, place) for _ in shape.iter(*(V + each for each in _SHAPES))]
    picture = shape.find(V + "imagedata")
    if picture is not None:
        return [_picture(picture, style, place)]
    kind = kinds.get((shape.get("type") or "").removeprefix("#"))
    words = shape.find(V + "textpath")
    return [_shape(shape, style, place, kind) if words is None else _lettering(shape, words, style, place, kind)]


def _frame(shape: Element, style: values.Style, paper: Paper) -> Element:
    """The anchor of a shape, with its size and position."""
    wide, high = _sized(style, paper)
    if "width" not in style and not wide:
        wide = _USUAL
    if points := values.points(shape):
        _, _, wide, high = values.spread([(values.length(x), values.length(y)) for x, y in points])
    floats = style.get("position") == "absolute"
    frame = etree.Element(WP + ("anchor" if floats else "inline"))
    if floats:
        wrap = shape.find(W10 + "wrap")
        _positioned(frame, shape, style, paper, wrap)
        around = _WRAPS.get("" if wrap is None else wrap.get("type") or "", "wrapNone")
        made = etree.SubElement(frame, WP + around)
        if wrap is not None and wrap.get("side") in ("left", "right", "largest"):
            made.set("wrapText", wrap.get("side"))
        for side, name in (("T", "top"), ("R", "right"), ("B", "bottom"), ("L", "left")):
            frame.set(
                f"dist{side}",
                str(values.length(style.get(f"mso-wrap-distance-{name}"), 0 if side in "TB" else 114_300)),
            )
        if shape.get(O + "allowincell") in ("f", "false"):
            frame.set("layoutInCell", "0")
        height = style.get("z-index", "0")
        frame.set("relativeHeight", height.removeprefix("-"))
        if height.startswith("-"):
            frame.set("behindDoc", "1")
    size = etree.SubElement(frame, WP + "extent")
    size.set("cx", str(wide))
    size.set("cy", str(high))
    described = etree.SubElement(frame, WP + "docPr")
    described.set("descr", shape.get("alt") or "")
    return frame


def _positioned(frame: Element, shape: Element, style: values.Style, paper: Paper, wrap: Element | None) -> None:
    points = values.points(shape) or [("0", "0")]
    start = values.spread([(values.length(x), values.length(y)) for x, y in points])
    offsets = (
        values.length(style.get("margin-left") or style.get("left")) + start[0],
        values.length(style.get("margin-top") or style.get("top")) + start[1],
    )
    for at, (name, axis, side, usual) in enumerate((("positionH", "horizontal", "left", "column"),
                                                    ("positionV", "vertical", "top", "paragraph"))):  # fmt: skip
        place = etree.SubElement(frame, WP + name)
        origin = style.get(f"mso-position-{axis}-relative") or (None if wrap is None else wrap.get("anchor" + "xy"[at]))
        origin = _ORIGINS.get(origin or "", usual)
        place.set("relativeFrom", "paragraph" if at and origin == "column" else origin)
        share = values.share(style.get(f"mso-{side}-percent"))
        align = style.get(f"mso-position-{axis}", "")
        if share is not None:
            page, before, after = ((paper.width, paper.left, paper.right), (paper.height, paper.top, paper.bottom))[at]
            length = page if origin == "page" else page - before - after
            etree.SubElement(place, WP + "posOffset").text = str(round(share * length * 12_700))
        elif align in _ALIGNED:
            etree.SubElement(place, WP + "align").text = align
        else:
            etree.SubElement(place, WP + "posOffset").text = str(offsets[at])


def _sized(style: values.Style, paper: Paper) -> tuple[int, int]:
    """The width and height of a shape, which may be shares of the page or of the text."""
    found = []
    for side, length, before, after in (
        ("width", paper.width, paper.left, paper.right), ("height", paper.height, paper.top, paper.bottom),
    ):  # fmt: skip
        share = values.share(style.get(f"mso-{side}-percent"))
        origin = style.get(f"mso-{side}-relative", "page")
        whole = {"margin": length - before - after, "left-margin-area": before, "right-margin-area": after,
                 "top-margin-area": before, "bottom-margin-area": after}.get(origin, length)  # fmt: skip
        found.append(round(share * whole * 12_700) if share else max(values.length(style.get(side)), 0))
    return found[0], found[1]


def _group(group: Element, style: values.Style, place: _Place, kinds: Mapping[str, Element], depth: int) -> Element:
    made = etree.Element(WPG + "wgp" if depth == 0 else WPG + "grpSp")
    transform = _transform(etree.SubElement(made, WPG + "grpSpPr"), style, place)
    origin, size = vml_forms.pair(group.get("coordorigin"), 0), vml_forms.pair(group.get("coordsize"), 1000)
    for name, keys, sizes in (("chOff", "xy", origin), ("chExt", ("cx", "cy"), size)):
        inner = etree.SubElement(transform, A + name)
        for key, value in zip(keys, sizes, strict=True):
            inner.set(key, str(value))
    for each in group:
        if not isinstance(each.tag, str) or each.tag.removeprefix(V) not in (*_SHAPES, "group"):
            continue
        own = values.style_of(each)
        if own.get("visibility") != "hidden":
            made.extend(_made(each, own, _inner(each, own), kinds, depth + 1))
    return made


def _inner(shape: Element, style: values.Style) -> _Place:
    """The place of a member of a group, in the group's coordinates."""
    if points := [(values.plain(x), values.plain(y)) for x, y in values.points(shape)]:
        (x1, y1), (x2, y2) = points[0], points[-1]
        flips = ("flipV",) if shape.tag == V + "line" and (x2 < x1) != (y2 < y1) else ()
        return _Place(*values.spread(points), flips)
    x, y, wide, high = (values.plain(style.get(name)) for name in ("left", "top", "width", "height"))
    return _Place(x, y, wide, high)


def _transform(properties: Element, style: values.Style, place: _Place, *, over: bool = False) -> Element:
    made: Element = etree.SubElement(properties, A + "xfrm")
    turn = re.fullmatch(r"(-?\d{1,9})(fd)?", style.get("rotation", ""))
    if turn:
        angle = int(turn[1]) / 65_536 if turn[2] else int(turn[1])
        made.set("rot", str(round(angle % 360 * 60_000)))
    flips = {f"flip{each.upper()}" for each in style.get("flip", "").split() if each in ("x", "y")}
    flips = (
        {"flipH" if each == "flipX" else "flipV" for each in flips} ^ set(place.flips) ^ ({"flipV"} if over else set())
    )
    for each in sorted(flips):
        made.set(each, "1")
    for name, sizes in (("off", {"x": place.x, "y": place.y}), ("ext", {"cx": place.wide, "cy": place.high})):
        inner = etree.SubElement(made, A + name)
        for key, value in sizes.items():
            inner.set(key, str(value))
    return made


def _recolour(blip: Element, data: Element) -> None:
    """The brightness, contrast and greys of a picture: a watermark is washed out by them (19.1.2.11)."""
    for name, kind in (("grayscale", "grayscl"), ("bilevel", "biLevel")):
        if (data.get(name) or "").lower() in ("t", "true"):
            etree.SubElement(blip, A + kind)
    gain, dark = data.get("gain"), data.get("blacklevel")
    if gain or dark:
        lum = etree.SubElement(blip, A + "lum")
        shares = {"bright": 2 * values.fraction(dark), "contrast": values.fraction(gain) - 1 if gain else 0.0}
        for name, share in shares.items():
            lum.set(name, str(round(share * 100_000)))


def _picture(data: Element, style: values.Style, place: _Place) -> Element:
    made: Element = etree.Element(PIC + "pic")
    fill = etree.SubElement(made, PIC + "blipFill")
    blip = etree.SubElement(fill, A + "blip")
    blip.set(R + "embed", data.get(R + "id") or "")
    _recolour(blip, data)
    cuts = {
        side: values.fraction(data.get(f"crop{name}"))
        for side, name in zip("ltrb", ("left", "top", "right", "bottom"), strict=True)
    }
    if any(cuts.values()):
        cut = etree.SubElement(fill, A + "srcRect")
        for side, share in cuts.items():
            cut.set(side, str(round(share * 100_000)))
    _transform(etree.SubElement(made, PIC + "spPr"), style, place)
    return made


def _shape(shape: Element, style: values.Style, place: _Place, kind: Element | None) -> Element:
    made: Element = etree.Element(WPS + "wsp")
    properties = etree.SubElement(made, WPS + "spPr")
    form = vml_forms.form_of(shape, kind)
    _transform(properties, style, place, over=form is not None and form.over)
    if form is not None:
        properties.append(form.geometry)
    else:
        etree.SubElement(properties, A + "custGeom")  # a form that is not understood is counted where it is drawn
    vml_paint.write(properties, shape, kind)
    text = next(shape.iter(W + "txbxContent"), None)
    box = shape.find(V + "textbox")
    if text is not None:
        etree.SubElement(made, WPS + "txbx").append(deepcopy(text))
    made.append(_body(style, box))
    return made


def _formless(style: values.Style, place: _Place) -> Element:
    """A shape that is counted where it would be drawn."""
    made: Element = etree.Element(WPS + "wsp")
    properties = etree.SubElement(made, WPS + "spPr")
    _transform(properties, style, place)
    etree.SubElement(properties, A + "custGeom")
    return made


def _body(style: values.Style, box: Element | None) -> Element:
    body: Element = etree.Element(WPS + "bodyPr")
    anchor = style.get("v-text-anchor", "top")
    body.set("anchor", "ctr" if anchor.startswith("middle") else "b" if anchor.startswith("bottom") else "t")
    insets = ((None if box is None else box.get("inset")) or "").split(",")
    for at, (name, usual) in enumerate((("lIns", 91_440), ("tIns", 45_720), ("rIns", 91_440), ("bIns", 45_720))):
        body.set(name, str(values.length(insets[at].strip() if at < len(insets) else "", usual)))
    inner = values.declarations(None if box is None else box.get("style"))
    if inner.get("layout-flow", "").startswith("vertical"):
        body.set("vert", "vert270" if inner.get("mso-layout-flow-alt") == "bottom-to-top" else "vert")
    return body


def _lettering(shape: Element, words: Element, style: values.Style, place: _Place, kind: Element | None) -> Element:
    """A shape that is a text, as a watermark: the text at the size that fills it."""
    made: Element = etree.Element(WPS + "wsp")
    properties = etree.SubElement(made, WPS + "spPr")
    _transform(properties, style, place)
    properties.append(vml_forms.box())
    text = " ".join((words.get("string") or "").split())
    points = min(place.high / 12_700 / 1.3, place.wide / 12_700 / max(len(text), 1) / 0.55, _LARGEST)
    paragraph = etree.SubElement(etree.SubElement(etree.SubElement(made, WPS + "txbx"), W + "txbxContent"), W + "p")
    etree.SubElement(etree.SubElement(paragraph, W + "pPr"), W + "jc").set(W + "val", "center")
    run = etree.SubElement(paragraph, W + "r")
    looks = etree.SubElement(run, W + "rPr")
    family = values.declarations(words.get("style")).get("font-family", "").strip("\"'")
    if family:
        fonts = etree.SubElement(looks, W + "rFonts")
        for name in ("ascii", "hAnsi", "cs", "eastAsia"):
            fonts.set(W + name, family)
    etree.SubElement(looks, W + "color").set(W + "val", values.colour_of(shape.get("fillcolor")) or "C0C0C0")
    for name in ("sz", "szCs"):
        etree.SubElement(looks, W + name).set(W + "val", str(max(round(points * 2), 2)))
    etree.SubElement(run, W + "t").text = text
    body = etree.SubElement(made, WPS + "bodyPr")
    body.set("anchor", "ctr")
    for name in ("lIns", "tIns", "rIns", "bIns"):
        body.set(name, "0")
    return made
