"""Name the elements of feeds, with the usual prefixes of vocabularies and paths for those inside others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

NAMES = {
    "title": "title", "link": "link", "guid": "id", "id": "id", "pubDate": "published", "published": "published",
    "issued": "published", "dc:date": "published", "updated": "updated", "modified": "updated", "lastBuildDate":
    "updated", "author": "author", "dc:creator": "author", "managingEditor": "author", "category": "categories",
    "dc:subject": "categories", "description": "summary", "summary": "summary", "subtitle": "summary", "tagline":
    "summary", "content:encoded": "content", "content": "content", "enclosure": "enclosures", "language": "language",
    "dc:language": "language", "rights": "rights", "copyright": "rights", "dc:rights": "rights", "generator":
    "generator", "comments": "comments",
}  # fmt: skip
SPACES = {
    "http://purl.org/dc/elements/1.1/": "dc:", "http://purl.org/rss/1.0/modules/content/": "content:",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes:", "http://search.yahoo.com/mrss": "media:",
    "http://search.yahoo.com/mrss/": "media:",
    "http://www.georss.org/georss": "georss:", "http://purl.org/rss/1.0/modules/slash/": "slash:",
    "http://purl.org/rss/1.0/modules/syndication/": "sy:", "http://wellformedweb.org/CommentAPI/": "wfw:",
}  # fmt: skip
_OWN = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#", "http://purl.org/rss/1.0/",
        "http://my.netscape.com/rdf/simple/0.9/", "http://backend.userland.com/rss2",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#")  # fmt: skip
_XHTML = "{http://www.w3.org/1999/xhtml}"
OF_AUTHORS = ("name", "email", "uri")
_DEEPEST = 4
"""Elements in a path, such as `media:group/media:content`; what is deeper is one text."""


def name_of(element: Element) -> str:
    """The name of an element, with the usual prefix for elements of other vocabularies."""
    space, _, name = str(element.tag).rpartition("}")
    space = space.lstrip("{")
    return name if not space or space in _OWN else SPACES.get(space, "") + name


def pieces(elements: Iterable[Element], above: str = "") -> Iterator[tuple[str, Element]]:
    """The elements with their names; those inside unknown ones have a path, such as `media:group/media:title`."""
    counts: Counter[str] = Counter()
    for each in elements:
        name = name_of(each)
        path = above + name
        counts[name] += 1
        is_author = NAMES.get(path) == "author"
        inside = [one for one in each if not (is_author and name_of(one) in OF_AUTHORS)]
        is_unknown = is_author or path not in NAMES
        if inside and is_unknown and path.count("/") < _DEEPEST and not any(_is_markup(one) for one in inside):
            yield path, each if is_author else _alone(each)
            number = f" {counts[name]}" if counts[name] > 1 else ""
            yield from pieces(inside, f"{path}{number}/")
        else:
            yield path, each


def _is_markup(element: Element) -> bool:
    return str(element.tag).startswith(_XHTML)


def _alone(element: Element) -> Element:
    """An element without those inside it."""
    alone = Element(element.tag, element.attrib)
    alone.text = (element.text or "") + "".join(each.tail or "" for each in element)
    return alone
