"""A message: its headers, its text and what is attached, as it is read of a mail in Internet format (RFC 5322)."""

from __future__ import annotations

import email
import email.header
import email.utils
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email import policy
from email.message import Message as Part
from typing import Any

from conversions.toolkit import encodings, filenames
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.warnings import Warn

MAX_PARTS = 2_000
MAX_MESSAGES = 1_000
SHOWN = ("From", "Sender", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject")
_HEADER = re.compile(rb"[!-9;-~]{1,200}[ \t]*:")
_FROM = re.compile(rb"^From [^\n]*\n", re.MULTILINE)


@dataclass(frozen=True)
class Attachment:
    """A file of a message; `cid` is what its text calls it by."""

    name: str
    kind: str
    data: bytes
    cid: str = ""


@dataclass
class Message:
    """One mail: headers as pairs of a name and a decoded text, the plain text, the HTML, and files."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    date: datetime | None = None
    text: str = ""
    html: str = ""
    attachments: list[Attachment] = field(default_factory=list)

    def header(self, name: str) -> str:
        """All headers of this name as one text."""
        return ", ".join(value for each, value in self.headers if each.lower() == name.lower())


def read_eml(data: bytes, warn: Warn) -> Message:
    """A mail in Internet format. Raises Unreadable for what does not begin with headers."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if data.startswith(b"From ") and b"\n" in data:
        data = data.partition(b"\n")[2]
    if not _HEADER.match(data):
        raise Unreadable("The file is no mail: it does not begin with headers such as “From:” and “Subject:”.", line=1)
    # Headers are decoded here: those of the newer policy raise at some that are wrong.
    try:
        parsed = email.message_from_bytes(data, policy=policy.compat32)
    except RecursionError:
        raise Unreadable("The parts of the mail are nested too deep.") from None
    message = Message([(name, _decoded(value)) for name, value in parsed.items()][:1_000])
    message.date = _date(message.header("Date"))
    for number, part in enumerate(_leaves(parsed)):
        if number >= MAX_PARTS:
            raise OverLimit("memory", f"The mail has more than {MAX_PARTS:,} parts.")
        _take(part, message, warn)
    return message


def read_mbox(data: bytes, warn: Warn) -> list[Message]:
    """The mails of a mailbox, each of which begins with a line “From ” (RFC 4155)."""
    starts = [each for each in _FROM.finditer(data) if _after_blank(data, each.start())]
    if not starts or data[: starts[0].start()].strip():
        raise Unreadable("The file is no mailbox: it does not begin with a line “From ”.", line=1)
    if len(starts) > MAX_MESSAGES:
        raise OverLimit("timeout", f"The mailbox has more than {MAX_MESSAGES:,} mails. Split it into smaller ones.")
    ends = [*(each.start() for each in starts[1:]), len(data)]
    return [
        read_eml(re.sub(rb"^>(>*From )", rb"\1", data[start.end() : end], flags=re.MULTILINE), warn)
        for start, end in zip(starts, ends, strict=True)
    ]


def _after_blank(data: bytes, at: int) -> bool:
    return not at or data[max(0, at - 3) : at].endswith((b"\n\n", b"\n\r\n"))


def _leaves(part: Part) -> Iterator[Part]:
    """The parts of a mail that have no parts, attached mails among them; not by recursion, as it may be deep."""
    waiting: list[Any] = [part]
    while waiting:
        each = waiting.pop()
        if each.get_content_maintype() == "multipart" and each.is_multipart():
            waiting += reversed(each.get_payload())
        else:
            yield each


def _take(part: Part, message: Message, warn: Warn) -> None:
    kind = part.get_content_type()
    name = _decoded(part.get_filename() or "")
    disposition = str(part.get("Content-Disposition", "")).strip().lower()
    attached = disposition.startswith("attachment")
    if kind == "message/rfc822" and part.is_multipart():
        inner: Any = part.get_payload(0)
        title = filenames.clean(_decoded(inner.get("Subject") or "message").replace("/", "_"))
        message.attachments.append(Attachment(name or f"{title}.eml", kind, inner.as_bytes()))
        return
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    if kind in ("text/plain", "text/html") and not attached and not name:
        charset = part.get_content_charset()
        declared = encodings.declared_in_html(data) if kind == "text/html" and not charset else charset
        text = encodings.read(data, warn, declared=declared)
        if kind == "text/html":
            message.html += text
        else:
            message.text += ("\n" if message.text else "") + text.replace("\r\n", "\n")
        return
    if kind == "text/plain" and disposition.startswith("inline"):
        shown = encodings.read(data, warn, declared=part.get_content_charset())
        message.text += ("\n" if message.text else "") + shown.replace("\r\n", "\n")
    cid = str(part.get("Content-ID", "")).strip().strip("<>")
    if data or name:
        extension = kind.rpartition("/")[2] if kind != "application/octet-stream" else "bin"
        message.attachments.append(Attachment(name or f"part.{extension}", kind, data, cid))


def _decoded(value: Any) -> str:
    """A header's text: encoded words (RFC 2047), and raw bytes, which are UTF-8 more often than not."""
    try:
        pieces = email.header.decode_header(str(value))
    except (ValueError, LookupError, email.errors.HeaderParseError):
        pieces = [(str(value), None)]
    shown = []
    for piece, charset in pieces:
        raw = piece if isinstance(piece, bytes) else piece.encode("utf-8", "surrogateescape")
        shown.append(_piece(raw, charset))
    return " ".join("".join(shown).split())


def _piece(raw: bytes, charset: str | None) -> str:
    for name in (charset, "utf-8", "cp1252"):
        try:
            if name:
                return raw.decode(encodings.python_name(name))
        except (LookupError, ValueError):
            continue
    return raw.decode("latin-1")


def _date(value: str) -> datetime | None:
    try:
        return email.utils.parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
