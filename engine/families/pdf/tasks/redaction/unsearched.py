"""Parts of a PDF that can't be searched: attachments, sound, scripts, XFA, unknown objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Name, sanitize

from engine.families.pdf.name_text import name_of, text_of
from engine.families.pdf.reached import dictionaries
from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.redaction.terms import Wanted
from engine.toolkit.warnings import Warn

_MEDIA = frozenset({"/FileAttachment", "/Sound", "/Movie", "/Screen", "/RichMedia", "/3D", "/Projection"})
"""Annotations that hold files (ISO 32000-2, 12.5.6)."""

_FILES = (Name.EF, Name.RF)
_TREES = (Name.Templates, Name.Renditions, Name.AlternatePresentations)
_TEXTS = frozenset({"/V", "/DV", "/RV", "/RC", "/JS", "/XFA", "/Contents"})
"""Entries that are a text string or text stream (ISO 32000-1, 7.9.3)."""

_SUBTYPES = frozenset({"/Form", "/Image", "/Type1C", "/CIDFontType0C", "/OpenType", "/XML"})
_TYPES = frozenset({"/CMap", "/Halftone", "/Metadata", "/ObjStm", "/Pattern", "/XObject", "/XRef"})
_MARKS = (Name.FunctionType, Name.HalftoneType, Name.PatternType, Name.ShadingType, Name.Length1)
_HOLDERS = frozenset(
    {
        "/CIDSet", "/CIDToGIDMap", "/CharProcs", "/ColorSpace", "/Contents", "/DestOutputProfile", "/Encoding",
        "/FontFile", "/FontFile2", "/FontFile3", "/Function", "/JBIG2Globals", "/Mask", "/SMask", "/ToUnicode",
        "/TR", "/TR2", "/BG", "/BG2", "/UCR", "/UCR2", "/UseCMap",
    }
)  # fmt: skip
"""Entries whose streams are needed to show a page, whatever type they declare."""

_USUAL = frozenset(
    {"/Author", "/CreationDate", "/Creator", "/Keywords", "/ModDate", "/Producer", "/Subject", "/Title", "/Trapped"}
)
"""Names that reveal nothing about a document (ISO 32000-1, table 317)."""


def remove(pdf: pikepdf.Pdf, wanted: Wanted, warn: Warn) -> None:
    """Remove all of it; parts of unknown kinds only where they match."""
    warn.account("attachments", len(pdf.attachments))
    files = _remove_files(pdf)
    if files:
        warn("CONTENT_DROPPED", "Attachments were removed, because they can't be searched.")
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary) and Name.XFA in form:
        del form[Name.XFA]
        warn("CONTENT_DROPPED", "An XFA form was removed, because it can't be searched.")
    resources = form.get(Name.DR) if isinstance(form, pikepdf.Dictionary) else None
    if isinstance(resources, pikepdf.Dictionary) and Name.XObject in resources:
        del resources[Name.XObject]  # appearances that viewers make name fonts only
    sanitize.remove_javascript(pdf)
    sanitize.remove_multimedia(pdf)
    sanitize.remove_search_index(pdf)
    sanitize.remove_web_capture(pdf)
    sanitize.remove_collection(pdf)
    _remove_names(pdf, wanted)
    _remove_strange(pdf, wanted)


def _remove_names(pdf: pikepdf.Pdf, wanted: Wanted) -> None:
    """Remove matching names of places, document information, drawings and plates, and what leads to these places."""
    for holder in (pdf.Root.get(Name.Dests), pdf.trailer.get(Name.Info)):
        if isinstance(holder, pikepdf.Dictionary):
            for key in [key for key in holder.keys() if key not in _USUAL and wanted.named_in(text_of(key))]:  # noqa: SIM118
                gone: Any = name_of(key)
                del holder[gone]
    for holder in dictionaries(pdf):
        for name in (Name.Dest, Name.D):
            place = holder.get(name)
            if _is_named(place, wanted):
                del holder[name]
        if isinstance(holder, pikepdf.Stream) and _is_named(holder.get(Name.Name), wanted):
            del holder[Name.Name]
        plate = holder.get(Name.SeparationInfo)
        if isinstance(plate, pikepdf.Dictionary) and _is_named(plate.get(Name.DeviceColorant), wanted):
            del holder[Name.SeparationInfo]


def _is_named(name: object, wanted: Wanted) -> bool:
    return isinstance(name, Name) and wanted.named_in(text_of(name))


def _remove_files(pdf: pikepdf.Pdf) -> bool:
    found = bool(len(pdf.attachments))
    sanitize.remove_attachments(pdf)
    names = pdf.Root.get(Name.Names)
    if isinstance(names, pikepdf.Dictionary):
        for name in _TREES:
            if name in names:
                del names[name]
    for page in pdf.pages:
        annotations = page.obj.get(Name.Annots)
        if isinstance(annotations, pikepdf.Array):
            kept = [
                each
                for each in annotations
                if not (isinstance(each, pikepdf.Dictionary) and str(each.get(Name.Subtype)) in _MEDIA)
            ]
            if len(kept) < len(annotations):
                page.obj[Name.Annots] = pikepdf.Array(kept)
                found = True
    for holder in dictionaries(pdf):
        for name in _FILES:
            if name in holder and str(holder.get(Name.Type)) in ("/Filespec", "/F", "None"):
                del holder[name]
                found = True
    return found


def _remove_strange(pdf: pikepdf.Pdf, wanted: Wanted) -> None:
    """Empty matching streams of unknown kinds, and remove the texts in their dictionaries."""
    held = set[Id]()
    named = set[Id]()
    for holder in dictionaries(pdf):
        for key in holder.keys():  # noqa: SIM118  # it is no mapping
            value = holder[key]
            if isinstance(value, pikepdf.Stream) and key in _TEXTS and holder.get(Name.Type) != Name.Page:
                named.add(value.objgen)
            elif key in _HOLDERS:
                held |= {each.objgen for each in _streams(value)}
    for each in pdf.objects:
        if isinstance(each, pikepdf.Array) and len(each) and str(each[0]) in ("/ICCBased", "/Indexed"):
            held |= {one.objgen for one in _streams(each)}
    for each in pdf.objects:
        if not isinstance(each, pikepdf.Stream) or (each.objgen not in named and (each.objgen in held or _known(each))):
            continue
        if any(wanted.found_in(text) for text in _readings(each)):
            each.write(b"")


def _known(stream: pikepdf.Object) -> bool:
    return (
        str(stream.get(Name.Subtype)) in _SUBTYPES
        or str(stream.get(Name.Type)) in _TYPES
        or any(mark in stream for mark in _MARKS)
        or (Name.N in stream and Name.Alternate in stream)
    )


def _readings(stream: pikepdf.Object) -> Iterator[str]:
    try:
        data = bytes(stream.read_bytes())
    except DAMAGED:
        data = bytes(stream.read_raw_bytes())
    for encoding in ("utf-8", "cp1252", "utf-16-be", "utf-16-le"):
        yield data.decode(encoding, "replace")


def _streams(value: Any) -> Iterator[pikepdf.Object]:
    """The streams in an entry, including those in nested arrays and dictionaries."""
    waiting = [value]
    for _ in range(10_000):
        if not waiting:
            return
        now = waiting.pop()
        if isinstance(now, pikepdf.Stream):
            yield now
        elif isinstance(now, pikepdf.Array):
            waiting += list(now)
        elif isinstance(now, pikepdf.Dictionary) and not now.is_indirect:
            waiting += [now[key] for key in now.keys()]  # noqa: SIM118
