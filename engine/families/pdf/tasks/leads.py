"""Cut what leads from the annotations of some pages to other pages of their document."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.reached import reached
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.entry_changes import Changes

OF_THE_DOCUMENT = ("/B", "/DPart", "/SeparationInfo")
"""Entries of a page that lead to others: articles, parts with data of recipients, and separations (ISO 32000-2, table
31)."""

_CUT = frozenset({"/B", "/Data", "/Reference", "/SD"})
"""Entries below annotations that lead to all of the document: beads, what a signature covers, structure elements."""

_PASSED = frozenset(
    {
        "/AP", "/AS", "/Border", "/BS", "/C", "/Contents", "/DA", "/DR", "/F", "/FT", "/Ff", "/H", "/M", "/MK",
        "/MaxLen", "/NM", "/P", "/Q", "/QuadPoints", "/Rect", "/Resources", "/StructParent", "/Subtype", "/T", "/TM",
        "/TU", "/Type",
    }
)  # fmt: skip
"""Entries that lead to no other annotation, whatever has them, except in actions."""

_TARGETS = frozenset({"/T", "/F"})
"""Those of them that name fields or files in an action (ISO 32000-1, tables 210 and 236)."""

_TYPES = frozenset(
    {
        "/Bead", "/Catalog", "/DPart", "/DPartRoot", "/Outlines", "/Page", "/Pages", "/StructElem", "/StructTreeRoot",
        "/Thread",
    }
)  # fmt: skip


@dataclass
class _List:
    """An array: the places of annotations and fields, which may be on other pages, and those of all that stays."""

    annotations: dict[Id, list[int]] = field(default_factory=dict)
    stays: list[int] = field(default_factory=list)


class Lists:
    """The arrays of a document, each gone through once, however many pages lead to it."""

    def __init__(self) -> None:
        self._known: dict[tuple[Id, str], _List] = {}

    def read(self, holder: pikepdf.Object, key: str, array: pikepdf.Array, pages: Collection[Id] | None) -> _List:
        """What an array has that is the entry of `holder` with this key."""
        place = (array.objgen, "") if array.is_indirect else (holder.objgen, key)
        if place[0][0] and place in self._known:
            return self._known[place]
        found = _List()
        for at, each in enumerate(array):
            if _is_annotation(each):
                found.annotations.setdefault(each.objgen, []).append(at)
            elif not _is_of_document(each, pages):
                found.stays.append(at)
        if place[0][0]:
            self._known[place] = found
        return found


def kept_on(pages: Iterable[pikepdf.Page]) -> set[Id]:
    """The annotations on the pages, their pop-ups, and the fields around them."""
    kept: set[Id] = set()
    for page in pages:
        annotations = page.obj.get(Name.Annots)
        for each in annotations if isinstance(annotations, pikepdf.Array) else ():
            around: Any = each
            if isinstance(each, pikepdf.Dictionary) and isinstance(popup := each.get(Name.Popup), pikepdf.Dictionary):
                kept.add(popup.objgen)
            while isinstance(around, pikepdf.Dictionary) and around.objgen not in kept:
                if around.is_indirect:
                    kept.add(around.objgen)
                around = around.get(Name.Parent)
    return kept


def cut(
    pages: Iterable[pikepdf.Page],
    kept: Collection[Id],
    changes: Changes,
    lists: Lists,
    *,
    own: Collection[Id] | None = None,
) -> None:
    """Cut what leads from `pages` to annotations and fields that are not `kept`, and to lists of the document.

    `own` are the pages that may be led to; without it all may, as links do, and they are not followed.
    """

    def led_to(holder: pikepdf.Object) -> Iterable[Any]:
        if isinstance(holder, pikepdf.Array):
            return (each for each in holder if not _is_elsewhere(each, kept, own))
        if isinstance(holder, pikepdf.Stream) or (holder.get(Name.Type) == Name.Page and own is None):
            return ()
        in_action = Name.S in holder
        keys = [
            key
            for key, value in holder.items()
            if isinstance(value, pikepdf.Array | pikepdf.Dictionary)
            and (key not in _PASSED or (key in _TARGETS and in_action))
        ]
        return [each for key in keys for each in _followed(holder, key, kept, changes, lists, own)]

    roots: list[Any] = []
    for page in pages:
        for key in OF_THE_DOCUMENT:
            if key in page.obj:
                changes.drop(page.obj, key)
        for key in ("/Annots", "/AA"):
            roots += _followed(page.obj, key, kept, changes, lists, own)
    for _ in reached(roots, led_to):
        pass


def _followed(
    holder: pikepdf.Object,
    key: str,
    kept: Collection[Id],
    changes: Changes,
    lists: Lists,
    own: Collection[Id] | None,
) -> list[Any]:
    """Cut an entry, or what leads elsewhere out of it, and return what of it has to be searched."""
    value = holder.get(key)
    if key in _CUT or (key == "/D" and holder.get(Name.S) == Name.Thread) or _is_elsewhere(value, kept, own):
        changes.drop(holder, key)
        return []
    if not isinstance(value, pikepdf.Array):
        return [value]
    found = lists.read(holder, key, value, own)
    fewer, more = sorted((found.annotations, kept), key=len)
    here = [at for each in fewer if each in more for at in found.annotations[each]]
    if key == "/Kids":  # those that are kept are reached from the pages
        stays, inner = here, []
    else:
        stays = sorted([*found.stays, *here])
        inner = [value[at] for at in stays]
    if len(stays) < len(value):
        changes.set(holder, key, pikepdf.Array([value[at] for at in sorted(stays)]))
    return inner


def _is_annotation(value: object) -> bool:
    """Whether it is an annotation or a field."""
    if not isinstance(value, pikepdf.Dictionary) or not value.is_indirect or str(value.get(Name.Type)) in _TYPES:
        return False
    return (
        (Name.Subtype in value and Name.Rect in value)
        or Name.FT in value
        or (Name.T in value and (Name.Kids in value or Name.Parent in value))
    )


def _is_of_document(value: object, own: Collection[Id] | None) -> bool:
    """Whether it is a page that may not be led to, or a list of the document."""
    if not isinstance(value, pikepdf.Dictionary) or not value.is_indirect:
        return False
    type = str(value.get(Name.Type))
    return type in _TYPES and not (type == "/Page" and own is None) and value.objgen not in (own or ())


def _is_elsewhere(value: object, kept: Collection[Id], own: Collection[Id] | None) -> bool:
    return _is_of_document(value, own) or (_is_annotation(value) and value.objgen not in kept)  # type: ignore[attr-defined]
