"""The markup of a Mobipocket book as one HTML page, with embedded pictures and internal links."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape

from engine.families.books.mobi import index, records, unpacking
from engine.families.books.mobi.records import Database, Header
from engine.toolkit import encodings
from engine.toolkit.data_uris import data_uri
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Kind, Warn

MAX_PICTURES = 80_000_000
"""The total bytes of pictures in the page, counted each time they are shown.

78 million take 7 s and 450 MB as HTML; for EPUB, pandoc ends after 17 s without memory for as many.
"""
_KINDS = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"GIF8": "image/gif", b"BM": "image/bmp"}
_SOUNDS = (b"AUDI", b"VIDE")
_FILEPOS = re.compile(rb"\bfilepos\s*=\s*[\"']?0*(\d{1,10})[\"']?", re.IGNORECASE)
_PICTURE = re.compile(r"<img\b[^<>]*?\b(?:hi)?recindex\s*=\s*[\"']?0*(\d{1,7})[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"</?mbp:pagebreak\b[^<>]*>", re.IGNORECASE)
_HEADING = re.compile(rb"\s*<h[1-6]\b[^>]*>", re.IGNORECASE)
_OF_PROGRAMS = re.compile(r"</?(?:mbp|idx):[a-z:-][^<>]*+>", re.IGNORECASE)
"""Elements that only layout text or index a dictionary."""
_POS = re.compile(r"kindle:pos:fid:([0-9A-V]{1,10}):off:([0-9A-V]{1,10})")
_EMBED = re.compile(r"kindle:embed:([0-9A-V]{1,10})(?:\?[^\"'\s>)]*)?")
_FLOW = re.compile(rb"kindle:flow:([0-9A-V]{1,10})\?mime=image/svg\+xml")
_BODY = re.compile(r"<body\b[^<>]*>(.*?)(?:</body\s*>|\Z)", re.DOTALL | re.IGNORECASE)
BREAK = '<div class="page-break"></div>\n'
"""The marker of a page break."""
_ALT = re.compile(r"\balt\s*=\s*(\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_LOST = Kind("CONTENT_DROPPED", "Audio and video in the book were left out: {count}{places}.")
_MISSING = Kind(
    "CONTENT_DROPPED",
    "Missing pictures and pictures of an unknown type were left out: {count}{places}.",
    counts="pictures",
)


@dataclass
class Book:
    """A parsed book: its HTML page, its metadata, and its cover."""

    html: str
    title: str
    language: str
    authors: list[str]
    metadata: dict[str, list[str]] = field(default_factory=dict)
    cover: bytes | None = None
    cover_kind: str = ""
    version: int = 0


def read(data: bytes, warn: Warn) -> Book:
    """The book in a file, the newer format of a dual one. Raises Unreadable if damaged or locked, OverLimit."""
    book = records.read(data)
    found = records.header(book)
    if book.kind == records.PALM and not found.version:
        return Book(_plain(encodings.read(unpacking.text(book, found), warn)), found.title, "", [])
    newer = records.second(book, found)
    header = newer or found
    text = unpacking.text(book, header)
    # The pictures of both formats come after the older one.
    pictures = _Pictures(book, found if newer else header, warn)
    marked = _newer(book, header, text, pictures) if header.version == 8 else _older(header, text, pictures)
    pictures.report()
    made = Book(
        marked,
        header.title or found.title,
        header.language or found.language,
        header.metadata.get("authors", []) or found.metadata.get("authors", []),
        found.metadata | header.metadata,
        version=header.version,
    )
    at = records.cover(header)
    if at is not None:
        kind, picture = pictures.picture(at + 1)
        if kind:
            made.cover, made.cover_kind = picture, kind
    return made


def _plain(text: str) -> str:
    return "".join(f"<p>{escape(each)}</p>\n" for each in re.split(r"\r?\n|\0", text) if each.strip())


class _Pictures:
    """The picture records of a book, counted from 1."""

    def __init__(self, book: Database, header: Header, warn: Warn) -> None:
        self._book, self._warn = book, warn
        first = header.number(108)
        self._first = len(book.records) if first is None else first + header.first
        self._missing: list[str] = []
        self._size = 0
        self._known: dict[int, str] = {}
        self._sounds = sum(each[:4] in _SOUNDS for each in book.records[self._first :])

    def picture(self, number: int) -> tuple[str, bytes]:
        """The type and bytes of a picture, both empty if there is none."""
        at = self._first + number - 1
        data = self._book.records[at] if 0 <= at < len(self._book.records) and number > 0 else b""
        kind = next((kind for mark, kind in _KINDS.items() if data.startswith(mark)), "")
        return kind, data

    def shown(self, number: int) -> str:
        """The picture as a data URI, or nothing."""
        found = self._known.get(number)
        if found is None:
            kind, data = self.picture(number)
            if not kind:
                self._missing.append(f"picture {number}")
            found = self._known[number] = data_uri(kind, data) if kind else ""
        self._size += len(found)
        if self._size > MAX_PICTURES:
            raise OverLimit("memory", "The pictures in the book are too large.")
        return found

    def miss(self, names: Iterable[str]) -> None:
        """Count what the book references but lacks."""
        self._missing += names

    def report(self) -> None:
        self._warn.tally(_MISSING, len(self._missing), self._missing)
        self._warn.tally(_LOST, self._sounds)


def _older(header: Header, text: bytes, pictures: _Pictures) -> str:
    """Convert the older format: links are byte offsets, pictures have numbers."""
    begin, end = text.find(b"<guide"), text.find(b"</guide>")
    if 0 <= begin < end:  # where reading starts by default
        text = text[:begin] + b" " * (end + 8 - begin) + text[end + 8 :]
    places = {int(match[1]) for match in _FILEPOS.finditer(text)}
    marked = _anchored(text, {place: b'<a id="p%d"></a>' % place for place in places if place <= len(text)})
    marked = _FILEPOS.sub(lambda match: b'href="#p%d"' % int(match[1]), marked)
    html = marked.decode(header.encoding, "replace")
    html = _OF_PROGRAMS.sub("", _BREAK.sub(BREAK, html))
    return _PICTURE.sub(lambda match: _shown(match[0], pictures.shown(int(match[1]))), html)


def _shown(element: str, address: str) -> str:
    alt = _ALT.search(element)
    alt_text = f" alt={alt[1]}" if alt else ""
    return f'<img src="{address}"{alt_text}>' if address else ""


def _anchored(text: bytes, anchors: dict[int, bytes]) -> bytes:
    """The text with an anchor at each of these offsets, in front of the element that contains it."""
    parts, last = [], 0
    for place in sorted(anchors):
        at = place
        before = max(last, place - 2_000)
        opens = text.rfind(b"<", before, place)
        if opens > text.rfind(b">", before, place):
            at = opens
        # A book is split into chapters at headings: an anchor to one must be inside it.
        heading = _HEADING.match(text, at, at + 2_000)
        at = max(heading.end() if heading else at, last)
        parts += [text[last:at], anchors[place]]
        last = at
    return b"".join([*parts, text[last:]])


def _newer(book: Database, header: Header, text: bytes, pictures: _Pictures) -> str:
    """Convert the newer format: parts are skeletons with fragments; links are a fragment and an offset in it."""
    main = unpacking.pages(book, header, text)
    fragments = _fragments(book, header)
    parts = list(_parts(book, header, main, fragments))
    starts = [at for at, _ in parts]
    whole = b"".join(part for _, part in parts)
    places: dict[int, bytes] = {}

    def place(match: re.Match[str]) -> str:
        fragment, offset = int(match[1], 32), int(match[2], 32)
        at = fragments[fragment][0] + offset if fragment < len(fragments) else 0
        if at > len(whole):
            return "#"
        places[at] = b'<a id="p%d"></a>' % at
        return f"#p{at}"

    drawings = {int(match[1], 32) for match in _FLOW.finditer(whole)}
    for match in _POS.finditer(whole.decode("utf-8", "replace")):
        place(match)
    pieces: list[str] = []
    ordered = sorted(places)
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(whole)
        # An anchor before the visible content of a part would be lost with its head.
        body = whole[start:end].lower().find(b"<body")
        inside = whole.find(b">", start + body) + 1 if body >= 0 else start
        here = ordered[bisect_left(ordered, start) : bisect_left(ordered, end)]
        local: dict[int, bytes] = {}
        for at in here:
            local[max(at, inside) - start] = local.get(max(at, inside) - start, b"") + places[at]
        marked = _anchored(whole[start:end], local).decode("utf-8", "replace")
        found = _BODY.search(marked)
        pieces.append(found[1] if found else marked)
    html = BREAK.join(pieces)
    html = _POS.sub(place, html)
    html = _EMBED.sub(lambda match: pictures.shown(int(match[1], 32)), html)
    if drawings:
        pictures.miss(f"drawing {each}" for each in sorted(drawings))
    return html


def _fragments(book: Database, header: Header) -> list[tuple[int, int]]:
    """The insertion offset and length of each fragment."""
    at = header.number(248)
    if at is None:
        return []
    found = []
    for name, numbers in index.entries(book, at + header.first):
        size = numbers.get(6, [0, 0])
        if not name.isdigit() or len(size) < 2:
            raise records.damaged()
        found.append((int(name[:12]), size[1]))
    return found


def _parts(
    book: Database, header: Header, main: bytes, fragments: list[tuple[int, int]]
) -> Iterator[tuple[int, bytes]]:
    """Each file of the book with its start offset and its fragments inserted."""
    at = header.number(252)
    if at is None:
        yield 0, main
        return
    next_one = place = 0
    for _, numbers in index.entries(book, at + header.first):
        counts, sizes = numbers.get(1, [0]), numbers.get(6, [0, 0])
        if not counts or len(sizes) < 2 or next_one + counts[0] > len(fragments):
            raise records.damaged()
        start, size = sizes[:2]
        if start != place:
            raise records.damaged()
        skeleton, end = main[start : start + size], start + size
        pieces: list[bytes] = []
        used = 0  # of the skeleton
        written = start
        for insert, length in fragments[next_one : next_one + counts[0]]:
            # Fragments are in order, so that everything before the offset is already there.
            upto = min(max(used, used + insert - written), len(skeleton))
            pieces += [skeleton[used:upto], main[end : end + length]]
            written += upto - used + length
            used, end = upto, end + length
        pieces.append(skeleton[used:])
        next_one += counts[0]
        part = b"".join(pieces)
        yield start, part
        place = end
