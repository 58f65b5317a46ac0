"""Finish PlutoPrint's PDF: outline, title, page selection and dates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pikepdf

from engine.families.html_pdf.page_choice import kept
from engine.families.html_pdf.plutoprint import output
from engine.families.html_pdf.plutoprint.clusters import searchable

_DATE = "D:20000101000000+00'00'"
_FIELDS = {"author": "/Author", "subject": "/Subject", "keywords": "/Keywords"}


@dataclass(frozen=True)
class Heading:
    """A heading: its level from 1, its text, and the name of its position."""

    level: int
    text: str
    place: str


def finish(
    source: BinaryIO,
    target: Path,
    *,
    title: str,
    language: str | None,
    metadata: Mapping[str, str],
    headings: Sequence[Heading],
    ranges: str | None,
    producer: str,
    written: Mapping[str, str],
    drawn: Set[str],
    mend: Callable[[pikepdf.Pdf], None] | None = None,
    conform: Callable[[pikepdf.Pdf], None] | None = None,
) -> None:
    """Write the PDF to `target`; `written` maps its private characters to text, and `drawn` are emoji in its drawings.

    `mend` is applied first, and `conform` when the pages, their metadata and the outline are there.

    Raises InvalidOption for pages that do not exist.
    """
    with output.opened(source) as pdf:
        if mend is not None:
            mend(pdf)
        pdf.docinfo = pdf.make_indirect(pikepdf.Dictionary())
        info = pdf.docinfo
        info["/Producer"] = producer
        info["/CreationDate"] = info["/ModDate"] = _DATE
        if title:
            info["/Title"] = title
            pdf.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        for name, key in _FIELDS.items():
            if metadata.get(name):
                info[key] = metadata[name]
        if language:
            pdf.Root.Lang = language
        if ranges:
            kept(pdf, ranges)
        _outline(pdf, headings)
        searchable(pdf, written, drawn)
        if conform is not None:
            conform(pdf)
        pdf.save(
            target,
            min_version="1.7" if conform is not None else "",
            deterministic_id=True,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            compress_streams=True,
        )


def _outline(pdf: pikepdf.Pdf, headings: Sequence[Heading]) -> None:
    places = destinations(pdf) if headings else {}
    pages = {page.obj.objgen for page in pdf.pages}
    shown = [each for each in headings if each.place in places and places[each.place][0].objgen in pages]
    if not shown:
        return
    with pdf.open_outline() as outline:
        open_ones: list[tuple[int, pikepdf.OutlineItem]] = []
        for each in shown:
            item = pikepdf.OutlineItem(each.text, pikepdf.Array(list(places[each.place])))
            while open_ones and open_ones[-1][0] >= each.level:
                open_ones.pop()
            (open_ones[-1][1].children if open_ones else outline.root).append(item)
            open_ones.append((each.level, item))
    pdf.Root.PageMode = pikepdf.Name.UseOutlines


def destinations(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """The document's named destinations (ISO 32000-1, 12.3.2.3) by name."""
    found: dict[str, Any] = {}
    if "/Dests" in pdf.Root:
        found.update({name[1:]: value for name, value in pdf.Root.Dests.items()})
    names = pdf.Root.get("/Names")
    if names is not None and "/Dests" in names:
        found.update({str(name): value for name, value in pikepdf.NameTree(names["/Dests"]).items()})
    places = {}
    for name, value in found.items():
        place = value.get("/D") if isinstance(value, pikepdf.Dictionary) else value
        if isinstance(place, pikepdf.Array) and len(place) and isinstance(place[0], pikepdf.Dictionary):
            places[str(name)] = place
    return places
