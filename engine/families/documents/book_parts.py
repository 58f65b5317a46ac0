"""Rewrite the parts of an EPUB that pandoc would not find or would omit."""

from __future__ import annotations

import posixpath
import zipfile
from pathlib import Path
from urllib.parse import quote, unquote

from lxml import etree

from engine.families.documents import book_pages
from engine.families.documents.ooxml.package import Element, Package
from engine.toolkit.warnings import Warn

_CONTAINER = "META-INF/container.xml"
_ROOT_FILE = "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
_PACKAGE = "package-of-the-book.opf"


def rewritten(source: Path, target: Path, warn: Warn) -> bool:
    """Write `source` to `target` in a form that pandoc reads completely, if necessary; return whether it was written.

    Raises Unreadable for a damaged archive.
    """
    with Package(source) as book:
        if _CONTAINER not in book.names:
            return False
        container = book.xml(_CONTAINER)
        named = next(container.iter(_ROOT_FILE), None)
        path = (named.get("full-path") or "") if named is not None else ""
        if named is None or path not in book.names:
            return False
        package = book.xml(path)
        given = _xml(package)
        moved = b"../" in book.read(path)
        if moved:
            _move_up(package, posixpath.dirname(path))
            named.set("full-path", _PACKAGE)
        new_path = _PACKAGE if moved else path
        changed = book_pages.changed(book, package, posixpath.dirname(new_path), warn)
        if not changed and _xml(package) == given:
            return False
        changed[new_path] = _xml(package)
        changed[_CONTAINER] = _xml(container)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
            for name in sorted(book.names - {path, *changed}, key=lambda name: (name != "mimetype", name)):
                made.writestr(name, book.read(name))
            for name, data in changed.items():
                made.writestr(name, data)
    return True


def _move_up(package: Element, folder: str) -> None:
    """Make the addresses of a package in `folder` relative to the root: pandoc does not resolve `../`."""
    for each in package.iter():
        address = each.get("href") if isinstance(each.tag, str) else None
        if address and ":" not in address.partition("/")[0]:
            part, mark, place = address.partition("#")
            whole = posixpath.normpath(posixpath.join("/", folder, unquote(part)))
            each.set("href", quote(whole.lstrip("/")) + mark + place)


def _xml(root: Element) -> bytes:
    made: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    return made
