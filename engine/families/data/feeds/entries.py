"""Read feeds (RSS 0.9 to 2.0, Atom of RFC 4287) as objects or rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError, tostring

from defusedxml import DefusedXmlException

from engine.families.data.agenda import rows
from engine.families.data.agenda.parameters import joined as joined_cells
from engine.families.data.feeds import spelling
from engine.families.data.feeds.attributes import ADDRESSES, BY_ADDRESS, Attributes, joined
from engine.families.data.feeds.elements import NAMES, OF_AUTHORS, SPACES, name_of, pieces
from engine.families.data.table import Documents, Table
from engine.toolkit import xml_entities
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

Record = dict[str, Any]

MAX_BYTES, MAX_ELEMENTS, MAX_DEPTH = 50_000_000, 500_000, 200
"""80,000 entries (480,000 elements, 23 MB) take 9 s and 240 MB as JSON and CSV, 15 s and 560 MB as HTML."""
ORDER = ("title", "link", "published", "updated", "author", "categories", "summary", "content", "enclosures", "id")
_MANY = ("categories", "enclosures", "author")
_MARKUP = {"summary", "content"}


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
    attributes = Attributes(SPACES)
    feed = _record(of_channel, attributes) | _own((root, channel), attributes)
    entries = [_record(each, attributes) | _own((each,), attributes) for each in found]
    attributes.tell(warn)
    return feed, entries


def _own(elements: Iterable[Element], attributes: Attributes) -> Record:
    """The attributes of a feed or an entry itself: `xml:lang`, and `@name` for one without a vocabulary."""
    found: Record = {}
    for each in elements:
        for name, value in attributes.of(each).items():
            if found.setdefault(name if ":" in name else f"@{name}", value) != value:
                attributes.lose([each], [name])
    return found


def name_details(feed: Record, shown: Collection[str], warn: Warn) -> None:
    """Name what a feed says of itself, but for what the output shows."""
    names = [name for name in feed if name not in (*shown, "others")]
    names += dict.fromkeys(one["name"] for one in feed.get("others", ()))
    if names:
        said = ", ".join(names[:20])
        warn("METADATA_DROPPED", say("Details of the feed itself are not in the output: {said}.", said=said))


def _record(elements: Iterable[Element], attributes: Attributes) -> Record:
    found: Record = {}
    others: list[Record] = []
    beside: dict[str, list[dict[str, str]]] = {}
    authors: set[tuple[object, ...]] = set()
    for path, each in pieces(elements):
        name, key = path, NAMES.get(path)
        if name == "link" and each.get("href"):
            key = {"enclosure": "enclosures", "alternate": "link"}.get(each.get("rel", "alternate"))
            name = f"link {each.get('rel')}"
        value = _value(each, key)
        given = attributes.of(each, _in_value(each, name, key))
        if key == "author" and (uri := next((one.text for one in each if name_of(one) == "uri"), "")):
            given["uri"] = uri.strip()
        if key not in _MARKUP:
            for one in each:
                if key != "author" or name_of(one) in OF_AUTHORS:
                    attributes.lose(one.iter())
        if not value:
            attributes.lose([each])
        elif key in _MANY:
            author = (value, *given.items())
            if key != "author" or author not in authors:
                authors.add(author)
                found.setdefault(key, []).append(value)
                beside.setdefault(key, []).append(given)
        elif key and key not in found:
            found[key] = value
            attributes.put(found, key, [given], many=False)
        elif value != found.get(key or "") or given:
            others.append({"name": name, "value": value} | ({"attributes": given} if given else {}))
    for key, each_given in beside.items():
        attributes.put(found, key, each_given, many=True)
    if "author" in found:
        found["author"] = "; ".join(found["author"])
        found |= {name: joined_cells(value) for name, value in found.items() if name.startswith("author.")}
    return found | ({"others": others} if others else {})


def _in_value(element: Element, name: str, key: str | None) -> tuple[str, ...]:
    """The attributes that the value of an element is taken from, or that its name says."""
    if key == "enclosures":
        return ("url" if element.get("url") else "href", "rel")
    if name == "link" or name.startswith("link "):
        return ("href", "rel")
    if key == "categories":
        return ("label" if element.get("label") else "term",) if element.get("term") else ()
    last = name.rpartition("/")[2]
    return (ADDRESSES[last],) if last in ADDRESSES and not (element.text or "").strip() else ()


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
        address = next((element.get(name, "") for name in BY_ADDRESS if element.get(name)), "")
        return address or joined({name.replace("}", ":"): value for name, value in element.items()})
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
    row: dict[str, Any] = {}
    for name, value in entry.items():
        if isinstance(value, list) and name != "others":
            row[name] = joined_cells(value) if "." in name else "; ".join(value)
        elif name != "others":
            row[name] = value
    counts = Counter(row.keys())
    for each in entry.get("others", []):
        counts[each["name"]] += 1
        number = counts[each["name"]]
        column = each["name"] if number == 1 else f"{each['name']} {number}"
        row[column] = each["value"]
        row |= {f"{column}.{name}": value for name, value in each.get("attributes", {}).items()}
    return row
