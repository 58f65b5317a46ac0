"""Clean a PDF of what its pages don't show: metadata, attachments, scripts, hidden layers, notes and fields."""

from __future__ import annotations

import re
from collections.abc import Callable

import pikepdf
from pikepdf import Name, sanitize

from engine.families.pdf.contents import streams_of
from engine.families.pdf.reached import dictionaries
from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import forms, hidden_layers, picture_metadata, unplaced_fields, unseen_parts
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.toolkit.warnings import Kind, Warn

_ATTACHED = Kind("CONTENT_DROPPED", "Attachments that were removed: {count}{places}.", counts="attachments")
_SCRIPTS = Kind("SCRIPT_REMOVED", "Scripts that were removed: {count}{places}.")
_LAYERS = Kind("CONTENT_DROPPED", "Hidden layers that were removed: {count}{places}.")
_NOTES = Kind("CONTENT_DROPPED", "Hidden notes and form fields that were removed: {count}{places}.")
_AUTHORS = Kind("METADATA_DROPPED", "Notes whose author and dates were removed: {count}{places}.")
_INVISIBLE = Kind(
    "TEXT_NOT_SHOWN", "Pages that keep invisible text, such as text recognition adds to scans: {count}{places}."
)
_HIDDEN, _PRINTED, _UNSEEN = 0b10, 0b100, 0b100000
"""Annotation flags (ISO 32000-1, table 165): Hidden, Print, NoView."""
_INVISIBLE_TEXT = re.compile(rb"(?<![\d.])[37]\s+Tr\b")
"""The text rendering modes that neither fill nor stroke (ISO 32000-1, table 106)."""
_MAX_DEPTH = 12


def clean(pdf: pikepdf.Pdf, warn: Warn) -> bool:
    """Remove all of it in place, and count it in warnings; invisible text, which makes scans searchable, is named.

    Returns whether pages may have lost words, with their hidden layers.
    """
    remove_metadata(pdf)
    picture_metadata.remove(pdf, warn)
    warn.tally(_ATTACHED, _remove_attachments(pdf))
    warn.tally(_SCRIPTS, _remove_scripts(pdf))
    hidden = hidden_layers.Hidden.of(pdf)
    warn.tally(_LAYERS, len(hidden.layers))
    notes = _remove_notes(pdf, lambda note, page: _is_hidden(note, page) or hidden.has(note.get(Name.OC)))
    warn.tally(_NOTES, notes + unplaced_fields.remove(pdf))
    hidden_layers.remove(pdf, hidden)
    warn.tally(_AUTHORS, _remove_authors(pdf))
    unseen_parts.remove(pdf, warn)
    warn.tally(_INVISIBLE, _pages_with_invisible_text(pdf))
    return bool(hidden.layers)


def remove_metadata(pdf: pikepdf.Pdf) -> None:
    """Remove the metadata of the document and of its parts, thumbnails, and private application data."""
    for holder in pdf.objects:
        if isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
            for name in (Name.Metadata, Name.PieceInfo, Name.Thumb, Name.LastModified):
                if name in holder:
                    del holder[name]
            usage = holder.get(Name.Usage)
            if (
                holder.get(Name.Type) == Name.OCG
                and isinstance(usage, pikepdf.Dictionary)
                and Name.CreatorInfo in usage
            ):
                del usage[Name.CreatorInfo]
    parts = Name.DPartRoot in pdf.Root
    for holder in dictionaries(pdf):
        if parts and Name.DPM in holder:
            del holder[Name.DPM]
        if holder.get(Name.O) == Name.UserProperties and Name.P in holder:
            holder[Name.P] = pikepdf.Array()  # entries of a program (ISO 32000-1, 14.7.6.4)
    articles = pdf.Root.get(Name.Threads)
    for each in articles if isinstance(articles, pikepdf.Array) else ():
        if isinstance(each, pikepdf.Dictionary) and Name.I in each:
            del each[Name.I]  # its author and title (ISO 32000-1, 12.4.3)
    layers = pdf.Root.get(Name.OCProperties)
    for each in [layers.get(Name.D), *layers.get(Name.Configs, ())] if isinstance(layers, pikepdf.Dictionary) else ():
        if isinstance(each, pikepdf.Dictionary) and Name.Creator in each:
            del each[Name.Creator]
    if Name.Info in pdf.trailer:
        del pdf.trailer[Name.Info]
    if Name.ID in pdf.trailer and not pdf.is_encrypted:  # otherwise the key is made of it
        del pdf.trailer[Name.ID]
    sanitize.remove_search_index(pdf)
    sanitize.remove_web_capture(pdf)
    sanitize.remove_collection(pdf)


