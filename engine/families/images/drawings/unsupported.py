"""Rewrite or report features that no engine here draws."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from engine.families.images.drawings import values
from engine.families.images.drawings.references import HREFS, urls
from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of
from engine.toolkit.warnings import Kind, Warn

_PROPERTIES = Kind("CSS_UNSUPPORTED", "Unsupported styles were left out: {count}{places}.")
_DASHES = Kind("CSS_UNSUPPORTED", "Dashes ignore the path length (pathLength): {count}{places}.")
_INPUTS = Kind(
    "CSS_UNSUPPORTED",
    "Filters that use a shape's background or paint look different: {count}{places}.",
)
_PARTS = Kind(
    "CSS_UNSUPPORTED",
    "Parts of the drawing used in filters (feImage) may be misplaced or missing: {count}{places}.",
)
_CONTEXTS = Kind(
    "CSS_UNSUPPORTED",
    "Gradients and patterns that shapes inherit may look different: {count}{places}.",
)
_BOXES = Kind(
    "CSS_UNSUPPORTED",
    "Clips in bounding box units look different on rotated shapes: {count}{places}.",
)
_HOLES = Kind(
    "CSS_UNSUPPORTED",
    "Clips with several shapes were merged and may have holes where shapes overlap: {count}{places}.",
)
_ERRORS = Kind(
    "CSS_UNSUPPORTED",
    "Filters with invalid values were ignored or use other values: {count}{places}.",
)
_LEANING = Kind("CSS_UNSUPPORTED", "Filters on rotated or skewed parts cover a different region: {count}{places}.")
_IN_BOXES = Kind("CSS_UNSUPPORTED", "Filters in bounding box units may look different: {count}{places}.")
_MARKED = Kind("CSS_UNSUPPORTED", "Markers on rectangles, circles and ellipses were left out: {count}{places}.")
_PLACED = re.compile(r"filter|marker", re.IGNORECASE)
_ROUND = {"rect", "circle", "ellipse"}
_MARKERS = ("marker", "marker-start", "marker-mid", "marker-end")
_LIGHTS = {"feDistantLight", "fePointLight", "feSpotLight"}
_LIGHTINGS = {"feDiffuseLighting": "diffuseConstant", "feSpecularLighting": "specularConstant"}
_REGION = {"x", "y", "width", "height"}
_BY_BOX = {"fePointLight", "feSpotLight", "feTurbulence", "feMorphology", "feOffset"}
_TAKEN = {"BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"}
_CONTEXT = {"context-fill", "context-stroke"}
_PAINTS = {"linearGradient", "radialGradient", "pattern"}
_TURNED = re.compile(r"rotate|skew|matrix", re.IGNORECASE)
_NOTHING = {"none", "auto", "normal", "inherit", "initial", "unset", "revert", "revert-layer", ""}
_ZERO = re.compile(r"[-+]?(?:0++\.?0*+|\.0++)(?:[a-z]+|%)?")
_LENGTHS = {"inline-size", "text-indent"}
_OF_TEXT = {
    "alignment-baseline": {"baseline"},
    "font-feature-settings": set(),
    "font-size-adjust": set(),
    "font-stretch": {"100%"},
    "font-variation-settings": set(),
    "glyph-orientation-vertical": {"90", "90deg"},
    "inline-size": set(),
    "shape-inside": set(),
    "text-indent": set(),
    "text-orientation": {"mixed"},
    "text-shadow": set(),
    "text-transform": set(),
}
"""Properties that only affect text, and their values without an effect."""
_ANY = {"backdrop-filter": set[str](), "color-interpolation": {"srgb"}}
_IN_STYLES = {"d", "rotate", "scale", "translate"}
"""Properties whose namesake attributes mean something else."""
_ONLY = {
    "font-kerning": re.compile(r"none"),
    "clip-path": re.compile(r"(?!url\()[a-z-]+\("),
    "mask": re.compile(r".*gradient\("),
    "mask-image": re.compile(r".*gradient\("),
    "stroke-linejoin": re.compile(r"arcs|miter-clip"),
}
"""Properties of which only some values are not supported."""


def report(root: Element, warn: Warn) -> None:
    """Warn once of styles that are not drawn, with their number and names."""
    has_text = any(name_of(each) == "text" for each in root.iter())
    met: list[str] = []
    dashes = contexts = 0
    for element in root.iter():
        given = {key: value for key, value in element.attrib.items() if key not in _IN_STYLES} | styled(element)
        met += [key for key, value in given.items() if _is_unsupported(key, value.strip().lower(), has_text=has_text)]
        contexts += not _CONTEXT.isdisjoint(map(str.strip, given.values()))
        dashes += element.get("pathLength") is not None and given.get("stroke-dasharray", "none").strip() != "none"
    warn.tally(_PROPERTIES, len(met), dict.fromkeys(met))
    warn.tally(_DASHES, dashes)
    if any(name_of(each) in _PAINTS for each in root.iter()):
        warn.tally(_CONTEXTS, contexts)
    _report_filters(root, warn)
    _report_places(root, warn)
    _report_clips(root, warn)


def _report_filters(root: Element, warn: Warn) -> None:
    inside = [each for each in root.iter() if name_of(each).startswith("fe")]
    taken = [given for each in inside for key in ("in", "in2") if (given := each.get(key)) in _TAKEN]
    warn.tally(_INPUTS, len(taken), dict.fromkeys(taken))
    errors = [f"{name_of(each)} {wrong}" for each in inside if (wrong := _error(each))]
    errors += [f"filter {wrong}" for each in root.iter() if name_of(each) == "filter" and (wrong := _no_size(each))]
    warn.tally(_ERRORS, len(errors), dict.fromkeys(errors))
    boxes = [each for each in root.iter() if each.get("primitiveUnits") == "objectBoundingBox"]
    warn.tally(_IN_BOXES, sum(any(_is_by_box(part) for part in each.iter() if part is not each) for each in boxes))
    images = [each for each in inside if name_of(each) == "feImage"]
    warn.tally(_PARTS, sum(any(each.get(key, "").startswith("#") for key in HREFS) for each in images))


def _is_by_box(part: Element) -> bool:
    return name_of(part) in _BY_BOX or not _REGION.isdisjoint(part.attrib)


def _error(part: Element) -> str:
    """The invalid attribute of a filter primitive (Filter Effects 1), or nothing."""
    name = name_of(part)
    if name == "feConvolveMatrix":
        order = values.numbers(part.get("order", "3"))
        across, down = (order[0], order[-1]) if 0 < len(order) <= 2 else (0, 0)
        if across < 1 or down < 1 or across % 1 or down % 1:
            return "order"
        if len(values.numbers(part.get("kernelMatrix", ""))) != across * down:
            return "kernelMatrix"
        if values.numbers(part.get("divisor", "1")) == [0]:
            return "divisor"
        targets = zip(("targetX", "targetY"), (across, down), strict=True)
        return next((key for key, most in targets if not 0 <= _number(part, key, 0) < most), "")
    if name in _LIGHTINGS:
        if sum(name_of(each) in _LIGHTS for each in part) != 1:
            return "light source"
        if _number(part, _LIGHTINGS[name], 0) < 0:
            return _LIGHTINGS[name]
    if name in ("feSpecularLighting", "feSpotLight") and not 1 <= _number(part, "specularExponent", 1) <= 128:
        return "specularExponent"
    if name == "feColorMatrix" and part.get("type") == "saturate" and not 0 <= _number(part, "values", 1) <= 1:
        return "values"
    if name == "feTurbulence" and min(values.numbers(part.get("baseFrequency", "0")), default=0) < 0:
        return "baseFrequency"
    return _no_size(part)


def _no_size(part: Element) -> str:
    return next((key for key in ("width", "height") if _number(part, key, 1) <= 0), "")


def _number(part: Element, key: str, usual: float) -> float:
    found = values.numbers(part.get(key, ""))
    return found[0] if found else usual


def _report_places(root: Element, warn: Warn) -> None:
    """Warn of filters on rotated elements and markers on round ones, which the engine misplaces."""
    leaning = marked = 0
    left = [(root, False, False)]
    while left:
        element, turned, marks = left.pop()
        style = element.get("style", "")
        own = styled(element) if _PLACED.search(style) else {}
        turned = turned or _TURNED.search(element.get("transform", "")) is not None
        markers = [given for key in _MARKERS if (given := own.get(key, element.get(key))) is not None]
        marks = any("url(" in each for each in markers) or (marks and not markers)
        leaning += turned and own.get("filter", element.get("filter", "none")).strip() not in _NOTHING
        marked += marks and name_of(element) in _ROUND
        left += [(child, turned, marks) for child in element]
    warn.tally(_LEANING, leaning)
    warn.tally(_MARKED, marked)


def _report_clips(root: Element, warn: Warn) -> None:
    """Warn of clips with several shapes, which are drawn as one, and of rotated clips in box units."""
    several = [each for each in root.iter() if name_of(each) == "clipPath" and len(each) > 1]
    warn.tally(_HOLES, sum(_has_holes(each) or any(map(_is_clipped_apart, each)) for each in several))
    boxes = {
        each.get("id"): each
        for each in root.iter()
        if name_of(each) == "clipPath" and each.get("clipPathUnits") == "objectBoundingBox"
    }
    if not boxes:
        return
    turned = 0
    for element in root.iter():
        text = " ".join((element.get("clip-path", ""), element.get("style", "")))
        clip = next((boxes[name] for each in urls(text) if (name := each["address"][1:]) in boxes), None)
        if clip is not None:
            turned += "transform" in clip.attrib or _TURNED.search(element.get("transform", "")) is not None
    warn.tally(_BOXES, turned)


def _is_unsupported(key: str, value: str, *, has_text: bool) -> bool:
    if key in _ONLY:
        return _ONLY[key].match(value) is not None
    if value in _NOTHING:
        return False
    if key in _OF_TEXT:
        return has_text and value not in _OF_TEXT[key] and not (key in _LENGTHS and _ZERO.fullmatch(value))
    return key in _IN_STYLES or (key in _ANY and value not in _ANY[key])


def _is_clipped_apart(shape: Element) -> bool:
    """Whether a clip shape has holes, or a clip of its own."""
    return _has_holes(shape) or _property(shape, "clip-path") not in _NOTHING


def _has_holes(part: Element) -> bool:
    return _property(part, "clip-rule") == "evenodd"


def _property(element: Element, key: str) -> str:
    styled = (value for name, value, _ in values.declarations(element.get("style", "")) if name == key)
    return next(styled, element.get(key, "")).strip()
