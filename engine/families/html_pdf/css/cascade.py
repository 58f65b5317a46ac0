"""The CSS cascade of style sheets, attributes and inline styles (CSS Cascade 4, 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import cssselect2

from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.paper import PT
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.messages import say
from engine.toolkit.selectors import compiled, visited
from engine.toolkit.warnings import Warn

Declared = dict[str, str]
Declaration = tuple[str, str, bool]
"""The name and value of a declaration, and whether it is important."""

_DECLARATION = re.compile(
    r"(?<![\w-])([\w-]++)\s*+:((?:[^;\"'()]|\"[^\"]*\"|'[^']*'|\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*+\))*+)"
)
_MARK = re.compile(r"!\s*[a-z]+$", re.IGNORECASE)
"""Marks a declaration as important, including the form that old browsers accepted."""
VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
"""A use of a custom property; group 2 is what it is without one."""


def declarations(text: str) -> list[Declaration]:
    """The declarations of a block, as written except for the case of their names."""
    found = []
    for name, written in _DECLARATION.findall(text):
        value = written.strip()
        mark = _MARK.search(value)
        value = value[: mark.start()] if mark else value
        found.append((name if name.startswith("--") else name.lower(), value.strip(), mark is not None))
    return found


class Cascade:
    """The style sheets and attributes that apply to the elements of a page in print."""

    def __init__(self, root: Element, sheets: Iterable[str], warn: Warn) -> None:
        matcher = cssselect2.Matcher()
        for selectors, body in rules(sheets, "print"):
            try:
                parsed = compiled(selectors) if selectors != "x" else ()
            except cssselect2.SelectorError:
                warn(
                    "CSS_UNSUPPORTED",
                    say("The selector {selectors} is not supported; its rule was ignored.", selectors=selectors[:60]),
                )
                continue
            declared = declarations(body)
            for each in parsed:
                if each.pseudo_element in (None, "before", "after"):
                    matcher.add_selector(each, declared)
        self._matched = {wrapped.etree_element: found for wrapped in visited(root) if (found := matcher.match(wrapped))}

    def cascaded(
        self, element: Element, custom: Declared, pseudo: str | None = None, base: Sequence[Declaration] = ()
    ) -> tuple[list[tuple[str, str]], Declared]:
        """The cascaded declarations of an element or pseudo-element, and its custom properties.

        The last value of a name wins. `custom` are the parent's custom properties; `base` comes before everything else.
        """
        declared = list(base)
        declared += hints(element) if pseudo is None else ()
        for _, _, where, found in self._matched.get(element, ()):
            declared += found if where == pseudo else ()
        if pseudo is None and (own := element.get("style")):
            declared += declarations(own)
        if any(important for _, _, important in declared):
            declared.sort(key=lambda each: each[2])
        own_custom = {name: value for name, value, _ in declared if name.startswith("--")}
        custom = {**custom, **own_custom} if own_custom else custom
        return [(name, _filled(value, custom)) for name, value, _ in declared if not name.startswith("--")], custom


def _filled(value: str, custom: Declared) -> str:
    for _ in range(8 if "var(" in value else 0):
        value = VARIABLE.sub(lambda match: custom.get(match[1], match[2] or ""), value)[:2000]
    return value.strip()


_PIXELS = re.compile(r"\s*+(\d{1,5}(?:\.\d++)?)\s*+(%|px)?\s*+")
_PARTS = ("td", "th", "tr", "table", "thead", "tbody", "tfoot", "body")
_SIZED = ("td", "th", "table", "hr", "col", "img", "svg")
_HINTS = (
    (_PARTS, "bgcolor", "background-color"), (_PARTS, "valign", "vertical-align"), (("font",), "color", "color"),
    (("font",), "face", "font-family"), (("hr",), "color", "border-top-color"), (_SIZED, "width", "width"),
    (_SIZED, "height", "height"),
)  # fmt: skip


def hints(element: Element) -> list[Declaration]:
    """The declarations implied by an element's presentational attributes (HTML, 15.3)."""
    if not element.attrib:
        return []
    name, get = element.tag, element.get
    declared = [
        (each, get(attribute)) for tags, attribute, each in _HINTS if name in tags and attribute in element.attrib
    ]
    declared = [(each, _length(value) if each in ("width", "height") else value) for each, value in declared]
    if "align" in element.attrib and name not in ("table", "img", "hr"):
        declared.append(("text-align", get("align").strip().lower()))
    elif name == "table" and get("align") == "center":
        declared.append(("margin", "0 auto"))
    if name in ("td", "th"):
        table = next(element.iterancestors("table"), element)
        declared.append(("padding", _length(table.get("cellpadding"))))
        declared.append(("border", "1px solid #808080" if table.get("border") not in (None, "0") else None))
    return [(each, value, False) for each, value in declared if value]


def _length(value: str | None) -> str | None:
    match = _PIXELS.fullmatch(value or "")
    return f"{match[1]}{match[2] or 'px'}" if match and float(match[1]) else None


_POINTS = re.compile(r"(-?\d+(?:\.\d+)?|-?\.\d+)(mm|cm|in|pt|px|pc|em|rem|ex|q|%)?")
_OF_TEXT = {"em": 12.0, "rem": 12.0, "ex": 6.0}


def points(value: str, whole: float) -> float | None:
    """A length in points; percentages refer to `whole`, text has 12 points; None for anything else."""
    match = _POINTS.fullmatch(value.strip().lower())
    if not match or (match[2] is None and float(match[1])):
        return None
    if match[2] == "%":
        return float(match[1]) / 100 * whole if whole else None
    return float(match[1]) * (_OF_TEXT.get(match[2]) or PT.get(match[2] or "pt", 1.0))
