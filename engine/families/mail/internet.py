"""Read a message in Internet format (RFC 5322), or a mailbox of them (RFC 4155)."""

from __future__ import annotations

import email
import re

from engine.families.mail import headers, parts
from engine.families.mail.message import Message
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.message_policy import RAW
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_MESSAGES = 1_000
"""The number of short messages that take 0.7 s as PDF."""
MAX_HEADERS = 1_000
_MARK = b"\xef\xbb\xbf"
_HEADER = re.compile(rb"[!-9;-~]{1,200}[ \t]*:")
_FROM = re.compile(rb"^From [^\n]*\n", re.MULTILINE)
_MOMENT = re.compile(rb"From -|\d\d:\d\d(?::\d\d)? (?:[^ \n]{1,9} ){0,2}\d{4}")
MAX_PARAMETERS = 2_000
"""Parameters of one header, such as parts of a file name (RFC 2231), each of about 60 characters.

A name of 255 bytes has 13 of them; 193 mails of other projects' tests have at most 4. The time for them is quadratic.
"""
_WITH_PARAMETERS = re.compile(
    rb"^Content-(?:Type|Disposition)[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*", re.MULTILINE | re.IGNORECASE
)
_HEADERS = Kind("CONTENT_DROPPED", "Headers after the first 1,000 in an email were left out: {count}{places}.")


def read_eml(data: bytes, warn: Warn) -> Message:
    """Parse a message in Internet format. Raises Unreadable if it does not start with headers."""
    data = data.removeprefix(_MARK).lstrip(b"\r\n")
    if data.startswith(b"From ") and b"\n" in data:
        data = data.partition(b"\n")[2]
    if not _HEADER.match(data):
        raise Unreadable(
            "The file is not an email: it doesn't start with headers such as “From:” and “Subject:”.",
            line=1,
            reason="format",
        )
    return _read(data, warn)


def _read(data: bytes, warn: Warn) -> Message:
    for found in _WITH_PARAMETERS.finditer(data):  # checked before the parser reads them
        if found[0].count(b";") > MAX_PARAMETERS:
            raise OverLimit(
                "limit",
                say("A header of the email has more than {max_parameters} parameters.", max_parameters=MAX_PARAMETERS),
            )
    # Headers are decoded here, because the newer policy raises for some malformed ones.
    try:
        parsed = email.message_from_bytes(data, policy=RAW)
        charset = next(filter(None, (each.get_content_charset() for each in parsed.walk())), None)
        given = parsed.items()
        warn.tally(_HEADERS, max(0, len(given) - MAX_HEADERS))
        message = Message([(name, headers.decoded(value, charset)) for name, value in given[:MAX_HEADERS]])
        message.date = headers.moment(message.header("Date"))
        message.blocks, message.attachments = parts.read(parsed, warn, charset)
    except RecursionError:
        raise Unreadable("The email's parts are nested too deeply.", reason="limit") from None
    return message


def read_mbox(data: bytes, warn: Warn) -> list[Message]:
    """Return the messages of a mailbox, each of which starts with a “From ” line (RFC 4155)."""
    data = data.removeprefix(_MARK)
    starts = [each for each in _FROM.finditer(data) if _begins_message(data, each)]
    if not starts or data[: starts[0].start()].strip():
        raise Unreadable("The file is not a mailbox: it doesn't start with a “From ” line.", line=1, reason="format")
    if len(starts) > MAX_MESSAGES:
        raise OverLimit(
            "timeout",
            say(
                "The mailbox has more than {max_messages} emails. Split it into smaller ones.",
                max_messages=MAX_MESSAGES,
            ),
        )
    ends = [*(each.start() for each in starts[1:]), len(data)]
    return [
        _read(re.sub(rb"^>(>*From )", rb"\1", data[start.end() : end].lstrip(b"\r\n"), flags=re.MULTILINE), warn)
        for start, end in zip(starts, ends, strict=True)
    ]


def _begins_message(data: bytes, line: re.Match[bytes]) -> bool:
    """Return whether a “From ” line begins a message rather than a sentence.

    Two of three signs are required: a blank line before it, a date in it, and headers after it.
    """
    at = line.start()
    blank = not at or data[max(0, at - 3) : at].endswith((b"\n\n", b"\n\r\n"))
    dated = _MOMENT.search(line[0]) is not None
    return blank + dated + (_HEADER.match(data, line.end()) is not None) > 1
