"""Find the pages whose objects differ between two PDFs.

Nothing is rendered: equal pages only cost a walk through their objects, and each object is compared once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.reached import reached
from engine.families.pdf.read import DAMAGED

Id = tuple[int, int]

_NOTE = (
    "/Subtype", "/Rect", "/AP", "/AS", "/F", "/OC", "/C", "/IC", "/CA", "/BS", "/Border", "/QuadPoints", "/InkList",
    "/Vertices", "/L", "/LE", "/DA", "/MK",
)  # fmt: skip
"""Keys that an annotation's appearance depends on; texts, targets and structure don't show."""

_UNSEEN = frozenset(
    {"/Parent", "/P", "/StructParent", "/StructParents", "/Metadata", "/PieceInfo", "/LastModified", "/Length"}
)
_CODED = frozenset({"/Filter", "/DecodeParms", "/Length1", "/Length2", "/Length3"})
"""Keys for the encoding of a stream: streams that decode to the same bytes are equal."""

_DEEPEST = 60
_LARGEST = 64_000_000
"""Bytes of an encoded stream up to which it is decoded to compare it; larger ones count as different."""


@dataclass(frozen=True)
class Changed:
    """A page of the result, by number from 0, and the ids in the result of its parts that differ.

    Parts that are direct objects have the id (0, 0).
    """

    number: int
    parts: frozenset[Id]


def changed(before: pikepdf.Pdf, after: pikepdf.Pdf, pages: Sequence[int]) -> list[Changed]:
    """Return the pages of `after` whose objects differ from those of the pages numbered `pages` of `before`."""
    comparing = _Comparing()
    found = []
    for number, own in enumerate(pages):
        try:
            parts = comparing.page(before.pages[own], after.pages[number])
            if parts:
                found.append(Changed(number, parts))
        except DAMAGED:
            continue  # no reader renders objects that can't be followed
    return found


def pixels_of(page: pikepdf.Page) -> int:
    """Return the total pixels of all pictures that the resources of a page refer to."""
    return sum(int(each.get(Name.Width, 0)) * int(each.get(Name.Height, 0)) for each in pictures(page))


def pictures(page: pikepdf.Page) -> Iterator[pikepdf.Object]:
    """Yield the pictures that the resources of a page refer to."""
    return (each for each in parts_of(page) if each.get(Name.Subtype) == Name.Image)


def parts_of(page: pikepdf.Page) -> Iterator[pikepdf.Object]:
    """Yield the streams that may paint a page."""
    roots: list[Any] = [page.obj.get(Name.Contents), page.resources]
    notes = page.obj.get(Name.Annots)
    if isinstance(notes, pikepdf.Array):
        roots += [each.get(Name.AP) for each in notes if isinstance(each, pikepdf.Dictionary)]
    return (each for each in reached(roots, _seen_in) if isinstance(each, pikepdf.Stream))


def _seen_in(holder: pikepdf.Object) -> Iterable[Any]:
    if isinstance(holder, pikepdf.Array):
        return holder
    return (value for key, value in holder.items() if key not in _UNSEEN)


_NONE: frozenset[Id] = frozenset()
_ITSELF: frozenset[Id] = frozenset({(0, 0)})


@dataclass
class _Comparing:
    """Compares pairs of objects, each pair once."""

    known: dict[tuple[Id, Id], frozenset[Id]] = field(default_factory=dict)

    def page(self, one: pikepdf.Page, other: pikepdf.Page) -> frozenset[Id]:
        found = self.of(one.resources, other.resources, 0)
        for key in (Name.Contents, Name.Group, Name.UserUnit):
            found |= self.of(one.obj.get(key), other.obj.get(key), 0)
        for mine, its in ((one.mediabox, other.mediabox), (one.cropbox, other.cropbox)):
            found |= self.of(mine, its, 0)
        if one.rotation % 360 != other.rotation % 360:
            found |= _ITSELF
        return found | self._notes(one.obj.get(Name.Annots), other.obj.get(Name.Annots))

    def _notes(self, ones: object, others: object) -> frozenset[Id]:
        mine, its = (_seen(each) for each in (ones, others))
        if len(mine) != len(its):
            return _ITSELF
        found = _NONE
        for one, other in zip(mine, its, strict=True):
            for key in _NOTE:
                found |= self.of(one.get(key), other.get(key), 1)
        return found

    def of(self, one: Any, other: Any, depth: int) -> frozenset[Id]:
        """Return the ids of the parts of `other` that differ from `one`."""
        if not (isinstance(one, pikepdf.Object) and isinstance(other, pikepdf.Object)):
            return _NONE if _plain(one) == _plain(other) else _ITSELF
        if depth > _DEEPEST:
            return _ITSELF
        if not (one.is_indirect and other.is_indirect):
            return self._inside(one, other, depth)
        pair = (one.objgen, other.objgen)
        if pair not in self.known:
            self.known[pair] = _NONE  # a cycle adds no difference
            found = self._inside(one, other, depth)
            self.known[pair] = found - _ITSELF | ({other.objgen} if found >= _ITSELF else _NONE)
        return self.known[pair]

    def _inside(self, one: pikepdf.Object, other: pikepdf.Object, depth: int) -> frozenset[Id]:
        if isinstance(one, pikepdf.Stream) and isinstance(other, pikepdf.Stream):
            found = self._keys(one, other, _CODED, depth)
            if found >= _ITSELF:  # to decode both, such as a picture that was reduced, would tell no more
                return found
            return found if _same_bytes(one, other) else found | _ITSELF
        if isinstance(one, pikepdf.Dictionary) and isinstance(other, pikepdf.Dictionary):
            return self._keys(one, other, frozenset(), depth)
        if isinstance(one, pikepdf.Array) and isinstance(other, pikepdf.Array):
            if len(one) != len(other):
                return _ITSELF
            found = _NONE
            for mine, its in zip(one, other, strict=True):
                found |= self.of(mine, its, depth + 1)
            return found
        return _NONE if _plain(one) == _plain(other) else _ITSELF

    def _keys(self, one: pikepdf.Object, other: pikepdf.Object, but: Iterable[str], depth: int) -> frozenset[Id]:
        found = _NONE
        for key in {*one.keys(), *other.keys()} - _UNSEEN.union(but):
            found |= self.of(one.get(key), other.get(key), depth + 1)
        return found


def _seen(notes: object) -> list[pikepdf.Object]:
    if not isinstance(notes, pikepdf.Array):
        return []
    found = [each for each in notes if isinstance(each, pikepdf.Dictionary)]
    return [each for each in found if each.get(Name.Subtype) not in (Name.Link, Name.Popup) or Name.AP in each]


def _plain(value: object) -> object:
    if isinstance(value, pikepdf.String):
        return bytes(value)
    if isinstance(value, pikepdf.Name):
        return str(value)
    return value


def _same_bytes(one: pikepdf.Object, other: pikepdf.Object) -> bool:
    raw, its = one.read_raw_bytes(), other.read_raw_bytes()
    coded = [[each.get(key) for key in (Name.Filter, Name.DecodeParms)] for each in (one, other)]
    if raw == its and [*map(_written, coded[0])] == [*map(_written, coded[1])]:
        return True
    if max(len(raw), len(its)) > _LARGEST:
        return False
    try:
        return bool(one.read_bytes() == other.read_bytes())
    except DAMAGED:
        return False  # a picture in a codec that is not decoded here


def _written(value: object) -> object:
    return value.unparse(resolved=True) if isinstance(value, pikepdf.Object) else value
