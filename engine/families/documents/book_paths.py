"""Repair EPUB files whose package is not above its texts, as pandoc resolves part names literally."""

from __future__ import annotations

import posixpath
import zipfile
from pathlib import Path
from urllib.parse import quote, unquote

from lxml import etree

from engine.families.documents.ooxml.package import Package

_CONTAINER = "META-INF/container.xml"
_ROOT_FILE = "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
_PACKAGE = "package-of-the-book.opf"


def normalised(source: Path, target: Path) -> bool:
    """Write `source` to `target` with its package at the top if its part names use `../`.

    Returns whether it was written. Raises Unreadable for a damaged archive.
    """
    with Package(source) as book:
        if _CONTAINER not in book.names:
            return False
        container = book.xml(_CONTAINER)
        named = next(container.iter(_ROOT_FILE), None)
        path = (named.get("full-path") or "") if named is not None else ""
        if named is None or path not in book.names or b"../" not in book.read(path):
            return False
        package = book.xml(path)
        for each in package.iter():
            address = each.get("href") if isinstance(each.tag, str) else None
            if address and ":" not in address.partition("/")[0]:
                part, mark, place = address.partition("#")
                whole = posixpath.normpath(posixpath.join("/", posixpath.dirname(path), unquote(part)))
                each.set("href", quote(whole.lstrip("/")) + mark + place)
        named.set("full-path", _PACKAGE)
        changed = {_CONTAINER: container, _PACKAGE: package}
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
            for name in sorted(book.names - {path, *changed}, key=lambda name: (name != "mimetype", name)):
                made.writestr(name, book.read(name))
            for name, root in changed.items():
                made.writestr(name, etree.tostring(root, encoding="utf-8", xml_declaration=True))
    return True
