"""The fill and line of drawn elements of OpenDocument files as those of DrawingML (ISO/IEC 26300, part 3, 16.40)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from engine.families.documents.odf.names import DRAW, LOEXT, OFFICE, STYLE, SVG, XLINK, colour, share, twips
from engine.families.documents.odf.properties import Properties
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, R

_EMU = 635
_FULL = 100_000
_NAMED = tuple(DRAW + name for name in ("gradient", "hatch", "fill-image", "opacity", "stroke-dash", "marker"))
_GRADIENTS = {"radial": "circle", "ellipsoid": "circle", "square": "rect", "rectangular": "rect"}
_MOST_STOPS = 100
_ANGLE = re.compile(r"\s*(-?\d{1,6}(?:\.\d{1,6})?)\s*(deg|rad|grad)?\s*")
_ALIGNED = {"top-left": "tl", "top": "t", "top-right": "tr", "left": "l", "right": "r", "bottom-left": "bl",
            "bottom": "b", "bottom-right": "br"}  # fmt: skip
_USUAL_LINE = 15
"""Twentieths of a point of a line without a width: a hairline."""

Pictures = Callable[[str], str | None]
"""The relationship to the picture with an address."""
Named = Mapping[tuple[str, str], Element]


def named(*roots: Element | None) -> Named:
    """The gradients, hatches, pictures, dashes and heads of a document by their kind and name."""
    found: dict[tuple[str, str], Element] = {}
    for root in roots:
        for each in () if root is None else root.iterfind(f"{OFFICE}styles/*"):
            if each.tag in _NAMED:
                found.setdefault((each.tag.removeprefix(DRAW), each.get(DRAW + "name") or ""), each)
    return found


@dataclass(frozen=True)
class Painter:
    """Writes fills and lines; `pictures` relates the pictures of fills."""

    named: Named
    pictures: Pictures

    def fill(self, properties: Element, looks: Properties) -> None:
        """Append the fill that a style says."""
        kind = looks.get(DRAW + "fill", "none")
        shade = colour(looks.get(DRAW + "fill-color"))
        alpha = self._alpha(looks)
        if kind == "gradient" and (found := self._of("gradient", looks, "fill-gradient-name")) is not None:
            _gradient(properties, found, alpha)
        elif kind == "hatch" and (found := self._of("hatch", looks, "fill-hatch-name")) is not None:
            solid = looks.get(DRAW + "fill-hatch-solid") == "true"
            _hatch(properties, found, shade if solid else None, alpha)
        elif kind == "bitmap" and (found := self._of("fill-image", looks, "fill-image-name")) is not None:
            self._picture(properties, found, looks, alpha)
        elif kind in ("solid", "gradient", "hatch") and shade:
            _solid(properties, shade, alpha)
        else:
            etree.SubElement(properties, A + "noFill")

    def line(self, properties: Element, looks: Properties, usual: str = "000000") -> None:
        """Append the line that a style says; `usual` is the colour of one without."""
        line = etree.SubElement(properties, A + "ln")
        kind = looks.get(DRAW + "stroke", "none")
        if kind not in ("solid", "dash"):
            etree.SubElement(line, A + "noFill")
            return
        width = twips(looks.get(SVG + "stroke-width")) or _USUAL_LINE
        line.set("w", str(width * _EMU))
        opacity = share(looks.get(SVG + "stroke-opacity"))
        opacity = opacity if opacity is not None else _fraction(looks.get(SVG + "stroke-opacity"))
        _solid(line, colour(looks.get(SVG + "stroke-color")) or usual, opacity / 100)
        if looks.get(SVG + "stroke-linecap") in ("round", "square"):
            line.set("cap", {"round": "rnd", "square": "sq"}[looks[SVG + "stroke-linecap"]])
        if kind == "dash" and (dash := self._of("stroke-dash", looks, "stroke-dash")) is not None:
            _dash(line, dash, width)
        for tag, side in (("headEnd", "start"), ("tailEnd", "end")):
            if (marker := self._of("marker", looks, f"marker-{side}")) is not None:
                long = twips(looks.get(f"{DRAW}marker-{side}-width")) or 4 * width
                _head(etree.SubElement(line, A + tag), marker, long / width)

    def shadow(self, properties: Element, looks: Properties) -> None:
        """Append the shadow that a style says."""
        if looks.get(DRAW + "shadow") != "visible":
            return
        across, down = (twips(looks.get(f"{DRAW}shadow-offset-{axis}")) or 0 for axis in "xy")
        effect = etree.SubElement(etree.SubElement(properties, A + "effectLst"), A + "outerShdw")
        effect.set("dist", str(round(math.hypot(across, down) * _EMU)))
        effect.set("dir", str(round(math.degrees(math.atan2(down, across)) % 360 * 60_000)))
        effect.set("blurRad", str(max(twips(looks.get(LOEXT + "shadow-blur")) or 0, 0) * _EMU))
        opacity = share(looks.get(DRAW + "shadow-opacity"))
        _colour(effect, colour(looks.get(DRAW + "shadow-color")) or "808080", 1.0 if opacity is None else opacity / 100)

    def _of(self, kind: str, looks: Properties, name: str) -> Element | None:
        return self.named.get((kind, looks.get(DRAW + name) or ""))

    def _alpha(self, looks: Properties) -> float:
        """How opaque a fill is; a gradient of opacities counts as their mean."""
        found = self._of("opacity", looks, "opacity-name")
        if found is not None:
            ends = [share(found.get(f"{DRAW}{name}")) for name in ("start", "end")]
            known = [each for each in ends if each is not None]
            return min(max(sum(known) / len(known) / 100, 0.0), 1.0) if known else 1.0
        opacity = share(looks.get(DRAW + "opacity"))
        return 1.0 if opacity is None else min(max(opacity / 100, 0.0), 1.0)

    def _picture(self, properties: Element, image: Element, looks: Properties, alpha: float) -> None:
        relation = self.pictures(image.get(XLINK + "href") or "")
        if relation is None:
            etree.SubElement(properties, A + "noFill")
            return
        fill = etree.SubElement(properties, A + "blipFill")
        blip = etree.SubElement(fill, A + "blip")
        blip.set(R + "embed", relation)
        if alpha < 1:
            etree.SubElement(blip, A + "alphaModFix").set("amt", str(round(alpha * _FULL)))
        if looks.get(STYLE + "repeat", "repeat") != "repeat":
            etree.SubElement(etree.SubElement(fill, A + "stretch"), A + "fillRect")
            return
        tile = etree.SubElement(fill, A + "tile")
        tile.set("algn", _ALIGNED.get(looks.get(DRAW + "fill-image-ref-point", ""), "ctr"))
        for name, side in (("width", "cx"), ("height", "cy")):
            if (length := twips(looks.get(f"{DRAW}fill-image-{name}"))) is not None and length > 0:
                tile.set(side, str(length * _EMU))


def _gradient(properties: Element, gradient: Element, alpha: float) -> None:
    kind = gradient.get(DRAW + "style") or "linear"
    stops = sorted(_stops(gradient))
    border = min(max(share(gradient.get(DRAW + "border")) or 0.0, 0.0), 100.0) / 100
    made = etree.SubElement(properties, A + "gradFill")
    held = etree.SubElement(made, A + "gsLst")
    if kind == "axial":  # from the end colour at both edges to the start colour in the middle
        half = [((1 - place) / 2 * (1 - border) + border / 2, shade) for place, shade in stops]
        stops = sorted([*half, *((1 - place, shade) for place, shade in half)], key=lambda each: each[0])
    elif kind in _GRADIENTS:  # the start colour is the one outside
        stops = [((1 - place) * (1 - border), shade) for place, shade in reversed(stops)]
    else:
        stops = [(border + place * (1 - border), shade) for place, shade in stops]
    middle = tuple(
        min(max((50.0 if (at := share(gradient.get(DRAW + name))) is None else at) / 100, 0.0), 1.0)
        for name in ("cx", "cy")
    )
    if kind in _GRADIENTS:  # DrawingML's reach the farthest corner, these half of the diagonal
        reach = math.sqrt(0.5) / math.hypot(*(max(each, 1 - each) for each in middle))
        stops = [(place * reach, shade) for place, shade in stops]
    for place, shade in stops:
        stop = etree.SubElement(held, A + "gs")
        stop.set("pos", str(round(place * _FULL)))
        _colour(stop, shade, alpha)
    if kind in _GRADIENTS:
        path = etree.SubElement(made, A + "path")
        path.set("path", _GRADIENTS[kind])
        x, y = middle
        inner = etree.SubElement(path, A + "fillToRect")
        for side, value in (("l", x), ("t", y), ("r", 1 - x), ("b", 1 - y)):
            inner.set(side, str(round(value * _FULL)))
    else:
        etree.SubElement(made, A + "lin").set("ang", str(round((90 - _degrees(gradient)) % 360 * 60_000)))


def _stops(gradient: Element) -> Iterator[tuple[float, str]]:
    """The colours of a gradient by their place from 0 to 1."""
    own = gradient.findall(LOEXT + "gradient-stop")[:_MOST_STOPS]
    found = [(_fraction(each.get(SVG + "offset")) / 100, colour(each.get(LOEXT + "color-value"))) for each in own]
    if len(found) > 1 and all(shade for _, shade in found):
        yield from ((place, shade) for place, shade in found if shade)
        return
    for place, name in ((0.0, "start"), (1.0, "end")):
        shade = colour(gradient.get(f"{DRAW}{name}-color")) or "000000"
        strong = share(gradient.get(f"{DRAW}{name}-intensity"))
        part = 1.0 if strong is None else min(max(strong / 100, 0.0), 1.0)
        yield place, "".join(f"{round(int(shade[at : at + 2], 16) * part):02x}" for at in (0, 2, 4))


def _hatch(properties: Element, hatch: Element, ground: str | None, alpha: float) -> None:
    """A hatch as the pattern that is nearest to it in kind and direction."""
    crossed = hatch.get(DRAW + "style") in ("double", "triple")
    turn = round((_degrees(hatch, DRAW + "rotation") % 180) / 45) % 4
    close = (twips(hatch.get(DRAW + "distance")) or 57) < 90
    if crossed:
        name = "diagCross" if turn % 2 else "smGrid" if close else "lgGrid"
    else:
        name = ("narHorz" if close else "horz", "ltUpDiag" if close else "wdUpDiag", "narVert" if close else "vert",
                "ltDnDiag" if close else "wdDnDiag")[turn]  # fmt: skip
    fill = etree.SubElement(properties, A + "pattFill")
    fill.set("prst", name)
    _colour(etree.SubElement(fill, A + "fgClr"), colour(hatch.get(DRAW + "color")) or "000000", alpha)
    _colour(etree.SubElement(fill, A + "bgClr"), ground or "ffffff", alpha if ground else 0.0)


def _dash(line: Element, dash: Element, width: int) -> None:
    """Strokes and gaps; their lengths may be shares of the width of the line."""

    def length(text: str | None) -> float:
        part = share(text)
        return part / 100 if part is not None else (twips(text) or 0) / width

    gap = length(dash.get(DRAW + "distance"))
    made = etree.SubElement(line, A + "custDash")
    for at in "12":
        text = dash.get(f"{DRAW}dots{at}") or "0"
        count = min(int(text), 4) if text.isdecimal() and len(text) < 6 else 0
        for _ in range(count):
            stop = etree.SubElement(made, A + "ds")
            stroke = length(dash.get(f"{DRAW}dots{at}-length")) or 1.0
            stop.set("d", str(round(max(stroke, 0.0) * _FULL)))
            stop.set("sp", str(round(max(gap, 0.0) * _FULL)))
    if not len(made):
        line.remove(made)


def _head(end: Element, marker: Element, wide: float) -> None:
    """A head of the nearest kind; `wide` is its width in widths of the line."""
    name = (marker.get(DRAW + "display-name") or marker.get(DRAW + "name") or "").lower()
    data = marker.get(SVG + "d") or ""
    round_ = "circle" in name or sum(data.lower().count(each) for each in "cas") > 6
    kind = (
        "oval" if round_ else "diamond" if "diamond" in name or "square_20_45" in name
        else "stealth" if "concave" in name or "stealth" in name
        else "arrow" if "open" in name or "line" in name else "triangle"
    )  # fmt: skip
    box = [float(each) for each in re.findall(r"-?\d{1,9}(?:\.\d{1,9})?", marker.get(SVG + "viewBox") or "")][2:4]
    ratio = box[1] / box[0] if len(box) == 2 and box[0] > 0 < box[1] else 1.0
    end.set("type", kind)
    end.set("w", f"{min(max(wide, 1.0), 100.0):.2f}")
    end.set("len", f"{min(max(wide * min(ratio, 4.0), 1.0), 100.0):.2f}")


def _degrees(element: Element, name: str = DRAW + "angle") -> float:
    """An angle, anticlockwise; a number without a unit is in tenths of a degree."""
    match = _ANGLE.fullmatch(element.get(name) or "0")
    if match is None:
        return 0.0
    return float(match[1]) * {"deg": 1.0, "rad": 180 / math.pi, "grad": 0.9}.get(match[2] or "", 0.1)


def _fraction(text: str | None) -> float:
    """A number from 0 to 1 in percent; 100 without one."""
    match = re.fullmatch(r"\s*(\d{0,3}(?:\.\d{1,9})?)\s*", text or "")
    return min(float(match[1]) * 100, 100.0) if match and match[1] not in ("", ".") else 100.0


def _solid(parent: Element, shade: str, alpha: float = 1.0) -> None:
    _colour(etree.SubElement(parent, A + "solidFill"), shade, alpha)


def _colour(parent: Element, shade: str, alpha: float) -> None:
    made = etree.SubElement(parent, A + "srgbClr")
    made.set("val", shade.upper())
    if alpha < 1:
        etree.SubElement(made, A + "alpha").set("val", str(round(max(alpha, 0.0) * _FULL)))
