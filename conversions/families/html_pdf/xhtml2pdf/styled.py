"""A tree of elements with what is declared for each, both of which can be changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conversions.families.html_pdf.css.styles import Declared, Said
from conversions.families.html_pdf.source.tree import Element


class StyledTree:
    """The styles of a tree's elements; `counted` is kept for the numbers of lists' items."""

    def __init__(self, said: dict[Element, Said]) -> None:
        self.said = said
        self.counted: dict[Element, dict[Element, int]] = {}

    def own(self, element: Element) -> Declared:
        """The declarations for an element."""
        found = self.said.get(element)
        return found.own if found is not None else {}

    def make(self, near: Element, tag: str, own: Declared, children: list[Any]) -> Element:
        """A new element with these styles around `children`, which are taken from where they are."""
        made = near.ownerDocument.createElement(tag)
        self.said[made] = Said(own)
        for child in children:
            made.appendChild(child)
        return made

    def say(self, element: Element, name: str, value: str | None) -> None:
        """Declare something for one element, or nothing."""
        said = self.said.get(element) or Said({})
        kept = {each: text for each, text in said.own.items() if each != name}
        self.said[element] = replace(said, own=kept if value is None else {**kept, name: value})

    def block(self, element: Element) -> None:
        """Make an element a block, of whatever kind."""
        display = self.own(element).get("display", "inline")
        self.say(element, "display", display.removeprefix("inline-") if display.endswith(("flex", "grid")) else "block")
