"""Count the siblings and descendants that PlutoPrint goes through to match selectors, before it does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.source.cleaning import Element
from engine.toolkit.failures import OverLimit

MOST_STEPS = 1_000_000_000
"""The maximum steps; each takes 4 to 8 ns, measured for 5,000 to 10,000 siblings.

A list of 30,000 items may have two rules such as `li:last-child`.
"""
_LONG = 200
"""The children of an element from which on going through them counts."""
_WALKING = re.compile(r"~(?!=)|:(?:nth-|last-|only-|first-of)[\w-]+", re.IGNORECASE)
_HAS = re.compile(r":has\(", re.IGNORECASE)
_TOKEN = re.compile(r"""\\.|"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|[^\\"'()\[\],]++|.""", re.DOTALL)
_COMBINATOR = re.compile(r"[\s>+~]+")
_NAMED = re.compile(r"([.#]?)([A-Za-z_][\w-]*)")
_PSEUDO = re.compile(r"::?[\w-]+")


def check(root: Element, sheets: Iterable[str], *, media: str) -> None:
    """Raise OverLimit for a page whose selectors would take too many steps."""
    sheets = list(sheets)
    rows = [each for each in root.iter() if isinstance(each.tag, str) and len(each) >= _LONG]
    has = any(map(_HAS.search, sheets))
    if not (has or (rows and any(map(_WALKING.search, sheets)))):
        return
    beside, below = _beside(rows), _below(root) if has else Counter()
    longest = max(map(len, rows), default=1)
    steps = 0
    for selectors, _ in rules(sheets, media):
        for each, outside in _split(selectors):
            walking, nested = len(_WALKING.findall(each)), len(_HAS.findall(each))
            if not (walking or nested):
                continue
            key = _key(outside)
            steps += beside[key] * walking
            if nested:
                steps += (below[key] + beside[key]) * min(longest, _LONG) ** (nested - 1)
            if steps > MOST_STEPS:
                raise OverLimit("limit", "The style sheets have too many rules for the number of elements.")


def _split(selectors: str) -> Iterator[tuple[str, str]]:
    """Each selector of a list, and what of it is outside brackets."""
    whole: list[str] = []
    outside: list[str] = []
    depth = 0
    for piece in _TOKEN.findall(selectors):
        if piece == "," and not depth:
            yield "".join(whole), "".join(outside)
            whole, outside = [], []
            continue
        whole.append(piece)
        if piece in ("(", "["):
            depth += 1
        elif piece in (")", "]"):
            depth = max(depth - 1, 0)
        elif not depth:
            outside.append(piece)
    yield "".join(whole), "".join(outside)


def _key(selector: str) -> str:
    """What the elements of a selector without brackets are called: `#id`, `.class`, `tag`, or `*`."""
    last = _COMBINATOR.split(_PSEUDO.sub("", selector).strip())[-1]
    return max((kind + (name if kind else name.lower()) for kind, name in _NAMED.findall(last)), key=_rank, default="*")


def _rank(name: str) -> int:
    return {"#": 2, ".": 1}.get(name[0], 0)


def _names(element: Element) -> Iterable[str]:
    yield "*"
    yield element.tag
    yield from (f".{each}" for each in set((element.get("class") or "").split()))
    if element.get("id"):
        yield f"#{element.get('id')}"


def _beside(rows: Iterable[Element]) -> Counter[str]:
    """The steps through half of its siblings from each element of a name."""
    steps: Counter[str] = Counter()
    for row in rows:
        here = Counter(name for each in row if isinstance(each.tag, str) for name in _names(each))
        for name, count in here.items():
            steps[name] += count * len(row) // 2
    return steps


def _below(root: Element) -> Counter[str]:
    """The steps through its descendants from each element of a name."""
    sizes: dict[Element, int] = {}
    steps: Counter[str] = Counter()
    for element in reversed([each for each in root.iter() if isinstance(each.tag, str)]):
        sizes[element] = size = 1 + sum(sizes.get(each, 0) for each in element)
        for name in _names(element):
            steps[name] += size
    return steps
