"""Shapes of VML as drawings of DrawingML, which the same code reads (ECMA-376, part 4, 19)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import vml_forms
from engine.families.documents.word.names import PIC, W10, WP, WPG, WPS, A, O, R, V, W
from engine.families.documents.word.sections import Paper

_LENGTH = re.compile(r"(-?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(pt|in|cm|mm|px|pc|pi|emu)?")
_UNITS = {"pt": 12_700.0, "in": 914_400.0, "cm": 360_000.0, "mm": 36_000.0, "px": 9_525.0, "pc": 152_400.0,
          "pi": 152_400.0, "emu": 1.0, "": 9_525.0}  # fmt: skip
_FAR = 63_360_000
"""EMU: the longest side that paper may have, four times."""
_COLOUR = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_NAMED = {
    "black": "000000", "white": "FFFFFF", "red": "FF0000", "green": "008000", "lime": "00FF00", "blue": "0000FF",
    "yellow": "FFFF00", "gray": "808080", "silver": "C0C0C0", "maroon": "800000", "purple": "800080",
    "fuchsia": "FF00FF", "olive": "808000", "navy": "000080", "teal": "008080", "aqua": "00FFFF",
    "windowtext": "000000", "window": "FFFFFF",
}  # fmt: skip
"""The colours of HTML 4, and two of the system's."""
_WRAPS = {"square": "wrapSquare", "tight": "wrapTight", "through": "wrapThrough", "topAndBottom": "wrapTopAndBottom"}
_ORIGINS = {"page": "page", "margin": "margin", "text": "column", "char": "character", "line": "line",
            "left-margin-area": "leftMargin", "right-margin-area": "rightMargin", "top-margin-area": "topMargin",
            "bottom-margin-area": "bottomMargin", "inner-margin-area": "insideMargin",
            "outer-margin-area": "outsideMargin"}  # fmt: skip
_ALIGNED = ("left", "center", "right", "top", "bottom", "inside", "outside")
_DASHES = {"dot": "sysDash", "1 1": "sysDot", "dash": "dash", "longdash": "lgDash", "dashdot": "dashDot",
           "longdashdot": "lgDashDot", "longdashdotdot": "lgDashDotDot", "shortdot": "sysDot",
           "shortdash": "sysDash", "shortdashdot": "sysDashDot", "shortdashdotdot": "sysDashDotDot"}  # fmt: skip
_HEADS = {"block": "triangle", "classic": "stealth", "diamond": "diamond", "oval": "oval", "open": "arrow"}
_SHAPES = ("shape", "rect", "roundrect", "oval", "line", "polyline", "image", "arc", "curve")
_OFF = ("f", "false", "0")
_DEEPEST = 30
_GAP = 114_300
"""EMU: the usual distance of text beside a shape."""
_CUTS = {"l": "cropleft", "t": "croptop", "r": "cropright", "b": "cropbottom"}
_LARGEST = 400.0
"""Points of letters that fill a shape."""

Style = Mapping[str, str]


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
            style = _style(each)
            if style.get("visibility") == "hidden":
                continue
            frame = _frame(each, style, paper)
            data = etree.SubElement(etree.SubElement(frame, A + "graphic"), A + "graphicData")
            size = frame.find(WP + "extent")
            data.extend(_made(each, style, _Place(0, 0, int(size.get("cx")), int(size.get("cy"))), kinds, 0))
            yield frame


def _made(shape: Element, style: Style, place: _Place, kinds: Mapping[str, Element], depth: int) -> Iterable[Element]:
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


def _frame(shape: Element, style: Style, paper: Paper) -> Element:
    """The anchor of a shape, with its size and position."""
    wide, high = _sized(style, paper)
    if shape.tag == V + "line":
        ends = [_length(each) for name in ("from", "to") for each in _ends(shape.get(name))]
        wide, high = abs(ends[2] - ends[0]), abs(ends[3] - ends[1])
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
                f"dist{side}", str(_length(style.get(f"mso-wrap-distance-{name}"), 0 if side in "TB" else 114_300))
            )
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


