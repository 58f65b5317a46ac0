"""Make annotations (text boxes, stamps, filled fields) part of the page content."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.links_and_fields import Field, Link, links_of
from engine.families.pdf.pdfium import page_of
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MAX_ANNOTATIONS = 20_000
_LONGEST = 300
"""The maximum length of a reported comment."""

_DRAWN = (raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP)
_SIGNATURE = "Sig"
"""The field type of a signature (ISO 32000-1, table 220)."""

_UNSEEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_SILENT = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_XFAWIDGET)


@dataclass(slots=True)
class Annotations:
    """The annotations of a page: `links`, the texts of `comments`, the numbers of those `drawn` and of `others`."""

    links: list[Link]
    drawn: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


@contextmanager
def drawn_page(
    document: pypdfium2.PdfDocument, number: int, *, fields: bool
) -> Iterator[tuple[pypdfium2.PdfPage, Annotations]]:
    """The page `number`, counted from 0, with annotations, signatures and, if wanted, `fields` drawn into its content.

    Raises Unreadable for a damaged page.
    """
    with page_of(document, number) as page:
        found = _annotations(page, links_of(document, page), fields)
        if not _draw(page, found):
            yield page, found
            return
    # Flattened annotations only appear once the page is loaded again.
    with page_of(document, number) as page:
        yield page, found


def report_unseen_fields(fields: Iterable[Field], warn: Warn) -> None:
    """Report the fields that have a value but no appearance that could be drawn."""
    if unseen := [each.name for each in fields if each.value not in ("", "☐") and not each.has_appearance]:
        named = ", ".join(f"“{name[:40]}”" for name in list(dict.fromkeys(unseen))[:5])
        warn(
            "CONTENT_DROPPED",
            say(
                "The content of form fields without an appearance was left out: {count} ({named}).",
                count=len(unseen),
                named=named,
            ),
        )


def _annotations(page: pypdfium2.PdfPage, links: list[Link], fields: bool) -> Annotations:
    found = Annotations(links)
    kinds = (*_DRAWN, raw.FPDF_ANNOT_WIDGET) if fields else _DRAWN
    for at in range(min(raw.FPDFPage_GetAnnotCount(page.raw), MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, at)
        if not annotation:
            found.others.append(at)
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            seen = not raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN
            has_appearance = raw.FPDFAnnot_GetAP(annotation, raw.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None, 0) > 2
            # A signature has no value that could replace its appearance.
            is_drawn = seen and has_appearance and (kind in kinds or _text(annotation, b"FT") == _SIGNATURE)
            (found.drawn if is_drawn else found.others).append(at)
            if not is_drawn and seen and kind not in _SILENT and (text := _text(annotation, b"Contents")[:_LONGEST]):
                found.comments.append(text)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    return found


def _draw(page: pypdfium2.PdfPage, found: Annotations) -> bool:
    if not found.drawn:
        return False
    for at in reversed(found.others):
        raw.FPDFPage_RemoveAnnot(page.raw, at)
    return bool(raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS)


def _text(annotation: raw.FPDF_ANNOTATION, key: bytes) -> str:
    """The text of an annotation entry, on one line."""
    length = raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if not 2 < length < 1 << 20:
        return ""
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    raw.FPDFAnnot_GetStringValue(annotation, key, buffer, length)
    text = bytes(memoryview(buffer)[: length // 2 - 1]).decode("utf-16-le", "replace")
    return " ".join(text.split())


def report_comments(comments: list[str], warn: Warn) -> None:
    """Report the comments on pages, which are not in the output."""
    if comments:
        named = ", ".join(f"“{text[:60]}”" for text in list(dict.fromkeys(comments))[:5])
        warn(
            "COMMENTS_DROPPED",
            say("Comments on pages were left out: {count} ({named}).", count=len(comments), named=named),
        )
