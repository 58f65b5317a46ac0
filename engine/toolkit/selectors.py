"""Compile CSS selectors (Selectors 4) and walk the elements that they are matched against."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import cssselect2

from engine.toolkit.failures import OverLimit

MOST_VISITED = 1_000_000
"""Elements visited to match all selectors: `:has()` walks the descendants of an element each time it is evaluated.

Two million took 6 to 11 s. A page may have 200,000 elements; without `:has()` each is visited once.
"""
WRAPPED = 8
"""A child counts as this many tests: `:has()` wraps all descendants each time it is evaluated, in 2 to 3 µs each."""
_BLANKS = re.compile("[ \t\r\n\f]+")
SIBLINGS = 4
"""Siblings that are gone through count as one test: in Python each takes some 0.1 µs."""


class Counted(cssselect2.ElementWrapper):  # type: ignore[misc]  # the library has no types
    """An element that counts what matching takes, for its whole tree."""

    def __init__(self, etree_element: Any, parent: Counted | None, *arguments: Any, **named: Any) -> None:
        super().__init__(etree_element, parent, *arguments, **named)
        self._counted: list[int] = [0] if parent is None else parent._counted
        self._row: list[Counted] = [self]

    def count(self, number: int) -> int:
        """Add to the count of the tree, and return it."""
        self._counted[0] += number
        return self._counted[0]

    @property
    def previous_siblings(self) -> Any:
        """The siblings before the element; the library's recurse, and keep the square of their number."""
        return tuple(self._row[: self.index])

    def iter_children(self) -> Iterator[Any]:
        row: list[Counted] = []
        for each in super().iter_children():
            each._row = row
            row.append(each)
            yield each


class _Children(list[Any]):
    """The children of an element, of which those that are gone through are counted."""

    def __init__(self, children: Iterable[Any], count: Callable[[int], int]) -> None:
        super().__init__(children)
        self._count = count

    def __getitem__(self, at: Any) -> Any:
        return _walked(self, range(len(self))[at], self._count) if isinstance(at, slice) else super().__getitem__(at)


def _walked(siblings: list[Any], numbers: range, count: Callable[[int], int]) -> Iterator[Any]:
    for number in numbers:
        if not number % SIBLINGS:
            count(1)
        yield siblings[number]


class _Kept:
    """A property that is computed once, without the lock that `functools` takes in Python 3.11."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self._compute = compute
        self._name = compute.__name__

    def __get__(self, element: Any, _: type) -> Any:
        found = element.__dict__[self._name] = self._compute(element)
        return found


class _OfPage(Counted):
    def count(self, number: int) -> int:
        if (tests := super().count(number)) > MOST_VISITED * WRAPPED:
            raise OverLimit("limit", "The style sheets have too many rules for the number of elements.")
        return tests

    @_Kept
    def etree_children(self) -> Any:
        return _Children((each for each in self.etree_element if isinstance(each.tag, str)), self.count)

    @_Kept
    def local_name(self) -> str:
        return str(self.etree_element.tag).rpartition("}")[2]

    @_Kept
    def id(self) -> str | None:
        found: str | None = self.etree_element.get("id")
        return found

    @_Kept
    def classes(self) -> set[str]:
        return set(_BLANKS.split(self.etree_element.get("class") or "")) - {""}

    @property
    def previous_siblings(self) -> Any:
        return _walked(self._row, range(self.index), self.count)

    def iter_children(self) -> Iterator[Any]:
        for each in super().iter_children():
            self.count(WRAPPED)
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