def _positioned(frame: Element, shape: Element, style: Style, paper: Paper, wrap: Element | None) -> None:
    start = [_length(each) for each in _ends(shape.get("from"))] if shape.tag == V + "line" else [0, 0]
    finish = [_length(each) for each in _ends(shape.get("to"))] if shape.tag == V + "line" else [0, 0]
    offsets = (
        _length(style.get("margin-left") or style.get("left")) + min(start[0], finish[0]),
        _length(style.get("margin-top") or style.get("top")) + min(start[1], finish[1]),
    )
    for at, (name, axis, side, usual) in enumerate((("positionH", "horizontal", "left", "column"),
                                                    ("positionV", "vertical", "top", "paragraph"))):  # fmt: skip
        place = etree.SubElement(frame, WP + name)
        origin = style.get(f"mso-position-{axis}-relative") or (None if wrap is None else wrap.get("anchor" + "xy"[at]))
        origin = _ORIGINS.get(origin or "", usual)
        place.set("relativeFrom", "paragraph" if at and origin == "column" else origin)
        share = _share(style.get(f"mso-{side}-percent"))
        align = style.get(f"mso-position-{axis}", "")
        if share is not None:
            page, before, after = ((paper.width, paper.left, paper.right), (paper.height, paper.top, paper.bottom))[at]
            length = page if origin == "page" else page - before - after
            etree.SubElement(place, WP + "posOffset").text = str(round(share * length * 12_700))
        elif align in _ALIGNED:
            etree.SubElement(place, WP + "align").text = align
        else:
            etree.SubElement(place, WP + "posOffset").text = str(offsets[at])


def _sized(style: Style, paper: Paper) -> tuple[int, int]:
    """The width and height of a shape, which may be shares of the page or of the text."""
    found = []
    for side, length, before, after in (
        ("width", paper.width, paper.left, paper.right), ("height", paper.height, paper.top, paper.bottom),
    ):  # fmt: skip
        share = _share(style.get(f"mso-{side}-percent"))
        origin = style.get(f"mso-{side}-relative", "page")
        whole = {"margin": length - before - after, "left-margin-area": before, "right-margin-area": after,
                 "top-margin-area": before, "bottom-margin-area": after}.get(origin, length)  # fmt: skip
        found.append(round(share * whole * 12_700) if share else max(_length(style.get(side)), 0))
    return found[0], found[1]


def _group(group: Element, style: Style, place: _Place, kinds: Mapping[str, Element], depth: int) -> Element:
    made = etree.Element(WPG + "wgp" if depth == 0 else WPG + "grpSp")
    transform = _transform(etree.SubElement(made, WPG + "grpSpPr"), style, place)
    origin, size = vml_forms.pair(group.get("coordorigin"), 0), vml_forms.pair(group.get("coordsize"), 1000)
    for name, keys, values in (("chOff", "xy", origin), ("chExt", ("cx", "cy"), size)):
        inner = etree.SubElement(transform, A + name)
        for key, value in zip(keys, values, strict=True):
            inner.set(key, str(value))
    for each in group:
        if not isinstance(each.tag, str) or each.tag.removeprefix(V) not in (*_SHAPES, "group"):
            continue
        own = _style(each)
        if own.get("visibility") != "hidden":
            made.extend(_made(each, own, _inner(each, own), kinds, depth + 1))
    return made


def _inner(shape: Element, style: Style) -> _Place:
    """The place of a member of a group, in the group's coordinates."""
    if shape.tag == V + "line":
        (x1, y1), (x2, y2) = (tuple(map(_plain, _ends(shape.get(name)))) for name in ("from", "to"))
        flips = ("flipV",) if (x2 < x1) != (y2 < y1) else ()
        return _Place(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1), flips)
    x, y, wide, high = (_plain(style.get(name)) for name in ("left", "top", "width", "height"))
    return _Place(x, y, wide, high)


def _transform(properties: Element, style: Style, place: _Place, *, over: bool = False) -> Element:
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
    for name, values in (("off", {"x": place.x, "y": place.y}), ("ext", {"cx": place.wide, "cy": place.high})):
        inner = etree.SubElement(made, A + name)
        for key, value in values.items():
            inner.set(key, str(value))
    return made


