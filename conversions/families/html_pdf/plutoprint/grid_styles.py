"""The cascade for grids: what the style sheets say about them and their items (CSS Cascade 4, 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import cssselect2

from conversions.families.html_pdf.css.rules import rules
from conversions.families.html_pdf.plutoprint.grid_values import expand
from conversions.families.html_pdf.source.cleaning import Element
from conversions.toolkit.selectors import compiled

_READ = re.compile(
    r"(?:^|;)\s*(display|position|gap|row-gap|column-gap|order|margin|margin-left|margin-right|width|max-width|--[\w-]+"
    r"|box-sizing|min-height|height|padding|padding-top|padding-bottom|border|border-width|border-top|border-bottom"
    r"|(?:align|justify|place)-(?:items|self|content)|grid[\w-]*)\s*:\s*([^;]*)",
)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_DEEPEST = 8


class Styles:
    """What is said about each element of a tree, as far as grids need it."""

    def __init__(self, root: Element, sheets: Iterable[str], *, media: str, width: float) -> None:
        matcher = cssselect2.Matcher()
        self._children = cssselect2.Matcher()
        for order, (selectors, body) in enumerate(rules(sheets, media, width)):
            said = _READ.findall(body)
            if not (said or ">" in selectors or ":" in selectors):
                continue
            try:
                parsed = compiled(selectors)
            except cssselect2.SelectorError:
                continue
            for each in parsed:
                if each.pseudo_element is None:
                    matcher.add_selector(each, (order, said))
                    if ">" in selectors or ":" in selectors:
                        self._children.add_selector(each, (order, body))
        self._said: dict[Element, dict[str, str]] = {}
        self._wrapped = {}
        for wrapped in cssselect2.ElementWrapper.from_html_root(root).iter_subtree():
            self._wrapped[wrapped.etree_element] = wrapped
            self._said[wrapped.etree_element] = _merged(
                matcher.match(wrapped), wrapped.etree_element.get("style") or ""
            )

    def of(self, element: Element) -> dict[str, str]:
        """The declarations of an element, variables filled in."""
        said = self._said.get(element, {})
        return {name: self._filled(element, value, 0) for name, value in said.items() if not name.startswith("--")}

    def as_child(self, element: Element) -> str:
        """What rules say of an element because of where it stands, as declarations."""
        wrapped = self._wrapped.get(element)
        matched = self._children.match(wrapped) if wrapped is not None else ()
        return ";".join(body for _, _, _, (_, body) in matched)

    def _filled(self, element: Element, value: str, depth: int) -> str:
        if "var(" not in value or depth > _DEEPEST:
            return value

        def fill(match: re.Match[str]) -> str:
            for each in (element, *element.iterancestors()):
                found = self._said.get(each, {}).get(match[1])
                if found is not None:
                    return self._filled(each, found, depth + 1)
            return (match[2] or "").strip()

        return self._filled(element, _VARIABLE.sub(fill, value), depth + 1)


def _merged(matched: Any, inline: str) -> dict[str, str]:
    plain: dict[str, str] = {}
    strong: dict[str, str] = {}
    for _, _, _, (_, said) in matched:
        _add(said, plain, strong)
    _add(_READ.findall(inline), plain, strong)
    return {**plain, **strong}


def _add(said: list[tuple[str, str]], plain: dict[str, str], strong: dict[str, str]) -> None:
    for name, value in said:
        important = value.rstrip().lower().endswith("!important")
        expand(strong if important else plain, name, value.replace("!important", ""))
