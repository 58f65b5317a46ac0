"""Read web archives of Safari: a page and its files in a binary property list."""

from __future__ import annotations

import plistlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.saved_pages.parts import MAX_PARTS, Part, SavedPage, key, too_many, without_page
from engine.toolkit.failures import Unreadable

_DAMAGE = (plistlib.InvalidFileException, ValueError, TypeError, OverflowError, RecursionError, IndexError, KeyError)


def read(source: Path) -> SavedPage:
    """The main resource of a web archive, its subresources, and those of its frames.

    Raises Unreadable for a damaged property list, and one without a page, OverLimit for too many files.
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
    for number, each in enumerate(_files(archive), start=1):
        if number > MAX_PARTS:
            raise too_many()
        if isinstance(each.get("WebResourceData"), bytes):
            parts.setdefault(key(_text(each, "WebResourceURL")), _part(each))
    return SavedPage(address, parts)


def _files(archive: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The files of an archive and of its frames, from the outside in.

    Each list and dictionary is visited once: a binary property list can refer to one many times, also from inside it.
    """
    seen = {id(archive)}
    frames = [archive]
    for frame in frames:
        yield from _dicts(frame, "WebSubresources", seen)
        for inner in _dicts(frame, "WebSubframeArchives", seen):
            if isinstance(main := inner.get("WebMainResource"), dict):
                yield main
            frames.append(inner)


def _dicts(holder: dict[str, Any], name: str, seen: set[int]) -> Iterator[dict[str, Any]]:
    """The dictionaries of a list that are not yet among the identities that were `seen`."""
    found = holder.get(name)
    if not isinstance(found, list) or id(found) in seen:
        return
    seen.add(id(found))
    for each in found:
        if isinstance(each, dict) and id(each) not in seen:
            seen.add(id(each))
            yield each


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
