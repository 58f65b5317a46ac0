"""Read Outlook messages (MS-OXMSG): properties in the streams of a compound file."""

from __future__ import annotations

import itertools
import re
import struct
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import olefile

from engine.families.mail import outlook_items, outlook_marks, rich_text, writing
from engine.families.mail.message import Attachment, Block, Message
from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_SUBJECT, _HEADERS, _BODY, _HTML, _RTF = 0x0037, 0x007D, 0x1000, 0x1013, 0x1009
_SENDER, _ADDRESSES, _TO, _CC, _BCC = 0x0C1A, (0x5D01, 0x0C1F), 0x0E04, 0x0E03, 0x0E02
_LONG_NAME, _SHORT_NAME, _SHOWN_NAME, _KIND, _CID, _DATA = 0x3707, 0x3704, 0x3001, 0x370E, 0x3712, 0x3701
_CLASS, _NAMES = 0x001A, "__nameid_version1.0/"
_OBJECT = "__substg1.0_3701000D"
MAX_PARTS = 2_000
MAX_NESTED = 5
"""The maximum nesting of messages that are read."""
_DATES, _CODE_PAGES = (0x0039, 0x0E06, 0x3007), (0x3FDE, 0x3FFD)
_UTF_8 = 65001
_ANSI_PAGE, _HEAD = re.compile(rb"\\ansicpg(\d{3,5})\b"), 400
_PAGES = {
    **{28590 + part: f"iso-8859-{part}" for part in range(1, 17)},
    10000: "macintosh", 10007: "x-mac-cyrillic", 20127: "us-ascii", 20866: "koi8-r", 21866: "koi8-u",
    50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp", 51932: "euc-jp", 51936: "gb18030",
    51949: "euc-kr", 54936: "gb18030", 65001: "utf-8",
}  # fmt: skip
"""Encodings by the numbers of Windows code pages, where these say nothing to others."""
_ERA = datetime(1601, 1, 1, tzinfo=UTC)
_BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error, OverflowError)


def read_msg(source: Path, warn: Warn) -> Message:
    """Parse an Outlook message. Raises Unreadable for another compound file."""
    try:
        with olefile.OleFileIO(str(source)) as file:
            return _read(file, warn)
    except _BROKEN as error:
        raise Unreadable(
            "The file is not an Outlook message, or is damaged. Save it again as .msg or .eml.", reason="format"
        ) from error


def _read(file: Any, warn: Warn) -> Message:
    streams = file.listdir(streams=True, storages=True)
    if ["__properties_version1.0"] not in streams:
        raise Unreadable("The file is not an Outlook message. It may be an older Office document.", reason="format")
    return _message(file, streams, "", warn, 0)


