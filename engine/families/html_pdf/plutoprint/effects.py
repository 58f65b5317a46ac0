"""Refuse pages whose masks, blending and opacity would process too many pixels."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote_to_bytes
from xml.etree.ElementTree import Element as Drawing

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from engine.families.html_pdf.plutoprint.declared import Declared, declared
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.families.images.drawings import effects, styles
from engine.toolkit.warnings import Warn

MASK_DPI = 300
"""The resolution of the pictures that PlutoPrint makes of masked content in a PDF."""

_SIZES = ("width", "height", "min-width", "min-height", "flex", "flex-grow", "overflow")
_TURNS = ("transform", "zoom", "scale")
PICTURES = ("background", "background-image", "content", "list-style", "list-style-image", "border-image")
"""The properties that have pictures."""
_PLAIN = re.compile(r"\s*(\d+(?:\.\d+)?)(?:px)?\s*")
_DATA = re.compile(r"url\(\s*[\"']?data:image/svg\+xml([^,()]*),([^\"')]*(?:'[^\"']*'[^\"')]*)*)", re.IGNORECASE)
_DECLARATION = re.compile(r"(?:^|;)\s*([\w-]+)\s*:\s*([^;]*)")
_NOTHING = frozenset(("", "none", "normal", "1", "1.0", "100%"))
_HTML_NAMES = {name.lower(): name for name in ("viewBox", "clipPath", "maskUnits", "linearGradient", "radialGradient")}


def present(page: Page, sheets: list[str], groups: Mapping[str, float]) -> bool:
    """Whether a page may use any of the `groups` of `images.drawings.effects`, which have a cost."""
    texts = (*sheets, *(each.get("style") or "" for each in page.styled))
    if "svg" in page.names or any(key in text or "image/svg" in text for key in groups for text in texts):
        return True
    return any("svg" in (each.get("src") or "")[:40] for each in page.root.iter("img"))


def check(page: Page, sheets: list[str], area: float, groups: Mapping[str, float], *, scale: float, media: str) -> None:
    """Raise OverLimit if PlutoPrint would take too long for the effects of a page.

    `area` is that of the page in pixels; `scale` is the number of pixels per CSS pixel.
    """
    if not present(page, sheets, groups):
        return
    said = declared(page.root, sheets, (*groups, *_SIZES, *_TURNS, *PICTURES), None, media=media)
    for element in page.styled:
        said[element] = {**said.get(element, {}), **dict(_DECLARATION.findall(element.get("style") or ""))}
    total = 0.0
    known: dict[str, list[Drawing]] = {}
    for element, square in _around(page.root, said):
        clip = min(area, square * scale**2)
        if element.tag == "svg":
            total += effects.cost(copied(element, said), clip, groups)
            continue
        own = said.get(element, {})
        total += sum(cost * area for key, cost in groups.items() if own.get(key, "").strip() not in _NOTHING)
        for drawing in _pictures(element, said, known):
            total += effects.cost(drawing, min(clip, (_square(drawing) or math.inf) * scale**2), groups)
        if total > effects.MOST:
            raise effects.too_many()


def _around(root: Element, said: Declared) -> Iterator[tuple[Element, float]]:
    """All elements outside of drawings, and the area in square CSS pixels of pictures whose size is known."""
    left = [(root, False)]
    while left:
        element, turned = left.pop()
        if not isinstance(element.tag, str) or element.tag == "style":
            continue
        own = said.get(element, {})
        turned = turned or any(name in own for name in _TURNS)
        known = 0.0 if turned or any(name in own for name in _SIZES) else _square(element)
        yield element, known if known and element.tag in ("svg", "img") else math.inf
        if element.tag != "svg":
            left += [(child, turned) for child in element]


def _square(element: Element | Drawing) -> float:
    sides = [_PLAIN.fullmatch(element.get(key) or "") for key in ("width", "height")]
    return float(sides[0][1]) * float(sides[1][1]) if sides[0] and sides[1] else 0.0


def copied(element: Element, said: Declared) -> Drawing:
    """A drawing as an XML tree, with the styles that style sheets give it."""
    own = {name.rpartition(":")[2]: value for name, value in element.attrib.items()}
    name = element.tag.rpartition("}")[2]
    copy = Drawing(_HTML_NAMES.get(name, name), {_HTML_NAMES.get(key, key): value for key, value in own.items()})
    copy.attrib.update({key: value for key, value in said.get(element, {}).items() if key not in _SIZES})
    copy.extend(copied(child, said) for child in element if isinstance(child.tag, str))
    return copy


def _pictures(element: Element, said: Declared, known: dict[str, list[Drawing]]) -> Iterator[Drawing]:
    """The drawings of an element, those of each value read once."""
    source = element.get("src") or "" if element.tag == "img" else ""
    values = [f"url('{source}')"] if source[:40].startswith("data:image/svg") else []
    for value in (*values, *(said.get(element, {}).get(name, "") for name in PICTURES)):
        if value not in known:
            known[value] = list(drawings(value))
        yield from known[value]


def drawings(value: str) -> Iterator[Drawing]:
    """The drawings among the pictures of a value."""
    for kind, data in _DATA.findall(value):
        drawing = _drawing(kind, data)
        if drawing is not None:
            yield drawing


def _drawing(kind: str, data: str) -> Drawing | None:
    text = unquote_to_bytes(data)
    try:
        found: Drawing = fromstring(base64.b64decode(text) if "base64" in kind.lower() else text)
    except (ParseError, DefusedXmlException, ValueError):
        return None  # it is not drawn
    styles.inline(found, (0.0, 0.0), Warn())
    return found
