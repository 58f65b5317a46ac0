"""The cascade: what style sheets, attributes and an element itself declare of it, in their order (CSS Cascade 4, 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import cssselect2

from conversions.families.html_pdf.css.rules import rules
from conversions.families.html_pdf.paper import PT
from conversions.families.html_pdf.source.cleaning import Element
from conversions.toolkit.selectors import compiled
from conversions.toolkit.warnings import Warn

Declared = dict[str, str]
Said = tuple[str, str, bool]
"""Name and value of a declaration, and whether it is important."""

_DECLARATION = re.compile(
    r"\s*(-{0,2}[\w-]+)\s*:((?:[^;\"'()]|\"[^\"]*\"|'[^']*'|\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*\))*)"
)
_MARK = re.compile(r"!\s*[a-z]+$", re.IGNORECASE)
"""That a declaration is important, and what browsers of old took for it."""
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")


def declarations(text: str) -> list[Said]:
    """The declarations of a block, as they are written but for their names' case."""
    found = []
    for name, written in _DECLARATION.findall(text):
        value = written.strip()
        mark = _MARK.search(value)
        value = value[: mark.start()] if mark else value
        found.append((name if name.startswith("--") else name.lower(), value.strip(), mark is not None))
    return found


class Cascade:
    """What lowered style sheets and attributes say of the elements of a page in print."""

    def __init__(self, root: Element, sheets: Iterable[str], warn: Warn) -> None:
        matcher = cssselect2.Matcher()
        for selectors, body in rules(sheets, "print"):
            try:
                parsed = compiled(selectors) if selectors != "x" else ()
            except cssselect2.SelectorError:
                warn("CSS_UNSUPPORTED", f"The selector {selectors[:60]} is not supported; its rule was ignored.")
                continue
            said = declarations(body)
            for each in parsed:
                if each.pseudo_element in (None, "before", "after"):
                    matcher.add_selector(each, said)
        self._matched = {
            wrapped.etree_element: found
            for wrapped in cssselect2.ElementWrapper.from_html_root(root).iter_subtree()
            if (found := matcher.match(wrapped))
        }

    def said(
        self, element: Element, custom: Declared, pseudo: str | None = None, base: Sequence[Said] = ()
    ) -> tuple[list[tuple[str, str]], Declared]:
        """Names and values of an element or of what stands before or after it, and its custom properties.

        The last of a name counts. `custom` are the custom properties of what it is in; `base` is declared before all
        else.
        """
        said = list(base)
        said += hints(element) if pseudo is None else ()
        for _, _, where, found in self._matched.get(element, ()):
            said += found if where == pseudo else ()
        if pseudo is None and (own := element.get("style")):
            said += declarations(own)
        if any(important for _, _, important in said):
            said.sort(key=lambda each: each[2])
        own_custom = {name: value for name, value, _ in said if name.startswith("--")}
        custom = {**custom, **own_custom} if own_custom else custom
        return [(name, _filled(value, custom)) for name, value, _ in said if not name.startswith("--")], custom


def _filled(value: str, custom: Declared) -> str:
    for _ in range(8 if "var(" in value else 0):
        value = _VARIABLE.sub(lambda match: custom.get(match[1], match[2] or ""), value)[:2000]
    return value.strip()


_PIXELS = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)\s*(%|px)?\s*")
_PARTS = ("td", "th", "tr", "table", "thead", "tbody", "tfoot", "body")
_SIZED = ("td", "th", "table", "hr", "col", "img", "svg")
_HINTS = (
    (_PARTS, "bgcolor", "background-color"), (_PARTS, "valign", "vertical-align"), (("font",), "color", "color"),
    (("font",), "face", "font-family"), (("hr",), "color", "border-top-color"), (_SIZED, "width", "width"),
    (_SIZED, "height", "height"),
)  # fmt: skip


def hints(element: Element) -> list[Said]:
    """What the attributes of an element say about how it looks (HTML, 15.3)."""
    if not element.attrib:
        return []
    name, get = element.tag, element.get
    said = [(each, get(attribute)) for tags, attribute, each in _HINTS if name in tags and attribute in element.attrib]
    said = [(each, _length(value) if each in ("width", "height") else value) for each, value in said]
    if "align" in element.attrib and name not in ("table", "img", "hr"):
        said.append(("text-align", get("align").strip().lower()))
    elif name == "table" and get("align") == "center":
        said.append(("margin", "0 auto"))
    if name in ("td", "th"):
        table = next(element.iterancestors("table"), element)
        said.append(("padding", _length(table.get("cellpadding"))))
        said.append(("border", "1px solid #808080" if table.get("border") not in (None, "0") else None))
    return [(each, value, False) for each, value in said if value]


def _length(value: str | None) -> str | None:
    match = _PIXELS.fullmatch(value or "")
    return f"{match[1]}{match[2] or 'px'}" if match and float(match[1]) else None


_POINTS = re.compile(r"(-?\d+(?:\.\d+)?|-?\.\d+)(mm|cm|in|pt|px|pc|em|rem|ex|q|%)?")
_OF_TEXT = {"em": 12.0, "rem": 12.0, "ex": 6.0}


def points(value: str, whole: float) -> float | None:
    """A length in points, with `whole` as what a percentage is of and text of 12 points; None for anything else."""
    match = _POINTS.fullmatch(value.strip().lower())
    if not match or (match[2] is None and float(match[1])):
        return None
    if match[2] == "%":
        return float(match[1]) / 100 * whole if whole else None
    return float(match[1]) * (_OF_TEXT.get(match[2]) or PT.get(match[2] or "pt", 1.0))
