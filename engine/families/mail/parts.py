"""Convert the MIME parts of a message (RFC 2046) to the blocks that readers show in order."""

from __future__ import annotations

import base64
import binascii
import re
from email.message import Message as Part
from html import escape
from typing import Any

from engine.families.mail import flowed, headers, invitations
from engine.families.mail.message import PICTURE, Attachment, Block
from engine.toolkit import encodings, filenames
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MAX_PARTS = 2_000
"""The number of attached texts that take 0.4 s as PDF."""
MAX_DEPTH = 200
_REPORTS = frozenset({
    "message/delivery-status", "message/global-delivery-status", "message/disposition-notification",
    "message/global-disposition-notification", "message/feedback-report", "message/tracking-status",
})  # fmt: skip
"""Machine-readable reports on a message: fields, which are shown."""
_MESSAGES = frozenset({"message/rfc822", "message/global", "message/news"})
_COMMAND = re.compile(r"<(<)|<param>[^<]*</param>|</?[a-z0-9-]{1,60}>|(\n+)", re.IGNORECASE)


def read(part: Part, warn: Warn, charset: str | None) -> tuple[list[Block], list[Attachment]]:
    """Return the blocks and the attachments of a message; `charset` is that of headers with raw bytes.

    Raises OverLimit for too many or too deeply nested parts.
    """
    reading = _Reading(warn, charset)
    blocks = reading.blocks(part, 0)
    html = "".join(each.html for each in blocks)
    shown = [each for each in blocks if not (each.picture and each.picture.cid and each.picture.cid in html)]
    return shown, reading.attachments


class _Reading:
    """One pass through the parts of a message."""

    def __init__(self, warn: Warn, charset: str | None) -> None:
        self.attachments: list[Attachment] = []
        self._warn, self._charset, self._parts = warn, charset, 0

    def blocks(self, part: Part, depth: int) -> list[Block]:
        self._parts += 1
        if self._parts > MAX_PARTS or depth > MAX_DEPTH:
            raise OverLimit("memory", say("The email has more than {max_parts} parts.", max_parts=MAX_PARTS))
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            inside: list[Any] = part.get_payload()  # type: ignore[assignment]
            found = [self.blocks(each, depth + 1) for each in inside]
            if part.get_content_subtype() == "alternative":
                return _alternative(found)
            return [block for each in found for block in each]
        return self._leaf(part)

    def _leaf(self, part: Part) -> list[Block]:
        kind = part.get_content_type()
        if not kind.isascii():  # RFC 2045, section 5.1: types are tokens of ASCII
            kind = "application/octet-stream"
        name = headers.decoded(part.get_filename() or "", self._charset)
        disposition = str(part.get("Content-Disposition", "")).strip().lower()
        attached = disposition.startswith("attachment")
        if part.is_multipart():  # message types, whose content was parsed as a message
            return self._message(part, kind, name, attached=attached)
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        if not attached and not name and (kind in ("text/plain", "text/html") or kind.startswith("multipart/")):
            return [self._text(part, data, kind)] if data.strip() else []
        block: list[Block] = []
        if kind == "text/plain" and disposition.startswith("inline"):
            block = [self._text(part, data, kind)]
        elif kind in ("text/enriched", "text/richtext") and not attached and not name:
            return [Block(text=_enriched(self._decoded(part, data).replace("\r\n", "\n")))]
        elif kind == "text/calendar" and not attached:
            block = [Block(text=told, aside=True)] if (told := invitations.lines(data, self._warn)) else []
        if data or name:
            self._attach(part, name, kind, data)
            if PICTURE.match(kind) and not attached:
                block = [Block(picture=self.attachments[-1])]
        return block

    def _message(self, part: Part, kind: str, name: str, *, attached: bool) -> list[Block]:
        inside: list[Any] = part.get_payload()  # type: ignore[assignment]
        if kind in _REPORTS and not attached:
            told = "\n\n".join(filter(None, (_fields(each, self._charset) for each in inside)))
            return [Block(text=told)] if told else []
        data = b"\n".join(each.as_bytes() for each in inside)
        subject = inside[0].get("Subject")
        if kind in _MESSAGES and str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64":
            data = _from_base64(data)
            subject = None
        title = headers.decoded(str(subject or "message"), self._charset).replace("/", "_")
        self.attachments.append(Attachment(name or f"{filenames.clean(title)}.eml", kind, data))
        return []

    def _attach(self, part: Part, name: str, kind: str, data: bytes) -> None:
        extension = kind.rpartition("/")[2] if kind != "application/octet-stream" else "bin"
        cid = headers.decoded(str(part.get("Content-ID", "")), self._charset).strip("<>")
        self.attachments.append(Attachment(name or f"part.{extension}", kind, data, cid))

    def _text(self, part: Part, data: bytes, kind: str) -> Block:
        text = self._decoded(part, data)
        if kind == "text/html":
            return Block(html=text)
        text = text.replace("\r\n", "\n")
        if str(part.get_param("format", "")).lower() == "flowed":
            text = flowed.joined(text, without_blank=str(part.get_param("delsp", "")).lower() == "yes")
        return Block(text=text)

    def _decoded(self, part: Part, data: bytes) -> str:
        charset = part.get_content_charset()
        if part.get_content_type() == "text/html" and not charset:
            charset = encodings.declared_in_html(data)
        return encodings.read(data, self._warn, declared=charset)


def _alternative(found: list[list[Block]]) -> list[Block]:
    """One block with the same content as text and as HTML, the last of which is the best one (RFC 2046, 5.1.4)."""
    pages = [each for each in found if any(block.html for block in each)]
    asides = [block for each in found for block in each if block.aside]
    text = "\n".join(
        block.text for each in found if each not in pages for block in each if block.text and not block.aside
    )
    html = "".join(block.html or _as_html(block.text) for block in pages[-1] if not block.aside) if pages else ""
    return [*([Block(text=text, html=html)] if text or html else []), *asides]


def _as_html(text: str) -> str:
    return f"<pre>{escape(text)}</pre>" if text else ""


def _fields(inside: Part, charset: str | None) -> str:
    rows = [f"{name}: {headers.decoded(str(value), charset)}" for name, value in inside.items()]
    body = inside.get_payload()
    return "\n".join([*rows, *([body.strip()] if isinstance(body, str) and body.strip() else [])])


def _from_base64(data: bytes) -> bytes:
    try:
        return base64.b64decode(data)
    except binascii.Error:
        return data


def _enriched(text: str) -> str:
    """Strip the commands of text/enriched (RFC 1896): a single line end is a blank, further ones are kept."""
    return _COMMAND.sub(lambda found: "<" if found[1] else (found[2] or "")[1:] or " " * bool(found[2]), text)
