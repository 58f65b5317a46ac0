"""Sanitise SVG: no scripts, no external references, no reference bombs."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, tostring

import defusedxml
from defusedxml.ElementTree import fromstring

from engine.families.images.drawings import (
    anchors,
    backgrounds,
    baselines,
    boxes,
    capitals,
    columns,
    conditions,
    dashes,
    decorations,
    expansion,
    filters,
    functions,
    missing_fonts,
    paints,
    references,
    repairs,
    sizes,
    styles,
    text_measurement,
    texts,
    unsupported,
    zero_length_lines,
)
from engine.families.images.drawings.embedded import Pictures
from engine.families.images.drawings.references import HREFS, with_urls
from engine.toolkit import emoji_font, emoji_sequences, xml_entities
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import MAX_PIXELS
from engine.toolkit.warnings import Warn

MAX_DEPTH = 250
MAX_ELEMENTS = 200_000
"""190,000 rectangles take 7 s, in 240 groups as well."""
MAX_SIDE = 1_000_000
"""Pixels: above it the renderer's own integers overflow."""

_SVG = "{http://www.w3.org/2000/svg}"
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_XINCLUDE = "{http://www.w3.org/2001/XInclude}include"
_ANIMATIONS = {"animate", "animateTransform", "animateMotion", "animateColor", "set"}
_CSS_IMPORT = re.compile(r"@import\b[^;]*(;|$)", re.IGNORECASE)
_STYLESHEET = re.compile(rb"<\?xml-stylesheet\b", re.IGNORECASE)
_ENDLESS = 1e12
"""A length that is told instead of longer ones, which may be infinite."""
_LENGTH = re.compile(
    r"\s*+([+-]?(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:[eE][+-]?[0-9]{1,3})?)\s*+(px|pt|pc|mm|cm|in|em|ex|%)?\s*"
)
_UNITS = {"px": 1, "pt": 96 / 72, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16, "ex": 8}


def cleaned(data: bytes, warn: Warn) -> bytes:
    """The SVG in `data` reduced to features the engines draw, without active or external content, as UTF-8.

    Raises Unreadable for anything but SVG or for external entities, OverLimit for one that is too large.
    """
    root = _parsed(data)
    _measure(root)
    _check_canvas(root)
    pictures = Pictures(warn)
    outside = len(_STYLESHEET.findall(data[:65_536]))
    if conditions.resolve_conditions(root):
        warn("CONTENT_DROPPED", "Content that is not SVG (foreignObject) was replaced by its fallback drawing.")
    left = [root]
    while left:
        parent = left.pop()
        _keep(parent, warn)
        left += parent
        _clean_attributes(parent, pictures, warn)
        if _name(parent) == "style" and parent.text:
            parent.text, imports = _CSS_IMPORT.subn("", _clean_css(parent.text, pictures))
            outside += imports
    if outside:
        warn("REMOTE_RESOURCE_BLOCKED", say("External style sheets were not loaded: {outside}.", outside=outside))
    pictures.report()
    repairs.repair_references(root)
    references.check(root)
    texts.check(root)
    own = _size(root)
    styles.inline(root, own, warn)
    sizes.resolve_sizes(root)
    repairs.move_group_properties(root)
    expansion.check(root)
    paints.report(root, warn)
    paints.repair(root)
    functions.clamp(root)
    zero_length_lines.lengthen_dots(root)
    dashes.drop_empty_dashes(root)
    capitals.apply_text_transform(root)
    anchors.copy_anchors(root)
    baselines.apply_baselines(root)
    decorations.resolve_decorations(root, warn)
    unsupported.report(root, warn)
    filters.rewrite(root, own[0] / (backgrounds.visible_area(root, own)[2] or 1.0) or 1.0)
    missing_fonts.report(root, warn)
    emoji_font.report(emoji_sequences.found_in("".join(root.itertext())), warn)
    backgrounds.apply_transform_origins(root, own, warn)
    backgrounds.add_background(root, own, warn)
    text_measurement.resolve_font_sizes(root)
    view = backgrounds.visible_area(root, own)[2:]
    columns.anchor_vertical_text(root, view)
    boxes.resolve_gradients(root, view)
    boxes.resolve_filters(root, view)
    texts.place(root, view, warn)
    return bytes(tostring(root, encoding="utf-8"))


def size(cleaned: bytes) -> tuple[float, float]:
    """The declared width and height of an SVG, in CSS pixels (SVG 2, 8.2).

    Raises Unreadable if it declares none.
    """
    width, height = _size(fromstring(cleaned))
    if not (width > 0 and height > 0):
        raise Unreadable(
            "The SVG has no size. Give it a width and a height, or a viewBox.", reason="unsupported_feature"
        )
    return width, height


