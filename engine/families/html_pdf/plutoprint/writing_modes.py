"""Find the boxes of a page whose lines go in another direction than those around them (CSS Writing Modes 4, 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from engine.families.html_pdf.plutoprint.declared import Declared, of_page, word_of
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.families.html_pdf.source.lines_of_text import short_text

Mode = Literal["", "rl", "lr", "down", "up"]
"""Lines from left to right; down, each left or right of the one before; on their right side; and on their left one."""
MODES: dict[str, Mode] = {
    "vertical-rl": "rl", "tb": "rl", "tb-rl": "rl", "vertical-lr": "lr", "tb-lr": "lr", "sideways-rl": "down",
    "sideways-lr": "up", "bt-lr": "up", "horizontal-tb": "", "lr": "", "lr-tb": "", "rl": "", "rl-tb": "",
}  # fmt: skip
_ASKED = re.compile(r"writing-mode\s*:\s*(?:vertical|sideways|tb|bt)")
_MODE = ("writing-mode", "-webkit-writing-mode")
_ORIENTATION, _COMBINED = "text-orientation", "text-combine-upright"
_COLUMNS = ("columns", "column-count", "column-width")
_READ = (
    *_MODE, _ORIENTATION, _COMBINED, *_COLUMNS, "font", "font-family", "text-align", "display", "position", "float",
    "width", "height", "block-size", "inline-size", "max-height", "max-inline-size", "top", "bottom",
)  # fmt: skip
_PARTS = frozenset(("tr", "thead", "tbody", "tfoot", "colgroup", "col"))
_APART = frozenset(("head", "style", "script", "title", "template", "svg", "math", "select", "textarea", "option"))
_OUTSIDE = frozenset(("table", "inline-table", "flex", "inline-flex"))
_UNTURNED = frozenset(("grid", "inline-grid"))
_MOST = 10_000
_DEEPEST = 3
"""How deep boxes of another direction may be within each other."""
_LINE = 60
_MONO = re.compile("mono|courier|consol|menlo")
_SANS = re.compile("sans|arial|helvet|gothic|verdana|tahoma|segoe|system|roboto|calibri")
_PLAIN = frozenset(("div", "main", "article", "section"))
_LONG = 2_500
"""Letters that a page has no room for."""
PICTURES = frozenset(("img", "svg", "math"))


@dataclass
class Turned:
    """A box whose lines go in another direction: its own mode, and that of the box around it."""

    element: Element
    mode: Mode
    around: Mode
    depth: int
    outside: bool = False
    """Whether a box around it is turned, as it is a picture, a table or no plain box."""


@dataclass
class Modes:
    """The boxes that are turned, in text order, and the modes of the elements whose mode is vertical."""

    turned: list[Turned] = field(default_factory=list)
    around: dict[Element, Mode] = field(default_factory=dict)
    """The mode of the box that each element with vertical text around it is in."""
    texts: list[tuple[Element, str]] = field(default_factory=list)
    """The elements whose own texts have letters that may stand upright, and their `text-orientation`."""
    mirrored: list[tuple[Element, str]] = field(default_factory=list)
    """The elements within boxes whose lines follow from left to right, and the bundled font like theirs."""
    combined: list[Element] = field(default_factory=list)
    """The elements whose text takes the room of one letter (CSS Writing Modes 4, 9.1)."""
    left_out: int = 0
    """Vertical boxes that are drawn horizontally."""
    page: Mode = ""
    """The mode of the page's root or body, which is that of all its pages."""
    said: Declared = field(default_factory=dict)


def may_occur(sheets: Sequence[str]) -> bool:
    """Whether a page's styles have vertical text."""
    return any(_ASKED.search(each) for each in sheets)


def find(page: Page, sheets: Sequence[str], *, media: str, pages: Mode) -> Modes:
    """The vertical boxes of a page, whose paper has the mode `pages`."""
    found = Modes(page=pages, said=_said(page, sheets, media))
    body = page.root.find("body")
    if body is not None:
        _walk(found, body)
    return found


def of_pages(page: Page, sheets: Sequence[str], *, media: str) -> Mode:
    """The mode of all pages (CSS Writing Modes 4, 8): that of the root or body, or of the only box of a long text."""
    if not may_occur(sheets):
        return ""
    found = Modes(said=_said(page, sheets, media))
    body = page.root.find("body")
    if body is None:
        return ""
    own = _of_root(found, body)
    return _of_only_box(found, body) if own is None else own


