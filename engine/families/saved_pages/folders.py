"""Read a folder in a ZIP: a page, and the files beside it."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from engine.families.saved_pages.parts import Part, SavedPage, key, without_page
from engine.toolkit import archive, members
from engine.toolkit.formats import HEAD_BYTES, HTML

_ROOT = "file:///"
_INDEX = ("index.html", "index.htm", "index.xhtml")
_PAGES = (".html", ".htm", ".xhtml")
_KINDS = {
    ".pdf": "application/pdf", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
    ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".bmp": "image/bmp", ".ico": "image/x-icon",
    ".tif": "image/tiff", ".tiff": "image/tiff", ".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf",
    ".otf": "font/otf", ".mp4": "video/mp4", ".webm": "video/webm", ".mp3": "audio/mpeg", ".ogg": "audio/ogg",
    **dict.fromkeys(_PAGES, "text/html"),
}  # fmt: skip


def main_page(files: zipfile.ZipFile, *, only_index: bool) -> str | None:
    """The name of the page that a ZIP shows: an index.html at its top or in its only folder.

    Unless `only_index`, the only page in that place counts as well. None if there is no such page.
    """
    given = list(members.members(files))
    paths = {each: PurePosixPath(_path(each.filename)) for each in given}
    at_top = [each for each in given if len(paths[each].parts) == 1]
    if not at_top and len({path.parts[0] for path in paths.values()}) == 1:
        at_top = [each for each in given if len(paths[each].parts) == 2]
    pages = [each for each in at_top if paths[each].suffix.lower() in _PAGES]
    named = [each for name in _INDEX for each in pages if paths[each].name.lower() == name]
    if not named and not only_index and len(pages) == 1:
        named = pages
    for each in named:
        with files.open(each) as file:
            if HTML.recognises(file.read(HEAD_BYTES)):
                return each.filename
    return None


def read(source: Path, *, only_index: bool = False) -> SavedPage:
    """The page of a ZIP, with all its files.

    Raises Unreadable for a damaged archive and one without a page, OverLimit for one that is too large unpacked.
    """
    archive.preflight(source, visited=())
    with zipfile.ZipFile(source) as files:
        name = main_page(files, only_index=only_index)
        if name is None:
            raise without_page()
        parts = {
            key(address(each.filename)): Part(files.read(each), kind(each.filename)) for each in members.members(files)
        }
    return SavedPage(address(name), parts)


def kind(name: str) -> str:
    """The media type of a file by its name."""
    return _KINDS.get(PurePosixPath(name).suffix.lower(), "application/octet-stream")


def address(name: str) -> str:
    """The address of a file in a ZIP."""
    return _ROOT + quote(_path(name))


def name_of(address: str) -> str:
    """The name of a file in a ZIP, by the key of its address."""
    return address.removeprefix(_ROOT)


def _path(name: str) -> str:
    # Some programs for Windows write backslashes.
    return name.replace("\\", "/")
