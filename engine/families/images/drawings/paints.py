"""Repair paints the engine drops or shifts: zero-radius gradients and fitted patterns; report errors."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from engine.families.images.drawings import values
from engine.families.images.drawings.references import HREFS, urls
from engine.families.images.drawings.styles import name_of
from engine.toolkit.warnings import Kind, Warn

_ERRORS = Kind(
    "CSS_UNSUPPORTED",
    "Gradients, patterns and markers with invalid values were left out or look different: {count}{places}.",
)
_FUNCTION = re.compile(r"(scale|matrix)\s*\(([^()]*)\)", re.IGNORECASE)
_MARKERS = ("marker", "marker-start", "marker-mid", "marker-end", "style")
_PLAIN = re.compile(r"\s*+\+?(\d++\.?\d*+|\.\d++)(?:px)?\s*")
_ALIGNED = re.compile(r"x(Min|Mid|Max)Y(Min|Mid|Max)")
_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_NEXT_TO_NOTHING = "0.00001"


def repair(root: Element) -> None:
    """Give gradients without a radius their last colour (SVG 2, 14.2.3), and fix the position of fitted patterns."""
    named = {each.get(key, "").strip()[1:] for each in root.iter() if name_of(each) == "pattern" for key in HREFS}
    for element in list(root.iter()):
        if name_of(element) == "pattern" and element.get("id") not in named:
            _fit(element)
        if name_of(element) == "radialGradient" and values.numbers(element.get("r", "1"))[:1] == [0]:
            element.attrib |= {"r": _NEXT_TO_NOTHING, "spreadMethod": "pad"}


def _fit(pattern: Element) -> None:
    """Replace the viewBox of a pattern that is fitted into its tile by a group (SVG 2, 8.2)."""
    sides = [_PLAIN.fullmatch(pattern.get(key, "")) for key in ("width", "height")]
    box = values.numbers(pattern.get("viewBox", ""))
    if pattern.get("patternUnits") != "userSpaceOnUse" or not all(sides) or len(box) != 4 or min(box[2:]) <= 0:
        return
    wide, high = (float(each[1]) for each in sides if each)
    align, _, way = (pattern.get("preserveAspectRatio") or "xMidYMid").strip().partition(" ")
    across, down = wide / box[2], high / box[3]
    places = _ALIGNED.fullmatch(align)
    if not places or across == down or not len(pattern):
        return  # patterns that are stretched, or fit exactly, are not shifted
    once = max(across, down) if way.strip() == "slice" else min(across, down)
    shares = (_SHARES[each] for each in places.groups())
    left, top = (share * (side - once * own) for share, side, own in zip(shares, (wide, high), box[2:], strict=True))
    inside = Element(f"{pattern.tag.removesuffix('pattern')}g")
    inside.set("transform", f"translate({left:.6g} {top:.6g}) scale({once:.6g}) translate({-box[0]:g} {-box[1]:g})")
    inside.extend(list(pattern))
    pattern[:] = [inside]
    for key in ("viewBox", "preserveAspectRatio", "patternContentUnits"):
        pattern.attrib.pop(key, None)


def report(root: Element, warn: Warn) -> None:
    """Warn of paints and markers that are errors in SVG 2 (13.2, 14.2), which engines handle differently."""
    wrong = [name_of(each) for each in root.iter() if _is_wrong(each, name_of(each))]
    warn.tally(_ERRORS, len(wrong), dict.fromkeys(wrong))


def _is_wrong(element: Element, name: str) -> bool:
    if name == "marker":
        used = (each for part in element.iter() for key in _MARKERS for each in urls(part.get(key, "")))
        return any(each["address"] == f"#{element.get('id')}" for each in used)
    if name == "radialGradient":
        radius, focal = _share(element, "r", 0.5), _share(element, "fr", 0)
        if radius < 0 or focal < 0 or focal >= radius > 0:
            return True
    transform = element.get("patternTransform" if name == "pattern" else "gradientTransform")
    return transform is not None and any(map(_is_flat, _FUNCTION.findall(transform)))


def _share(element: Element, key: str, usual: float) -> float:
    found = values.numbers(element.get(key, ""))
    return found[0] / (100 if "%" in element.get(key, "") else 1) if found else usual


def _is_flat(function: tuple[str, str]) -> bool:
    """Whether a transform function collapses areas."""
    found = values.numbers(function[1])
    if function[0].lower() == "scale":
        return 0 in found
    return len(found) == 6 and found[0] * found[3] == found[1] * found[2]