def _picture(data: Element, style: Style, place: _Place) -> Element:
    made: Element = etree.Element(PIC + "pic")
    fill = etree.SubElement(made, PIC + "blipFill")
    etree.SubElement(fill, A + "blip").set(R + "embed", data.get(R + "id") or "")
    cuts = {
        side: _fraction(data.get(f"crop{name}"))
        for side, name in zip("ltrb", ("left", "top", "right", "bottom"), strict=True)
    }
    if any(cuts.values()):
        cut = etree.SubElement(fill, A + "srcRect")
        for side, share in cuts.items():
            cut.set(side, str(round(share * 100_000)))
    _transform(etree.SubElement(made, PIC + "spPr"), style, place)
    return made


def _shape(shape: Element, style: Style, place: _Place, kind: Element | None) -> Element:
    made: Element = etree.Element(WPS + "wsp")
    properties = etree.SubElement(made, WPS + "spPr")
    form = vml_forms.form_of(shape, kind)
    _transform(properties, style, place, over=form is not None and form.over)
    if form is not None:
        properties.append(form.geometry)
    else:
        etree.SubElement(properties, A + "custGeom")  # a form that is not understood is counted where it is drawn
    _painted(properties, shape, kind)
    text = next(shape.iter(W + "txbxContent"), None)
    box = shape.find(V + "textbox")
    if text is not None:
        etree.SubElement(made, WPS + "txbx").append(deepcopy(text))
    made.append(_body(style, box))
    return made


def _formless(style: Style, place: _Place) -> Element:
    """A shape that is counted where it would be drawn."""
    made: Element = etree.Element(WPS + "wsp")
    properties = etree.SubElement(made, WPS + "spPr")
    _transform(properties, style, place)
    etree.SubElement(properties, A + "custGeom")
    return made


def _body(style: Style, box: Element | None) -> Element:
    body: Element = etree.Element(WPS + "bodyPr")
    anchor = style.get("v-text-anchor", "top")
    body.set("anchor", "ctr" if anchor.startswith("middle") else "b" if anchor.startswith("bottom") else "t")
    insets = ((None if box is None else box.get("inset")) or "").split(",")
    for at, (name, usual) in enumerate((("lIns", 91_440), ("tIns", 45_720), ("rIns", 91_440), ("bIns", 45_720))):
        body.set(name, str(_length(insets[at].strip() if at < len(insets) else "", usual)))
    inner = _declarations(None if box is None else box.get("style"))
    if inner.get("layout-flow", "").startswith("vertical"):
        body.set("vert", "vert270" if inner.get("mso-layout-flow-alt") == "bottom-to-top" else "vert")
    return body


def _lettering(shape: Element, words: Element, style: Style, place: _Place, kind: Element | None) -> Element:
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
    family = _declarations(words.get("style")).get("font-family", "").strip("\"'")
    if family:
        fonts = etree.SubElement(looks, W + "rFonts")
        for name in ("ascii", "hAnsi", "cs", "eastAsia"):
            fonts.set(W + name, family)
    etree.SubElement(looks, W + "color").set(W + "val", _colour(shape.get("fillcolor")) or "C0C0C0")
    for name in ("sz", "szCs"):
        etree.SubElement(looks, W + name).set(W + "val", str(max(round(points * 2), 2)))
    etree.SubElement(run, W + "t").text = text
    body = etree.SubElement(made, WPS + "bodyPr")
    body.set("anchor", "ctr")
    for name in ("lIns", "tIns", "rIns", "bIns"):
        body.set(name, "0")
    return made


def _painted(properties: Element, shape: Element, kind: Element | None) -> None:
    """Write the fill and the line of a shape; without other words it is white with a black line (19.1.2.19)."""
    declared = (shape,) if kind is None else (shape, kind)

    def said(name: str, usual: str) -> str:
        return next((each.get(name) for each in declared if each.get(name)), usual)

    fill, stroke = shape.find(V + "fill"), shape.find(V + "stroke")
    if said("filled", "t") in _OFF or (fill is not None and fill.get("on") in _OFF):
        etree.SubElement(properties, A + "noFill")
    else:
        _fill(properties, _colour(said("fillcolor", "white")) or "FFFFFF", fill)
    line = etree.SubElement(properties, A + "ln")
    line.set("w", str(_length(said("strokeweight", "0.75pt"), 9_525)))
    if said("stroked", "t") in _OFF or (stroke is not None and stroke.get("on") in _OFF):
        etree.SubElement(line, A + "noFill")
        return
    colour = etree.SubElement(etree.SubElement(line, A + "solidFill"), A + "srgbClr")
    colour.set("val", _colour(said("strokecolor", "black")) or "000000")
    if stroke is not None:
        if dash := _DASHES.get((stroke.get("dashstyle") or "").lower()):
            etree.SubElement(line, A + "prstDash").set("val", dash)
        for name, key in (("headEnd", "startarrow"), ("tailEnd", "endarrow")):
            if head := _HEADS.get(stroke.get(key) or ""):
                etree.SubElement(line, A + name).set("type", head)


