"""Resolve text baselines to shifts by font metrics (CSS Inline 3, 4.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from engine.families.images.drawings.glyph_positions import SPANS
from engine.families.images.drawings.style_attribute import forget, styled
from engine.families.images.drawings.styles import name_of
from engine.families.images.drawings.text_measurement import TextStyle, heights, length, style_of

_DOMINANT, _ALIGNED, _SHIFT = "dominant-baseline", "alignment-baseline", "baseline-shift"
_KEYS = (_DOMINANT, _ALIGNED)
_OWN = frozenset(("auto", "alphabetic", "use-script", "initial", "unset"))
_AS_AROUND = frozenset(("", "auto", "baseline", "inherit", "initial", "unset"))
_LENGTH = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[a-z]+|%)?")
_TAKEN = frozenset(("inherit", "no-change", "reset-size"))

Properties = Mapping[str, str]


def apply_baselines(root: Element) -> None:
    """Move texts vertically to their baseline, which the engine computes differently.

    Vertical texts, those on a path and those that a style moves are left as they are. Only parts of texts are shifted
    (CSS Inline 3, 4.2.3): not whole texts, nor groups.
    """
    for each in root.iter():
        if name_of(each) not in SPANS and (_SHIFT in each.attrib or _SHIFT in each.get("style", "")):
            forget(each, (_SHIFT,))
    if not any(key in each.attrib or key in each.get("style", "") for each in root.iter() for key in _KEYS):
        return
    parents = {child: parent for parent in root.iter() for child in parent}
    for text in [each for each in root.iter() if name_of(each) == "text"]:
        style = style_of(text, parents)
        declared = _declared(text)
        if style.vertical or "transform" in declared or any(name_of(each) == "textPath" for each in text.iter()):
            continue
        around, above = "auto", parents.get(text)
        while above is not None and around == "auto":
            around, above = _declared(above).get(_DOMINANT, "auto"), parents.get(above)
        dominant, own = _move(text, declared, style, around)
        if own:
            text.set("transform", f"{text.get('transform', '')} translate(0 {own:.4f})".strip())
        _shift_spans(text, style, dominant, own)


def _shift_spans(parent: Element, style: TextStyle, dominant: str, above: float) -> None:
    for span in parent:
        if name_of(span) not in SPANS:
            continue
        within, declared = style.within(span), _declared(span)
        inner, own = _move(span, declared, within, dominant)
        raised = declared.get(_SHIFT, "0").replace("baseline", "0")
        if abs(own - above) > 0.0001 and _LENGTH.fullmatch(raised) and _SHIFT not in span.get("style", ""):
            span.set(_SHIFT, f"{length(raised, within.size, within.size) + above - own:.4f}")
        _shift_spans(span, within, inner, own)


def _move(element: Element, declared: Properties, style: TextStyle, around: str) -> tuple[str, float]:
    """The baseline that an element's parts inherit, and its own downward shift; both properties are removed from it."""
    dominant = declared.get(_DOMINANT, around)
    dominant = around if dominant in _TAKEN else dominant
    aligned = declared.get(_ALIGNED, "")
    own = _down(dominant if aligned in _AS_AROUND else aligned, style)
    forget(element, _KEYS)
    element.set(_DOMINANT, "auto")
    return dominant, own


def _declared(element: Element) -> Properties:
    given = {key: element.attrib[key] for key in (*_KEYS, _SHIFT) if key in element.attrib}
    return {key: value.strip().lower() for key, value in (given | styled(element)).items()}


def _down(baseline: str, style: TextStyle) -> float:
    """The distance of the baseline below the usual one, as in browsers."""
    if baseline in _OWN:
        return 0.0
    ascent, descent, small = heights(style)
    return {
        "middle": small / 2,
        "central": (ascent - descent) / 2,
        "center": (ascent - descent) / 2,
        "mathematical": ascent / 2,
        "hanging": ascent * 0.8,
        "text-before-edge": ascent,
        "before-edge": ascent,
        "text-top": ascent,
        "top": ascent,
        "text-after-edge": -descent,
        "after-edge": -descent,
        "text-bottom": -descent,
        "bottom": -descent,
        "ideographic": -descent,
    }.get(baseline, 0.0)
