"""Put the files of a page into the page as `data:` URIs, and report those that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from urllib.parse import quote

from lxml import etree

from engine.families.html_pdf.source import cleaning, reading
from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.source.references import is_inline
from engine.families.saved_pages import style_sheets
from engine.families.saved_pages.parts import SavedPage, joined, key
from engine.toolkit import encodings
from engine.toolkit.data_uris import data_uri
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_EMBEDDED = 60_000_000
"""The total characters of embedded files and of the addresses they are looked up by, counted each time they are shown.

38 million of JPEGs take 5 s as HTML and 9 s as PDF, in the sandbox.
"""
MAX_SHEET = 4_000_000
MAX_SHEETS = 15_000_000
"""The characters of all linked sheets, counted each time they are linked: 27 million of rules take 6 s as PDF."""
_MOST_IMPORTS = 3
"""How deep sheets may import others: deeper ones are not read from `data:` URIs either."""
_MISSING = Kind(
    "REMOTE_RESOURCE_BLOCKED",
    "Pictures, styles and fonts that the file doesn't contain were not loaded: {count}{places}.",
)
_LINKS = Kind("CONTENT_DROPPED", "Links to other files of the page became plain text: {count}{places}.", counts="links")
_OUTSIDE = re.compile(r"(?!file:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_CANDIDATE = re.compile(r"[^\s,]\S*+")
_DESCRIPTOR = re.compile(r"[\d.]+[wxh],?")
"""What follows a picture in a `srcset` (HTML, 4.8.4.2.1)."""
_IN_ADDRESSES = ":/?&=@+,;!$'()*~"
_HREFS = ("href", "xlink:href")
_SHOWN = 80


def inlined(page: SavedPage, warn: Warn) -> tuple[Element, set[str]]:
    """The tree of the page with its files inside, and the keys of the files that were used.

    Raises Unreadable for a page that is not HTML, OverLimit for one that is too large with its files.
    """
    part = page.page
    root = cleaning.parse(reading.decode(part.data, warn, declared=part.charset))
    work = _Inlining(page, warn)
    work.fill(root)
    return root, work.used


def written(root: Element) -> str:
    """The HTML text of a tree, with its document type."""
    doctype = root.getroottree().docinfo.doctype or "<!DOCTYPE html>"
    made: str = etree.tostring(root, method="html", encoding="unicode", doctype=doctype)
    return made


class _Inlining:
    """One pass through a page."""

    def __init__(self, page: SavedPage, warn: Warn) -> None:
        self._own = key(page.address)
        self.used = {self._own}
        self._page, self._warn = page, warn
        self._missing: dict[str, None] = {}
        self._uris: dict[str, str] = {}
        self._sheets: dict[tuple[str, int], str] = {}
        self._open: set[str] = set()
        self._size = self._linked_size = 0

    def fill(self, root: Element) -> None:
        base = next((each.get("href") for each in root.iter("base") if each.get("href")), "")
        base = joined(self._page.address, base)
        for each in [*root.iter("base")]:
            each.drop_tree()
        links: list[str] = []
        for element in [*root.iter()]:
            if not isinstance(element.tag, str):
                continue
            if element.get("style"):
                element.set("style", style_sheets.inlined(element.get("style"), partial(self._uri, base, depth=0)))
            if element.get("background"):
                self._background(element, base)
            if element.tag in ("a", "area"):
                links += self._link(element, base)
            elif handler := _HANDLERS.get(element.tag):
                handler(self, element, base)
        self._warn.tally(_LINKS, len(links), links)
        self._warn.tally(_MISSING, len(self._missing), self._missing)

    def _uri(self, base: str, references: Sequence[str], *, depth: int) -> str | None:
        """The first file that is there of some that a sheet at `base` refers to; one that is missing is noted."""
        for each in references:
            found = self._page.found(self._address(base, each))
            if found is not None and (uri := self._embedded(found, depth)):
                return uri
        for each in references[:1]:
            self._missing[_short(each)] = None
        return None

    def _address(self, base: str, reference: str) -> str:
        self._count(len(address := joined(base, reference)))
        return address

    def _count(self, characters: int) -> None:
        self._size += characters
        if self._size > MAX_EMBEDDED:
            raise OverLimit(
                "memory",
                say(
                    "The page and its files are larger than {max_embedded} MB. Use smaller pictures.",
                    max_embedded=MAX_EMBEDDED // 1_000_000,
                ),
            )

    def _embedded(self, found: str, depth: int) -> str:
        """The URI of a file by its key; empty for a sheet that is imported too deep, or by itself."""
        part = self._page.parts[found]
        if part.kind == "text/css":
            if depth > _MOST_IMPORTS or found in self._open:
                return ""
            uri = data_uri(part.kind, self._sheet(found, depth + 1).encode())
        else:
            uri = self._uris.get(found) or self._uris.setdefault(found, data_uri(part.kind, part.data))
            self.used.add(found)
        self._count(len(uri))
        return uri

    def _sheet(self, found: str, depth: int) -> str:
        """The text of a style sheet with its files; its addresses are relative to its own."""
        if (text := self._sheets.get((found, depth))) is not None:
            return text
        part = self._page.parts[found]
        self.used.add(found)
        if len(part.data) > MAX_SHEET:
            raise OverLimit("memory", "The page's style sheets are too large. Keep them below 4 MB.")
        text = encodings.read(part.data, Warn(), declared=part.charset)
        self._open.add(found)
        text = style_sheets.inlined(text, partial(self._uri, quote(found, safe=_IN_ADDRESSES), depth=depth))
        self._open.discard(found)
        return self._sheets.setdefault((found, depth), text)

    def _picture(self, element: Element, base: str) -> None:
        """The file of a picture: its `src`, or else what is there of its `srcset` and the sources beside it."""
        others = list(_candidates(element.attrib.pop("srcset", "")))
        element.attrib.pop("sizes", None)
        around = next(element.iterancestors("picture"), None)
        for source in () if around is None else [*around.iter("source")]:
            others += _candidates(source.get("srcset") or "")
            source.drop_tag()  # the parser takes what follows a source for its content
        src = (element.get("src") or "").strip()
        if is_inline(src):
            return
        given = [each for each in (src, *others) if each]
        self._set(element, "src", self._uri(base, given, depth=0))

    def _source(self, element: Element, base: str) -> None:
        """A file that a page plays or embeds; its reference is removed, and reported if it is missing."""
        for name in ("src", "data", "poster"):
            given = (element.get(name) or "").strip()
            if given and not is_inline(given) and (found := self._page.found(self._address(base, given))) is not None:
                self.used.add(found)
                del element.attrib[name]

    def _input(self, element: Element, base: str) -> None:
        if (element.get("type") or "").strip().lower() == "image":
            self._picture(element, base)

    def _svg_picture(self, element: Element, base: str) -> None:
        for name in _HREFS:
            given = (element.get(name) or "").strip()
            if given and not given.startswith("#") and not is_inline(given):
                self._set(element, name, self._uri(base, [given], depth=0))

    def _background(self, element: Element, base: str) -> None:
        uri = self._uri(base, [element.attrib.pop("background").strip()], depth=0)
        if uri:
            element.set("style", f'background-image:url("{uri}");{element.get("style") or ""}')

    def _style(self, element: Element, base: str) -> None:
        element.text = style_sheets.inlined(element.text or "", partial(self._uri, base, depth=0))

    def _linked(self, element: Element, base: str) -> None:
        """A link to a style sheet becomes the sheet; others, to icons and other forms of the page, are no content."""
        rel = (element.get("rel") or "").lower().split()
        href = (element.get("href") or "").strip()
        if "stylesheet" not in rel or "alternate" in rel or not href:
            element.drop_tree()
            return
        if is_inline(href):
            return
        found = self._page.found(self._address(base, href))
        if found is None:
            self._missing[_short(href)] = None
            element.drop_tree()
            return
        text = self._sheet(found, 1)
        self._count(len(text))
        self._linked_size += len(text)
        if self._linked_size > MAX_SHEETS:
            raise OverLimit("limit", "The page's style sheets are too large together. Keep them below 15 MB.")
        media = element.get("media")
        element.attrib.clear()
        if media:
            element.set("media", media)
        element.tag, element.text = "style", text

    def _link(self, element: Element, base: str) -> Iterator[str]:
        """Resolve a link; yields one to a file that the result does not contain, which becomes text."""
        href = (element.get("href") or "").strip()
        if not href or href.startswith("#"):
            return
        address = self._address(base, href)
        if key(address) == self._own:
            element.set("href", f"#{address.partition('#')[2]}")
            self._warn.account("links", 1)
        elif _OUTSIDE.match(address):
            element.set("href", address)
        else:
            del element.attrib["href"]
            yield _short(href)

    @staticmethod
    def _set(element: Element, name: str, value: str | None) -> None:
        if value:
            element.set(name, value)
        else:
            element.attrib.pop(name, None)


def _candidates(srcset: str) -> Iterator[str]:
    found = (match[0] for match in _CANDIDATE.finditer(srcset))
    return (each.rstrip(",") for each in found if not _DESCRIPTOR.fullmatch(each))


def _short(reference: str) -> str:
    text = " ".join(reference.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_HANDLERS = {
    "img": _Inlining._picture, "input": _Inlining._input, "image": _Inlining._svg_picture, "style": _Inlining._style,
    "link": _Inlining._linked,
    **dict.fromkeys(("audio", "video", "source", "track", "embed", "object", "iframe", "frame", "script"),
                    _Inlining._source),
}  # fmt: skip
