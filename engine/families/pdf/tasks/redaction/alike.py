"""Pages that show the same, of which one is searched for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import pikepdf
from pikepdf import Name

Found = TypeVar("Found")


def alike(pdf: pikepdf.Pdf, numbers: Iterable[int]) -> dict[int, list[int]]:
    """These pages, from 0, by the first of those that have the same content, resources, boxes and annotations."""
    first: dict[tuple[bytes, ...], int] = {}
    found: dict[int, list[int]] = {}
    for number in numbers:
        one = first.setdefault(_shown(pdf.pages[number]), number)
        found.setdefault(one, []).append(number)
    return found


def for_all(found: Mapping[int, Found], groups: Mapping[int, Sequence[int]]) -> dict[int, Found]:
    """What was found on the first page of each group, for each of its pages."""
    return {number: each for first, each in found.items() for number in groups[first]}


def _shown(page: pikepdf.Page) -> tuple[bytes, ...]:
    own = (page.obj.get(name) for name in (Name.Contents, Name.Annots, Name.UserUnit))
    parts = (*own, page.resources, page.mediabox, page.cropbox)
    return (*map(_written, parts), b"%d" % page.rotation)


def _written(value: object) -> bytes:
    return value.unparse() if isinstance(value, pikepdf.Object) else str(value).encode()
