"""Backgrounds and transform origins of the root element in CSS, which the engine ignores."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.styles import name_of
from engine.families.images.drawings.text_measurement import length
from engine.families.images.drawings.values import declarations
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_SVG = "{http://www.w3.org/2000/svg}"
_NOTHING = frozenset(("none", "transparent", "initial", "unset", "inherit"))
_PLACES = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
_TRANSFORMS = {"pattern": "patternTransform", "linearGradient": "gradientTransform", "radialGradient":
               "gradientTransform"}  # fmt: skip
_ORIGIN = "transform-origin"


def add_background(root: Element, size: tuple[float, float], warn: Warn) -> None:
    """Insert the background colour of the root (CSS Backgrounds 3, 3.2) as a rectangle behind everything."""
    style = styled(root)
    colour = style.get("background-color", style.get("background", "")).strip()
    if not colour or colour.lower() in _NOTHING:
        return
    if "url(" in colour or "gradient(" in colour or " " in re.sub(r"\([^()]*\)", "", colour):
        warn("CSS_UNSUPPORTED", "The picture behind the drawing (background) was left out.")
        return
    left, top, width, height = visible_area(root, size)
    # A viewBox fitted into another aspect ratio leaves space beside it.
    box = {"x": left - 20 * width, "y": top - 20 * height, "width": 41 * width, "height": 41 * height}
    behind = Element(f"{_SVG}rect", {name: f"{each:g}" for name, each in box.items()})
    behind.set("style", f"fill:{colour};fill-opacity:1;stroke:none")
    root.insert(0, behind)


def visible_area(root: Element, size: tuple[float, float]) -> tuple[float, float, float, float]:
    """The left, top, width and height of the visible area, in user units."""
    box = (root.get("viewBox") or "").replace(",", " ").split()
    try:
        left, top, width, height = (float(each) for each in box)
    except ValueError:
        return 0.0, 0.0, *size
    return (left, top, width, height) if width > 0 and height > 0 else (0.0, 0.0, *size)


def apply_transform_origins(root: Element, size: tuple[float, float], warn: Warn) -> None:
    """Replace transform origins (CSS Transforms 1, 8) by translations around the transforms."""
    left, top, width, height = visible_area(root, size)
    for element in root.iter():
        style = element.get("style") or ""
        if _ORIGIN not in style and _ORIGIN not in element.attrib:
            continue
        declared = declarations(style)
        found = {name: value for name, value, _ in declared}
        origin = found.pop(_ORIGIN, element.get(_ORIGIN) or "")
        box = found.get("transform-box", "view-box")
        if "transform-box" not in found:
            box = element.get("transform-box", box)
        frame = (left, top, width, height)
        if box in ("fill-box", "content-box", "border-box", "stroke-box"):
            own = _box(element)
            if own is None:
                warn(
                    "CSS_UNSUPPORTED",
                    say(
                        "transform-box: {box} on a <{element}> is not supported.",
                        box=box,
                        element=name_of(element),
                    ),
                )
                continue
            frame = own
        x, y = _place(origin, frame, view_box=box == "view-box")
        element.attrib.pop(_ORIGIN, None)
        attribute = _TRANSFORMS.get(name_of(element), "transform")
        if "transform" in found and found["transform"] != "none":
            found["transform"] = f"translate({x:g}px,{y:g}px) {found['transform']} translate({-x:g}px,{-y:g}px)"
        elif element.get(attribute):
            element.set(attribute, f"translate({x:g} {y:g}) {element.get(attribute)} translate({-x:g} {-y:g})")
        if style:
            element.set("style", ";".join(f"{name}:{value}" for name, value in found.items()))


def _place(origin: str, frame: tuple[float, float, float, float], *, view_box: bool) -> tuple[float, float]:
    words = origin.lower().split()[:2] or ["0%", "0%"]
    if len(words) == 1:
        words = ["50%", words[0]] if words[0] in ("top", "bottom") else [words[0], "50%"]
    elif words[0] in ("top", "bottom") or words[1] in ("left", "right"):
        words.reverse()
    across, down = (_PLACES.get(each, each) for each in words)
    shift = (0.0, 0.0) if view_box else frame[:2]
    return shift[0] + length(across, 16.0, frame[2]), shift[1] + length(down, 16.0, frame[3])


def _box(element: Element) -> tuple[float, float, float, float] | None:
    """The bounding box of a basic shape."""

    def number_of(name: str) -> float:
        return length(element.get(name), 16.0, 0.0)

    name = name_of(element)
    if name in ("rect", "image"):
        return number_of("x"), number_of("y"), number_of("width"), number_of("height")
    if name in ("circle", "ellipse"):
        across, down = (number_of("r"), number_of("r")) if name == "circle" else (number_of("rx"), number_of("ry"))
        return number_of("cx") - across, number_of("cy") - down, 2 * across, 2 * down
    if name == "line":
        return (
            min(number_of("x1"), number_of("x2")), min(number_of("y1"), number_of("y2")),
            abs(number_of("x1") - number_of("x2")), abs(number_of("y1") - number_of("y2")),
        )  # fmt: skip
    return None
