"""Count workbooks: each sheet is a part, counted from the XML of its rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from engine.families.data.counting import rows
from engine.toolkit.census import Census

LARGEST = 150_000_000
"""Bytes of XML up to which a sheet is counted."""


def sheet(
    found: list[bytes],
    number: Callable[[int], int],
    texts: Callable[[bytes], list[str]],
    filled: Callable[[bytes], int],
) -> Census:
    """Return the census of a sheet from the XML of its rows with values; the first is taken for the header.

    `number` returns the row number at an index, `texts` the values of a row without errors and empty texts, and
    `filled` how many cells of a row have a value, of those too whose text is not compared, such as durations.
    """
    held: Sequence[int] = range(len(found))
    if len(found) <= rows.WHOLE + 1:
        held = [index for index in held if any(map(str.strip, texts(found[index])))]
    else:
        first = next((index for index in held if any(map(str.strip, texts(found[index])))), len(found))
        held = held[first:]
    if not held:
        return rows.table(0, [])
    head = number(held[0])
    count = number(held[-1]) - head
    places: Sequence[int] = range(1, count + 1)
    if count != len(held) - 1:
        places = [number(index) - head for index in held[1:]]
    blocks: list[list[list[str]]] = []
    for first, last in rows.windows(count):
        block = held[1:][bisect_right(places, first) : bisect_right(places, last)]
        blocks.append([texts(found[index]) for index in block])
    header = found[held[0]]
    census = rows.table(count, blocks, header=texts(header), blank=max(0, count - len(held) + 1))
    census.add("columns", filled(header))
    return census


def workbook(parts: Iterable[tuple[str, Census]]) -> Census:
    """Combine sheets by name."""
    whole = Census()
    for name, census in parts:
        census.add("sheets")
        whole.parts[name] = census
    return whole


def too_large() -> Census:
    """Return the census of a sheet that is too large to count."""
    census = Census()
    rows.Values().into(census, object())
    census.samples["rows"] = census.samples["columns"] = object()
    return census
