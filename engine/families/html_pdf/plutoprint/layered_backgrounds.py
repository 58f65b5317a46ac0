"""Draw each background of several layers as one drawing (CSS Backgrounds 3), as PlutoPrint draws only one picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import cssselect2

from engine.families.html_pdf.css import background_frames, backgrounds, gradients
from engine.families.html_pdf.css.cascade import Declaration, declarations
from engine.families.html_pdf.css.ignored import Ignored, standard
from engine.families.html_pdf.css.lightning import with_plain_colours
from engine.families.html_pdf.css.room_lengths import TextSizes
from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.plutoprint import text_sizes
from engine.families.html_pdf.plutoprint.background_pictures import Composed, Pictures
from engine.families.html_pdf.source import limits
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.families.html_pdf.source.set_aside import SetAside
from engine.toolkit.messages import say
from engine.toolkit.selectors import compiled, visited
from engine.toolkit.warnings import Warn

_MARK = "fc-layers"
_PARTS = (None, "before", "after")
_NAMES = frozenset(("background", *(f"background-{each}" for each in (*backgrounds.LONGHANDS, "color"))))
_READ = _NAMES.union(background_frames.NAMES)
_IMAGES = ("background", "background-image")
_LISTS = _NAMES - {*_IMAGES, "background-color"}
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_OF_TEXT = re.compile(r"[\d.](?:rem|em|ex|ch)\b", re.IGNORECASE)
_DEEPEST = 8
_HEAVIER = ":not(#_)" * 4
"""More specific than the rules of most pages."""
_MOST_BY_ATTRIBUTE = 100
"""Backgrounds of a page that selects classes as attributes: unlike a class, each is tested for each element."""

Values = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Inherited:
    """What an element passes on: custom properties, and its text size."""

    custom: dict[str, str] = field(default_factory=dict)
    size: float = 16.0


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
        if (block := _block(body)) and sheets.may_select(selectors)
    ]
    inline = {each: block for each in page.styled if (block := _block(aside.shortened(each.get("style") or "")))}
    blocks = [*(block for _, block in found), *inline.values()]
    if not _may_be_layered(blocks):
        return ""
    drawn = _Drawn(sheets, aside, warn)
    for element, part, values, inherited, root in _declared(page.root, found, inline):
        drawn.add(element, part, values, inherited, root)
    sheets.lowered.append(drawn.rules(counted=True))
    return drawn.rules(counted=False)


def is_marked(element: Element) -> bool:
    """Whether the background of an element itself is such a drawing."""
    mark = f"{_MARK}-of-"
    return mark in (element.get("class") or "") or any(name.startswith(mark) for name in element.attrib)


def _block(body: str) -> list[Declaration]:
    """The declarations of a rule that a background depends on."""
    if not any(each in body for each in ("background", "--", "font", "border")):
        return []
    return [
        (name, value, important)
        for written, value, important in declarations(body)
        if (name := standard(written)) in _READ or name.startswith("--") or name in text_sizes.NAMES
    ]


def _may_be_layered(blocks: list[list[Declaration]]) -> bool:
    said = [(name, value.lower()) for block in blocks for name, value, _ in block]
    if any(backgrounds.is_composed("background" if name.startswith("--") else name, value) for name, value in said):
        return True
    if any(name.startswith("--") and "gradient(" in value for name, value in said):
        return True
    has_gradient = any("gradient(" in value for name, value in said if name in _IMAGES)
    return has_gradient and any(name in _LISTS for name, _ in said)


def _declared(
    root: Element, found: list[tuple[str, list[Declaration]]], inline: dict[Element, list[Declaration]]
) -> Iterator[tuple[Element, str | None, Values, _Inherited, float]]:
    """The declarations of each background, the winning one last, what its element inherits, and the root's size."""
    matcher = cssselect2.Matcher()
    for selectors, block in found:
        try:
            for each in compiled(selectors):
                if each.pseudo_element in _PARTS:
                    matcher.add_selector(each, block)
        except cssselect2.SelectorError:
            continue
    around: dict[Element, _Inherited] = {}
    first = 16.0
    for wrapped in visited(root):
        element = wrapped.etree_element
        parts: dict[str | None, list[Declaration]] = {each: [] for each in _PARTS}
        for _, _, part, block in matcher.match(wrapped):
            parts[part] += block
        parts[None] += inline.get(element, ())
        own = around.get(element.getparent()) or _Inherited()
        for part, block in parts.items():
            said = [(name, value) for name, value, _ in sorted(block, key=lambda each: each[2])]
            its = _inherited("" if part else str(element.tag), said, own, first) if said or part is None else own
            if part is None:
                around[element] = own = its
                first = its.size if element is root else first
            if any(name in _IMAGES for name, _ in said):
                yield element, part, tuple((name, value) for name, value in said if name in _READ), its, first