def _size(root: Element) -> tuple[float, float]:
    """The same for a tree; 0.0 if not declared."""
    box = [_pixels(each) for each in (root.get("viewBox") or "").replace(",", " ").split()[2:4]]
    wide, high = box if len(box) == 2 and min(box) > 0 else (0.0, 0.0)
    width, height = _pixels(root.get("width")), _pixels(root.get("height"))
    if wide and width and not height:
        height = width * high / wide
    elif wide and height and not width:
        width = height * wide / high
    return width or wide, height or high


def _parsed(data: bytes) -> Element:
    try:
        root = _tree(data)
    except ParseError as error:
        line, column = error.position
        raise Unreadable("The SVG is not well-formed XML.", line=line, column=column + 1, reason="damaged") from error
    except defusedxml.DefusedXmlException as error:
        raise Unreadable(
            "The SVG declares XML entities that are external or refer to themselves. Save it without them.",
            reason="unsupported_feature",
        ) from error
    except (ValueError, LookupError) as error:
        raise Unreadable("The SVG is in an unknown character encoding.", reason="unsupported_feature") from error
    if not isinstance(root, Element) or root.tag not in (f"{_SVG}svg", "svg"):
        raise Unreadable(
            "The file is XML, but not an SVG: its root element is not svg in the SVG namespace.", reason="format"
        )
    return root


def _tree(data: bytes) -> Element:
    try:
        return fromstring(data)  # type: ignore[no-any-return]
    except defusedxml.EntitiesForbidden:
        return xml_entities.expanded(data, elements=MAX_ELEMENTS)


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _measure(root: Element) -> None:
    """Refuse trees that are too deep or too large for the next steps."""
    count, level, depth = 0, [root], 0
    while level:
        count, depth = count + len(level), depth + 1
        if depth > MAX_DEPTH:
            raise Unreadable(
                say("The SVG's elements are nested more than {max_depth} deep.", max_depth=MAX_DEPTH),
                reason="limit",
            )
        if count > MAX_ELEMENTS:
            raise OverLimit("timeout", say("The SVG has more than {max_elements} elements.", max_elements=MAX_ELEMENTS))
        level = [child for parent in level for child in parent]


def _check_canvas(root: Element) -> None:
    box = (root.get("viewBox") or "").replace(",", " ").split()
    sides = [_pixels(root.get("width")), _pixels(root.get("height")), *(_pixels(each) for each in box[2:4])]
    if max(sides) > MAX_SIDE:
        raise OverLimit(
            "memory",
            say(
                "The longest side of the canvas is {sides} pixels, and the limit is {max_pixels} pixels in total.",
                sides=round(max(sides)),
                max_pixels=MAX_PIXELS,
            ),
        )


def _pixels(length: str | None) -> float:
    match = _LENGTH.fullmatch(length or "")
    return min(float(match[1]), _ENDLESS) * _UNITS.get(match[2] or "px", 0) if match else 0.0


def _stays(element: Element, warn: Warn) -> bool:
    name = _name(element)
    if name == "script":
        warn("SCRIPT_REMOVED", "A script was removed.")
        return False
    if element.tag == _XINCLUDE:
        warn("REMOTE_RESOURCE_BLOCKED", "An external part was not included.")
        return False
    if name == "foreignObject":
        warn("CONTENT_DROPPED", "Content that is not SVG (foreignObject) was left out.")
        return False
    if name in _ANIMATIONS:
        warn("ANIMATION_DROPPED", "The drawing is animated; only its first frame was kept.")
        return False
    return True


def _keep(parent: Element, warn: Warn) -> None:
    """Remove children that are not kept, but not the text after them."""
    kept: list[Element] = []
    for child in parent:
        if _stays(child, warn):
            kept.append(child)
        elif child.tail and kept:
            kept[-1].tail = (kept[-1].tail or "") + child.tail
        elif child.tail:
            parent.text = (parent.text or "") + child.tail
    if len(kept) < len(parent):
        parent[:] = kept


def _clean_attributes(element: Element, pictures: Pictures, warn: Warn) -> None:
    for key, value in list(element.attrib.items()):
        if key.lower().startswith("on"):
            warn("SCRIPT_REMOVED", say("The script in {key} was removed.", key=key))
            del element.attrib[key]
        elif key == _XML_BASE:
            del element.attrib[key]
        elif key in HREFS:
            address = value.strip()
            if address.lower().startswith("javascript:"):
                warn("SCRIPT_REMOVED", "A script in a link was removed.")
                del element.attrib[key]
            elif _name(element) != "a" and not address.startswith("#"):
                picture = pictures.drawn(address)
                if picture is None:
                    del element.attrib[key]
                else:
                    element.attrib[key] = picture
        elif "url(" in value.lower():
            element.attrib[key] = _clean_css(value, pictures)


def _clean_css(text: str, pictures: Pictures) -> str:
    def replace(match: re.Match[str]) -> str:
        address = match["address"].strip()
        return match[0] if address.startswith("#") else f"url({pictures.drawn(address) or '#'})"

    return with_urls(text, replace)
