"""SVG made safe to draw: no scripts, nothing from outside, no bombs of references."""

from __future__ import annotations

import base64
import io
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, ParseError, tostring

import defusedxml
from defusedxml.ElementTree import fromstring
from PIL import Image

from conversions.families.images import codecs
from conversions.families.images.reading import decoding
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.picture_limits import MAX_PIXELS
from conversions.toolkit.warnings import Warn

MAX_DEPTH = 250
MAX_ELEMENTS = 200_000
MAX_DRAWN = 500_000
"""Elements drawn once every reference to one is followed."""

MAX_SIDE = 1_000_000
"""Pixels: beyond it the renderer's own integers fail."""

_SVG = "{http://www.w3.org/2000/svg}"
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_XINCLUDE = "{http://www.w3.org/2001/XInclude}include"
_ANIMATIONS = {"animate", "animateTransform", "animateMotion", "animateColor", "set"}
_EMBEDDED = ["PNG", "JPEG", "GIF", "WEBP"]
_CSS_URL = re.compile(r"url\(\s*(?P<quote>[\"']?)(?P<address>.*?)(?P=quote)\s*\)", re.IGNORECASE | re.DOTALL)
_CSS_IMPORT = re.compile(r"@import\b[^;]*(;|$)", re.IGNORECASE)
_STYLESHEET = re.compile(rb"<\?xml-stylesheet\b", re.IGNORECASE)
_LENGTH = re.compile(r"\s*([+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?)\s*(px|pt|pc|mm|cm|in|em|ex|%)?\s*")
_UNITS = {"px": 1, "pt": 96 / 72, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16, "ex": 8}


def cleaned(data: bytes, warn: Warn) -> bytes:
    """The SVG in `data` without what is active or lies outside of it, as UTF-8.

    Raises Unreadable for what is no SVG or declares entities, OverLimit for one that is too large to draw.
    """
    root = _parsed(data)
    if _STYLESHEET.search(data[:65_536]):
        warn("REMOTE_RESOURCE_BLOCKED", "A style sheet outside the file was not loaded.")
    _measure(root)
    _check_canvas(root)
    pictures = _Pictures(warn)
    left = [root]
    while left:
        parent = left.pop()
        for child in list(parent):
            if not _stays(child, warn):
                _remove(parent, child)
        left += parent
        _clean_attributes(parent, pictures, warn)
        if _name(parent) == "style" and parent.text:
            parent.text, imports = _CSS_IMPORT.subn("", _clean_css(parent.text, pictures, warn))
            if imports:
                warn("REMOTE_RESOURCE_BLOCKED", "A style sheet outside the file was not loaded.")
    _check_references(root)
    return bytes(tostring(root, encoding="utf-8"))


def size(cleaned: bytes) -> tuple[float, float]:
    """Width and height, in CSS pixels, that an SVG says it has (SVG 2, 8.2). Raises Unreadable where it says none."""
    root = fromstring(cleaned)
    box = [_pixels(each) for each in (root.get("viewBox") or "").replace(",", " ").split()[2:4]]
    wide, high = box if len(box) == 2 and min(box) > 0 else (0.0, 0.0)
    width, height = _pixels(root.get("width")), _pixels(root.get("height"))
    if wide and width and not height:
        height = width * high / wide
    elif wide and height and not width:
        width = height * wide / high
    width, height = width or wide, height or high
    if not (width > 0 and height > 0):
        raise Unreadable("The SVG has no size: give it a width and a height, or a viewBox.")
    return width, height


def _parsed(data: bytes) -> Element:
    try:
        root = fromstring(data)
    except ParseError as error:
        line, column = error.position
        raise Unreadable("The SVG is not well-formed XML.", line=line, column=column + 1) from error
    except defusedxml.DefusedXmlException as error:
        raise Unreadable("The SVG declares XML entities, which are not read. Save it without them.") from error
    except (ValueError, LookupError) as error:
        raise Unreadable("The SVG is in an unknown character encoding.") from error
    if not isinstance(root, Element) or root.tag not in (f"{_SVG}svg", "svg"):
        raise Unreadable("The file is XML, but not an SVG: its root element is not svg in the SVG namespace.")
    return root


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _measure(root: Element) -> None:
    """Refuse trees that are too deep for what follows, or too large."""
    count, level, depth = 0, [root], 0
    while level:
        count, depth = count + len(level), depth + 1
        if depth > MAX_DEPTH:
            raise Unreadable(f"The elements of the SVG are nested more than {MAX_DEPTH} deep.")
        if count > MAX_ELEMENTS:
            raise OverLimit("timeout", f"The SVG has more than {MAX_ELEMENTS:,} elements.")
        level = [child for parent in level for child in parent]


def _check_canvas(root: Element) -> None:
    box = (root.get("viewBox") or "").replace(",", " ").split()
    sides = [_pixels(root.get("width")), _pixels(root.get("height")), *(_pixels(each) for each in box[2:4])]
    if max(sides) > MAX_SIDE:
        raise OverLimit(
            "memory", f"The canvas is {max(sides):,.0f} pixels long; at most {MAX_PIXELS:,} pixels in all are drawn."
        )


