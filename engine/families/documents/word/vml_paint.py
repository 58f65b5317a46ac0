"""The fill and line of VML shapes as those of DrawingML (ECMA-376, part 4, 19.1.2)."""

from __future__ import annotations

import re

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import vml_values as values
from engine.families.documents.word.names import A, O, R, V

_DASHES = {"dot": "sysDash", "1 1": "sysDot", "dash": "dash", "longdash": "lgDash", "dashdot": "dashDot",
           "longdashdot": "lgDashDot", "longdashdotdot": "lgDashDotDot", "shortdot": "sysDot",
           "shortdash": "sysDash", "shortdashdot": "sysDashDot", "shortdashdotdot": "sysDashDotDot"}  # fmt: skip
_HEADS = {"block": "triangle", "classic": "stealth", "diamond": "diamond", "oval": "oval", "open": "arrow"}
_OFF = ("f", "false", "0")


def write(properties: Element, shape: Element, kind: Element | None) -> None:
    """Write the fill and the line of a shape; without other words it is white with a black line (19.1.2.19)."""
    declared = (shape,) if kind is None else (shape, kind)

    def said(name: str, usual: str) -> str:
        return next((each.get(name) for each in declared if each.get(name)), usual)

    fill, stroke = shape.find(V + "fill"), shape.find(V + "stroke")
    if said("filled", "t") in _OFF or (fill is not None and fill.get("on") in _OFF):
        etree.SubElement(properties, A + "noFill")
    else:
        _fill(properties, values.colour_of(said("fillcolor", "white")) or "FFFFFF", fill)
    line = etree.SubElement(properties, A + "ln")
    line.set("w", str(values.length(said("strokeweight", "0.75pt"), 9_525)))
    if said("stroked", "t") in _OFF or (stroke is not None and stroke.get("on") in _OFF):
        etree.SubElement(line, A + "noFill")
        return
    colour = etree.SubElement(etree.SubElement(line, A + "solidFill"), A + "srgbClr")
    colour.set("val", values.colour_of(said("strokecolor", "black")) or "000000")
    if stroke is not None:
        if dash := _DASHES.get((stroke.get("dashstyle") or "").lower()):
            etree.SubElement(line, A + "prstDash").set("val", dash)
        for name, key in (("headEnd", "startarrow"), ("tailEnd", "endarrow")):
            if head := _HEADS.get(stroke.get(key) or ""):
                etree.SubElement(line, A + name).set("type", head)


def _fill(properties: Element, colour: str, fill: Element | None) -> None:
    alpha = 1.0 if fill is None or not fill.get("opacity") else values.fraction(fill.get("opacity"))
    kind = "" if fill is None else fill.get("type") or ""
    picture = None if fill is None else fill.get(R + "id") or fill.get(O + "relid")
    if picture and kind in ("frame", "tile"):
        blip = etree.SubElement(properties, A + "blipFill")
        etree.SubElement(blip, A + "blip").set(R + "embed", picture)
        etree.SubElement(blip, A + ("tile" if kind == "tile" else "stretch"))
        return
    second = None if fill is None or not kind.startswith("gradient") else values.colour_of(fill.get("color2"))
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
