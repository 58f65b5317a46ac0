"""Cut from copied pages what belongs to the pages that were left out of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.tasks import unused_resources
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_OF_THE_DOCUMENT = (Name.B, Name.DPart, Name.SeparationInfo)
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

_TO_WRITE = frozenset({"/ColorSpace", "/Encoding", "/Font", "/ProcSet"})
"""What values of fields are written with (ISO 32000-1, 12.7.3.3); other resources may show anything."""

_TYPES = frozenset(
    {
        "/Bead", "/Catalog", "/DPart", "/DPartRoot", "/Outlines", "/Page", "/Pages", "/StructElem", "/StructTreeRoot",
        "/Thread",
    }
)  # fmt: skip


def cut(pdf: pikepdf.Pdf, source: pikepdf.Pdf, taken: Iterable[int], warn: Warn) -> None:
    """Keep nothing but what the pages of `pdf`, those of `source` with the numbers in `taken`, show and do.

    A copied widget brings its field, which brings the fields and widgets around it on other pages with their values;
    resources, threads, structure elements and signatures also lead to other pages. A field keeps those of its widgets
    that are on these pages, and its value.
    """
    pdf.remove_unreferenced_resources()
    if len(set(taken)) == len(source.pages):
        return
    kept = _kept(pdf)
    pages = {page.obj.objgen for page in pdf.pages}
    private = False
    seen: set[Id] = set()
    for page in pdf.pages:
        for name in _OF_THE_DOCUMENT:
            if name in page.obj:
                del page.obj[name]
        if Name.PieceInfo in page.obj:  # a drawing program keeps all of its pages in that of one
            del page.obj[Name.PieceInfo]
            private = True
        for root in (page.obj.get(Name.Annots), page.obj.get(Name.AA)):
            _cut_below(root, kept, pages, seen)
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary):
        for name in (Name.Fields, Name.CO):
            if isinstance(fields := form.get(name), pikepdf.Array):
                form[name] = pikepdf.Array([each for each in fields if _is_kept(each, kept)])
        if isinstance(resources := form.get(Name.DR), pikepdf.Dictionary):
            kinds = {kind: value for kind, value in resources.items() if kind in _TO_WRITE}
            form[Name.DR] = pikepdf.Dictionary(kinds)
    unused_resources.remove(pdf)
    if private:
        warn("METADATA_DROPPED", say("Private data of other programs was removed: {named}.", named="metadata of pages"))


def _kept(pdf: pikepdf.Pdf) -> set[Id]:
    """The annotations on the pages, their pop-ups, and the fields around them."""
    kept: set[Id] = set()
    for page in pdf.pages:
        annotations = page.obj.get(Name.Annots)
        for each in annotations if isinstance(annotations, pikepdf.Array) else ():
            field: Any = each
            if isinstance(each, pikepdf.Dictionary) and isinstance(popup := each.get(Name.Popup), pikepdf.Dictionary):
                kept.add(popup.objgen)
            while isinstance(field, pikepdf.Dictionary) and field.objgen not in kept:
                if field.is_indirect:
                    kept.add(field.objgen)
                field = field.get(Name.Parent)
    return kept


def _cut_below(root: object, kept: set[Id], pages: set[Id], seen: set[Id]) -> None:
    ahead: list[Any] = [root]
    while ahead:
        holder = ahead.pop()
        if isinstance(holder, pikepdf.Stream) or not isinstance(holder, pikepdf.Array | pikepdf.Dictionary):
            continue
        if holder.is_indirect:
            if holder.objgen in seen:
                continue
            seen.add(holder.objgen)
        if isinstance(holder, pikepdf.Array):
            found = list(holder)
            inner = [each for each in found if not _is_elsewhere(each, kept, pages)]
            if len(inner) < len(found):
                del holder[:]
                holder.extend(inner)
            ahead += inner
        else:
            ahead += _cut_entries(holder, kept, pages)


def _cut_entries(holder: pikepdf.Object, kept: set[Id], pages: set[Id]) -> list[Any]:
    """Remove what leads elsewhere from a dictionary, and return the rest of what has to be searched."""
    inner = []
    for key, value in list(holder.items()):
        if not isinstance(value, pikepdf.Array | pikepdf.Dictionary) or (
            key in _PASSED and not (key in _TARGETS and Name.S in holder)
        ):
            continue
        if key in _CUT or (key == "/D" and holder.get(Name.S) == Name.Thread) or _is_elsewhere(value, kept, pages):
            del holder[key]
        elif key == "/Kids" and isinstance(value, pikepdf.Array):  # those that are kept are reached from the pages
            own = [each for each in value if _is_kept(each, kept)]
            if len(own) < len(value):
                holder[key] = pikepdf.Array(own)
        else:
            inner.append(value)
    return inner


def _is_kept(value: object, kept: set[Id]) -> bool:
    return isinstance(value, pikepdf.Dictionary) and value.objgen in kept


def _is_elsewhere(value: object, kept: set[Id], pages: set[Id]) -> bool:
    """Whether it is an annotation, a field, a page or a list of the document that these pages don't have."""
    if not isinstance(value, pikepdf.Dictionary) or not value.is_indirect:
        return False
    if str(value.get(Name.Type)) in _TYPES:
        return value.objgen not in pages
    is_annotation = Name.Subtype in value and Name.Rect in value
    is_field = Name.FT in value or (Name.T in value and (Name.Kids in value or Name.Parent in value))
    return (is_annotation or is_field) and value.objgen not in kept
