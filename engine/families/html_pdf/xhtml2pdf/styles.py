"""Compute the declarations of each element in the syntax xhtml2pdf reads (CSS Cascade 4, 6)."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from engine.families.html_pdf.css.cascade import Cascade, Declaration, Declared, declarations
from engine.families.html_pdf.css.properties import NO_VALUE, UNSEEN, WITHOUT_EFFECT_BEGINNINGS
from engine.families.html_pdf.css.supported import GRID
from engine.families.html_pdf.css.user_agent import base
from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.source.references import is_inline
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_NUMBER = r"[+-]?(?:\d{1,5}(?:\.\d*)?|\.\d+)"
_LENGTH = rf"(?:{_NUMBER}(?:pt|px|cm|mm|in|pc|r?em|ex|%)|[+-]?0(?:\.0*)?)"
_COLOR = r"(?:#[0-9a-f]{3,8}|[a-z]+|rgba?\([\d., /%]+\))"
_LINE = rf"(?:(?:{_LENGTH}|{_COLOR}) ?){{1,3}}"
_AUTO = rf"(?:{_LENGTH}|auto)"
_FAMILIES = r"[^();{}]+"
_SIZE = rf"(?:{_LENGTH}|(?:xx?-)?(?:small|large)|xxx-large|medium|smaller|larger)"
_SIDES = ("top", "right", "bottom", "left")
_VALUES = {
    "color": _COLOR, "background-color": _COLOR, "font-family": _FAMILIES, "font-size": _SIZE,
    "font-weight": r"[1-9]\d{1,3}|normal|bold|bolder|lighter", "font-style": "normal|italic|oblique",
    "font": rf"(?:[a-z-]+ |[1-9]00 )*{_SIZE}(?:/(?:{_LENGTH}|{_NUMBER}|normal))? {_FAMILIES}",
    "text-align": "left|right|center|justify", "text-decoration": "none|underline|line-through|overline",
    "text-transform": "none|uppercase|lowercase|capitalize", "text-indent": _LENGTH,
    "white-space": "normal|nowrap|pre|pre-wrap|pre-line", "letter-spacing": rf"{_LENGTH}|normal",
    "line-height": rf"{_LENGTH}|{_NUMBER}|normal", "border-radius": rf"(?:{_LENGTH}[ /]*){{1,8}}",
    "vertical-align": rf"{_LENGTH}|baseline|sub|super|top|middle|bottom|text-(?:top|bottom)",
    "width": _AUTO, "height": _AUTO, "max-width": _AUTO, "max-height": _AUTO, "min-height": _AUTO,
    "margin": rf"(?:{_AUTO} ?){{1,4}}", "padding": rf"(?:{_LENGTH} ?){{1,4}}",
    **dict.fromkeys(("display", "list-style", "list-style-type", "direction", "overflow-wrap"), r"[a-z -]+"),
    "content": r".*", **dict.fromkeys(("counter-reset", "counter-increment"), r"[\w -]+"),
    **dict.fromkeys((f"{page}break-{side}" for page in ("page-", "") for side in ("before", "after")), "[a-z-]+"),
    **{f"margin-{side}": _AUTO for side in _SIDES}, **{f"padding-{side}": _LENGTH for side in _SIDES},
    **{f"border-{part}": rf"(?:{_LINE} ?){{1,4}}" for part in ("width", "style", "color")},
    **{f"border{side}": _LINE for side in ("", *(f"-{each}" for each in _SIDES))},
    **{f"border-{side}-color": _COLOR for side in _SIDES}, **{f"border-{side}-style": "[a-z]+" for side in _SIDES},
    **{f"border-{side}-width": rf"{_LENGTH}|thin|medium|thick" for side in _SIDES},
}  # fmt: skip
_KNOWN = {name: re.compile(pattern, re.IGNORECASE | re.DOTALL) for name, pattern in _VALUES.items()}
_OTHER_WORDS = {
    "text-align": {"start": "left", "end": "right", "-webkit-center": "center", "justify-all": "justify"},
    "overflow-wrap": {"normal": "break-word"}, "white-space": {"break-spaces": "pre-wrap"},
    "max-width": {"none": "auto"}, "max-height": {"none": "auto"},
}  # fmt: skip
_RENAMED = {"text-decoration-line": "text-decoration", "word-wrap": "overflow-wrap", "background-image": "background"}
_SILENT = (UNSEEN - {"zoom"}) | GRID | frozenset((
    "overflow", "overflow-x", "overflow-y", "text-overflow", "box-sizing", "border-collapse", "border-spacing",
    "hyphens", "tab-size", "quotes", "unicode-bidi", "list-style-position", "z-index", "background-repeat",
    "background-position", "background-clip", "background-origin", "outline-offset", "all",
))  # fmt: skip
"""Properties without visible effect, the engine's defaults, and those that accompany `display` or `background`."""
_GIVEN_UP = frozenset((
    "align-content", "align-items", "align-self", "background-size", "clear", "column-gap", "flex-basis", "flex-grow",
    "flex-shrink", "gap", "inset", "min-width", "order", "row-gap", *_SIDES,
))  # fmt: skip
"""Properties that are reported once by name, whatever their values."""
_PLACING = frozenset(("float", "position", "flex-direction", "flex-flow", "flex-wrap", "flex"))
_INITIAL = {
    "opacity": "1", "table-layout": "auto", "object-fit": "fill", "page-break-inside": "auto", "break-inside": "auto",
    "background-attachment": "scroll", "mix-blend-mode": "normal", "zoom": "1", "caption-side": "top",
    "position": "static", "align-items": "stretch", "align-content": "stretch", "flex-shrink": "1",
    "justify-content": "flex-start",
}  # fmt: skip
_PLAIN_COLOR = re.compile(r"#[0-9a-f]{3,8}\b|rgba?\([^()]*\)|(?<![\w(-])[a-z]+(?![\w(-])", re.IGNORECASE)
_NO_COLORS = frozenset((
    "none", "repeat", "no-repeat", "scroll", "fixed", "center", "left", "right", "top", "bottom", "auto", "cover",
    "contain", "to", "border-box", "at",
))  # fmt: skip
_LINK: list[Declaration] = [("color", "#0000ee", False), ("text-decoration", "underline", False)]


