"""The parts of an office file in the one spelling in which a search finds what a parser finds."""

from __future__ import annotations

import codecs
import re

from engine.toolkit.failures import Unreadable

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<")
_DECLARED = re.compile(rb"""\A\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']""")
_LIKE_ASCII = frozenset({"utf-8", "ascii", "iso8859-1", "cp1252"})
"""The encodings in which names and addresses have the bytes of ASCII, as Python names them."""


def plain(data: bytes) -> bytes:
    """An XML part in UTF-8 without a byte order mark. Raises Unreadable if it has declarations of its own.

    Entities and default values of attributes (XML 1.0, 3.3.2 and 4.1) let a parser find what is nowhere in the text.
    Parts of Office Open XML must not have any (ECMA-376, part 2, 6.2.5).
    """
    if data.startswith(_UTF_16):
        try:
            text = data.decode(
                "utf-16" if data[:2] in _UTF_16[:2] else "utf-16-le" if data[:1] == b"<" else "utf-16-be"
            )
        except UnicodeDecodeError as error:
            raise _damaged() from error
        data = re.sub(r"\A\s*<\?xml\b[^>]*\?>", "", text).encode("utf-8", "surrogatepass")
    data = data.removeprefix(codecs.BOM_UTF8)
    if data.strip() and not data.lstrip().startswith(b"<"):
        raise _damaged()
    if (found := _DECLARED.match(data)) and _name(found[1].decode("ascii")) not in _LIKE_ASCII:
        raise _damaged()
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data or b"<!ATTLIST" in data or b"\0" in data:
        raise _damaged()
    return data


def _name(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return ""


def _damaged() -> Unreadable:
    return Unreadable("The document is damaged.", reason="damaged")
