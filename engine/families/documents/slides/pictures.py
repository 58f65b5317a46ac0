"""The pictures of a presentation as `data:` URIs."""

from __future__ import annotations

from engine.families.documents import metafile_pictures
from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides import deck as kinds
from engine.families.documents.slides.deck import Deck
from engine.families.documents.word.names import R
from engine.families.documents.word.paint import Colours
from engine.toolkit.data_uris import data_uri

_MARKS = (
    (b"\x89PNG", "png"),
    (b"\xff\xd8", "jpeg"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
)


def kind_of(data: bytes) -> str:
    """The kind of a bitmap that pages show, as in its content type; empty for others."""
    return next((name for mark, name in _MARKS if data.startswith(mark)), "webp" if data[8:12] == b"WEBP" else "")


def picture(deck: Deck, part: str, relation: str | None) -> str | None:
    """A picture of the package as a `data:` URI; None, and counted, if it can't be shown."""
    found = deck.package.relations(part).get(relation or "")
    if found is None or found.external or found.target not in deck.package.names:
        if found is None or not found.external:
            deck.found[kinds.PICTURE] += 1
        return None
    if found.target not in deck.pictures:
        data = deck.package.read(found.target)
        kind = kind_of(data)
        if not kind and (svg := metafile_pictures.drawn(data, deck.found)) is not None:
            kind, data = "svg+xml", svg
        deck.pictures[found.target] = data_uri(f"image/{kind}", data) if kind else None
    uri = deck.pictures[found.target]
    if uri is None:
        deck.found[kinds.PICTURE] += 1
        return None
    return deck.repetitions.shown(found.target, uri)


def blip_picture(deck: Deck, part: str, blip: Element, colours: Colours) -> str | None:
    """The picture of an `a:blip` in the colours that it declares."""
    uri = picture(deck, part, blip.get(R + "embed") or blip.get(R + "link"))
    return None if uri is None else deck.recolouring.of(blip, uri, colours)
