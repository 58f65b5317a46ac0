"""Tag the pages of a document: mark what is on them, and write the tree of its elements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pikepdf

from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.tagged import descriptions, drawn, headings, marking, reading_back
from engine.families.html_pdf.tagged.building import built
from engine.families.html_pdf.tagged.content import Unfamiliar
from engine.families.html_pdf.tagged.drawn import Run, Stream
from engine.families.html_pdf.tagged.nodes import Node, prune
from engine.families.html_pdf.tagged.placing import placed
from engine.families.html_pdf.tagged.twin import Twin
from engine.families.html_pdf.tagged.writing import Link, write
from engine.toolkit.failures import InvalidOption
from engine.toolkit.warnings import Kind, Warn

_NAMELESS = Kind("CONTENT_DROPPED", "Pictures have no alternative text: {count}. Give them an alt attribute.")
_RENUMBERED = Kind("VALUE_CONVERTED", "Headings got another level, as levels were skipped: {count}{places}.")
_LOST = Kind("CONTENT_DROPPED", "Texts on the pages belong to no element and are not read aloud: {count}{places}.")
_UNTOUCHED = Kind("CONTENT_DROPPED", "Links in headers and footers were removed: {count}.")
_STRAY = Kind("CONTENT_DROPPED", "Parts of the pages are not in exactly one element: {count}.")
_MISPLACED = Kind("VALUE_CONVERTED", "Texts are read aloud in another order than in the page: {count}{places}.")
_DRAWN = re.compile(rb"(/[^\s/]+\s+Do)\b")


class Tagged:
    """A document that is drawn twice, to find the elements of all that is on its pages, and then tagged.

    `written` has the texts of private characters. `coloured` prepares a page for its second drawing, `read` compares
    both, `mark` writes marks into the pages, and `write` the tree.
    """

    def __init__(self, written: Mapping[str, str]) -> None:
        self._written = written
        self._twin = Twin()
        self._roots: list[Element] = []
        self._streams: list[Stream] = []
        self._pages: list[Any] = []
        self._links: list[Link] = []
        self._marked: list[tuple[Stream, list[marking.Marked]]] = []
        self._root = Node("Document")
        self._lost: list[Run] = []
        self._drawn: frozenset[Element] = frozenset()
        self._renumbered: list[str] = []

    def coloured(self, root: Element, *, first: bool = False, links: bool = True) -> None:
        """Colour a page that is drawn, for its twin; it is read after those before, or `first`.

        Without `links`, those within the page keep their addresses: layout depends on the names of positions.
        """
        self._twin.colour(root, links=links)
        self._roots.insert(0 if first else len(self._roots), root)

    def read(self, pages: Sequence[pikepdf.Page], others: BinaryIO, *, cut: bool = False) -> None:
        """Compare pages with those of a PDF, which draws their twins. Raises InvalidOption if they are unlike.

        With `cut`, each page is drawn several times, and what is cut off from it is not read.
        """
        with pikepdf.open(others) as other:
            begin, twins = len(self._pages), list(other.pages)
            try:
                self._streams += drawn.pages(pages, twins, self._twin, self._written, begin, cut=cut)
            except Unfamiliar as unfamiliar:
                raise _untaggable() from unfamiliar
            self._pages += [page.obj for page in pages]
            self._links += _links(pages, twins, self._twin)

    def mark(self) -> None:
        """Mark what is read, and set aside all else on the pages, such as headers. Raises InvalidOption as `read`."""
        found = placed((run for each in self._streams for run in each.every()), self._written)
        self._lost, self._drawn = found.lost, frozenset(found.elements)
        linked = frozenset(each.element for each in self._links)
        for each in self._roots:
            self._root.kids += built(each, found, linked).root.kids
        prune(self._root, linked)
        self._renumbered = headings.number(self._root)
        places = marking.places(self._root)
        try:
            self._marked = [each for stream in self._streams for each in marking.mark(stream, places)]
        except Unfamiliar as unfamiliar:
            raise _untaggable() from unfamiliar
        for page, stream in zip(self._pages, self._streams, strict=True):
            if stream.object is None:
                continue
            whole, own = page.Contents.read_bytes(), stream.object.read_bytes()
            if whole != own:
                before, inside, after = whole.partition(own)
                page.Contents.write(_set_aside(before) + inside + _set_aside(after))

    def write(self, pdf: pikepdf.Pdf, warn: Warn) -> Node:
        """Write the tree of what is on the pages that are left, and return it."""
        left = {page.obj.objgen for page in pdf.pages}
        gone = {at for at, page in enumerate(self._pages) if page.objgen not in left}
        there = {each.objgen for page in pdf.pages for each in page.obj.get("/Annots", ())}
        links = [each for each in self._links if each.annotation.objgen in there]
        if gone:
            for node in list(self._root.within()):
                node.kids = [each for each in node.kids if isinstance(each, Node) or each.page not in gone]
            prune(self._root, frozenset(each.element for each in links))
            headings.number(self._root)
        warn.tally(_NAMELESS, descriptions.describe(self._root))
        warn.tally(_RENUMBERED, len(self._renumbered), (f"“{each}”" for each in self._renumbered))
        lost = [each.text.strip()[:40] for each in self._lost if each.page not in gone]
        warn.tally(_LOST, len(lost), (f"“{each}”" for each in lost))
        warn.tally(_UNTOUCHED, _without_others(pdf, links))
        marked = [each for each in self._marked if each[0].page not in gone]
        write(pdf, self._root, marked, links, self._pages)
        for page in pdf.pages:
            page.obj.Tabs = pikepdf.Name.S
        return self._root

    def verify(self, target: Path, warn: Warn) -> None:
        """Read the tags of the finished file, and warn of what differs from the pages and their order."""
        tags = reading_back.read(target)
        warn.tally(_STRAY, tags.stray)
        misplaced = reading_back.misplaced(self._roots, self._drawn, self._written, tags.text)
        warn.tally(_MISPLACED, len(misplaced), (f"“{each}”" for each in misplaced))


def _untaggable() -> InvalidOption:
    return InvalidOption("pdfStandard", "The page can't be tagged. Choose another standard, or simplify the page.")


def _set_aside(data: bytes) -> bytes:
    """Instructions that draw groups, as artifacts."""
    return _DRAWN.sub(rb"/Artifact BMC \1 EMC", data)


def _links(pages: Sequence[pikepdf.Page], others: Sequence[pikepdf.Page], twin: Twin) -> list[Link]:
    found = []
    for page, twins in zip(pages, others, strict=True):
        named: dict[tuple[int, ...], list[Element]] = {}
        for each in twins.obj.get("/Annots", ()):
            address = str(each.A.get("/URI", "")) if "/A" in each else f"#{each.get('/Dest', '')}"
            element = twin.linked(address)
            if element is not None:
                named.setdefault(_corners(each), []).append(element)
        for each in page.obj.get("/Annots", ()):
            elements = named.get(_corners(each))
            if elements:
                found.append(Link(page.obj, each, elements.pop(0)))
    return found


def _corners(annotation: Any) -> tuple[int, ...]:
    return tuple(round(float(each)) for each in annotation.Rect)


def _without_others(pdf: pikepdf.Pdf, links: Sequence[Link]) -> int:
    """Remove the annotations that are not in the tree, and return their number."""
    own = {each.annotation.objgen for each in links}
    count = 0
    for page in pdf.pages:
        every = list(page.obj.get("/Annots", ()))
        kept = [each for each in every if each.objgen in own]
        count += len(every) - len(kept)
        if kept:
            page.obj.Annots = pikepdf.Array(kept)
        elif every:
            del page.obj.Annots
    return count
