"""Read web archives of Safari: a page and its files in a binary property list."""

from __future__ import annotations

import plistlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.saved_pages.parts import Part, SavedPage, key, without_page
from engine.toolkit.failures import Unreadable

_DEEPEST = 20
"""Frames inside of frames; browsers show no more."""
_DAMAGE = (plistlib.InvalidFileException, ValueError, TypeError, OverflowError, RecursionError, IndexError, KeyError)


def read(source: Path) -> SavedPage:
    """The main resource of a web archive, its subresources, and those of its frames.

    Raises Unreadable for a damaged property list, and one without a page.
    """
    try:
        archive = plistlib.loads(source.read_bytes(), fmt=plistlib.FMT_BINARY)
    except _DAMAGE as error:
        raise Unreadable("The web archive is damaged. Save the page again.", reason="damaged") from error
    main = archive.get("WebMainResource") if isinstance(archive, dict) else None
    if not isinstance(main, dict) or not isinstance(main.get("WebResourceData"), bytes):
        raise without_page()
    address = _text(main, "WebResourceURL") or "about:blank"
    parts = {key(address): _part(main)}
    for each in _files(archive, 0):
        if isinstance(each.get("WebResourceData"), bytes):
            parts.setdefault(key(_text(each, "WebResourceURL")), _part(each))
    return SavedPage(address, parts)


def _files(archive: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
    """The files of an archive, and those of its frames with them."""
    yield from _dicts(archive, "WebSubresources")
    for frame in _dicts(archive, "WebSubframeArchives") if depth < _DEEPEST else ():
        yield from _dicts({"": [frame.get("WebMainResource")]}, "")
        yield from _files(frame, depth + 1)


def _dicts(holder: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = holder.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _text(resource: dict[str, Any], name: str) -> str:
    found = resource.get(name)
    return found if isinstance(found, str) else ""


def _part(resource: dict[str, Any]) -> Part:
    kind = _text(resource, "WebResourceMIMEType").lower()
    return Part(
        resource["WebResourceData"],
        kind if kind.isascii() and "/" in kind else "application/octet-stream",
        _text(resource, "WebResourceTextEncodingName") or None,
    )
