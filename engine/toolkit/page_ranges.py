"""Parse page ranges such as `1-3,5,8-`."""

from __future__ import annotations

from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say


def chosen(ranges: str | None, count: int, *, repeats: bool = False) -> list[int]:
    """The pages `ranges` names, from 0, of a document with `count` pages; None means all.

    Each page occurs once, in document order, unless `repeats`: then pages come as written, and `3-1` runs backwards.
    Raises InvalidOption for `pages` if a page does not exist.
    """
    if ranges is None:
        return list(range(count))
    numbers: list[int] = []
    for part in ranges.split(","):
        first, dash, last = part.partition("-")
        start = int(first)
        end = start if not dash else int(last) if last else count
        for number in (start, end):
            if not 1 <= number <= count:
                raise InvalidOption(
                    "pages", say("There is no page {number}: the file has {count}.", number=number, count=_pages(count))
                )
        if end < start and not repeats:
            raise InvalidOption(
                "pages", say("{part} is in the wrong order. Write {end}-{start}.", part=part, end=end, start=start)
            )
        numbers += range(start - 1, end) if start <= end else range(start - 1, end - 2, -1)
    return numbers if repeats else sorted(set(numbers))


def _pages(count: int) -> str:
    return say("1 page") if count == 1 else say("{count} pages", count=count)
