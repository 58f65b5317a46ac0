"""Write RSS 2.0 feeds from rows, objects or entries, using the names of the reader."""

from __future__ import annotations

import mimetypes
import re
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from engine.families.data.agenda.parameters import of_each
from engine.families.data.feeds.attributes import ADDRESSES, BY_ADDRESS, joined
from engine.families.data.feeds.entries import Record
from engine.families.data.feeds.paths import PREFIXES, Others
from engine.families.data.table import Documents
from engine.families.data.values import text
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_LEFT_OUT = Kind("CONTENT_DROPPED", "Fields without a matching RSS element were left out: {count}{places}.")
_NO_DATE = Kind("VALUE_CONVERTED", "Unreadable dates were kept as they are: {count}{places}.")
_XML = "http://www.w3.org/XML/1998/namespace"
_NAMES = {
    "url": "link", "date": "published", "pubdate": "published", "description": "summary", "category": "categories",
    "tags": "categories", "guid": "id", "creator": "author", "body": "content", "enclosure": "enclosures",
}  # fmt: skip
_KNOWN = {
    "title": "title", "link": "link", "summary": "description", "content": "content:encoded", "author": "dc:creator",
    "id": "guid", "published": "pubDate", "updated": "atom:updated", "categories": "category",
    "enclosures": "enclosure", "comments": "comments", "rights": "dc:rights", "language": "dc:language",
}  # fmt: skip
_CHANNEL = _KNOWN | {
    "updated": "lastBuildDate", "rights": "copyright", "language": "language", "generator": "generator",
}  # fmt: skip
_ATTRIBUTES = {"enclosure": ("length", "type"), "category": ("domain",), "guid": ("isPermaLink",), "source": ("url",)}
"""Attributes of elements without a prefix (RSS 2.0)."""
_LINK = re.compile(r"link ([^\s/]++)(?: \d{1,6})?")
_ATTRIBUTE = re.compile(r"[A-Za-z_][\w-]*+")
_BESIDE = re.compile(r"(.+)\.((?:\w++:)?[A-Za-z_][\w-]*+)")
_BAD = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write one object with `entries` as a feed, and any other objects or rows as the items of a feed.

    Raises Unreadable for other values, and for an item with neither a title nor a text (RSS 2.0).
    """
    for prefix, space in PREFIXES.items():
        ElementTree.register_namespace(prefix, space)
    feed = _Feed()
    for batch in documents.batches():
        for value in batch:
            if not isinstance(value, dict):
                raise Unreadable("Each feed entry must be an object, and the file has other values.", reason="format")
            entries = value.get("entries")
            if not documents.many and isinstance(entries, list):
                feed.describe({name: each for name, each in value.items() if name != "entries"})
                for each in entries:
                    feed.add(each)
            else:
                feed.add(value)
    feed.finish()
    warn.tally(_LEFT_OUT, len(feed.left_out), feed.left_out)
    warn.leave_out(feed.texts_left_out)
    warn.tally(_NO_DATE, len(feed.no_dates), feed.no_dates)
    ElementTree.indent(feed.root)
    target.write_bytes(ElementTree.tostring(feed.root, encoding="utf-8", xml_declaration=True) + b"\n")


class _Feed:
    def __init__(self) -> None:
        self.root = Element("rss", version="2.0")
        self._channel = SubElement(self.root, "channel")
        self._feed: Record = {}
        self._items: list[Element] = []
        self.left_out: dict[str, None] = {}
        self.texts_left_out: dict[str, None] = {}
        self.no_dates: dict[str, None] = {}

    def describe(self, given: Record) -> None:
        """Set the properties of the feed itself."""
        self._feed = given

    def add(self, given: Any) -> None:
        """Add an item. Raises Unreadable for a value that is not one."""
        number = len(self._items) + 1
        if not isinstance(given, dict):
            raise Unreadable("Feed entries must be objects, and the file has other values.", reason="format")
        item = Element("item")
        self._fill(item, given, _KNOWN)
        if item.find("title") is None and item.find("description") is None:
            raise Unreadable(
                say("Entry {number} has neither a title nor a summary, and an RSS item needs one.", number=number),
                line=None,
                reason="damaged",
            )
        self._items.append(item)

    def finish(self) -> None:
        """The channel, which always has a title, a link and a description, and its items after them."""
        channel = {"title": "Feed", "link": "", "summary": ""} | self._feed
        self._fill(self._channel, channel, _CHANNEL, always=("title", "link", "summary"))
        self._channel.extend(self._items)

    def _fill(self, inside: Element, given: Record, known: dict[str, str], always: tuple[str, ...] = ()) -> None:
        done: set[str] = set()
        others = Others(inside)
        values, beside = _apart(given)
        for column, value in values.items():
            plain = re.sub("[^a-z]", "", str(column).lower())
            name = column if column in known else _NAMES.get(plain, plain)
            if value in (None, "", []) and name not in always:
                continue
            of = beside.get(column, {})
            if column == "others" and isinstance(value, list):
                for each in value:
                    if isinstance(each, dict):
                        attributes = each.get("attributes")
                        self._other(
                            others,
                            text(each.get("name")),
                            each.get("value"),
                            attributes if isinstance(attributes, dict) else {},
                        )
            elif column.startswith("xml:"):
                inside.set(f"{{{_XML}}}{column[4:]}", _BAD.sub("", text(value)))
            elif name in known and name not in done:
                done.add(name)
                self._known(inside, name, known[name], value, of)
            else:
                self._other(others, str(column), value, of)

    def _known(self, inside: Element, name: str, element: str, value: Any, of: Record) -> None:
        if name in ("categories", "enclosures"):
            values = value if isinstance(value, list) else re.split(r";\s*", text(value))
            for each, given in zip(values, of_each(of, len(values)), strict=True):
                if name == "categories":
                    made = self._put(inside, element, text(each))
                else:
                    kind = mimetypes.guess_type(text(each))[0] or "application/octet-stream"
                    made = SubElement(inside, element, url=_BAD.sub("", text(each)), length="0", type=kind)
                self._set(made, name, {"domain" if key == "scheme" else key: one for key, one in given.items()})
            return
        content = text(value)
        if name == "published" or element == "lastBuildDate":
            made = self._moment(inside, element, content)
        else:
            made = self._put(inside, element, content)
        if name == "id" and not re.match(r"https?://", content):
            made.set("isPermaLink", "false")
        self._set(made, name, of)

    def _set(self, made: Element, column: str, given: Record, *, any_name: bool = False) -> None:
        """Set the attributes that the element may have; others are left out."""
        for name, value in given.items():
            prefix, _, local = name.rpartition(":")
            space = _XML if prefix == "xml" else PREFIXES.get(prefix, "")
            is_known = bool(space) if prefix else any_name or name in _ATTRIBUTES.get(made.tag, ())
            if value in (None, ""):
                continue
            if is_known and _ATTRIBUTE.fullmatch(local):
                made.set(f"{{{space}}}{local}" if prefix else local, _BAD.sub("", text(value)))
            else:
                self._leave_out(f"{column}.{name}", value)

    def _moment(self, inside: Element, element: str, content: str) -> Element:
        try:
            moment = datetime.fromisoformat(content)
        except ValueError:
            if not re.match(r"\w{3}, \d", content):
                self.no_dates[content[:60]] = None
            return self._put(inside, element, content)
        return self._put(inside, element, format_datetime(moment, usegmt=moment.tzinfo is UTC))

    def _other(self, others: Others, name: str, value: Any, of: Record) -> None:
        if isinstance(value, list | dict):
            self._leave_out(name, value)
            return
        content = text(value)
        if found := _LINK.fullmatch(name):
            made = SubElement(others.inside, f"{{{PREFIXES['atom']}}}link", rel=found[1], href=_BAD.sub("", content))
        elif (place := others.made(name)) is not None:
            made = place
            address = ADDRESSES.get(name.rpartition("/")[2].partition(" ")[0])
            if address and address not in of:
                made.set(address, _BAD.sub("", content))
            elif content not in (joined({key: text(one) for key, one in of.items()}), *map(of.get, BY_ADDRESS)):
                made.text = _BAD.sub("", content)
        else:
            self._leave_out(name, value)
            return
        self._set(made, name, of, any_name=made.tag.startswith("{"))

    def _leave_out(self, name: str, value: Any) -> None:
        self.left_out[name[:60]] = None
        self.texts_left_out[text(value)] = None

    def _put(self, inside: Element, name: str, content: str) -> Element:
        prefix, _, local = name.rpartition(":")
        made = SubElement(inside, f"{{{PREFIXES[prefix]}}}{local}" if prefix else local)
        made.text = _BAD.sub("", content)
        return made


def _apart(given: Record) -> tuple[Record, dict[str, Record]]:
    """The columns of a row or the keys of an object without attributes, and the attributes of each of them."""
    values: Record = {}
    beside: dict[str, Record] = {}
    for column, value in given.items():
        match = _BESIDE.fullmatch(str(column))
        if match and given.get(match[1]) not in (None, "", []):
            beside.setdefault(match[1], {})[match[2]] = value
        else:
            values[str(column)] = value
    return values, beside