def _message(file: Any, streams: list[list[str]], folder: str, warn: Warn, nested: int) -> Message:
    """The message in a storage of the file, whose path is empty or ends in a slash."""
    fixed = _fixed(file, f"{folder}__properties_version1.0", 24 if folder else 32)
    packed = _Texts(file, folder, 0, warn).raw(_RTF)
    rtf = rich_text.unpacked(packed) if packed else b""
    page = next((fixed[each] & 0xFFFF for each in _CODE_PAGES if each in fixed), 0)
    if not page and (told := _ANSI_PAGE.search(rtf, 0, _HEAD)):
        page = int(told[1])  # of the machine that wrote both
    text = _Texts(file, folder, page, warn)
    message = Message()
    address = next((found for each in _ADDRESSES if (found := text.value(each)) and "@" in found), "")
    sender = text.value(_SENDER)
    shown = f"{sender} <{address}>" if sender and address and sender != address else sender or address
    moment = next((fixed[each] for each in _DATES if fixed.get(each)), 0)
    if moment:
        message.date = _ERA + timedelta(microseconds=moment // 10)
    for name, value in (
        ("From", shown), ("To", text.value(_TO)), ("Cc", text.value(_CC)), ("Bcc", text.value(_BCC)),
        ("Date", message.date.strftime("%a, %d %b %Y %H:%M:%S +0000") if message.date else ""),
        ("Subject", text.value(_SUBJECT)),
    ):  # fmt: skip
        if value:
            message.headers.append((name, " ".join(value.replace("\0", "").split())))
    body, html = text.value(_BODY).replace("\r\n", "\n"), ""
    raw = text.raw(_HTML)
    if raw is not None:
        declared = encodings.declared_in_html(raw) or (None if page == _UTF_8 else _label(page))
        html = encodings.read(raw, warn, declared=declared)
    else:
        html = text.value(_HTML)
    if rtf and not html:
        html, plain = rich_text.read(rtf)
        body = body or plain
    message.blocks = [Block(body, html)]
    names = _Texts(file, _NAMES, 0, warn)
    named = outlook_items.numbers(names.raw(0x0003) or b"", names.raw(0x0004) or b"")
    marks = outlook_marks.Properties(text.value, text.values, text.raw, fixed, named)
    message.headers += ((name, " ".join(value.split())) for name, value in outlook_marks.headers(marks))
    if details := outlook_items.lines(text.value(_CLASS), text.value, fixed, named):
        message.blocks.append(Block(details, aside=True))
    message.attachments = _attachments(file, streams, folder, page, warn, nested)
    return message


def _attachments(
    file: Any, streams: list[list[str]], place: str, page: int, warn: Warn, nested: int
) -> list[Attachment]:
    inside_of = place.split("/")[:-1]
    folders = dict.fromkeys(
        f"{place}{each[len(inside_of)]}"
        for each in streams
        if each[: len(inside_of)] == inside_of and len(each) > len(inside_of)
        and each[len(inside_of)].startswith("__attach_version1.0")
    )  # fmt: skip
    if len(folders) > MAX_PARTS:
        raise OverLimit("memory", say("The message has more than {max_parts} attachments.", max_parts=MAX_PARTS))
    found, inside = [], []
    for folder in folders:
        text = _Texts(file, f"{folder}/", page, warn)
        name = text.value(_LONG_NAME) or text.value(_SHORT_NAME) or text.value(_SHOWN_NAME) or "attachment"
        data = text.raw(_DATA)
        message = f"{folder}/{_OBJECT}/"
        if data is None and nested < MAX_NESTED and file.exists(f"{message}__properties_version1.0"):
            inner = _message(file, streams, message, warn, nested + 1)
            title = (text.value(_SHOWN_NAME) or inner.header("Subject") or "message").strip("\0").replace("/", "_")
            found.append(Attachment(f"{title}.eml", "message/rfc822", writing.as_eml(inner)))
        elif data is None:
            inside.append(name)
        else:
            kind = text.value(_KIND) or "application/octet-stream"
            found.append(Attachment(name.strip("\0"), kind, data, text.value(_CID).strip("\0<>")))
    warn.tally(Kind("CONTENT_DROPPED", "Outlook objects were left out: {count}{places}."), len(inside), inside)
    return found


class _Texts:
    """The string properties of one storage; non-Unicode ones are in its code page."""

    def __init__(self, file: Any, folder: str, page: int, warn: Warn) -> None:
        self._file, self._folder, self._page, self._warn = file, folder, page, warn

    def raw(self, number: int, kind: str = "0102") -> bytes | None:
        path = f"{self._folder}__substg1.0_{number:04X}{kind}"
        if not self._file.exists(path) or self._file.get_type(path) != olefile.STGTY_STREAM:
            return None
        with self._file.openstream(path) as stream:
            data: bytes = stream.read()
        return data

    def value(self, number: int) -> str:
        wide = self.raw(number, "001F")
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self.raw(number, "001E")
        if not narrow:
            return ""
        return encodings.read(narrow, self._warn, declared=_label(self._page)).rstrip("\0")

    def values(self, number: int) -> list[str]:
        """The strings of a property that has several (MS-OXMSG, 2.1.4.3)."""
        wide, narrow = self.raw(number, "101F"), self.raw(number, "101E")
        kind, size = ("101F", 4) if wide is not None else ("101E", 8)
        found = (self.raw(number, f"{kind}-{at:08X}") or b"" for at in range(len(wide or narrow or b"") // size))
        return [
            each.rstrip("\0")
            for data in itertools.islice(found, MAX_PARTS)
            if (
                each := data.decode("utf-16-le", "replace")
                if wide is not None
                else encodings.read(data, self._warn, declared=_label(self._page))
            )
        ]


def _label(page: int) -> str | None:
    """The name of a Windows code page; None for 0, which is none."""
    if 1250 <= page <= 1258:
        return f"windows-{page}"
    return _PAGES.get(page, f"cp{page}") if page else None


def _fixed(file: Any, path: str, head: int) -> dict[int, int]:
    """The fixed-size properties: 16 bytes each, after a header."""
    with file.openstream(path) as stream:
        data = stream.read()[head:]
    found = {}
    for at in range(0, len(data) - 15, 16):
        _, number, _, value = struct.unpack("<HHIQ", data[at : at + 16])
        found[number] = value
    return found
