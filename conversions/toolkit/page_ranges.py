"""Page ranges: `1-3,5,8-` read as the numbers of pages."""

from __future__ import annotations

from conversions.toolkit.failures import InvalidOption


def chosen(ranges: str | None, count: int, *, repeats: bool = False) -> list[int]:
    """The pages that `ranges` names, counted from 0, of a document with `count` pages; None names all.

    Each page once and in the document's order, unless `repeats`: then as written, and `3-1` runs backwards.
    Raises InvalidOption for `pages` where a page does not exist.
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
                raise InvalidOption("pages", f"There is no page {number}: the file has {_pages(count)}.")
        if end < start and not repeats:
            raise InvalidOption("pages", f"{part} is in the wrong order. Write {end}-{start}.")
        numbers += range(start - 1, end) if start <= end else range(start - 1, end - 2, -1)
    return numbers if repeats else sorted(set(numbers))


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"
