"""Read MHTML: a page and its files in one message (RFC 2557)."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

from engine.families.saved_pages.parts import MAX_PARTS, Part, SavedPage, joined, key, too_many, without_page
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.message_policy import RAW
from engine.toolkit.messages import say

MAX_PARAMETERS = 2_000
"""Parameters of one header; the time for them is quadratic."""
_DEEPEST = 20
"""Parts inside of parts: browsers write one level, programs for mail two or three."""
_HEADER = re.compile(rb"[!-9;-~]{1,200}[ \t]*:")
_WITH_PARAMETERS = re.compile(rb"^Content-[\w-]+[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*", re.MULTILINE | re.IGNORECASE)
_PAGES = ("text/html", "application/xhtml+xml")


def read(source: Path) -> SavedPage:
    """The page of an MHTML file: the part that `start` names, or the first page.

    Raises Unreadable if the file is no message or has no page, OverLimit for too many parts.
    """
    data = source.read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if not _HEADER.match(data):
        raise Unreadable(
            "The file is not MHTML: it doesn't start with headers such as “MIME-Version:”.", line=1, reason="format"
        )
    if any(found[0].count(b";") > MAX_PARAMETERS for found in _WITH_PARAMETERS.finditer(data)):
        raise OverLimit(
            "limit",
            say("A header of the file has more than {max_parameters} parameters.", max_parameters=MAX_PARAMETERS),
        )
    try:
        message = email.message_from_bytes(data, policy=RAW)
        leaves = [*_leaves(message, 0)]
    except RecursionError:
        raise _nested() from None
    if len(leaves) > MAX_PARTS:
        raise too_many()
    base = _header(message, "Content-Location") or _header(message, "Content-Base")
    parts: dict[str, Part] = {}
    pages: dict[str, str] = {}
    for number, leaf in enumerate(leaves):
        payload = leaf.get_payload(decode=True)
        part = Part(payload if isinstance(payload, bytes) else b"", _kind(leaf), leaf.get_content_charset())
        cid = _header(leaf, "Content-ID").strip("<>")
        location = joined(base, _header(leaf, "Content-Location"))
        names = [each for each in (location, f"cid:{cid}" if cid else "") if each] or [f"part:{number}"]
        for each in names:
            parts.setdefault(key(each), part)
        if part.kind in _PAGES:
            pages.setdefault(cid or names[0], names[0])
    if not pages:
        raise without_page()
    start = str(message.get_param("start") or "").strip("<>")
    return SavedPage(pages.get(start) or next(iter(pages.values())), parts)


def _leaves(message: Message, depth: int) -> Iterator[Message]:
    """The parts of a message that hold no others."""
    if depth > _DEEPEST:
        raise _nested()
    if message.is_multipart():
        for each in message.get_payload():
            if isinstance(each, Message):
                yield from _leaves(each, depth + 1)
    else:
        yield message


def _nested() -> Unreadable:
    return Unreadable("The file's parts are nested too deeply.", reason="limit")


def _header(message: Message, name: str) -> str:
    """The value of a header on one line: long addresses are folded. Bytes above 127 are UTF-8."""
    value = str(message.get(name, "")).encode("utf-8", "surrogateescape")
    return "".join(value.decode("utf-8", "replace").split())


def _kind(leaf: Message) -> str:
    kind = leaf.get_content_type().lower()
    return kind if kind.isascii() else "application/octet-stream"
