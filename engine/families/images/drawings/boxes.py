"""Bounding boxes of text for gradients and filters: line boxes (SVG 2, 8.10), where the engine uses ink."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from engine.families.images.drawings import references, texts, values
from engine.families.images.drawings.glyph_positions import SPANS, characters
from engine.families.images.drawings.references import CSS_URL, HREFS, with_urls
from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of
from engine.families.images.drawings.text_measurement import heights, style_of
from engine.toolkit.warnings import Warn

MAX_MADE = 50_000
"""The maximum characters measured, and gradient stops for them: beyond it the engine's gradients stay."""

_MOST = 2_000
"""The maximum characters measured of one text."""

_PAINTS = ("fill", "stroke")
_USUAL: Mapping[str, Mapping[str, float]] = {
    "linearGradient": {"x1": 0.0, "y1": 0.0, "x2": 1.0, "y2": 0.0},
    "radialGradient": {"cx": 0.5, "cy": 0.5, "r": 0.5},
}
_FOCUS = ("fx", "fy", "fr")
_DEEP = 20
_REGION = {"x": -0.1, "y": -0.1, "width": 1.2, "height": 1.2}


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    width: float
    height: float


def resolve_gradients(root: Element, view: tuple[float, float]) -> None:
    """Give texts their own gradients in user space, in place of ones in bounding box units."""
    by_id = references.by_id(root)
    boxed = {
        name: gradient
        for name, each in by_id.items()
        if name_of(each) in _USUAL and (gradient := _whole(each, by_id)).get("gradientUnits") != "userSpaceOnUse"
    }
    if not boxed or not any(name_of(each) == "text" for each in root.iter()):
        return
    parents = {child: parent for parent in root.iter() for child in parent}
    made: list[Element] = []
    total = 0
    left: list[tuple[Element, dict[str, str]]] = [(root, {})]
    while left and total < MAX_MADE:
        element, around = left.pop()
        paints = around | _declared(element)
        if name_of(element) != "text":
            left += [(child, paints) for child in element]
            continue
        wanted = [(element, paints), *((each, _declared(each)) for each in element.iter() if each is not element)]
        named = [
            (each, key, declared[key])
            for each, declared in wanted
            for key in declared
            if _named(declared[key]) in boxed
        ]
        if not named:
            continue
        total += sum(map(len, element.itertext()))
        if (box := _box(element, parents, view, by_id)) is None:
            continue
        for part, key, value in named:
            gradient = _run(boxed[_named(value)], box, f"text-gradient-{len(made)}")
            made.append(gradient)
            total += 1 + len(gradient)
            paint = with_urls(value, f"url(#{gradient.get('id')})")
            part.set("style", f"{part.get('style', '')};{key}:{paint}".lstrip(";"))
    if made:
        references.define(root, made)


def resolve_filters(root: Element, view: tuple[float, float]) -> None:
    """Give texts their own filters, with the region in user space."""
    by_id = references.by_id(root)
    boxed = {
        name: each
        for name, each in by_id.items()
        if name_of(each) == "filter"
        and each.get("filterUnits") != "userSpaceOnUse"
        and each.get("primitiveUnits") != "objectBoundingBox"
    }
    if not boxed:
        return
    parents = {child: parent for parent in root.iter() for child in parent}
    made: list[Element] = []
    total = 0
    for text in [each for each in root.iter() if name_of(each) == "text"]:
        value = styled(text).get("filter", text.get("filter", ""))
        named = _named(value)
        if named not in boxed or total > MAX_MADE or value.count("(") > 1:
            continue
        total += sum(map(len, text.itertext())) + len(boxed[named])
        box = _box(text, parents, view, by_id)
        if box:
            made.append(_around(boxed[named], box, f"text-filter-{len(made)}"))
            text.set("style", f"{text.get('style', '')};filter:url(#{made[-1].get('id')})".lstrip(";"))
    if made:
        references.define(root, made)


def _around(filter_: Element, box: Box, name: str) -> Element:
    """The filter with its region around a box."""
    own = Element(filter_.tag, filter_.attrib | {"filterUnits": "userSpaceOnUse", "id": name})
    own.extend(filter_)
    left, top, wide, high = (_share(filter_, key, usual) for key, usual in _REGION.items())
    own.attrib |= {
        "x": f"{box.left + left * box.width:.4f}",
        "y": f"{box.top + top * box.height:.4f}",
        "width": f"{wide * box.width:.4f}",
        "height": f"{high * box.height:.4f}",
    }
    return own


def _share(element: Element, key: str, usual: float) -> float:
    found = values.numbers(element.get(key, ""))
    return found[0] / (100 if "%" in element.get(key, "") else 1) if found else usual


def _declared(element: Element) -> dict[str, str]:
    given = element.attrib | styled(element)
    return {key: given[key] for key in _PAINTS if given.get(key, "inherit").strip() != "inherit"}


def _named(paint: str) -> str:
    found = CSS_URL.match(paint.strip())
    return found["address"].strip()[1:] if found else ""


def _whole(gradient: Element, by_id: Mapping[str, Element]) -> Element:
    """A gradient with its inherited attributes and stops."""
    whole = Element(gradient.tag, gradient.attrib)
    whole.extend(gradient)
    for _ in range(_DEEP):
        address = next((whole.attrib.pop(key) for key in HREFS if key in whole.attrib), "")
        other = by_id.get(address.strip()[1:])
        if other is None:
            break
        whole.attrib = other.attrib | whole.attrib
        if not len(whole):
            whole.extend(other)
    return whole


def _box(
    text: Element, parents: dict[Element, Element], view: tuple[float, float], by_id: dict[str, Element]
) -> Box | None:
    """The line boxes of a text, from ascent to descent; None if its characters are rotated."""
    style = style_of(text, parents)
    parts = list(text.iter())
    if style.vertical or sum(map(len, text.itertext())) > _MOST:
        return None
    if any("rotate" in each.attrib or "lengthAdjust" in each.attrib for each in parts):
        return None
    if any(name_of(each) == "textPath" or name_of(each) not in SPANS for each in parts[1:]):
        return None
    found = characters(text, style, view)
    texts.layout(text, found, by_id, view, Warn())
    if not found:
        return None
    sides = [(each.left, each.left + each.advance, each.top, *heights(each.style)) for each in found]
    left, right = min(each[0] for each in sides), max(each[1] for each in sides)
    top, bottom = min(each[2] - each[3] for each in sides), max(each[2] + each[4] for each in sides)
    return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None


def _run(source: Element, box: Box, name: str) -> Element:
    """The gradient over a box."""
    gradient = Element(source.tag, source.attrib)
    gradient.extend(source)
    usual = _USUAL[name_of(source)]
    for key in (*usual, *(each for each in _FOCUS if each in source.attrib)):
        gradient.set(key, f"{_share(source, key, usual.get(key, 0.0)):g}")
    over = f"matrix({box.width:.4f} 0 0 {box.height:.4f} {box.left:.4f} {box.top:.4f})"
    gradient.set("gradientTransform", f"{over} {source.get('gradientTransform', '')}".strip())
    gradient.attrib |= {"gradientUnits": "userSpaceOnUse", "id": name}
    return gradient
