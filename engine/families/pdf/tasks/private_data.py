"""Invisible application data in PDFs: histories, thumbnails, separations, originals."""

from __future__ import annotations

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import DAMAGED
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_PARTS = (Name.Image, Name.Form)
_ABOUT_THE_DOCUMENT = frozenset(
    {
        "http://purl.org/dc/elements/1.1/",
        "http://ns.adobe.com/xap/1.0/",
        "http://ns.adobe.com/xap/1.0/rights/",
        "http://ns.adobe.com/pdf/1.3/",
    }
)
"""The namespaces of the document's user-visible metadata."""

_STANDARDS = "http://www.aiim.org/"
"""Prefixes of namespaces that declare a document as archival or accessible."""

_PICTURE_OF_IT = "{http://ns.adobe.com/xap/1.0/}Thumbnails"
_USUAL_METADATA = 3_000
"""The size in bytes below which metadata is not worth reducing."""


def drop(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Remove it (ISO 32000-1, 14.5), and report what was found in one warning."""
    found = [_drop_of_parts(pdf), _drop_history(pdf), _drop_profiles(pdf), _drop_original(pdf)]
    named = [each for each in found if each]
    if named:
        warn("METADATA_DROPPED", say("Private data of other programs was removed: {named}.", named="; ".join(named)))


def _drop_of_parts(pdf: pikepdf.Pdf) -> str:
    dropped = False
    holders = [pdf.Root, *(page.obj for page in pdf.pages)]
    holders += [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get(Name.Subtype) in _PARTS]
    for holder in holders:
        for name in (Name.PieceInfo, Name.Thumb, Name.Metadata):
            if name in holder and (name != Name.Metadata or holder.objgen != pdf.Root.objgen):
                del holder[name]
                dropped = True
    return "metadata of pictures and pages" if dropped else ""


def _drop_history(pdf: pikepdf.Pdf) -> str:
    """Keep the user-visible part of the document's metadata, without padding."""
    stream = pdf.Root.get(Name.Metadata)
    if not isinstance(stream, pikepdf.Stream) or len(stream.read_bytes()) < _USUAL_METADATA:
        return ""
    try:
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as about:
            foreign = [key for key in list(about) if key == _PICTURE_OF_IT or not _is_about_the_document(key)]
            for key in foreign:
                del about[key]
    except (*DAMAGED, SyntaxError):
        return ""  # unparseable: it stays
    return "the history of the document" if foreign else ""


def _is_about_the_document(key: str) -> bool:
    namespace = key[1:].partition("}")[0]
    return namespace in _ABOUT_THE_DOCUMENT or namespace.startswith(_STANDARDS)


def _drop_profiles(pdf: pikepdf.Pdf) -> str:
    """Remove the output profiles of a press, which screens do not show; those of PDF/A must stay."""
    if Name.OutputIntents not in pdf.Root:
        return ""
    intents = pdf.Root[Name.OutputIntents]
    if any(each.get(Name.S) == Name.GTS_PDFA1 for each in intents):
        return ""
    del pdf.Root[Name.OutputIntents]
    return "the profile of a press"


def _drop_original(pdf: pikepdf.Pdf) -> str:
    """Remove the source document that LibreOffice embeds in a "hybrid" file."""
    if "/AdditionalStreams" not in pdf.trailer:
        return ""
    del pdf.trailer["/AdditionalStreams"]
    return "the document that the pages were made from"
