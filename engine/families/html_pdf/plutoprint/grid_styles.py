"""The cascade for grids and their items (CSS Cascade 4, 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import cssselect2

from engine.families.html_pdf.css.cascade import VARIABLE
from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.plutoprint.grid_values import expand
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.selectors import of_elements, visited

_READ = re.compile(
    r"(?:^|;)\s*(display|position|gap|row-gap|column-gap|order|margin|margin-left|margin-right|width|max-width|--[\w-]+"
    r"|box-sizing|min-height|height|padding|padding-top|padding-bottom|border|border-width|border-top|border-bottom"
    r"|(?:align|justify|place)-(?:items|self|content)|grid[\w-]*)\s*:\s*([^;]*)",
)
_DEEPEST = 8


class Styles:
    """The declarations of each element of a tree, as far as grids need them."""

    def __init__(self, root: Element, sheets: Iterable[str], *, media: str, width: float) -> None:
        matcher = cssselect2.Matcher()
        self._children = cssselect2.Matcher()
        for order, (selectors, body) in enumerate(rules(sheets, media, width)):
            pairs = _READ.findall(body)
            if not (pairs or ">" in selectors or ":" in selectors):
                continue
            for each in of_elements(selectors):
                matcher.add_selector(each, (order, pairs))
                if ">" in selectors or ":" in selectors:
                    self._children.add_selector(each, (order, body))
        self._declared: dict[Element, dict[str, str]] = {}
        self._wrapped = {}
        for wrapped in visited(root):
            self._wrapped[wrapped.etree_element] = wrapped
            self._declared[wrapped.etree_element] = _merged(
                matcher.match(wrapped), wrapped.etree_element.get("style") or ""
            )

    def computed(self, element: Element) -> dict[str, str]:
        """The declarations of an element, with custom properties substituted."""
        declared = self._declared.get(element, {})
        return {name: self._filled(element, value, 0) for name, value in declared.items() if not name.startswith("--")}

    def declare(self, element: Element, name: str, value: str) -> None:
        """Replace a declaration of an element."""
        self._declared.setdefault(element, {})[name] = value

    def as_child(self, element: Element) -> str:
        """The declarations that rules set on an element because of its position."""
        wrapped = self._wrapped.get(element)
        matched = self._children.match(wrapped) if wrapped is not None else ()
        return ";".join(body for _, _, _, (_, body) in matched)

    def _filled(self, element: Element, value: str, depth: int) -> str:
        if "var(" not in value or depth > _DEEPEST:
            return value

        def fill(match: re.Match[str]) -> str:
            for each in (element, *element.iterancestors()):
                found = self._declared.get(each, {}).get(match[1])
                if found is not None:
                    return self._filled(each, found, depth + 1)
            return (match[2] or "").strip()

        return self._filled(element, VARIABLE.sub(fill, value), depth + 1)


def _merged(matched: Any, inline: str) -> dict[str, str]:
    plain: dict[str, str] = {}
    strong: dict[str, str] = {}
    for _, _, _, (_, pairs) in matched:
        _add(pairs, plain, strong)
    _add(_READ.findall(inline), plain, strong)
    return {**plain, **strong}


def _add(pairs: list[tuple[str, str]], plain: dict[str, str], strong: dict[str, str]) -> None:
    for name, value in pairs:
        important = value.rstrip().lower().endswith("!important")
        expand(strong if important else plain, name, value.replace("!important", ""))
