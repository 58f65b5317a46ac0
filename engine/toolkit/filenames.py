"""Sanitise file names on arrival, so that they are safe to store, display, send in a header and write to disk."""

from __future__ import annotations

import re
import unicodedata

from engine.toolkit.formats import Format, by_name

MAX_BYTES = 255
"""The longest name common file systems accept, in UTF-8 bytes."""

_MAX_EXTENSION = 20
_FIRST, _LAST = 4 * MAX_BYTES, 5 * _MAX_EXTENSION
"""Characters of a longer name that decide about it: no letter is composed of more than four (Unicode 16, chapter 3)."""
_JOINERS = "\u200c\u200d"
"""Format characters needed to spell words and emoji (Unicode 16, section 23.2)."""

RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.IGNORECASE)
"""Device names reserved by Windows, with any extension."""


def clean(name: str) -> str:
    """The last component of a path as a name that is safe everywhere; the function is idempotent.

    Removes control, format (including bidirectional marks), private-use and unassigned characters and lone surrogates;
    collapses white space; strips dots and spaces, but a name that is only an extension becomes `file` plus that
    extension. A name longer than MAX_BYTES in UTF-8 is shortened at the end of its stem. Names reserved by Windows get
    a leading underscore. An empty name becomes `file`.
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    visible = "".join(each for each in last if each in _JOINERS or each.isspace() or _is_visible(each))
    text = " ".join(visible.split()).strip(" " + _JOINERS)
    bare = _composed(text.strip(". " + _JOINERS))
    if not bare or (text.startswith(".") and "." not in bare):
        bare = f"file.{bare}".rstrip(".")
    stem, extension = _split(bare)
    if RESERVED.match(stem):
        stem = f"_{stem}"
    return _joined(stem, extension)


def converted(name: str, format: Format) -> str:
    """The name of a result: the sanitised input name with the extension of `format`."""
    stem, extension = _split(name)
    inner, before = _split(stem)
    return _joined(inner if before and by_name(f"{before}.{extension}") else stem, format.extension)


def _composed(text: str) -> str:
    """The text in NFC, without the middle of one that is too long for a name.

    Sorting the marks of one letter takes the square of their number, and no other thread runs meanwhile: a megabyte of
    them takes minutes.
    """
    if len(text) > _FIRST + _LAST:
        text = text[:_FIRST] + text[-_LAST:]
    return unicodedata.normalize("NFC", text)


def _is_visible(character: str) -> bool:
    return not unicodedata.category(character).startswith("C")


def _split(text: str) -> tuple[str, str]:
    stem, dot, extension = text.rpartition(".")
    if not dot or not stem or not extension or len(extension.encode()) > _MAX_EXTENSION:
        return text, ""
    return stem, extension


def _joined(stem: str, extension: str) -> str:
    tail = f".{extension}" if extension else ""
    kept = stem.encode()[: MAX_BYTES - len(tail.encode())].decode(errors="ignore")
    return kept.rstrip(f". {_JOINERS}") + tail
