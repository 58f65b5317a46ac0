"""Read feeds (RSS 0.9 to 2.0, Atom of RFC 4287) as objects or rows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError, tostring

from defusedxml import DefusedXmlException

from engine.families.data.agenda import rows
from engine.families.data.feeds import spelling
from engine.families.data.table import Documents, Table
from engine.toolkit import xml_entities
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

Record = dict[str, Any]

MAX_BYTES, MAX_ELEMENTS, MAX_DEPTH = 50_000_000, 500_000, 200
"""80,000 entries (480,000 elements, 23 MB) take 9 s and 240 MB as JSON and CSV, 15 s and 560 MB as HTML."""
ORDER = ("title", "link", "published", "updated", "author", "categories", "summary", "content", "enclosures", "id")
_NAMES = {
    "title": "title", "link": "link", "guid": "id", "id": "id", "pubDate": "published", "published": "published",
    "issued": "published", "dc:date": "published", "updated": "updated", "modified": "updated", "lastBuildDate":
    "updated", "author": "author", "dc:creator": "author", "managingEditor": "author", "category": "categories",
    "dc:subject": "categories", "description": "summary", "summary": "summary", "subtitle": "summary", "tagline":
    "summary", "content:encoded": "content", "content": "content", "enclosure": "enclosures", "language": "language",
    "dc:language": "language", "rights": "rights", "copyright": "rights", "dc:rights": "rights", "generator":
    "generator", "comments": "comments",
}  # fmt: skip
_SPACES = {
    "http://purl.org/dc/elements/1.1/": "dc:", "http://purl.org/rss/1.0/modules/content/": "content:",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes:", "http://search.yahoo.com/mrss/": "media:",
    "http://www.georss.org/georss": "georss:", "http://purl.org/rss/1.0/modules/slash/": "slash:",
    "http://purl.org/rss/1.0/modules/syndication/": "sy:", "http://wellformedweb.org/CommentAPI/": "wfw:",
}  # fmt: skip
_OWN = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#", "http://purl.org/rss/1.0/",
        "http://my.netscape.com/rdf/simple/0.9/", "http://backend.userland.com/rss2",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#")  # fmt: skip
_MANY = ("categories", "enclosures", "author")
_MARKUP = {"summary", "content"}
_OF_NOTATION = {"isPermaLink", "rel", "lang", "base", "space", "about", "parseType"}
"""Attributes that only control how an element is parsed."""
_ATTRIBUTES = Kind("METADATA_DROPPED", "Attributes of the feed's elements are not in the output: {count}{places}.")


def parsed(source: Path, warn: Warn) -> Element:
    """Return the root of an XML file.

    Raises Unreadable, with line and column, for a file that is not XML, and OverLimit for one that is too large.
    """
    data = source.read_bytes()
    if len(data) > MAX_BYTES:
        raise OverLimit("memory", say("The feed is larger than {max_bytes} MB.", max_bytes=MAX_BYTES // 1_000_000))
    try:
        root = xml_entities.expanded(spelling.well_formed(data.lstrip(), warn), elements=MAX_ELEMENTS)
    except ParseError as error:
        line, column = error.position
        before = len(data) - len(data.lstrip())
        raise Unreadable(
            "The file is not well-formed XML.",
            line=line + data.count(b"\n", 0, before),
            column=column + 1,
            reason="damaged",
        ) from error
    except (DefusedXmlException, ValueError, LookupError) as error:
        raise Unreadable(
            "The file declares entities or an encoding that are not supported.", reason="unsupported_feature"
        ) from error
    level, depth = [root], 0
    while level := [below for each in level for below in each]:
        depth += 1
        if depth > MAX_DEPTH:
            raise Unreadable(
                say("Elements are nested more than {max_depth} deep.", max_depth=MAX_DEPTH), reason="limit"
            )
    return root


def name_of(element: Element) -> str:
    """The name of an element, with the usual prefix for elements of other vocabularies."""
    space, _, name = str(element.tag).rpartition("}")
    space = space.lstrip("{")
    return name if not space or space in _OWN else _SPACES.get(space, "") + name


def read(source: Path, warn: Warn) -> tuple[Record, list[Record]]:
    """Return the properties of a feed and its entries. Raises Unreadable for XML that is not a feed."""
    root = parsed(source, warn)
    kind = name_of(root)
    if kind not in ("rss", "feed", "RDF"):
        raise Unreadable(
            say("The file is not a feed: its first element is <{kind}>, not <rss> or <feed>.", kind=kind[:40]),
            line=1,
            reason="format",
        )
    channel: Element = root if kind == "feed" else next((each for each in root if name_of(each) == "channel"), root)
    found = [each for place in dict.fromkeys((root, channel)) for each in place if name_of(each) in ("item", "entry")]
    warn.detect(entries=len(found), kind={"feed": "atom", "RDF": "rss 1.0"}.get(kind, "rss"))
    of_channel: list[Element] = [each for each in channel if name_of(each) not in ("item", "entry", "items")]
    records = _record(of_channel), [_record(each) for each in found]
    lost = [one for each in [*of_channel, *(each for entry in found for each in entry)] for one in _lost(each)]
    warn.tally(_ATTRIBUTES, len(lost), (f"{place}={value[:60]}" for place, value in lost))
    warn.leave_out(value for _, value in lost)
    return records


def name_details(feed: Record, shown: Collection[str], warn: Warn) -> None:
    """Name what a feed says of itself, but for what the output shows."""
    names = [name for name in feed if name not in (*shown, "others")]
    names += dict.fromkeys(one["name"] for one in feed.get("others", ()))
    if names:
        said = ", ".join(names[:20])
        warn("METADATA_DROPPED", say("Details of the feed itself are not in the output: {said}.", said=said))


def _lost(element: Element) -> Iterator[tuple[str, str]]:
    """The attributes of an element and its descendants that are in no record: the location and the value of each."""
    name = name_of(element)
    key = "link" if name == "link" and element.get("href") else _NAMES.get(name)
    if key in _MARKUP and len(element):
        return  # markup, which is kept
    held = _value(element, key)
    for attribute, value in element.items():
        plain = attribute.rpartition("}")[2]
        is_kind = plain == "type" and (key in _MARKUP or key == "title" or value in ("text", "html", "xhtml"))
        if not is_kind and plain not in _OF_NOTATION and value.strip() and value.strip() not in held:
            yield f"{name} {plain}", value.strip()
    for each in element:
        if key != "author":
            yield from _lost(each)


def _record(elements: Any) -> Record:
    found: Record = {}
    others: list[Record] = []
    for each in elements:
        name = name_of(each)
        key = _NAMES.get(name)
        if name == "link" and each.get("href"):
            key = {"enclosure": "enclosures", "alternate": "link"}.get(each.get("rel", "alternate"))
            name = f"link {each.get('rel')}"
        value = _value(each, key)
        if not value:
            continue
        if key in _MANY:
            found.setdefault(key, []).append(value)
        elif key and key not in found:
            found[key] = value
        elif name and value != found.get(key or ""):
            others.append({"name": name, "value": value})
    if "author" in found:
        found["author"] = "; ".join(dict.fromkeys(found["author"]))
    return found | ({"others": others} if others else {})


def _value(element: Element, key: str | None) -> str:
    if key == "enclosures":
        return element.get("url") or element.get("href") or ""
    if key == "link" and element.get("href"):
        return element.get("href", "")
    if key == "categories" and element.get("term"):
        return element.get("label") or element.get("term") or ""
    if key == "author" and len(element):
        parts = {name_of(each): (each.text or "").strip() for each in element}
        name, mail = parts.get("name", ""), parts.get("email", "")
        return f"{name} <{mail}>" if name and mail else name or mail
    if key in _MARKUP and len(element):
        inner = (element.text or "") + "".join(tostring(each, encoding="unicode") for each in element)
        return re.sub(r"<(/?)\w+:|\sxmlns(?::\w+)?=\"[^\"]*\"", r"<\1", inner).replace("< ", "<").strip()
    text = "".join(element.itertext()).strip()
    if key in ("published", "updated"):
        return _moment(text)
    if not text and element.attrib:
        return next(
            (element.get(name, "") for name in ("url", "href", "resource") if element.get(name)), ""
        ) or "; ".join(f"{name.rpartition('}')[2]}={value}" for name, value in element.items())
    return text if key in _MARKUP else " ".join(text.split())


def _moment(text: str) -> str:
    """Return a date as ISO 8601; any other text is unchanged."""
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return text


def read_objects(source: Path, options: Any, warn: Warn) -> Documents:
    """The feed as one object with a list of entries."""
    feed, entries = read(source, warn)
    whole = feed | {"entries": entries}
    return Documents(lambda: iter([[whole]]), many=False)


def read_rows(source: Path, options: Any, warn: Warn) -> list[Table]:
    """Each entry as a row. Raises Unreadable for a feed without entries."""
    feed, entries = read(source, warn)
    if not entries:
        raise Unreadable("The feed has no entries.", reason="empty")
    name_details(feed, (), warn)
    return [rows.table(entries, _flat, ORDER)]


def _flat(entry: Record) -> dict[str, Any]:
    row = {name: "; ".join(value) if isinstance(value, list) else value for name, value in entry.items()
           if name != "others"}  # fmt: skip
    for name, value in _numbered(entry.get("others", [])):
        row[name] = value
    return row


def _numbered(others: list[Record]) -> Iterator[tuple[str, str]]:
    counts: dict[str, int] = {}
    for each in others:
        counts[each["name"]] = number = counts.get(each["name"], 0) + 1
        yield (each["name"] if number == 1 else f"{each['name']} {number}"), each["value"]
