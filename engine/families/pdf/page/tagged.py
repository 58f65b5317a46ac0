"""The reading order in the structure tree of a tagged PDF."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as raw

_MOST = 50_000
"""The maximum elements of a page that are read: only a hostile file has more."""

_DEEPEST = 64


class Tag(NamedTuple):
    """The position of marked content in reading order, and the number of its table, 0 if none."""

    place: int
    table: int


def tags_of(page: pypdfium2.PdfPage) -> dict[int, Tag]:
    """The structure position of each marked content id on a page; empty if it is untagged."""
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
    # An element or a marked content id, with its table and its nesting depth.
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
    """Whether an element has this standard type, under whatever role name."""
    text = ctypes.create_string_buffer(64)
    raw.FPDF_StructElement_GetType(element, text, len(text))
    return text.raw.startswith("Table\0".encode("utf-16-le"))
