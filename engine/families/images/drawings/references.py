"""Count elements with all references expanded, and refuse reference cycles."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from xml.etree.ElementTree import Element

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MAX_DRAWN = 500_000
"""The maximum elements drawn once all references are expanded; 480,000 rectangles take 4.5 s."""

_SVG = "{http://www.w3.org/2000/svg}"
HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
CSS_URL = re.compile(
    r"url\(\s*+(?P<quote>[\"'])?+(?P<address>(?(quote)(?:\\.|(?!(?P=quote)).)*+|(?:\s*+[^\s)]++)*+))"
    r"(?(quote)(?P=quote))\s*+(?:\)|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def urls(text: str) -> Iterator[re.Match[str]]:
    """Each `url()` of a style value; openings after the last bracket are not tried, as none of them is closed."""
    return CSS_URL.finditer(text, 0, text.rfind(")") + 1)


def with_urls(text: str, replace: Callable[[re.Match[str]], str] | str) -> str:
    """A style value with each `url()` replaced."""
    end = text.rfind(")") + 1
    return CSS_URL.sub(replace, text[:end]) + text[end:]


def by_id(root: Element) -> dict[str, Element]:
    """The elements by id; the first one of several with the same id, which is what references target."""
    return {each.get("id", ""): each for each in reversed(list(root.iter()))}


def define(root: Element, made: Iterable[Element]) -> None:
    """Add elements to a drawing's definitions."""
    kept = Element(f"{_SVG}defs")
    kept.extend(made)
    root.append(kept)


def check(root: Element) -> None:
    """Remove reference cycles, which SVG does not draw (SVG 2, 5.6) and which make the engine drop everything else.

    Raises OverLimit for more elements than may be drawn with references expanded, each counted once per reference.
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
                raise too_many()
        else:
            open_.discard(element)
            sums[element] = total
            if stack:
                parent, siblings, so_far = stack.pop()
                stack.append((parent, siblings, so_far + total))


def too_many() -> OverLimit:
    return OverLimit(
        "timeout", say("The SVG draws more than {max_drawn} elements through references.", max_drawn=MAX_DRAWN)
    )


def _part(way: Iterable[Element], start: Element) -> int:
    """Break a cycle at its last `use`; the engine leaves out one through paints or markers.

    `way` leads back from its end to its `start`. Returns the number of elements visited.
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
            names = [match["address"].strip()[1:] for match in urls(value)]
        else:
            continue
        for name in names:
            if name in by_id and name:
                yield by_id[name]
