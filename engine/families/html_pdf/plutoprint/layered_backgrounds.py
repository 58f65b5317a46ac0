"""Draw each background of several layers as one drawing (CSS Backgrounds 3), as PlutoPrint draws only one picture."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.families.html_pdf.css import background_frames, backgrounds, gradients
from engine.families.html_pdf.css.cascade import VARIABLE, Declaration, declarations
from engine.families.html_pdf.css.ignored import Ignored, standard
from engine.families.html_pdf.css.lightning import with_plain_colours
from engine.families.html_pdf.css.room_lengths import TextSizes
from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.plutoprint.background_declarations import (
    IMAGES,
    NAMES,
    Inherited,
    Values,
    block_of,
    computed,
    declared,
)
from engine.families.html_pdf.plutoprint.background_pictures import Composed, Pictures
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.families.html_pdf.source.set_aside import SetAside
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_MARK = "fc-layers"
_LISTS = NAMES - {*IMAGES, "background-color"}
_OF_TEXT = re.compile(r"[\d.](?:rem|em|ex|ch)\b", re.IGNORECASE)
_HEAVIER = ":not(#_)" * 4
"""More specific than the rules of most pages."""
HEAVIEST = ":not(#_)" * 5
"""What makes a rule of our own more specific than those of such backgrounds."""
MOST_CONIC = 1_000
"""The elements of a page whose conic gradients are drawn, each of which takes 3 ms; those of others are one colour."""
_MOST_BY_ATTRIBUTE = 100
"""Backgrounds of a page that selects classes as attributes: unlike a class, each is tested for each element."""


@dataclass(frozen=True)
class _Wanted:
    """The declarations of a background to be drawn, its picture, and whether its lengths are of the text size."""

    values: Values
    name: str
    image: str
    is_measured: bool


def draw(page: Page, sheets: Sheets, aside: SetAside, warn: Warn, *, media: str) -> str:
    """Return the rules that draw such backgrounds, and mark their elements; `style` attributes aren't lowered yet.

    The sheets get the rules as later checks need them, and what is not drawn.
    """
    found = [
        (selectors, block)
        for selectors, body in rules(sheets.read, media)
        if (block := block_of(body)) and sheets.may_select(selectors)
    ]
    inline = {each: block for each in page.styled if (block := block_of(aside.shortened(each.get("style") or "")))}
    blocks = [*(block for _, block in found), *inline.values()]
    if not _may_be_layered(blocks):
        return ""
    drawn = _Drawn(sheets, aside, warn)
    for element, part, values, inherited, root in declared(page.root, found, inline):
        drawn.add(element, part, values, inherited, root)
    sheets.lowered.append(drawn.rules(counted=True))
    return drawn.rules(counted=False)


def is_marked(element: Element) -> bool:
    """Whether the background of an element itself is such a drawing."""
    mark = _mark(None, "")
    return mark in (element.get("class") or "") or any(name.startswith(mark) for name in element.attrib)


def _mark(part: str | None, number: int | str) -> str:
    return f"{_MARK}-{part or 'of'}-{number}"


def _may_be_layered(blocks: list[list[Declaration]]) -> bool:
    said = [(name, value.lower()) for block in blocks for name, value, _ in block]
    if any(backgrounds.is_composed("background" if name.startswith("--") else name, value) for name, value in said):
        return True
    if any(name.startswith("--") and "gradient(" in value for name, value in said):
        return True
    has_gradient = any("gradient(" in value for name, value in said if name in IMAGES)
    return has_gradient and any(name in _LISTS for name, _ in said)


def _without_background(style: str) -> str:
    kept = [each for each in declarations(style) if standard(each[0]) not in NAMES]
    return ";".join(f"{name}:{value}{'!important' if important else ''}" for name, value, important in kept)


class _Drawn:
    """The backgrounds of a page that are drawn, each once."""

    def __init__(self, sheets: Sheets, aside: SetAside, warn: Warn) -> None:
        self._pictures = Pictures(aside, warn)
        self._aside = aside
        self._sheets = sheets
        self._warn = warn
        self._by_class = not any("[class" in each for each in sheets.read)
        self._numbers: dict[tuple[Values, TextSizes], int | None] = {}
        self._wanted: dict[tuple[Values, Values], _Wanted | None] = {}
        self._all: list[Composed] = []
        self._conic = 0
        self._uses: dict[tuple[str | None, int], None] = {}

    def add(self, element: Element, part: str | None, values: Values, inherited: Inherited, root: float) -> None:
        """Draw the background of an element, or of what is generated in it, if it needs a drawing."""
        known = tuple((name, filled) for name, value in values if (filled := computed(value, inherited)) is not None)
        if (values, known) not in self._wanted:
            self._wanted[values, known] = self._needing(values, known)
        wanted = self._wanted[values, known]
        if wanted is None:
            return
        sizes = TextSizes(inherited.size, root, inherited.zoom)
        key = wanted.values, sizes if wanted.is_measured else TextSizes(zoom=inherited.zoom)
        if key not in self._numbers:
            self._numbers[key] = self._number(key, wanted.name, wanted.image)
        number = self._numbers[key]
        if number is None:
            return
        if gradients.is_conic(wanted.image):
            self._conic += 1
            if self._conic > MOST_CONIC:
                self._report(wanted.name, wanted.image)
                return
        self._uses[part, number] = None
        mark = _mark(part, number)
        if self._by_class:
            element.set("class", f"{element.get('class') or ''} {mark}".strip())
        else:
            element.set(mark, "")
        if part is None and "background" in (style := element.get("style") or ""):
            element.set("style", _without_background(style))

    def _needing(self, values: Values, known: Values) -> _Wanted | None:
        """What is to be drawn of declarations as written, and with custom properties; None if PlutoPrint draws it."""
        written = next((each for each in reversed(values) if each[0] in IMAGES), ("", ""))
        name, image = next((each for each in reversed(known) if each[0] in IMAGES), ("", ""))
        if "gradient(" in image and VARIABLE.search(image):
            self._warn("CSS_UNSUPPORTED", say("{name}: a gradient with variables became its first colour.", name=name))
            return None
        # A gradient alone was lowered for all elements of its rule.
        is_own = written[1] != image or any(each in _LISTS for each, _ in known)
        is_other = is_own and "gradient(" in image
        mixed = any(backgrounds.is_composed(each, value.lower()) for each, value in known if each not in IMAGES)
        if not (is_other or (mixed and image) or backgrounds.is_composed(name, image.lower())):
            return None
        if any(each == "background-clip" and "text" in value for each, value in known):
            return None  # see equivalents.legible()
        if not any("-box" in value for _, value in known):
            known = tuple(each for each in known if each[0] in NAMES)
        return _Wanted(known, name, image, is_measured=any(_OF_TEXT.search(value) for _, value in known))

    def _number(self, key: tuple[Values, TextSizes], name: str, image: str) -> int | None:
        values, sizes = key
        background = backgrounds.read(((each, with_plain_colours(value)) for each, value in values), sizes)
        full = not self._by_class and len(self._all) >= _MOST_BY_ATTRIBUTE
        frame = background_frames.frame(values, sizes)
        composed = self._pictures.composed(background, sizes, frame) if background is not None and not full else None
        if composed is None:
            self._report(name, image)
            return None
        self._all.append(composed)
        return len(self._all) - 1

    def _report(self, name: str, image: str) -> None:
        """Name a background that is not drawn, or not as it is in browsers."""
        inexact = gradients.inexact(image)
        if len(gradients.layers_of(image)) > 1 or inexact is None:
            self._sheets.ignored.append(Ignored("", "", name, self._aside.whole(image)))
        else:
            self._warn("CSS_UNSUPPORTED", say("{name}: {inexact}", name=name, inexact=inexact))

    def rules(self, *, counted: bool) -> str:
        """The rules of all backgrounds, for the page or as they are `counted`."""
        found = []
        for part, number in self._uses:
            mark = _mark(part, number)
            selector = f".{mark}" if self._by_class else f"[{mark}]"
            composed = self._all[number]
            said = composed.counted if counted else composed.declarations
            important = said.replace(";", "!important;")
            found.append(f"{selector}{_HEAVIER}{'::' + part if part else ''}{{{important}!important}}")
        return "".join(found)
