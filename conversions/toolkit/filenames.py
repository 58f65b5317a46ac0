"""File names: made safe once, where they come in, to be kept, shown, sent in a header and written to any disk."""

from __future__ import annotations

import re
import unicodedata

from conversions.toolkit.formats import Format, by_name

MAX_BYTES = 255
"""The longest name that common file systems take, in UTF-8."""

_MAX_EXTENSION = 20
_JOINERS = "\u200c\u200d"
"""Format characters that words and emoji are spelled with (Unicode 16, section 23.2)."""

RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.IGNORECASE)
"""What Windows takes for a device, whatever extension follows."""


def clean(name: str) -> str:
    """The last part of a path as a name that is safe everywhere; cleaning it once more changes nothing.

    Control, format (bidirectional marks among them), private and unassigned characters and lone surrogates go; all
    white space is one space; dots and spaces at both ends go, but a name that is all extension is `file` with it. What
    is longer than MAX_BYTES in UTF-8 loses the end of its stem, never its extension. What Windows reserves gets an
    underscore in front. Nothing left is `file`.
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    visible = "".join(each for each in last if each in _JOINERS or each.isspace() or _is_visible(each))
    text = unicodedata.normalize("NFC", " ".join(visible.split())).strip(" " + _JOINERS)
    bare = text.strip(". " + _JOINERS)
    if not bare or (text.startswith(".") and "." not in bare):
        bare = f"file.{bare}".rstrip(".")
    stem, extension = _split(bare)
    if RESERVED.match(stem):
        stem = f"_{stem}"
    return _joined(stem, extension)


def converted(name: str, format: Format) -> str:
    """The name of a result: the clean name of its input with the extension of `format` in place of its own."""
    stem, extension = _split(name)
    inner, before = _split(stem)
    return _joined(inner if before and by_name(f"{before}.{extension}") else stem, format.extension)


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