def _inherited(tag: str, said: list[tuple[str, str]], outer: _Inherited, root: float) -> _Inherited:
    custom = {name: value for name, value in said if name.startswith("--")}
    size = text_sizes.size(tag, said, outer.size, root)
    if not custom and size == outer.size:
        return outer
    return _Inherited({**outer.custom, **custom} if custom else outer.custom, size)


def _filled(value: str, custom: dict[str, str]) -> str | None:
    """A value with its custom properties; None for one that is too long."""
    for _ in range(_DEEPEST if "var(" in value else 0):
        if sum(len(custom.get(each[1], "")) for each in _VARIABLE.finditer(value)) > limits.MOST_EXPANDED:
            return None
        value = _VARIABLE.sub(lambda match: custom.get(match[1], match[2] or match[0]), value)
    return value.strip()


def _without_background(style: str) -> str:
    kept = [each for each in declarations(style) if standard(each[0]) not in _NAMES]
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
        self._uses: dict[tuple[str | None, int], None] = {}

    def add(self, element: Element, part: str | None, values: Values, inherited: _Inherited, root: float) -> None:
        """Draw the background of an element, or of what is generated in it, if it needs a drawing."""
        known = tuple(
            (name, filled) for name, value in values if (filled := _filled(value, inherited.custom)) is not None
        )
        if (values, known) not in self._wanted:
            self._wanted[values, known] = self._needing(values, known)
        wanted = self._wanted[values, known]
        if wanted is None:
            return
        key = wanted.values, TextSizes(inherited.size, root) if wanted.is_measured else TextSizes()
        if key not in self._numbers:
            self._numbers[key] = self._number(key, wanted.name, wanted.image)
        number = self._numbers[key]
        if number is None:
            return
        self._uses[part, number] = None
        mark = f"{_MARK}-{part or 'of'}-{number}"
        if self._by_class:
            element.set("class", f"{element.get('class') or ''} {mark}".strip())
        else:
            element.set(mark, "")
        if part is None and "background" in (style := element.get("style") or ""):
            element.set("style", _without_background(style))

    def _needing(self, values: Values, known: Values) -> _Wanted | None:
        """What is to be drawn of declarations as written, and with custom properties; None if PlutoPrint draws it."""
        written = next((each for each in reversed(values) if each[0] in _IMAGES), ("", ""))
        name, image = next((each for each in reversed(known) if each[0] in _IMAGES), ("", ""))
        if "gradient(" in image and _VARIABLE.search(image):
            self._warn("CSS_UNSUPPORTED", say("{name}: a gradient with variables became its first colour.", name=name))
            return None
        is_other = "gradient(" in image and (
            "var(" in written[1] or any(each in _LISTS for each, _ in known)  # as it was lowered for all elements
        )
        if not (is_other or backgrounds.is_composed(name, image.lower())):
            return None
        if any(each == "background-clip" and "text" in value for each, value in known):
            return None  # see equivalents.legible()
        if not any("-box" in value for _, value in known):
            known = tuple(each for each in known if each[0] in _NAMES)
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
            mark = f"{_MARK}-{part or 'of'}-{number}"
            selector = f".{mark}" if self._by_class else f"[{mark}]"
            composed = self._all[number]
            said = composed.counted if counted else composed.declarations
            important = said.replace(";", "!important;")
            found.append(f"{selector}{_HEAVIER}{'::' + part if part else ''}{{{important}!important}}")
        return "".join(found)
