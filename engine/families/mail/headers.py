"""Decode headers of a message (RFC 5322): encoded words (RFC 2047), and raw 8-bit text."""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from datetime import datetime
from email.utils import parsedate_to_datetime

from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MAX_WORDS = 20_000
"""Encoded words of one header: those of 10,000 people. The time for them is quadratic.

Servers take mails to 1,000 people or fewer; of 193 mails of other projects' tests none has more than 13 words.
"""
_WORD = re.compile(r"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,60})?\?([qb])\?([^?]*)\?=", re.IGNORECASE)


def decoded(value: str, charset: str | None = None) -> str:
    """Decode a header to one line; raw bytes are UTF-8, else in `charset`, that of the text, else Windows-1252.

    Raises OverLimit for too many encoded words.
    """
    if value.count("=?") > MAX_WORDS:
        raise OverLimit(
            "limit", say("A header of the email has more than {max_words} encoded words.", max_words=MAX_WORDS)
        )
    pieces: list[tuple[bytes, str | None]] = []
    at = 0
    for found in _WORD.finditer(value):
        between = value[at : found.start()]
        if between.strip() or not (pieces and pieces[-1][1]):  # spaces between encoded words are not part of the text
            pieces.append((between.encode("utf-8", "surrogateescape"), None))
        word, named = _unpacked(found[2], found[3]), found[1].lower()
        if pieces and pieces[-1][1] == named:  # a character may be split between two words
            pieces[-1] = (pieces[-1][0] + word, named)
        else:
            pieces.append((word, named))
        at = found.end()
    pieces.append((value[at:].encode("utf-8", "surrogateescape"), None))
    return " ".join("".join(_text(raw, named, charset) for raw, named in pieces).split())


def _unpacked(way: str, text: str) -> bytes:
    raw = text.encode("utf-8", "surrogateescape")
    if way in "qQ":
        return quopri.decodestring(raw.replace(b" ", b"_"), header=True)
    try:
        return base64.b64decode(raw.rstrip(b"=") + b"=" * (-len(raw.rstrip(b"=")) % 4))
    except binascii.Error:
        return raw


def _text(raw: bytes, *charsets: str | None) -> str:
    named, usual = charsets
    for name in (named, "utf-8", usual, "cp1252"):
        try:
            if name:
                return raw.decode(encodings.python_name(name))
        except (LookupError, ValueError):
            continue
    return raw.decode("latin-1")


def moment(value: str) -> datetime | None:
    """Parse the date of a header; None if it is invalid."""
    try:
        return parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