def _fill(properties: Element, colour: str, fill: Element | None) -> None:
    alpha = 1.0 if fill is None or not fill.get("opacity") else _fraction(fill.get("opacity"))
    kind = "" if fill is None else fill.get("type") or ""
    picture = None if fill is None else fill.get(R + "id") or fill.get(O + "relid")
    if picture and kind in ("frame", "tile"):
        blip = etree.SubElement(properties, A + "blipFill")
        etree.SubElement(blip, A + "blip").set(R + "embed", picture)
        etree.SubElement(blip, A + ("tile" if kind == "tile" else "stretch"))
        return
    second = None if fill is None or not kind.startswith("gradient") else _colour(fill.get("color2"))
    if second is None or fill is None:
        _solid(etree.SubElement(properties, A + "solidFill"), colour, alpha)
        return
    gradient = etree.SubElement(properties, A + "gradFill")
    stops = etree.SubElement(gradient, A + "gsLst")
    for at, each in ((0, second), (100_000, colour)):
        stop = etree.SubElement(stops, A + "gs")
        stop.set("pos", str(at))
        _solid(stop, each, alpha)
    angle = re.fullmatch(r"-?\d{1,4}", fill.get("angle") or "0")
    turn = (90 - int(angle[0] if angle else 0)) % 360
    etree.SubElement(gradient, A + "lin").set("ang", str((turn + 180) % 360 * 60_000))


def _solid(parent: Element, colour: str, alpha: float) -> None:
    made = etree.SubElement(parent, A + "srgbClr")
    made.set("val", colour)
    if alpha < 1:
        etree.SubElement(made, A + "alpha").set("val", str(round(alpha * 100_000)))


def _style(shape: Element) -> Style:
    return _declarations(shape.get("style"))


def _declarations(text: str | None) -> Style:
    pairs = (each.partition(":") for each in (text or "").split(";"))
    return {name.strip().lower(): value.strip() for name, colon, value in pairs if colon}


def _ends(text: str | None) -> tuple[str, str]:
    first, _, second = (text or "0,0").partition(",")
    return first.strip(), second.strip()


def _length(text: str | None, usual: int = 0) -> int:
    """A length in English Metric Units; a number alone is one of pixels."""
    match = _LENGTH.fullmatch(text or "")
    return usual if match is None else max(-_FAR, min(round(float(match[1]) * _UNITS[match[2] or ""]), _FAR))


def _plain(text: str | None) -> int:
    """A number in the coordinates of a group."""
    match = _LENGTH.fullmatch(text or "")
    return 0 if match is None else round(float(match[1]))


def _share(text: str | None) -> float | None:
    """Thousandths as a share; None if there are none (-10001)."""
    return (
        int(text) / 1000
        if text and re.fullmatch(r"-?\d{1,5}", text) and abs(int(text)) < 10_000 and int(text)
        else None
    )


def _fraction(text: str | None) -> float:
    match = re.fullmatch(r"(-?\d{0,9}\.?\d{0,9})([f%]?)", text or "")
    if match is None or not any(map(str.isdigit, match[1])):
        return 0.0
    return max(-1.0, min(float(match[1]) / {"f": 65_536, "%": 100}.get(match[2], 1), 1.0))


def _colour(text: str | None) -> str | None:
    """A colour such as `#4f81bd [3204]` or `red` as six digits."""
    if found := _COLOUR.match(text or ""):
        digits = found[1]
        return digits if len(digits) == 6 else "".join(each * 2 for each in digits)
    return _NAMED.get((text or "").partition(" ")[0].lower())