class Styles:
    """The declarations of a page's elements from lowered style sheets and attributes; losses are reported."""

    def __init__(self, root: Element, sheets: Iterable[str], warn: Warn) -> None:
        self._report = functools.partial(warn, "CSS_UNSUPPORTED")
        self._read: dict[tuple[str, str], Declared] = {}
        self._cascade = Cascade(root, sheets, warn)

    def computed(self, element: Element, custom: Declared, pseudo: str | None = None) -> tuple[Declared, Declared]:
        """The declarations of an element or pseudo-element, and its custom properties.

        `custom` are the parent's custom properties.
        """
        own = base().get(element.tag if pseudo is None else f"{element.tag}::{pseudo}", [])
        if element.tag == "a" and pseudo is None and element.get("href") is not None:
            own = _LINK
        cascaded, custom = self._cascade.cascaded(element, custom, pseudo, own)
        result: Declared = {}
        for name, value in cascaded:
            for each, read in self._plain(_RENAMED.get(name, name), value).items():
                result.pop(each, None)
                if read:
                    result[each] = read
        return result, custom

    def _plain(self, name: str, value: str) -> Declared:
        """A declaration in the engine's syntax; one without a value resets an earlier one."""
        key = name, value
        if key not in self._read:
            self._read[key] = dict(self._translated(name, value))
        return self._read[key]

    def _translated(self, name: str, value: str) -> Iterator[tuple[str, str]]:
        plain = value.lower()
        plain = _OTHER_WORDS.get(name, {}).get(plain, plain)
        if plain in ("inherit", "initial", "unset", "revert", "revert-layer"):
            yield name, ""
        elif name == "background":
            yield from self._background(value)
        elif name == "text-decoration":
            line = next((each for each in plain.split() if _KNOWN[name].fullmatch(each)), "")
            if not line:
                self._ignored(name, value)
            yield name, line
        elif name == "visibility":
            if plain in ("hidden", "collapse"):
                self._report(say("visibility: {plain} is not supported; the element was left out.", plain=plain))
                yield "display", "none"
        elif name in _PLACING or (name, plain) == ("justify-content", "space-between"):
            yield name, plain
        elif name in _KNOWN:
            if _KNOWN[name].fullmatch(value if name in ("content", "font", "font-family") else plain):
                yield name, value if name in ("content", "font", "font-family") else plain
            elif not (name == "content" or plain in NO_VALUE):
                self._ignored(name, value)
        elif not (
            name in _SILENT
            or (name.startswith(WITHOUT_EFFECT_BEGINNINGS) and not name.startswith("-pdf-"))
            or plain in NO_VALUE
            or plain == _INITIAL.get(name)
        ):
            self._ignored(name, value)

    def _background(self, value: str) -> Iterator[tuple[str, str]]:
        """The colour of a background: of a gradient, its first one."""
        gradient = re.search(r"([\w-]*gradient)\(", value)
        if gradient:
            self._report(
                say("background: {gradient}() is not supported; its first colour was used.", gradient=gradient[1])
            )
        elif "url(" in value:
            self._report(say("background: pictures were left out."))
        rest = re.sub(r"url\([^)]*\)", " ", value)
        colors = [each for each in _PLAIN_COLOR.findall(rest) if each.lower() not in _NO_COLORS]
        if not (colors or gradient or "url(" in value or value.lower() in NO_VALUE):
            self._ignored("background-image", value)
        yield "background-color", colors[0].lower() if colors else ""

    def _ignored(self, name: str, value: str) -> None:
        shown = name if name in _GIVEN_UP else f"{name}: {' '.join(value.split())[:60]}"
        self._report(say("{said} is not supported and was ignored.", said=shown))


_FACE = re.compile(r"@font-face\s*\{((?:[^{}\"']|\"[^\"]*\"|'[^']*')*)\}", re.IGNORECASE)
_SOURCE = re.compile(r"url\(\s*+(\"[^\"]*+\"|'[^']*+'|[^\s)]*+)\s*+(?:\)|\Z)")


def fonts(sheets: Iterable[str]) -> Iterator[str]:
    """The rules for fonts embedded in the page, in the engine's syntax."""
    for face in (each for sheet in sheets for each in _FACE.findall(sheet)):
        descriptors = {name: value for name, value, _ in declarations(face)}
        source = next((each.strip("\"'") for each in _SOURCE.findall(descriptors.get("src", ""))), "")
        if is_inline(source) and _KNOWN["font-family"].fullmatch(descriptors.get("font-family", "")):
            weight = descriptors.get("font-weight", "normal")
            weight = "normal" if weight in ("100", "200", "300", "400") else weight[:20]
            style = descriptors.get("font-style", "normal")[:20]
            yield (
                f'@font-face{{font-family:{descriptors["font-family"]};src:url("{source}");font-weight:{weight};'
                f"font-style:{style}}}"
            )


def references(sheets: Iterable[str]) -> Iterator[str]:
    """All references in style sheets."""
    for sheet in sheets:
        yield from (each.strip("\"' ") for each in _SOURCE.findall(sheet))
