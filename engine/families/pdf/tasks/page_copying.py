"""Copy pages between PDFs with their links, bookmarks, layers, form fields and named destinations."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import DAMAGED
from engine.families.pdf.tasks import copied_layers
from engine.families.pdf.tasks.copied_destinations import Destinations, named_places, place_of
from engine.families.pdf.tasks.copied_fields import Fields, calculated, carried, resources_of
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.pages_apart import Apart
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_MAX_BOOKMARKS = 50_000
_MAX_DEPTH = 50
_MOST_REPEATED = 100_000
"""Links take 25 µs each, those in files of their own 60 µs."""
FIELD, FIELD_WITHIN = 10, 1
"""Links that take as long to be copied as a field, which is named anew, and as one within a single file."""
_RESOURCES_LIKE_ONE = 100
"""Fonts of a form that take as long as a link: 4,000 with a field that comes 2,000 times took 2.5 s."""


@dataclass(frozen=True)
class Bookmark:
    """A bookmark as it is read, how the page that it leads to is shown, and the number of the one above it."""

    title: str
    view: list[Any]
    is_closed: bool
    above: int | None


@dataclass(frozen=True)
class Bookmarks:
    """All bookmarks in their order, and the numbers of those that lead to each page."""

    items: list[Bookmark] = field(default_factory=list)
    of_pages: dict[Id, list[int]] = field(default_factory=dict)


class Original:
    """A PDF that pages are copied from: what is read of it once, however often that is."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.pages = list(pdf.pages)  # each one that is asked for by its number takes as long as all of them
        self.apart = Apart(pdf, self.pages)

    @functools.cached_property
    def form(self) -> pikepdf.AcroForm:
        return self.pdf.acroform

    @functools.cached_property
    def calculated(self) -> dict[Id, int]:
        return calculated(self.pdf)

    @functools.cached_property
    def places(self) -> pikepdf.NameTree | None:
        return named_places(self.pdf)

    def bookmarks(self, warn: Warn) -> Bookmarks:
        """All bookmarks; none, with a warning, if they are damaged or too many."""
        if self._bookmarks is None:
            self._bookmarks = _bookmarks(self.pdf, self.places, warn)
        return self._bookmarks

    _bookmarks: Bookmarks | None = None


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
        target, pages = self._target, source.pages
        first = len(target.pages)
        form, calculated = source.form, source.calculated  # they are read of the whole document
        with source.apart.only(numbers):
            for number in numbers:
                target.pages.append(pages[number])
            copied = _from(target, first)
            # A page that comes more than once is that of its first copy.
            copies = {
                pages[number].obj.objgen: copy.obj for number, copy in reversed([*zip(numbers, copied, strict=True)])
            }
            renamed = self._fields.add(source.pdf, pages, form, calculated, zip(numbers, copied, strict=True))
            copied_layers.add(target, source.pdf, pages, numbers)
        if renamed:
            text = say(
                "Form fields of the same name were renamed: {renamed_fields}.", renamed_fields=", ".join(renamed[:5])
            )
            warn("CONTENT_DROPPED", text)
        lost = self._destinations.add(source.pdf, source.places, copies, copied)
        if lost + sum(_without_dead_links(page) for page in copied):
            warn("CONTENT_DROPPED", "Links to pages outside the file were removed.")
        try:
            return _copied(source.bookmarks(warn), copies)
        except DAMAGED:
            warn("CONTENT_DROPPED", "The bookmarks are damaged and were left out.")
            return []


def check_repeated(source: Original, parts: Iterable[Iterable[int]], *, field: int = FIELD) -> None:
    """Raise OverLimit if pages with links, comments or fields, each of which is copied, are repeated too often.

    `parts` are the numbers of the pages of each file; a field counts as `field` links.
    """
    sizes: dict[Id, int] = {}
    again = 0.0
    fonts = resources_of(source.pdf) / _RESOURCES_LIKE_ONE
    for number, count in Counter(itertools.chain.from_iterable(parts)).items():
        if count > 1 and (each := carried(source.pages[number], sizes, field=field)):
            again += (count - 1) * (each + fonts)
    if again > _MOST_REPEATED:
        raise OverLimit("limit", "Pages with links, comments or form fields are repeated too often.")


def _from(pdf: pikepdf.Pdf, first: int) -> list[pikepdf.Page]:
    """The pages from this one on: the library takes about as long for all of them as for eight by their numbers."""
    count = len(pdf.pages)
    return list(pdf.pages)[first:] if count - first > 8 else [pdf.pages[at] for at in range(first, count)]


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


def _bookmarks(source: pikepdf.Pdf, tree: pikepdf.NameTree | None, warn: Warn) -> Bookmarks:
    found = Bookmarks()

    def read(items: Sequence[pikepdf.OutlineItem], above: int | None, depth: int) -> None:
        for item in items:
            number = len(found.items)
            if number == _MAX_BOOKMARKS:
                raise ValueError("more bookmarks than a document has")
            place = _place(source, tree, item)
            view = [] if place is None else list(place)[1:]
            found.items.append(Bookmark(str(item.title), view, item.is_closed, above))
            if place is not None:
                found.of_pages.setdefault(place[0].objgen, []).append(number)
            if depth < _MAX_DEPTH:
                read(item.children, number, depth + 1)

    try:
        with source.open_outline(max_depth=_MAX_DEPTH) as outline:
            read(outline.root, None, 0)
    except (*DAMAGED, pikepdf.OutlineStructureError):
        warn("CONTENT_DROPPED", "The bookmarks are damaged and were left out.")
        return Bookmarks()
    return found


def _copied(bookmarks: Bookmarks, copies: Mapping[Id, pikepdf.Object]) -> list[pikepdf.OutlineItem]:
    """Those that lead to copied pages, and those above them."""
    led = {number: page for id, page in copies.items() for number in bookmarks.of_pages.get(id, ())}
    wanted: set[int] = set()
    for number in led:
        around: int | None = number
        while around is not None and around not in wanted:
            wanted.add(around)
            around = bookmarks.items[around].above
    top: list[pikepdf.OutlineItem] = []
    made: dict[int, pikepdf.OutlineItem] = {}
    for number in sorted(wanted):
        each = bookmarks.items[number]
        if number in led:
            new = pikepdf.OutlineItem(each.title, pikepdf.Array([led[number], *each.view]))
        else:
            new = pikepdf.OutlineItem(each.title)
        new.is_closed = each.is_closed
        made[number] = new
        (top if each.above is None else made[each.above].children).append(new)
    return top


def _place(pdf: pikepdf.Pdf, tree: pikepdf.NameTree | None, item: pikepdf.OutlineItem) -> pikepdf.Object | None:
    """The explicit destination array of a bookmark: a page first, then how it is shown."""
    place: Any = item.destination
    if place is None and item.action is not None and item.action.get(Name.S) == Name.GoTo:
        place = item.action.get(Name.D)
    if isinstance(place, int) and 0 <= place < len(pdf.pages):
        place = pikepdf.Array([pdf.pages[place].obj, Name.Fit])
    return place_of(pdf, tree, place)
