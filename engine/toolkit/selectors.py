"""Compile CSS selectors (Selectors 4) and walk the elements that they are matched against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cssselect2

from engine.toolkit.failures import OverLimit

MOST_VISITED = 1_000_000
"""Elements visited to match all selectors: `:has()` walks the descendants of an element each time it is evaluated.

Two million took 6 to 11 s. A page may have 200,000 elements; without `:has()` each is visited once.
"""


class Counted(cssselect2.ElementWrapper):  # type: ignore[misc]  # the library has no types
    """An element that counts what matching takes, for its whole tree."""

    def __init__(self, etree_element: Any, parent: Counted | None, *arguments: Any, **named: Any) -> None:
        super().__init__(etree_element, parent, *arguments, **named)
        self._counted: list[int] = [0] if parent is None else parent._counted

    def count(self, number: int) -> int:
        """Add to the count of the tree, and return it."""
        self._counted[0] += number
        return self._counted[0]


class _OfPage(Counted):
    def iter_children(self) -> Iterator[Any]:
        for each in super().iter_children():
            if self.count(1) > MOST_VISITED:
                raise OverLimit("limit", "The page has too many elements for its style rules with :has().")
            yield each


def visited(root: Any) -> Iterator[Any]:
    """All elements of an HTML tree in document order, to match selectors against; raises OverLimit during matching."""
    yield from _OfPage.from_html_root(root).iter_subtree()


def compiled(selectors: Any) -> list[Any]:
    """Compile a list of selectors from text or tokens; raises cssselect2.SelectorError.

    cssselect2 crashes on a list that ends after the `|` of a namespace.
    """
    try:
        found: list[Any] = cssselect2.compile_selector_list(selectors)
    except AttributeError as error:
        raise cssselect2.SelectorError("a name is missing at the end") from error
    return found


def of_elements(selectors: Any) -> list[Any]:
    """The selectors of a list that select elements, not pseudo-elements; none if the list is invalid."""
    try:
        return [each for each in compiled(selectors) if each.pseudo_element is None]
    except cssselect2.SelectorError:
        return []
