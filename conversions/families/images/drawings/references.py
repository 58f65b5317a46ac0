"""References inside a drawing: how much is drawn once all of them are followed, and none that leads back to itself."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from conversions.toolkit.failures import OverLimit

MAX_DRAWN = 500_000
"""Elements drawn once every reference to one is followed."""

_SVG = "{http://www.w3.org/2000/svg}"
HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
CSS_URL = re.compile(r"url\(\s*(?P<quote>[\"']?)(?P<address>.*?)(?P=quote)\s*\)", re.IGNORECASE | re.DOTALL)


def by_id(root: Element) -> dict[str, Element]:
    """The elements by their names; of several with one name, the first, which is what references lead to."""
    return {each.get("id", ""): each for each in reversed(list(root.iter()))}


def define(root: Element, made: Iterable[Element]) -> None:
    """Put elements into a drawing that are there to be referred to."""
    kept = Element(f"{_SVG}defs")
    kept.extend(made)
    root.append(kept)


def check(root: Element) -> None:
    """Take away what uses itself, which nobody draws (SVG 2, 5.6) and for which the engine leaves out all the rest.

    Raises OverLimit for more elements than may be drawn once references are followed, each counted once.
    """
    named = by_id(root)
    sums: dict[Element, int] = {}
    open_: set[Element] = set()
    stack: list[tuple[Element, Iterator[Element], int]] = []

    def enter(element: Element) -> None:
        open_.add(element)
        stack.append((element, iter([*element, *_referenced(element, named)]), 1))

    looked = 0
    enter(root)
    while stack:
        element, rest, total = stack.pop()
        for next_ in rest:
            if next_ in sums:
                total += sums[next_]
            elif next_ not in open_:
                stack.append((element, rest, total))
                enter(next_)
                break
            else:
                looked += _part(itertools.chain([element], (each for each, _, _ in reversed(stack))), next_)
            if max(total, looked // 10) > MAX_DRAWN:
                raise OverLimit("timeout", f"The SVG draws more than {MAX_DRAWN:,} elements through references.")
        else:
            open_.discard(element)
            sums[element] = total
            if stack:
                parent, siblings, so_far = stack.pop()
                stack.append((parent, siblings, so_far + total))


def _part(way: Iterable[Element], start: Element) -> int:
    """Part a circle where it last leads through a use; one that leads through paints or markers the engine leaves out.

    `way` leads back from where it is closed to its `start`. How many elements were looked at is returned.
    """
    next_, looked = start, 0
    uses: list[Element] = []
    for looked, element in enumerate(way, 1):
        if all(each is not next_ for each in element):
            if not str(element.tag).endswith("use"):
                return looked
            uses.append(element)
        if element is start:
            break
        next_ = element
    for key in HREFS if uses else ():
        uses[0].attrib.pop(key, None)
    return looked


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
