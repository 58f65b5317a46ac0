"""The computed declarations of a page's elements, for writers of other formats."""

from __future__ import annotations

from collections.abc import Iterator

from engine.families.html_pdf.css import content, pages
from engine.families.html_pdf.css.cascade import Cascade, Declared, points
from engine.families.html_pdf.css.counters import Counters
from engine.families.html_pdf.css.margin_boxes import LITERAL, Boxes, boxes
from engine.families.html_pdf.css.properties import NO_VALUE, UNSEEN, WITHOUT_EFFECT_BEGINNINGS
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.css.user_agent import base, is_block
from engine.families.html_pdf.source import cleaning, limits
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

__all__ = [
    "LITERAL",
    "Boxes",
    "Declared",
    "Element",
    "PageStyles",
    "growth",
    "is_block",
    "is_seen",
    "points",
    "usually",
]


def _check_depth(root: Element) -> None:
    level, depth = [root], 0
    while level := [child for element in level for child in element]:
        depth += 1
        if depth > limits.MOST_DEPTH:
            raise Unreadable(
                say("The markup is nested more than {max_depth} levels deep.", max_depth=limits.MOST_DEPTH),
                reason="limit",
            )


class PageStyles:
    """One page: its tree and the declarations of each element.

    Raises Unreadable if it is not HTML, or nested too deep for selectors, OverLimit for too many elements or
    style sheets that are too large.
    """

    def __init__(self, html: str, warn: Warn) -> None:
        self.root: Element = cleaning.parse(html)
        _check_depth(self.root)
        texts = (each.text or "" for each in self.root.iter("style"))
        sheets = Sheets(frozenset(_names(self.root)), warn, texts, as_written=True)
        for element in self.root.iter("style"):
            sheets.sheet(element.text or "", element.get("media") or "")
        for element in self.root.iter():
            if isinstance(element.tag, str) and element.get("style"):
                element.set("style", sheets.inline(element.get("style")))
        limits.check_variables(sheets.lowered)
        self._counters = Counters()
        self._cascade = Cascade(self.root, sheets.lowered, warn)
        self.asks_for_paper = any("@page" in each for each in sheets.lowered)
        self.paper = pages.declared(sheets.lowered)
        """Page size and margins in points."""
        self.first, self.others = boxes(sheets.lowered, warn)
        """The margin texts of the first page and of the others, by side and position; {page} is a field."""

    def cascaded(self, element: Element, custom: Declared) -> tuple[list[tuple[str, str]], Declared]:
        """The effective declarations of an element and its custom properties.

        `custom` are the custom properties of its parent.
        """
        return self._cascade.cascaded(element, custom)

    def written(self, element: Element, where: str, custom: Declared) -> str:
        """The generated content `before` or `after` an element, which advances counters."""
        declared = dict(self._cascade.cascaded(element, custom, where)[0])
        if "content" not in declared or declared.get("display") == "none":
            return ""
        self.count(declared)

        def filled(name: str, arguments: str) -> str | None:
            return element.get(arguments.lower()) or "" if name == "attr" else self._counters.filled(name, arguments)

        return content.written(declared["content"], filled)[0]

    def count(self, declared: Declared) -> None:
        """Advance the counters of an element; called in document order."""
        self._counters.count(declared.get("counter-reset", ""), declared.get("counter-increment", ""))


def usually(name: str, value: str) -> frozenset[str]:
    """The elements for which browsers declare this by default."""
    return frozenset(element for element, declared in base().items() if (name, value, False) in declared)


def growth() -> dict[str, float]:
    """The text size of an element relative to its parent by browser default, if it differs."""
    sizes = [
        (element, value) for element, declared in base().items() for name, value, _ in declared if name == "font-size"
    ]
    found = {element: value for element, value in sizes if value.endswith(("em", "%"))}
    return {
        each: float(value[:-1]) / 100 if value.endswith("%") else float(value[:-2]) for each, value in found.items()
    }


def is_seen(name: str, value: str) -> bool:
    """Whether a declaration has an effect on paper."""
    return not (name in UNSEEN or name.startswith(WITHOUT_EFFECT_BEGINNINGS) or value.lower() in NO_VALUE or not value)


def _names(root: Element) -> Iterator[str]:
    for element in root.iter():
        if isinstance(element.tag, str):
            yield element.tag
            yield from (f".{each}" for each in (element.get("class") or "").split())
            if element.get("id"):
                yield f"#{element.get('id').strip()}"
