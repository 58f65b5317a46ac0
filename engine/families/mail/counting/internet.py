"""Count the contents of Internet messages (RFC 5322) and mailboxes, using the policies of the email package."""

from __future__ import annotations

import mailbox as boxes
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32, default
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from engine.families.mail.counting.contents import HEADERS, add_page, add_text
from engine.toolkit import encodings
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn

_MARK = b"\xef\xbb\xbf"
_FIRST = re.compile(rb"\s*(?:From [^\n]*\n\s*)?")
_HEADER = re.compile(rb"From [^\n]*\n\s*[!-9;-~]+[ \t]*:")
_DATED = re.compile(rb"From [^\n]*\d:\d\d(?::\d\d)? (?:[^ \n]{1,9} ){0,2}\d{4}[ \r]*\n")
_TAG = re.compile(r"<[^<>]*>")
_PICTURE = re.compile(r"image/(?:png|jpe?g|gif|webp|bmp|svg\+xml)")


class _Unfolded(Compat32):
    """Headers in one line; the newer policy truncates unquoted boundaries and raises for some malformed types."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return "".join(value.splitlines())


def message(path: Path) -> Census:
    """Return the census of one message."""
    data = path.read_bytes().removeprefix(_MARK)
    return _count(_FIRST.sub(b"", data, count=1))


def mailbox(path: Path) -> Census:
    """Return the census of a mailbox's messages; a “From ” line with no date in it and no header after it is text."""
    data = path.read_bytes()
    if data.startswith(_MARK):
        path = path.with_name("unmarked.mbox")
        path.write_bytes(data.removeprefix(_MARK))
    messages: list[list[bytes]] = []
    box = boxes.mbox(path, create=False)
    for key in box.iterkeys():
        piece = box.get_bytes(key, from_=True)
        if messages and not (_DATED.match(piece) or _HEADER.match(piece)):
            messages[-1].append(piece)
        else:
            messages.append([piece])
    box.close()
    whole = Census()
    whole.add("messages", len(messages))
    for pieces in messages:
        whole.include(_count(_FIRST.sub(b"", b"\n".join(pieces), count=1)))
    return whole


def _count(data: bytes) -> Census:
    census = Census()
    parsed = message_from_bytes(data, policy=_Unfolded())
    for name, value in parsed.raw_items():
        if name.lower() in HEADERS and (shown := _header(name, value)):
            census.texts.append(shown)
    leaves = list(_leaves(parsed))
    pictures = {_content_id(each) for each in leaves if _PICTURE.fullmatch(each.get_content_type())} - {""}
    shown_ids: set[str] = set()
    for each in leaves:
        if _is_text(each):
            shown_ids |= _text(census, each, pictures)
    for each in leaves:
        if _is_text(each) or _content_id(each) in shown_ids:
            continue
        if not (each.is_multipart() or each.get_payload(decode=True) or each.get_filename()):
            continue
        picture = _PICTURE.fullmatch(each.get_content_type()) and not _is_attached(each)
        census.add("pictures" if picture and not _in_alternative(each, parsed) else "attachments")
    return census


def _header(name: str, value: str) -> str:
    """Return a header as text; empty if it is damaged such that readers differ."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raw = value.encode("utf-8", "surrogateescape")
        try:
            value = raw.decode()
        except UnicodeDecodeError:
            return ""
    try:
        shown = str(default.header_factory(name, value))
    except (ValueError, LookupError, AttributeError, TypeError):
        return ""
    return "" if "=?" in shown or "\ufffd" in shown else shown


def _leaves(part: Message) -> Iterator[Message]:
    """Yield the leaf parts; of alternatives, the richest text and everything that is not text."""
    if part.get_content_maintype() != "multipart" or not part.is_multipart():
        yield part
        return
    parts: list[Any] = part.get_payload()  # type: ignore[assignment]
    inside = [list(_leaves(each)) for each in parts]
    if part.get_content_subtype() == "alternative":
        pages = [each for each in inside if any(_is_page(leaf) for leaf in each)]
        kept = pages[-1:] or inside
        yield from (leaf for each in inside for leaf in each if each in kept or not _is_text(leaf))
    else:
        yield from (leaf for each in inside for leaf in each)


def _is_page(part: Message) -> bool:
    return part.get_content_type() == "text/html" and _is_text(part)


def _is_text(part: Message) -> bool:
    """Return whether a part is shown as text and is not a file."""
    kind = part.get_content_type()
    if _is_attached(part):
        return False
    if kind.startswith("message/"):
        return kind.endswith(("-status", "-notification", "/feedback-report"))
    texts = ("text/plain", "text/html", "text/enriched", "text/richtext")
    return (kind in texts or kind.startswith("multipart/")) and not part.get_filename()


def _is_attached(part: Message) -> bool:
    return str(part.get("content-disposition", "")).strip().lower().startswith("attachment")


def _in_alternative(part: Message, root: Message) -> bool:
    """Return whether a picture is one of several alternatives of the same content."""
    return any(
        any(each is part for each in group.walk())
        for group in root.walk()
        if group.get_content_type() == "multipart/alternative"
    )


def _content_id(part: Message) -> str:
    return unquote(str(part.get("content-id", "")).strip().strip("<>"))


def _text(census: Census, part: Message, pictures: set[str]) -> set[str]:
    kind = part.get_content_type()
    if part.is_multipart():
        reports: list[Any] = part.get_payload()  # type: ignore[assignment]
        for each in reports:
            add_text(census, "\n".join(str(value) for value in each.values()))
        return set()
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    declared = part.get_content_charset()
    if kind == "text/html":
        text = encodings.read(data, Warn(), declared=declared or encodings.declared_in_html(data))
        return add_page(census, text, pictures)
    text = encodings.read(data, Warn(), declared=declared)
    add_text(census, _TAG.sub("", text) if kind in ("text/enriched", "text/richtext") else text)
    return set()