def _remove_attachments(pdf: pikepdf.Pdf) -> int:
    named = len(pdf.attachments)
    notes = _remove_notes(pdf, lambda note, _: note.get(Name.Subtype) == Name.FileAttachment)
    sanitize.remove_attachments(pdf)
    files = _remove_named_files(pdf)
    for holder in dictionaries(pdf):
        if Name.EF in holder and str(holder.get(Name.Type)) in ("/Filespec", "/F", "None"):
            del holder[Name.EF]
            files += 1
    return max(named + notes, files)


def _remove_named_files(pdf: pikepdf.Pdf) -> int:
    """Remove the names of files that belong to a part, and return how many have no content."""
    removed = 0
    for holder in dictionaries(pdf):
        named = holder.get(Name.AF)
        if isinstance(named, pikepdf.Array):
            removed += sum(isinstance(each, pikepdf.Dictionary) and Name.EF not in each for each in named)
        if named is not None:
            del holder[Name.AF]
    return removed


def _remove_scripts(pdf: pikepdf.Pdf) -> int:
    before = _scripts(pdf)
    sanitize.remove_javascript(pdf)
    for holder in dictionaries(pdf):  # those that the library does not reach, such as of rendition actions
        if Name.JS in holder:
            del holder[Name.JS]
    return before


def _scripts(pdf: pikepdf.Pdf) -> int:
    return sum(Name.JS in holder for holder in dictionaries(pdf))


def _notes_of(page: pikepdf.Page) -> list[pikepdf.Object]:
    found = page.obj.get(Name.Annots)
    return [each for each in found if isinstance(each, pikepdf.Dictionary)] if isinstance(found, pikepdf.Array) else []


def _remove_notes(pdf: pikepdf.Pdf, goes: Callable[[pikepdf.Object, pikepdf.Page], bool]) -> int:
    """Remove annotations, with their pop-ups and fields, and what refers to them; return how many."""
    notes = [(each, page) for page in pdf.pages for each in _notes_of(page) if each.get(Name.Subtype) != Name.Popup]
    gone = {each.objgen for each, page in notes if each.is_indirect and goes(each, page)}
    removed = 0
    for page in pdf.pages:
        kept = []
        for each in _notes_of(page):
            parent = each.get(Name.Parent) if each.get(Name.Subtype) == Name.Popup else None
            if isinstance(parent, pikepdf.Dictionary) and parent.objgen in gone:
                continue
            if parent is None and each.get(Name.Subtype) != Name.Popup and goes(each, page):
                removed += 1
                continue
            if _id_of(each.get(Name.IRT)) in gone:
                del each[Name.IRT]
            kept.append(each)
        if len(kept) < len(_notes_of(page)):
            page.obj[Name.Annots] = pikepdf.Array(kept)
    forms.drop_fields(pdf, gone)
    return removed


def _id_of(value: object) -> Id:
    return value.objgen if isinstance(value, pikepdf.Dictionary) else (0, 0)


def _is_hidden(note: pikepdf.Object, page: pikepdf.Page) -> bool:
    flags = int(note.get(Name.F, 0))
    if flags & _HIDDEN or (flags & _UNSEEN and not flags & _PRINTED):
        return True
    return note.get(Name.Subtype) == Name.Widget and not unplaced_fields.has_place(note, page)


def _remove_authors(pdf: pikepdf.Pdf) -> int:
    """Remove the authors, dates and identifiers of annotations; an author's entry is the name of a field."""
    changed = 0
    for page in pdf.pages:
        for each in _notes_of(page):
            named = () if each.get(Name.Subtype) == Name.Widget else (Name.T,)
            about = [name for name in (*named, Name.M, Name.CreationDate) if name in each]
            for name in about:
                del each[name]
            if Name.NM in each:
                del each[Name.NM]
            changed += bool(about) and each.get(Name.Subtype) != Name.Popup
    return changed


def _pages_with_invisible_text(pdf: pikepdf.Pdf) -> int:
    known: dict[Id, bool] = {}

    def has(streams: list[pikepdf.Object], resources: object, depth: int) -> bool:
        if any(map(_has_invisible_text, streams)):
            return True
        objects = resources.get(Name.XObject) if isinstance(resources, pikepdf.Dictionary) else None
        for _, form in objects.items() if isinstance(objects, pikepdf.Dictionary) and depth < _MAX_DEPTH else ():
            if isinstance(form, pikepdf.Stream) and form.get(Name.Subtype) == Name.Form:
                if form.objgen not in known:
                    known[form.objgen] = False  # a recursive form shows nothing more
                    known[form.objgen] = has([form], form.get(Name.Resources), depth + 1)
                if known[form.objgen]:
                    return True
        return False

    return sum(has(streams_of(page.obj), page.resources, 0) for page in pdf.pages)


def _has_invisible_text(stream: pikepdf.Object) -> bool:
    try:
        return bool(_INVISIBLE_TEXT.search(stream.read_bytes()))
    except DAMAGED:
        return False
