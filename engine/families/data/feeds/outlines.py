"""Read and write OPML 2.0 outlines, as nested objects or as rows with folders."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from engine.families.data.agenda import rows
from engine.families.data.feeds.elements import name_of
from engine.families.data.feeds.entries import MAX_DEPTH, Record, parsed
from engine.families.data.table import Documents, Table
from engine.families.data.values import text
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Kind, Warn

ORDER = ("text", "title", "folder", "type", "xmlUrl", "htmlUrl", "description")
_HEAD = Kind("METADATA_DROPPED", "Details from the outline's head are not in the output: {count}{places}.")
_COMMENTS = Kind("CONTENT_DROPPED", "Elements other than outlines were left out: {count}{places}.")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_BAD = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SEPARATOR = "/"
_CHANGED = Kind("VALUE_CONVERTED", "Names that attributes can't have were changed: {count}{places}.")


def _read(source: Path, warn: Warn) -> tuple[dict[str, str], list[Record]]:
    root = parsed(source, warn)
    if name_of(root).lower() != "opml":
        raise Unreadable("The file is not OPML: its first element is not <opml>.", line=1, reason="format")
    head = {
        name_of(each): (each.text or "").strip()
        for part in root if name_of(part) == "head" for each in part if (each.text or "").strip()
    }  # fmt: skip
    others: list[str] = []
    found = [
        _outline(each, others) for part in root if name_of(part) == "body" for each in part
        if name_of(each) == "outline"
    ]  # fmt: skip
    if not found:
        raise Unreadable("The file has no outlines.", reason="empty")
    warn.tally(_COMMENTS, len(others), others)
    return head, found


def _outline(element: Element, others: list[str]) -> Record:
    found: Record = {name.rpartition("}")[2]: value for name, value in element.items() if name != "outlines"}
    inside = []
    for each in element:
        if name_of(each) == "outline":
            inside.append(_outline(each, others))
        else:
            others.append(f"<{name_of(each)}>")
    return found | ({"outlines": inside} if inside else {})


def read_objects(source: Path, options: Any, warn: Warn) -> Documents:
    """Return the outline as one object: the properties of its head, and nested lists."""
    head, found = _read(source, warn)
    whole = head | {"outlines": found}
    return Documents(lambda: iter([[whole]]), many=False)


def read_rows(source: Path, options: Any, warn: Warn) -> list[Table]:
    """Return each outline as a row, with the texts of its ancestors as its `folder`."""
    head, found = _read(source, warn)
    warn.tally(_HEAD, len(head), head)
    listed: list[Record] = []
    waiting = [(each, "") for each in reversed(found)]
    while waiting:
        each, folder = waiting.pop()
        inside = each.pop("outlines", [])
        name = each.get("text") or each.get("title", "")
        if not inside or each.keys() - {"text", "title"}:
            listed.append(each | ({"folder": folder} if folder else {}))
        path = f"{folder}{_SEPARATOR if folder else ''}{name.replace(_SEPARATOR, '∕')}"
        waiting += [(below, path) for below in reversed(inside)]
    return [rows.table(listed, lambda row: row, ORDER)]


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write objects or rows as outlines; rows go into the folders they name. Raises Unreadable for other values."""
    root = Element("opml", version="2.0")
    head = ElementTree.SubElement(root, "head")
    body = ElementTree.SubElement(root, "body")
    changed: dict[str, None] = {}
    folders: dict[str, Element] = {"": body}
    for batch in documents.batches():
        for value in batch:
            if not isinstance(value, dict):
                raise Unreadable("Each outline must be an object, and the file has other values.", reason="format")
            listed = value.get("outlines")
            if not documents.many and isinstance(listed, list):
                for name, content in value.items():
                    if name != "outlines" and not isinstance(content, list | dict) and _NAME.fullmatch(name):
                        ElementTree.SubElement(head, name).text = _BAD.sub("", text(content))
                for each in listed:
                    _put(body, each, changed, 0)
            else:
                row = {name: each for name, each in value.items() if name.lower() != "folder"}
                folder = next((text(each) for name, each in value.items() if name.lower() == "folder"), "")
                _put(_folder(folders, folder), row, changed, 0)
    if head.find("title") is None:
        ElementTree.SubElement(head, "title").text = "Outlines"
    warn.tally(_CHANGED, len(changed), changed)
    ElementTree.indent(root)
    target.write_bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _folder(folders: dict[str, Element], path: str) -> Element:
    inside, so_far = folders[""], ""
    for part in [each.strip() for each in path.split(_SEPARATOR) if each.strip()][:50]:
        so_far = f"{so_far}{_SEPARATOR}{part}"
        if so_far not in folders:
            folders[so_far] = ElementTree.SubElement(inside, "outline", text=_BAD.sub("", part.replace("∕", "/")))
        inside = folders[so_far]
    return inside


_ATTRIBUTES = {"xmlurl": "xmlUrl", "feedurl": "xmlUrl", "rss": "xmlUrl", "feed": "xmlUrl", "url": "url",
               "htmlurl": "htmlUrl", "website": "htmlUrl", "link": "htmlUrl", "name": "text"}  # fmt: skip


def _put(inside: Element, value: Any, changed: dict[str, None], depth: int) -> None:
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        raise Unreadable(
            "Each outline must be an object, not nested too deeply, and the file has other values.", reason="format"
        )
    made = ElementTree.SubElement(inside, "outline")
    for column, given in value.items():
        if column == "outlines" and isinstance(given, list):
            for each in given:
                _put(made, each, changed, depth + 1)
        elif given not in (None, ""):
            name: str = _ATTRIBUTES.get(re.sub("[^a-z]", "", str(column).lower()), str(column))
            if not _NAME.fullmatch(name):
                changed[column] = None
                name = re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("_") or "column"
                name = name if _NAME.fullmatch(name) else f"_{name}"
            if name not in made.attrib:
                made.set(name, _BAD.sub("", text(given)))
    if "text" not in made.attrib:
        made.set("text", made.get("title") or made.get("xmlUrl") or "")
    if made.get("xmlUrl") and not made.get("type"):
        made.set("type", "rss")
