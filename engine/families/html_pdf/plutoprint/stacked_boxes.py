"""Turn columns of flex boxes into rows of one box each, which look the same and are laid out once instead of twice."""

from __future__ import annotations

import re
from collections.abc import Iterable

import cssselect2

from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.plutoprint.declared import Declared, Pair, declared
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.selectors import compiled, visited

_ROWS = "flex-flow:row wrap!important;justify-content:flex-start!important;align-content:flex-start!important"
_WHOLE_ROW = "flex:1 1 100%!important"
_AS_WIDE = "flex:0 0 100%!important"
"""Of a box that is declared as wide as its column, which its margins push out of it."""

_NAMES = (
    "all", "align-items", "align-self", "aspect-ratio", "display", "flex", "flex-basis", "flex-direction", "flex-flow",
    "flex-grow", "flex-shrink", "flex-wrap", "float", "height", "margin", "margin-inline", "margin-inline-end",
    "margin-inline-start", "margin-left", "margin-right", "max-height", "max-width", "min-height", "min-width",
    "place-items", "place-self", "position", "width", "writing-mode",
)  # fmt: skip
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "figcaption", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "nav", "ol", "p", "pre", "section",
    "ul",
))  # fmt: skip
_ITEMS = _BLOCKS | {"a", "b", "code", "em", "i", "label", "small", "span", "strong", "table", "time", "u"}
_UNSEEN = frozenset(("script", "style", "template"))

# What each property may say, under any of its declarations, for both layouts to be the same.
_OF_COLUMNS = {
    "display": {"flex"}, "flex-direction": {"column"}, "flex-flow": {"column", "nowrap"}, "flex-wrap": {"nowrap"},
    "align-items": {"stretch", "normal"}, "height": {"auto"}, "min-height": {"0", "auto"}, "max-height": {"none"},
    "all": set(), "aspect-ratio": set(), "writing-mode": set(), "place-items": set(),
}  # fmt: skip
_OF_ITEMS = {
    "display": {"block", "flex", "flow-root", "inline", "inline-block", "inline-flex", "list-item", "none", "table"},
    "position": {"relative", "static"}, "align-self": {"auto", "normal", "stretch"}, "width": {"100%", "auto"},
    "min-width": {"0", "auto"}, "max-width": {"none"}, "flex-shrink": {"0", "1"}, "flex-basis": {"auto"},
    "flex": {"1", "auto", "none"}, "all": set(), "aspect-ratio": set(), "writing-mode": set(), "place-self": set(),
}  # fmt: skip
_OF_BLOCKS = {
    "display": {"block", "flex", "flow-root", "list-item"}, "position": {"relative", "static"}, "float": {"none"},
    "all": set(), "writing-mode": set(),
}  # fmt: skip
_STRETCHED = {"align-items": {"stretch", "normal"}, "place-items": set[str](), "flex-direction": {"column"}}
_MARGINS = ("margin", "margin-inline", "margin-inline-end", "margin-inline-start", "margin-left", "margin-right")
_RESPONSIVE = re.compile(r"@media[^@{]*width")
_DECLARATION = re.compile(rf"(?:^|;)\s*({'|'.join(map(re.escape, _NAMES))})\s*:\s*([^;]*)")
_GENERATED = ("before", "after")


def stack(root: Element, styled: Iterable[tuple[Element, str]], sheets: list[str], *, media: str) -> set[Element]:
    """Turn the columns into rows for which this changes nothing, and return them.

    `styled` are the elements with a style attribute, normalised. A column stays if a box in it is narrower, shrinks,
    grows, is out of the flow or is a text, or if it depends on the width of the page what it is.
    """
    if any(map(_RESPONSIVE.search, sheets)):
        return set()
    declarations = declared(root, sheets, _NAMES, None, media=media, merged=_values)
    for element, style in styled:
        own = [*declarations.get(element, {}).items(), *_DECLARATION.findall(style)]
        declarations[element] = _values(own)
    generating = _generating(root, sheets, media)
    made: set[Element] = set()
    known: set[Element] = {root}  # as wide as the box around them
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        parent = element.getparent()
        if parent is not None and parent in known and _fills(element, parent, declarations):
            known.add(element)
        if element in generating or not _is_column(element, declarations):
            continue
        items = [each for each in element if isinstance(each.tag, str) and each.tag not in _UNSEEN]
        if (element in known or len(items) == 1) and all(_is_plain(each, declarations) for each in items):
            made.add(element)
            add_style(element, _ROWS)
            for each in items:
                wide = "100%" in declarations.get(each, {}).get("width", "")
                add_style(each, _AS_WIDE if wide else _WHOLE_ROW)
    return made


def _is_column(element: Element, declarations: Declared) -> bool:
    own = declarations.get(element, {})
    if element.tag not in _BLOCKS or "flex" not in own.get("display", ""):
        return False
    if "column" not in f"{own.get('flex-direction')} {own.get('flex-flow')}" or not _says_only(own, _OF_COLUMNS):
        return False
    texts = [element.text, *(each.tail for each in element)]
    return not any(each and each.strip() for each in texts)


def _is_plain(item: Element, declarations: Declared) -> bool:
    own = declarations.get(item, {})
    if item.tag not in _ITEMS or not _says_only(own, _OF_ITEMS):
        return False
    heights = (own.get(each, "") for each in ("height", "min-height", "max-height"))
    return not any("auto" in own.get(each, "") or "(" in own.get(each, "") for each in _MARGINS) and not any(
        "%" in each or "(" in each for each in heights
    )


def _fills(element: Element, parent: Element, declarations: Declared) -> bool:
    """Whether a box in one of known width has a known width too."""
    around = declarations.get(parent, {})
    if "flex" in around.get("display", "") and not (
        _says_only(around, _STRETCHED) and "column" in f"{around.get('flex-direction')} {around.get('flex-flow')}"
    ):
        return False
    own = declarations.get(element, {})
    return element.tag in _BLOCKS and _says_only(own, _OF_BLOCKS) and "content" not in own.get("width", "")


def _says_only(own: dict[str, str], allowed: dict[str, set[str]]) -> bool:
    return all(set(own[name].split()) <= values for name, values in allowed.items() if name in own)


def _values(pairs: list[Pair]) -> dict[str, str]:
    """Declarations by name, with all values of each, in small letters."""
    found: dict[str, str] = {}
    for name, value in pairs:
        found[name] = f"{found.get(name, '')} {value.lower().replace('!important', ' ').replace('! important', ' ')}"
    return found


def _generating(root: Element, sheets: list[str], media: str) -> set[Element]:
    """The elements before or after whose contents a rule puts something."""
    matcher = cssselect2.Matcher()
    any_rule = False
    for selectors, body in rules(sheets, media):
        if "content" not in body or not any(each in selectors for each in _GENERATED):
            continue
        try:
            parsed = compiled(selectors)
        except cssselect2.SelectorError:
            continue
        for each in parsed:
            if each.pseudo_element in _GENERATED:
                matcher.add_selector(each, None)
                any_rule = True
    return {each.etree_element for each in visited(root) if matcher.match(each)} if any_rule else set()
