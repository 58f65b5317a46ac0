"""Match the elements of a drawing against its style rules, and count what that takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

import cssselect2

from engine.toolkit.failures import OverLimit
from engine.toolkit.selectors import Counted

MAX_TESTS = 10_000_000
"""The maximum rules that are tested, for all elements; 10 million take 3 to 4 s."""
_RELATION = 2
_VISITED = 8
"""Going through ancestors or previous siblings counts as 2 tests, and as one more for each 8 of them: 2,000 rules such
as `.a .b rect` take 2.2 s for 2,000 rectangles, and 500 of them 0.5 s for 100 rectangles that are 200 deep."""
_WRAPPED = 20
"""A child counts as this many tests: `:has()` wraps all descendants each time it is evaluated, in 5 to 8 µs each."""


def matched(root: Element, matcher: cssselect2.Matcher | None) -> Iterator[tuple[Any, Any]]:
    """Each element of a tree in document order, wrapped, with the rules that match it. Raises OverLimit."""
    for wrapped in _OfDrawing.from_xml_root(root).iter_subtree():
        if matcher is None:
            yield wrapped, ()
            continue
        wrapped.count(_candidates(matcher, wrapped))
        yield wrapped, matcher.match(wrapped)


def _candidates(matcher: cssselect2.Matcher, wrapped: Any) -> int:
    """The rules that are tested for an element: those indexed by what it is called, and those not indexed."""
    indexed = [
        matcher.id_selectors.get(wrapped.id, ()),
        matcher.lower_local_name_selectors.get(wrapped.local_name.lower(), ()),
        matcher.namespace_selectors.get(wrapped.namespace_url, ()),
        *(matcher.class_selectors.get(each, ()) for each in wrapped.classes),
    ]
    return 1 + len(matcher.other_selectors) + sum(map(len, indexed))


class _OfDrawing(Counted):
    """An element that counts the rules tested for it and the elements that they go through."""

    def count(self, number: int) -> int:
        if (tests := super().count(number)) > MAX_TESTS:
            raise OverLimit("timeout", "The style sheets have too many rules for the number of elements.")
        return tests

    @property
    def ancestors(self) -> Any:
        found = super().ancestors
        self.count(_RELATION + len(found) // _VISITED)
        return found

    @property
    def previous_siblings(self) -> Any:
        found = super().previous_siblings
        self.count(_RELATION + len(found) // _VISITED)
        return found

    def iter_children(self) -> Iterator[Any]:
        for each in super().iter_children():
            self.count(_WRAPPED)
            yield each
