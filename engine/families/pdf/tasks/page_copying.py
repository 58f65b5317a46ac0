"""Copy pages between PDFs with their links, bookmarks, layers, form fields and named destinations."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import copied_layers
from engine.families.pdf.tasks.copied_destinations import Destinations, named_places, place_of
from engine.families.pdf.tasks.copied_fields import Fields, calculated
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_MAX_BOOKMARKS = 50_000
_MAX_DEPTH = 50


@dataclass(frozen=True)
class Bookmark:
    """A bookmark as it is read, the id of the page that it leads to, and how that is shown."""

    title: str
    page: Id | None
    view: list[Any]
    is_closed: bool
    children: list[Bookmark]


class Original:
    """A PDF that pages are copied from: what is read of it once, however often that is."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf

    @functools.cached_property
    def form(self) -> pikepdf.AcroForm:
        return self.pdf.acroform

    @functools.cached_property
    def calculated(self) -> dict[Id, int]:
        return calculated(self.pdf)

    @functools.cached_property
    def places(self) -> pikepdf.NameTree | None:
        return named_places(self.pdf)

    def bookmarks(self, warn: Warn) -> list[Bookmark]:
        """All bookmarks; none, with a warning, if they are damaged or too many."""
        if self._bookmarks is None:
            self._bookmarks = _bookmarks(self.pdf, self.places, warn)
        return self._bookmarks

    _bookmarks: list[Bookmark] | None = None


class Copies:
    """A PDF that pages are copied to: which names of fields and destinations it has."""

    def __init__(self, target: pikepdf.Pdf) -> None:
        self._target = target
        self._fields = Fields(target)
        self._destinations = Destinations(target)

    def add(self, source: Original, numbers: Sequence[int], warn: Warn) -> list[pikepdf.OutlineItem]:
        """Append pages, counted from 0, and return the bookmarks of `source` that lead to them, ready for the target.

        Links between these pages stay, links to others are removed and reported.
        """
        target, pages = self._target, source.pdf.pages
        first = len(target.pages)
        for number in numbers:
            target.pages.append(pages[number])
        copied_layers.add(target, source.pdf, numbers)
        copied_pages = zip(numbers, itertools.count(first), strict=False)
        renamed = self._fields.add(source.pdf, source.form, source.calculated, copied_pages)
        if renamed:
            text = say(
                "Form fields of the same name were renamed: {renamed_fields}.", renamed_fields=", ".join(renamed[:5])
            )
            warn("CONTENT_DROPPED", text)
        copied = [target.pages[first + at] for at in range(len(numbers))]
        # A page that comes more than once is that of its first copy.
        places = {pages[number].obj.objgen: first + at for at, number in reversed(list(enumerate(numbers)))}
        lost = self._destinations.add(
            source.pdf, source.places, {page: target.pages[at].obj for page, at in places.items()}, copied
        )
        if lost + sum(_without_dead_links(page) for page in copied):
            warn("CONTENT_DROPPED", "Links to pages outside the file were removed.")
        try:
            return _copied(source.bookmarks(warn), places, target)
        except DAMAGED:
            warn("CONTENT_DROPPED", "The bookmarks are damaged and were left out.")
            return []


def add_bookmarks(pdf: pikepdf.Pdf, items: Sequence[pikepdf.OutlineItem]) -> None:
    """Append bookmarks to the existing ones."""
    if items:
        with pdf.open_outline() as outline:
            outline.root.extend(items)


def top_bookmarks(source: Original) -> list[tuple[str, int]]:
    """The titles of top-level bookmarks and their target pages, counted from 0, in page order."""
    pdf = source.pdf
    places = {page.obj.objgen: at for at, page in enumerate(pdf.pages)}
    found = []
    with pdf.open_outline(max_depth=1) as outline:
        for item in outline.root[:_MAX_BOOKMARKS]:
            place = _place(pdf, source.places, item)
            if place is not None and place[0].objgen in places:
                found.append((str(item.title), places[place[0].objgen]))
    return sorted(found, key=lambda each: each[1])


def _without_dead_links(page: pikepdf.Page) -> int:
    annotations = page.obj.get(Name.Annots)
    if not isinstance(annotations, pikepdf.Array):
        return 0
    kept = []
    for each in annotations:
        place = each.get(Name.Dest) if isinstance(each, pikepdf.Dictionary) else None
        action = each.get(Name.A) if isinstance(each, pikepdf.Dictionary) else None
        if place is None and isinstance(action, pikepdf.Dictionary) and action.get(Name.S) == Name.GoTo:
            place = action.get(Name.D)
        dead = isinstance(place, pikepdf.Array) and len(place) and place[0] is None
        if not dead:
            kept.append(each)
    dropped = len(annotations) - len(kept)
    if dropped:
        page.obj[Name.Annots] = pikepdf.Array(kept)
    return dropped


def _bookmarks(source: pikepdf.Pdf, tree: pikepdf.NameTree | None, warn: Warn) -> list[Bookmark]:
    left = _MAX_BOOKMARKS

    def read(items: Sequence[pikepdf.OutlineItem], depth: int) -> list[Bookmark]:
        nonlocal left
        found = []
        for item in items:
            left -= 1
            if left < 0:
                raise ValueError("more bookmarks than a document has")
            children = read(item.children, depth + 1) if depth < _MAX_DEPTH else []
            place = _place(source, tree, item)
            page, view = (place[0].objgen, list(place)[1:]) if place is not None else (None, [])
            found.append(Bookmark(str(item.title), page, view, item.is_closed, children))
        return found

    try:
        with source.open_outline(max_depth=_MAX_DEPTH) as outline:
            return read(outline.root, 0)
    except (*DAMAGED, pikepdf.OutlineStructureError):
        warn("CONTENT_DROPPED", "The bookmarks are damaged and were left out.")
        return []


def _copied(bookmarks: Sequence[Bookmark], places: dict[Id, int], target: pikepdf.Pdf) -> list[pikepdf.OutlineItem]:
    """Those that lead to copied pages, and those above them."""
    found = []
    for each in bookmarks:
        children = _copied(each.children, places, target) if each.children else []
        at = None if each.page is None else places.get(each.page)
        if at is None and not children:
            continue
        new = pikepdf.OutlineItem(each.title)
        if at is not None:
            new = pikepdf.OutlineItem(each.title, pikepdf.Array([target.pages[at].obj, *each.view]))
        new.children = children
        new.is_closed = each.is_closed
        found.append(new)
    return found


def _place(pdf: pikepdf.Pdf, tree: pikepdf.NameTree | None, item: pikepdf.OutlineItem) -> pikepdf.Object | None:
    """The explicit destination array of a bookmark: a page first, then how it is shown."""
    place: Any = item.destination
    if place is None and item.action is not None and item.action.get(Name.S) == Name.GoTo:
        place = item.action.get(Name.D)
    if isinstance(place, int) and 0 <= place < len(pdf.pages):
        place = pikepdf.Array([pdf.pages[place].obj, Name.Fit])
    return place_of(pdf, tree, place)
