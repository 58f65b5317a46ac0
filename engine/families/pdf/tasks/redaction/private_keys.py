"""Application data under private keys of a PDF, which can't be searched."""

from __future__ import annotations

import itertools

import pikepdf
from pikepdf import Name

_STREAM = ("/Length", "/Filter", "/DecodeParms", "/DL", "/Type", "/Subtype", "/Name", "/StructParent", "/OC")
_KNOWN = {
    "/Form": frozenset({*_STREAM, "/FormType", "/BBox", "/Matrix", "/Resources", "/Group", "/StructParents"}),
    "/Image": frozenset(
        {
            *_STREAM, "/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Intent", "/ImageMask", "/Mask",
            "/Decode", "/Interpolate", "/SMask", "/SMaskInData",
        }
    ),
}  # fmt: skip
"""The entries that display a form or a picture (ISO 32000-1, tables 89 and 95)."""

_DOCUMENT = frozenset(
    {
        "/AA", "/AF", "/AcroForm", "/Collection", "/DPartRoot", "/DSS", "/Dests", "/Extensions", "/Lang", "/Legal",
        "/MarkInfo", "/Metadata", "/Names", "/NeedsRendering", "/OCProperties", "/OpenAction", "/Outlines",
        "/OutputIntents", "/PageLabels", "/PageLayout", "/PageMode", "/Pages", "/Perms", "/PieceInfo", "/Requirements",
        "/SpiderInfo", "/StructTreeRoot", "/Threads", "/Type", "/URI", "/Version", "/ViewerPreferences",
    }
)  # fmt: skip
_PAGE = frozenset(
    {
        "/AA", "/AF", "/Annots", "/ArtBox", "/B", "/BleedBox", "/BoxColorInfo", "/Contents", "/CropBox", "/DPart",
        "/Dur", "/Group", "/ID", "/LastModified", "/MediaBox", "/Metadata", "/OutputIntents", "/PZ", "/Parent",
        "/PieceInfo", "/PresSteps", "/Resources", "/Rotate", "/SeparationInfo", "/StructParents", "/Tabs",
        "/TemplateInstantiated", "/Thumb", "/TrimBox", "/Trans", "/Type", "/UserUnit", "/VP",
    }
)  # fmt: skip
_TRAILER = frozenset(
    {
        "/DecodeParms", "/Encrypt", "/Filter", "/ID", "/Index", "/Info", "/Length", "/Prev", "/Root", "/Size", "/Type",
        "/W", "/XRefStm",
    }
)  # fmt: skip
"""The entries of documents, pages and trailers (ISO 32000-2, tables 29, 31, 15, 17 and 19)."""


_ANNOTATION = frozenset(
    {
        "/3DA", "/3DB", "/3DD", "/3DI", "/3DU", "/3DV", "/A", "/AA", "/AF", "/AP", "/AS", "/BE", "/BM", "/BS",
        "/Border", "/C", "/CA", "/CL", "/CO", "/CP", "/Cap", "/Contents", "/CreationDate", "/DA", "/DR", "/DS", "/DV",
        "/Dest", "/ExData", "/F", "/FS", "/FT", "/Ff", "/FixedPrint", "/GEO", "/H", "/I", "/IC", "/IRT", "/IT",
        "/InkList", "/Kids", "/L", "/LE", "/LL", "/LLE", "/LLO", "/Lang", "/Lock", "/M", "/MK", "/MaxLen", "/Measure",
        "/Movie", "/NM", "/Name", "/OC", "/Open", "/Opt", "/OverlayText", "/P", "/PA", "/Parent", "/Path", "/Popup",
        "/Q", "/QuadPoints", "/RC", "/RD", "/RO", "/RT", "/RV", "/Rect", "/Repeat", "/RichMediaContent",
        "/RichMediaSettings", "/SV", "/Sound", "/State", "/StateModel", "/StructParent", "/Subj", "/Subtype", "/Sy",
        "/T", "/TI", "/TM", "/TU", "/Type", "/V", "/Vertices", "/ca",
    }
)  # fmt: skip
"""The entries of annotations and of the fields that they are (ISO 32000-2, 12.5 and 12.7)."""


def remove(pdf: pikepdf.Pdf) -> int:
    """Remove entries without effect from forms and pictures, and private ones (annex E) from all else.

    Returns how many.
    """
    removed = 0
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream):
            known = _KNOWN.get(str(each.get(Name.Subtype)))
            strange = [key for key in each.keys() if known and key not in known]  # noqa: SIM118  # it is no mapping
        elif isinstance(each, pikepdf.Dictionary):
            strange = [key for key in each.keys() if ":" in key]  # noqa: SIM118
        else:
            continue
        removed += len(strange)
        for key in strange:
            del each[key]
    return removed


def remove_from_document(pdf: pikepdf.Pdf) -> int:
    """Remove entries that the standard does not have from the document and its pages, and return how many."""
    holders = ((pdf.trailer, _TRAILER), (pdf.Root, _DOCUMENT), *((page.obj, _PAGE) for page in pdf.pages))
    return sum(_remove_others(holder, known) for holder, known in holders)


def remove_from_notes(pdf: pikepdf.Pdf) -> int:
    """Remove such entries from notes and fields on pages, and return how many."""
    notes = (page.obj.get(Name.Annots) for page in pdf.pages)
    every = itertools.chain.from_iterable(each for each in notes if isinstance(each, pikepdf.Array))
    return sum(_remove_others(each, _ANNOTATION) for each in every if isinstance(each, pikepdf.Dictionary))


def _remove_others(holder: pikepdf.Object, known: frozenset[str]) -> int:
    strange = [key for key in holder.keys() if key not in known]  # noqa: SIM118  # it is no mapping
    for key in strange:
        del holder[key]
    return len(strange)
