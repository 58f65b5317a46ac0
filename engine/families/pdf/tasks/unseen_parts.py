"""Remove what is beside the pages of a PDF: templates, undrawn forms, other pictures, XFA and private entries."""

from __future__ import annotations

from collections.abc import Iterator, Set

import pikepdf
from pikepdf import Name

from engine.families.pdf.reached import dictionaries
from engine.families.pdf.tasks import unused_resources
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.entry_changes import Changes
from engine.families.pdf.tasks.redaction import private_keys
from engine.toolkit.warnings import Kind, Warn

_TEMPLATES = Kind("CONTENT_DROPPED", "Template pages, which are not shown, that were removed: {count}{places}.")
_NAMED = Kind("CONTENT_DROPPED", "Named objects for scripts and other programs that were removed: {count}{places}.")
_VERSIONS = Kind("CONTENT_DROPPED", "Other versions of pictures that were removed: {count}{places}.")
_UNDRAWN = Kind("CONTENT_DROPPED", "Drawings and pictures on no page that were removed: {count}{places}.")
_XFA = Kind("CONTENT_DROPPED", "XFA forms that were removed: {count}{places}.")
_PRIVATE = Kind("METADATA_DROPPED", "Private entries of other programs that were removed: {count}{places}.")
_PRIVATE_KEYS = (private_keys.remove, private_keys.remove_from_document, private_keys.remove_from_notes)
_DRAWN = ("/Form", "/Image")
_MOST_NESTED = 40


def remove(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Remove all of it in place, and count it in warnings."""
    names = pdf.Root.get(Name.Names)
    if isinstance(names, pikepdf.Dictionary):
        warn.tally(_TEMPLATES, _remove_named(names, {"/Templates"}))
        _remove_named(names, {"/Pages"})  # of pages, which stay
        warn.tally(_NAMED, _remove_named(names, {*names.keys()} - {"/Dests"}))
    warn.tally(_VERSIONS, _remove_versions(pdf))
    warn.tally(_XFA, _remove_xfa(pdf))
    warn.tally(_PRIVATE, sum(remove(pdf) for remove in _PRIVATE_KEYS))
    warn.tally(_UNDRAWN, _remove_undrawn(pdf))


def _remove_named(names: pikepdf.Object, trees: Set[str]) -> int:
    """Remove name trees (ISO 32000-1, 7.7.4), and return how many values they had."""
    count = 0
    for tree in trees & {*names.keys()}:
        count += sum(1 for _ in _values(names[tree], 0))
        del names[tree]
    return count


def _values(node: object, depth: int) -> Iterator[object]:
    """The values of a name tree."""
    if not isinstance(node, pikepdf.Dictionary) or depth > _MOST_NESTED:
        return
    named, kids = node.get(Name.Names), node.get(Name.Kids)
    yield from list(named)[1::2] if isinstance(named, pikepdf.Array) else ()
    for each in kids if isinstance(kids, pikepdf.Array) else ():
        yield from _values(each, depth + 1)


def _remove_versions(pdf: pikepdf.Pdf) -> int:
    """Remove alternates of pictures, and the files of a press that they stand for (ISO 32000-1, 8.9.5.4, 14.11.7)."""
    removed = 0
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and str(each.get(Name.Subtype)) in _DRAWN:
            others = each.get(Name.Alternates)
            removed += len(others) if isinstance(others, pikepdf.Array) else 0
            removed += Name.OPI in each
            for name in (Name.Alternates, Name.OPI):
                if name in each:
                    del each[name]
    return removed


def _remove_xfa(pdf: pikepdf.Pdf) -> int:
    form = pdf.Root.get(Name.AcroForm)
    if not isinstance(form, pikepdf.Dictionary) or Name.XFA not in form:
        return 0
    del form[Name.XFA]
    return 1


def _remove_undrawn(pdf: pikepdf.Pdf) -> int:
    before = set(_drawn(pdf))
    unused_resources.remove(pdf, list(pdf.pages), Changes())
    form = pdf.Root.get(Name.AcroForm)
    resources = form.get(Name.DR) if isinstance(form, pikepdf.Dictionary) else None
    if isinstance(resources, pikepdf.Dictionary) and Name.XObject in resources:
        del resources[Name.XObject]  # appearances that viewers make name fonts only
    return len(before - set(_drawn(pdf)))


def _drawn(pdf: pikepdf.Pdf) -> Iterator[Id]:
    """The forms and pictures in resources."""
    for holder in dictionaries(pdf):
        found = holder.get(Name.XObject)
        for each in found.values() if isinstance(found, pikepdf.Dictionary) else ():
            if isinstance(each, pikepdf.Stream):
                yield each.objgen
