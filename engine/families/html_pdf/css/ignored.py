"""Report, once each, the styles of a page that are unsupported, apply to the page and would be visible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cssselect2

from engine.families.html_pdf.css import shadows
from engine.families.html_pdf.css.properties import (
    NO_VALUE,
    PREFIXED,
    PREFIXED_ONLY,
    REFINEMENTS,
    WITHOUT_EFFECT,
    WITHOUT_EFFECT_BEGINNINGS,
)
from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.css.supported import FUNCTIONS, GRID, OF_A_READER, SELECTORS, UNDERSTOOD, WORDS
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.selectors import compiled
from engine.toolkit.warnings import Kind, Warn

KIND = Kind("NOT_UNDERSTOOD", "Styles have no effect here: {count}{places}.")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_FUNCTION = re.compile(r"(url\(#|(?<![\w-])[a-z-][\w-]*+(?=\())")
_SHARE = re.compile(r"[\d.]fr\b")
_BRACKETED = re.compile(r"[\w-]*+\(|\)|[\w-]++|[^()\w-]++")
_WORD = re.compile(r"(?<![\w#.%-])-?[a-z][a-z-]*(?![\w(-])")
MOST_ZOOMED = 5.0
"""The largest factor of `zoom`: lengths that can be drawn in time become that much longer."""
_FACTOR = re.compile(r"(\d++(?:\.\d++)?|\.\d++)(%?)")
_FOREIGN = re.compile(r"-(?:webkit|moz|ms|o|khtml)-")
_COLOURS = frozenset(("color-mix", "oklch", "oklab", "lab", "lch", "color", "light-dark", "contrast-color"))
_PSEUDO = re.compile(r"(?<!\\)::?(-?[a-zA-Z][\w-]*)")
_AMONG = re.compile(r":(nth-(?:last-)?child)\([^()]*\sof\s", re.IGNORECASE)
_UNIVERSAL = frozenset((
    "none", "auto", "normal", "initial", "inherit", "unset", "revert", "revert-layer", "important",
))  # fmt: skip
_PER_LINE = 12  # letters that the shortest of lines has
_SHORTEST_LINE = 25
"""Letters that have room on one line of most boxes, where there is nothing to balance."""
_LONGEST = 60
_HIDDEN = frozenset(("head", "style", "script", "title", "meta", "link", "template"))


@dataclass(frozen=True)
class Ignored:
    """An unsupported declaration or selector, and its rule."""

    selector: str
    body: str
    name: str
    value: str

    @property
    def shown(self) -> str:
        text = " ".join(f"{self.name}: {self.value}".split()) if self.value else self.name
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def standard(name: str) -> str:
    """The name without a prefix that browsers ignore."""
    return name.removeprefix("-webkit-") if name in PREFIXED else name


def is_foreign(plain: str) -> bool:
    """Return whether a value only works in other browsers, so that an earlier declaration stays in force."""
    return _FOREIGN.match(plain) is not None and plain not in WORDS["display"] | WORDS["text-align"]


def is_handled(name: str, plain: str) -> bool:
    """Return whether a declaration is supported, or never visible; `plain` is its value in lower case.

    Values that use custom properties count as supported.
    """
    if plain in NO_VALUE or not plain or name.startswith("--"):
        return True
    if name == "zoom":
        return zoom_factor(plain) is not None
    if name in ("page", "string-set", "aspect-ratio"):
        return True
    if name == "box-shadow":
        return shadows.read(plain) is not None
    if name in PREFIXED_ONLY:
        return name == "-webkit-text-fill-color" and plain == "transparent"  # see legible()
    if name in WORDS and "var(" not in plain:
        understood = _words(plain) <= WORDS[name] | _UNIVERSAL
        if not understood or name not in UNDERSTOOD:
            return understood
    if name == "grid-template-rows" and _SHARE.search(plain):
        return False
    if name in WITHOUT_EFFECT or name in REFINEMENTS or name.startswith(WITHOUT_EFFECT_BEGINNINGS):
        return True
    if name not in UNDERSTOOD and name not in GRID:
        return False
    functions = set(_FUNCTION.findall(_QUOTED.sub("", plain)))
    if functions & _COLOURS:
        return False
    return name not in FUNCTIONS or functions <= FUNCTIONS[name]


def zoom_factor(value: str) -> float | None:
    """The factor that a value of `zoom` means; None for one that is not drawn."""
    found = _FACTOR.fullmatch(value.lower().replace("!important", "").strip())
    factor = float(found[1]) / (100 if found[2] else 1) if found else None
    return factor if factor is not None and factor <= MOST_ZOOMED else None


def unselected(selector: str) -> str:
    """Return the first pseudo-class or pseudo-element of a selector that is unsupported; "" if there is none."""
    if ":" not in selector:
        return ""
    if among := _AMONG.search(selector):
        return f"{among[1]}() of a selector"
    names = [each.lower() for each in _PSEUDO.findall(selector)]
    if any(each in OF_A_READER or each.startswith("-") for each in names):
        return ""
    return next((each for each in names if each not in SELECTORS), "")


def report(
    root: Element,
    found: Iterable[Ignored],
    sheets: Iterable[str],
    warn: Warn,
    *,
    media: str,
    width: float,
    part: str = "",
    vertical: bool = False,
) -> None:
    """Warn of the styles in `found` that apply to the page, in the medium and on paper of `width` CSS pixels.

    `sheets` are the style sheets they come from; `part` names the page if a document has several. What is not drawn of
    `vertical` text is named elsewhere.
    """
    unique = [each for each in dict.fromkeys(found) if not (vertical and each.name == "writing-mode")]
    if not unique:
        return
    applying = {(selector, body) for selector, body in rules(sheets, media, width)}
    wrapped = list(cssselect2.ElementWrapper.from_html_root(root).iter_subtree())
    seen: list[str] = []
    for each in unique:
        if (
            (not each.selector and _shows_inline(each, root))
            or each.selector.startswith("@")
            or ((each.selector, each.body) in applying and any(_shows(each, one) for one in _selected(each, wrapped)))
        ):
            seen.append(each.shown)
    places = dict.fromkeys(seen)
    if seen:
        warn.tally(KIND, len(places), places, part=part)


def _shows_inline(each: Ignored, root: Element) -> bool:
    """Whether a declaration of `style` attributes would change anything, as all are taken to but vertical text."""
    if each.name not in ("writing-mode", "text-wrap"):
        return True
    styled = (one for one in root.iter() if f"{each.name}:{each.value}" in (one.get("style") or ""))
    return any(_shows(each, one) for one in styled)


def _selected(each: Ignored, wrapped: list[cssselect2.ElementWrapper]) -> Iterator[Element]:
    selector = each.selector if each.value else _without_pseudo(each.selector)
    try:
        parsed = compiled(selector)
    except cssselect2.SelectorError:
        return
    matcher = cssselect2.Matcher()
    for one in parsed:
        if one.pseudo_element in (None, "before", "after", "marker", "first-letter"):
            matcher.add_selector(one, None)
    yield from (one.etree_element for one in wrapped if matcher.match(one))


def _without_pseudo(selector: str) -> str:
    return re.sub(r"::?(?:first-line|lang\([^()]*\)|dir\([^()]*\)|[a-z-]+)(?:\([^()]*\))?", "", selector) or "*"


def _shows(each: Ignored, element: Element) -> bool:
    """Return whether an element has content that the style would change."""
    if element.tag in _HIDDEN:
        return False
    if each.name.endswith("line-clamp"):
        lines = int(each.value) if each.value.isdigit() else 1
        return len(" ".join("".join(element.itertext()).split())) > lines * _PER_LINE
    if each.name == "text-wrap":
        return len(" ".join("".join(element.itertext()).split())) > _SHORTEST_LINE
    if each.name == "writing-mode":
        in_drawing = any(one.tag == "svg" for one in (element, *element.iterancestors()))
        return not in_drawing and bool("".join(element.itertext()).strip())
    if each.name.startswith(("text-", "font", "-webkit-text")):
        return any(text.strip() for text in element.itertext())
    return True


def _words(plain: str) -> set[str]:
    outside: list[str] = []
    open_ones: list[int] = []
    for each in _BRACKETED.findall(_QUOTED.sub("", plain)):
        if each == ")" and open_ones:
            del outside[open_ones.pop() :]
            continue
        if each.endswith("("):
            open_ones.append(len(outside))
        outside.append(each)
    return {each for each in _WORD.findall("".join(outside)) if not each.startswith("-") or each in WORDS["display"]}
