"""References inside a drawing: how much is drawn once all of them are followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from conversions.toolkit.failures import OverLimit

MAX_DRAWN = 500_000
"""Elements drawn once every reference to one is followed."""

HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
CSS_URL = re.compile(r"url\(\s*(?P<quote>[\"']?)(?P<address>.*?)(?P=quote)\s*\)", re.IGNORECASE | re.DOTALL)


def check(root: Element) -> None:
    """Raise OverLimit for more elements than may be drawn once references are followed, each counted once."""
    by_id: dict[str, Element] = {}
    for element in root.iter():
        by_id.setdefault(element.get("id", ""), element)
    sums: dict[Element, int] = {}
    open_: set[Element] = set()
    stack: list[tuple[Element, Iterator[Element], int]] = []

    def enter(element: Element) -> None:
        open_.add(element)
        stack.append((element, iter([*element, *_referenced(element, by_id)]), 1))

    enter(root)
    while stack:
        element, rest, total = stack.pop()
        for next_ in rest:
            if next_ in sums:
                total += sums[next_]
            elif next_ not in open_:  # else a circle, which the renderer leaves out
                stack.append((element, rest, total))
                enter(next_)
                break
            if total > MAX_DRAWN:
                raise OverLimit("timeout", f"The SVG draws more than {MAX_DRAWN:,} elements through references.")
        else:
            open_.discard(element)
            sums[element] = total
            if stack:
                parent, siblings, so_far = stack.pop()
                stack.append((parent, siblings, so_far + total))


def _referenced(element: Element, by_id: dict[str, Element]) -> Iterable[Element]:
    for key, value in element.attrib.items():
        if key in HREFS and value.strip().startswith("#"):
            names = [value.strip()[1:]]
        elif "url(" in value:
            names = [match["address"].strip()[1:] for match in CSS_URL.finditer(value)]
        else:
            continue
        for name in names:
            if name in by_id and name:
                yield by_id[name]