def _of_root(found: Modes, body: Element) -> Mode | None:
    """The mode that the root or the body declares."""
    roots = (body.getparent(), body)
    return next((mode for each in roots if (mode := said_mode(found, each)) is not None), None)


def _of_only_box(found: Modes, body: Element) -> Mode:
    """The mode of a box that has all text of a page, if that is too long for one page."""
    element = body
    while True:
        inside = [each for each in element if isinstance(each.tag, str) and each.tag not in _APART]
        own = (element.text or "") + "".join(each.tail or "" for each in element)
        if own.strip() or len(inside) != 1:
            return ""
        element = inside[0]
        if (mode := said_mode(found, element)) is not None:
            break
    plain = element.tag in _PLAIN and word_of(found.said, element, "display") in ("", "block")
    return mode if plain and sum(map(len, element.itertext())) > _LONG else ""


def _said(page: Page, sheets: Sequence[str], media: str) -> Declared:
    return of_page(page, sheets, _READ, media=media)


def said_mode(found: Modes, element: Element) -> Mode | None:
    """The mode that an element declares."""
    words = (word for each in _MODE if (word := word_of(found.said, element, each)))
    return next((MODES[each] for each in words if each in MODES), None)


def _walk(found: Modes, body: Element) -> None:
    """Visit the elements of the body with the mode around each, the mode that it inherits, and its orientation."""
    stack: list[tuple[Element, Mode, Mode, str, int]] = [(body, found.page, found.page, "mixed", 0)]
    while stack:
        element, around, inherited, orientation, depth = stack.pop()
        if around:
            found.around[element] = around
        if element.tag in _APART or (around and element.tag in PICTURES):
            if around and element.tag in PICTURES and len(found.turned) < _MOST:
                del found.around[element]
                found.turned.append(Turned(element, "", around, depth + 1, outside=True))
            continue
        said = said_mode(found, element) if element is not body else None if found.page else _of_root(found, body)
        mode = inherited if said is None else said
        display = word_of(found.said, element, "display")
        if display == "none":
            continue
        orientation = word_of(found.said, element, _ORIENTATION) or orientation
        if around == "rl" and word_of(found.said, element, _COMBINED) == "all" and not len(element):
            found.combined.append(element)
            continue
        if mode != around and element.tag not in _PARTS:
            if mode == "lr" and _is_line(found, element):
                mode = "rl"
            turned = Turned(element, mode, around, depth + 1)
            columned = any(word_of(found.said, element, each) not in ("", "auto") for each in _COLUMNS)
            turned.outside = element.tag == "table" or display in _OUTSIDE or columned
            if _can_turn(turned, display) and len(found.turned) < _MOST:
                found.turned.append(turned)
                around, depth = mode, depth + 1
                if turned.outside and mode:
                    found.around[element] = mode
                elif turned.outside:
                    found.around.pop(element, None)
            else:
                found.left_out += bool(" ".join(element.itertext()).strip())
                mode = around
        if mode == "lr" and around != "lr":  # a line of text, which looks the same
            mode = "rl"
        if around == "lr":
            found.mirrored.append((element, font(found, element)))
        if around == "rl" and orientation != "sideways":
            found.texts.append((element, orientation))
        inside = [each for each in reversed(element) if isinstance(each.tag, str)]
        stack += [(each, around, mode, orientation, depth) for each in inside]


def _is_line(found: Modes, element: Element) -> bool:
    """Whether an element has a single line, which looks the same whatever the direction of others would be."""
    text = short_text(element)
    free = all(word_of(found.said, element, each) in ("", "auto") for each in ("height", "inline-size"))
    return free and 0 < len(text) <= _LINE and element.find(".//br") is None


def font(found: Modes, element: Element) -> str:
    """The bundled family that is like the one of an element."""
    for each in (element, *element.iterancestors()):
        words = " ".join(value for name in ("font", "font-family") if (value := word_of(found.said, each, name)))
        if words.strip() and "inherit" not in words:
            return "Mono" if _MONO.search(words) else "Sans" if _SANS.search(words) else "Serif"
    return "Serif"


def _can_turn(turned: Turned, display: str) -> bool:
    """Whether a box is drawn in its direction: as a quarter turn of the box around it."""
    return not (turned.mode and turned.around) and display not in _UNTURNED and turned.depth <= _DEEPEST
