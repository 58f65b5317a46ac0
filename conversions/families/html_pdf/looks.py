"""What a page's style sheets and attributes declare of its elements, for writers that say it in another format."""

from __future__ import annotations

from collections.abc import Iterator

from conversions.families.html_pdf.css import content, pages
from conversions.families.html_pdf.css.cascade import Cascade, Declared, points
from conversions.families.html_pdf.css.counters import Counters
from conversions.families.html_pdf.css.margin_boxes import LITERAL, Boxes, boxes
from conversions.families.html_pdf.css.properties import UNSAID, WITHOUT_EFFECT, WITHOUT_EFFECT_BEGINNINGS
from conversions.families.html_pdf.css.sheets import Sheets
from conversions.families.html_pdf.css.user_agent import base, is_block
from conversions.families.html_pdf.source import cleaning, limits
from conversions.families.html_pdf.source.cleaning import Element
from conversions.toolkit.warnings import Warn

__all__ = ["LITERAL", "Boxes", "Declared", "Element", "Looks", "growth", "is_block", "is_seen", "points", "usually"]


class Looks:
    """One page: its tree, and what is said of each element.

    Raises Unreadable for what is no HTML, OverLimit for too many elements and for style sheets that are too large.
    """

    def __init__(self, html: str, warn: Warn) -> None:
        self.root: Element = cleaning.parse(html)
        sheets = Sheets(frozenset(_names(self.root)), warn, as_written=True)
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
        """Its size and its margins, in points."""
        self.first, self.others = boxes(sheets.lowered, warn)
        """What is printed in the margins of the first page and of the others, by side and place; {page} is a field."""

    def said(self, element: Element, custom: Declared) -> tuple[list[tuple[str, str]], Declared]:
        """Names and values that are declared of an element, the last of a name counts; and its custom properties.

        `custom` are the custom properties of what it is in.
        """
        return self._cascade.said(element, custom)

    def written(self, element: Element, where: str, custom: Declared) -> str:
        """The text that a style sheet writes `before` or `after` an element, which is counted when it is asked for."""
        said = dict(self._cascade.said(element, custom, where)[0])
        if "content" not in said or said.get("display") == "none":
            return ""
        self.count(said)

        def filled(name: str, arguments: str) -> str | None:
            return element.get(arguments.lower()) or "" if name == "attr" else self._counters.filled(name, arguments)

        return content.written(said["content"], filled)[0]

    def count(self, said: Declared) -> None:
        """Count as an element says; called in the order of the page."""
        self._counters.count(said.get("counter-reset", ""), said.get("counter-increment", ""))


def usually(name: str, value: str) -> frozenset[str]:
    """The elements of which a browser itself declares this."""
    return frozenset(element for element, said in base().items() if (name, value, False) in said)


def growth() -> dict[str, float]:
    """How many times as large as the text around it that of an element is in a browser, where it is not the same."""
    sizes = [(element, value) for element, said in base().items() for name, value, _ in said if name == "font-size"]
    found = {element: value for element, value in sizes if value.endswith(("em", "%"))}
    return {
        each: float(value[:-1]) / 100 if value.endswith("%") else float(value[:-2]) for each, value in found.items()
    }


def is_seen(name: str, value: str) -> bool:
    """Whether a declaration changes what is on paper."""
    return not (
        name in WITHOUT_EFFECT or name.startswith(WITHOUT_EFFECT_BEGINNINGS) or value.lower() in UNSAID or not value
    )


def _names(root: Element) -> Iterator[str]:
    for element in root.iter():
        if isinstance(element.tag, str):
            yield element.tag
            yield from (f".{each}" for each in (element.get("class") or "").split())
            if element.get("id"):
                yield f"#{element.get('id').strip()}"
