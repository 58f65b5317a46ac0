"""Compare the pages of a finished PDF with their originals: first their objects, then their rendering and text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf
import pypdfium2
import pypdfium2.raw as raw
from pikepdf import Name

from engine.families.pdf import drawing_cost, read, saving
from engine.families.pdf.pdfium import document_of, page_of
from engine.families.pdf.unchanged import appearance, differences, words
from engine.families.pdf.unchanged.differences import Changed
from engine.families.pdf.unchanged.intended import Intended
from engine.toolkit.failures import OverLimit, Unreadable

_FEWEST, _SHARE, _MOST = 2, 24, 24
"""Pages that are rendered, of those whose objects differ: one in `_SHARE`, within these bounds.

Rendering and reading a page of text twice takes 8 ms of processor time; subsetting its fonts takes 2 to 4.
"""

_HEAVIEST = 2_000_000
"""Bytes of content streams of a page that is rendered; PDFium takes half a second for as many, twice."""

_MOST_PIXELS = 40_000_000
"""Pixels of the pictures of a page that is rendered; A4 at 600 pixels per inch has 35 million."""


@dataclass
class Found:
    """Differences: pages of the result, from 0, that look different, and words missing from and new on pages.

    `changed` counts the pages whose objects differ, `compared` those of them that were rendered and read.
    """

    pages: list[int] = field(default_factory=list)
    gone: dict[int, list[str]] = field(default_factory=dict)
    new: dict[int, list[str]] = field(default_factory=dict)
    changed: int = 0
    compared: int = 0

    @property
    def wrong(self) -> list[int]:
        """The pages that look or read differently."""
        return sorted({*self.pages, *self.gone, *self.new})


def compare(
    source: Path, target: Path, password: str | None, intended: Intended, only: Sequence[int] | None = None
) -> Found:
    """Compare the pages of `target` with those of `source`, which `password` opens, beyond what is `intended`.

    Only the pages in `only`, if given, are compared. Raises Unreadable if the result can't be read.
    """
    its_password = password if intended.password is None else intended.password
    with read.opened(source, password) as before, read.opened(target, its_password) as after, read.reading():
        pages = range(len(before.pages)) if intended.pages is None else intended.pages
        if len(pages) != len(after.pages):
            raise Unreadable("The PDF is damaged: pages are missing.", reason="damaged")
        changed = differences.changed(before, after, pages)
        if only is not None:
            changed = [each for each in changed if each.number in only]
        found = Found(changed=len(changed))
        if not changed:
            return found
        chosen = _chosen(changed) if only is None else changed
        chosen = [each for each in chosen if _is_light(before, pages[each.number]) and _is_light(after, each.number)]
        loose = {each.number for each in chosen if _is_loose(after.pages[each.number])}
        boxes = {each.number: [float(side) for side in after.pages[each.number].cropbox] for each in chosen}
        damaged = bool(read.damage(before))
        if damaged:
            # Readers repair damage differently: compare with the document as it was read here.
            source = target.with_name("mended.pdf")
            saving.save(before, source)
    try:
        with (
            document_of(source, password, last=0) as mine,
            document_of(target, its_password, last=0) as its,
        ):
            for document in (mine, its):
                document.init_forms()  # otherwise fields are not rendered
            for each in chosen:
                box = boxes[each.number] if intended.clipped else None
                _one(mine, its, pages[each.number], each.number, intended, each.number in loose, box, found)
    finally:
        if damaged:
            source.unlink()
    return found


def _chosen(changed: list[Changed]) -> list[Changed]:
    """Choose pages that together have as many of the changed parts as possible, and others evenly spread."""
    count = min(len(changed), max(_FEWEST, min(_MOST, len(changed) // _SHARE)))
    chosen: dict[int, Changed] = {}
    covered: set[differences.Id] = set()
    for each in changed:
        if len(chosen) < count and not each.parts <= covered:
            chosen[each.number] = each
            covered |= each.parts
    rest = [each for each in changed if each.number not in chosen]
    wanted = count - len(chosen)
    for at in range(wanted):
        each = rest[at * len(rest) // wanted]
        chosen[each.number] = each
    return sorted(chosen.values(), key=lambda each: each.number)


def _is_light(pdf: pikepdf.Pdf, number: int) -> bool:
    try:
        if drawing_cost.weight(pdf, number) > _HEAVIEST:
            return False
        return differences.pixels_of(pdf.pages[number]) <= _MOST_PIXELS
    except (OverLimit, *read.DAMAGED):
        return False


def _is_loose(page: pikepdf.Page) -> bool:
    """Return whether a page may paint pictures at unknown positions: in patterns, masks, glyphs or annotations."""
    placed = set[differences.Id]()
    waiting: list[pikepdf.Object] = [page.resources]
    while waiting:
        objects = waiting.pop().get(Name.XObject)
        for each in dict(objects.items()).values() if isinstance(objects, pikepdf.Dictionary) else ():
            if isinstance(each, pikepdf.Stream) and each.objgen not in placed:
                placed.add(each.objgen)
                masks = (each.get(key) for key in (Name.SMask, Name.Mask))
                placed |= {mask.objgen for mask in masks if isinstance(mask, pikepdf.Stream)}
                if isinstance(each.get(Name.Resources), pikepdf.Dictionary):
                    waiting.append(each[Name.Resources])
    return any(each.objgen not in placed for each in differences.pictures(page))


def _one(
    before: pypdfium2.PdfDocument,
    after: pypdfium2.PdfDocument,
    own: int,
    number: int,
    intended: Intended,
    loose: bool,
    box: list[float] | None,
    found: Found,
) -> None:
    """Render and read page `own` of the input and page `number` of the result."""
    with _page(before, own, box) as mine, _page(after, number, None) as its:
        if mine is None:
            return
        found.compared += 1
        if its is None or not appearance.alike(
            mine,
            its,
            turned=intended.turned.get(number, 0),
            areas=intended.areas.get(number, ()),
            quality=intended.quality,
            everywhere=loose,
        ):
            found.pages.append(number)
        if its is None:
            return
        try:
            was, now = words.text_of(mine), words.text_of(its)
        except OverLimit:  # its text takes too long to read
            found.compared -= 1
            return
        if not intended.removed and (gone := words.surplus(was, now)):
            found.gone[number] = gone
        if not intended.added and not intended.clipped and (new := words.surplus(now, was)):
            found.new[number] = new


@contextmanager
def _page(document: pypdfium2.PdfDocument, number: int, box: list[float] | None) -> Iterator[pypdfium2.PdfPage | None]:
    """Yield a page, cropped to a box; None if it can't be read."""
    try:
        if number >= len(document):
            raise Unreadable("The PDF is damaged: pages are missing.", reason="damaged")
        if box is not None:
            with page_of(document, number) as page:
                raw.FPDFPage_SetCropBox(page.raw, *box)
        opened = page_of(document, number)
        page = opened.__enter__()
    except Unreadable:
        yield None
        return
    try:
        yield page
    finally:
        page.close()