def _pixels(length: str | None) -> float:
    match = _LENGTH.fullmatch(length or "")
    return float(match[1]) * _UNITS.get(match[2] or "px", 0) if match else 0.0


def _stays(element: Element, warn: Warn) -> bool:
    name = _name(element)
    if name == "script":
        warn("SCRIPT_REMOVED", "A script was removed.")
        return False
    if element.tag == _XINCLUDE:
        warn("REMOTE_RESOURCE_BLOCKED", "A part outside the file was not included.")
        return False
    if name == "foreignObject":
        warn("CONTENT_DROPPED", "Content that is not SVG (foreignObject) was left out.")
        return False
    if name in _ANIMATIONS:
        warn("ANIMATION_DROPPED", "The drawing is animated; only its first frame was drawn.")
        return False
    return True


def _remove(parent: Element, child: Element) -> None:
    if child.tail:
        before = list(parent)[: list(parent).index(child)]
        if before:
            before[-1].tail = (before[-1].tail or "") + child.tail
        else:
            parent.text = (parent.text or "") + child.tail
    parent.remove(child)


def _clean_attributes(element: Element, pictures: _Pictures, warn: Warn) -> None:
    for key, value in list(element.attrib.items()):
        if key.lower().startswith("on"):
            warn("SCRIPT_REMOVED", f"The script in {key} was removed.")
            del element.attrib[key]
        elif key == _XML_BASE:
            del element.attrib[key]
        elif key in _HREFS:
            address = value.strip()
            if address.lower().startswith("javascript:"):
                warn("SCRIPT_REMOVED", "A script in a link was removed.")
                del element.attrib[key]
            elif _name(element) != "a" and not address.startswith("#") and not pictures.allows(address):
                del element.attrib[key]
        elif "url(" in value.lower():
            element.attrib[key] = _clean_css(value, pictures, warn)


def _clean_css(text: str, pictures: _Pictures, warn: Warn) -> str:
    def replace(match: re.Match[str]) -> str:
        address = match["address"].strip()
        return match[0] if address.startswith("#") or pictures.allows(address) else "url(#)"

    return _CSS_URL.sub(replace, text)


class _Pictures:
    """Decides on the addresses of a drawing: only pictures inside it, of a size that can be decoded, are allowed."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._total = 0

    def allows(self, address: str) -> bool:
        if not address.lower().startswith("data:"):
            self._warn("REMOTE_RESOURCE_BLOCKED", f"Not loaded, because it lies outside the file: {address[:200]}")
            return False
        try:
            with decoding():
                head, _, body = address.partition(",")
                data = (
                    base64.b64decode(body) if head.lower().endswith(";base64") else urllib.parse.unquote_to_bytes(body)
                )
                codecs.load("webp")
                with Image.open(io.BytesIO(data), formats=_EMBEDDED) as image:
                    self._total += image.width * image.height
        except Unreadable:
            self._warn("CONTENT_DROPPED", "An embedded file that is no PNG, JPEG, GIF or WebP picture was left out.")
            return False
        if self._total > MAX_PIXELS:
            raise OverLimit("memory", f"The embedded pictures have more than {MAX_PIXELS:,} pixels in all.")
        return True


def _check_references(root: Element) -> None:
    """Count what is drawn once references are followed, each element's sum being worked out once."""
    by_id: dict[str, Element] = {}
    for element in root.iter():
        by_id.setdefault(element.get("id", ""), element)
    sums: dict[Element, int] = {}
    open_: set[Element] = set()
    stack: list[tuple[Element, Iterator[Element], int]] = []

    def enter(element: Element) -> None:
        open_.add(element)
        stack.append((element, iter([*element, *_referenced(element, by_id)]), 1))

    enter(root)
    while stack:
        element, rest, total = stack.pop()
        for next_ in rest:
            if next_ in sums:
                total += sums[next_]
            elif next_ not in open_:  # else a circle, which the renderer leaves out
                stack.append((element, rest, total))
                enter(next_)
                break
            if total > MAX_DRAWN:
                raise OverLimit("timeout", f"The SVG draws more than {MAX_DRAWN:,} elements through references.")
        else:
            open_.discard(element)
            sums[element] = total
            if stack:
                parent, siblings, so_far = stack.pop()
                stack.append((parent, siblings, so_far + total))


def _referenced(element: Element, by_id: dict[str, Element]) -> Iterable[Element]:
    for key, value in element.attrib.items():
        if key in _HREFS and value.strip().startswith("#"):
            names = [value.strip()[1:]]
        elif "url(" in value:
            names = [match["address"].strip()[1:] for match in _CSS_URL.finditer(value)]
        else:
            continue
        for name in names:
            if name in by_id and name:
                yield by_id[name]
