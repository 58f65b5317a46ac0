"""Tagged text: in which order the structure that a document states for its readers has what is on a page."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as raw

_MOST = 50_000
"""Elements of a page that are looked at: a bomb has more."""

_DEEPEST = 64


class Tag(NamedTuple):
    """Where marked content stands in reading order, and the number of the table that it is in, 0 for none."""

    place: int
    table: int


def tags_of(page: pypdfium2.PdfPage) -> dict[int, Tag]:
    """What the structure says of each number of marked content on a page; empty where it has none."""
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    try:
        return dict(_tags(tree))
    finally:
        raw.FPDF_StructTree_Close(tree)


def _tags(tree: raw.FPDF_STRUCTTREE) -> Iterator[tuple[int, Tag]]:
    roots = [raw.FPDF_StructTree_GetChildAtIndex(tree, at) for at in range(raw.FPDF_StructTree_CountChildren(tree))]
    seen: set[int] = set()
    tables = steps = 0
    # An element, or a number of content, with the table that it is in, and how deep it is.
    stack: list[tuple[raw.FPDF_STRUCTELEMENT | int, int, int]] = [(each, 0, 0) for each in reversed(roots) if each]
    while stack and steps < _MOST:
        steps += 1
        item, table, depth = stack.pop()
        if isinstance(item, int):
            if item not in seen:
                seen.add(item)
                yield item, Tag(len(seen), table)
            continue
        if not table and _is_table(item):
            tables += 1
            table = tables
        if depth >= _DEEPEST:
            continue
        for at in reversed(range(min(_MOST, raw.FPDF_StructElement_CountChildren(item)))):
            number = raw.FPDF_StructElement_GetChildMarkedContentID(item, at)
            child = number if number >= 0 else raw.FPDF_StructElement_GetChildAtIndex(item, at)
            if child or number >= 0:
                stack.append((child, table, depth + 1))


def _is_table(element: raw.FPDF_STRUCTELEMENT) -> bool:
    """Whether an element is of this standard type, whatever the document calls it."""
    text = ctypes.create_string_buffer(64)
    raw.FPDF_StructElement_GetType(element, text, len(text))
    return text.raw.startswith("Table\0".encode("utf-16-le"))
