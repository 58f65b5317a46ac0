"""Move the pictures of an OpenDocument text to the folder in which pandoc looks for them."""

from __future__ import annotations

import html
import itertools
import posixpath
import re
from collections.abc import Collection, Iterator
from urllib.parse import unquote

FOLDER = "Pictures/"
"""The only folder whose pictures pandoc reads; Word saves those of its OpenDocument texts in another."""
_PREVIEWS = "ObjectReplacements/"
_IMAGE = re.compile(rb"<(?:[\w.-]+:)?image\b[^<>]*>")
_ADDRESS = re.compile(rb"""(\s[\w.-]{1,40}:href\s*+=\s*+)(?:"([^"<>]*)"|'([^'<>]*)')""")


def moved(content: bytes, names: Collection[str]) -> tuple[bytes, dict[str, str]]:
    """The content with pictures addressed in that folder, and the new name of each part that is not there yet.

    Previews of embedded objects stay where they are: the objects are reported.
    """
    places: dict[str, str] = {}
    taken = set(names)
    numbers = itertools.count(2)

    def placed(address: re.Match[bytes]) -> bytes:
        given = html.unescape((address[2] or address[3] or b"").decode("utf-8", "replace"))
        name = next((each for each in (_part(given), _part(unquote(given))) if each in taken), None)
        if name is None or name.startswith((FOLDER, _PREVIEWS)) or name.endswith("/"):
            return address[0]
        if name not in places:
            places[name] = _free(posixpath.basename(name), taken, numbers)
            taken.add(places[name])
        return address[1] + b'"' + html.escape(places[name]).encode() + b'"'

    return _IMAGE.sub(lambda tag: _ADDRESS.sub(placed, tag[0]), content), places


def _part(address: str) -> str:
    return posixpath.normpath(address) if address else ""


def _free(name: str, taken: Collection[str], numbers: Iterator[int]) -> str:
    stem, ending = posixpath.splitext(name)
    free = FOLDER + name
    while free in taken:
        free = f"{FOLDER}{stem}-{next(numbers)}{ending}"
    return free
