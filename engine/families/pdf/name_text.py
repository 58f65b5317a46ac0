"""Read names and strings of a PDF as text, whose bytes are UTF-8 or, from older programs, of another encoding."""

from __future__ import annotations

import re
from typing import Any

import pikepdf

_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")


def text_of(name: pikepdf.Object | str) -> str:
    """Return the text of a name, or of a key of a dictionary, without its slash.

    Names are UTF-8 (ISO 32000-1, 7.3.5); bytes that are not are taken for a text string (7.9.2.2).
    """
    raw = _bytes(name)
    if raw.startswith(b"\xfe\xff"):
        return raw[2:].decode("utf-16-be", "replace")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("pdfdoc", "replace")


def string_text(value: Any) -> str:
    """Return the text of a string or other value; bytes that are not of its encoding are PDFDocEncoding."""
    try:
        return str(value)
    except UnicodeDecodeError:
        return f"/{text_of(value)}" if isinstance(value, pikepdf.Name) else bytes(value).decode("pdfdoc", "replace")


def name_of(key: str) -> pikepdf.Object:
    """Return the name that is the key of a dictionary."""
    return pikepdf.Object.parse(b"/" + b"".join(b"#%02x" % each for each in _bytes(key)))


def _bytes(name: pikepdf.Object | str) -> bytes:
    if isinstance(name, str):
        return name[1:].encode("utf-8", "surrogateescape")
    return _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), bytes(name.unparse())[1:])
