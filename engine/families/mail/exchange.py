"""Convert mail to a page, text, data or its attachments."""

from __future__ import annotations

from datetime import timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from engine.families.mail import internet, outlook, showing
from engine.families.mail.message import Message
from engine.toolkit import archive, filenames
from engine.toolkit.census import ALL
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import EML, HTML, JSON, MARKDOWN, MSG, PDF, TXT, ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_BYTES = 100_000_000
_OTHER_TEXT = Kind(
    "CONTENT_DROPPED",
    "Emails have a plain text that differs from the HTML shown: {count}{places}. Convert to JSON to see both.",
)
_LISTED = Kind(
    "CONTENT_DROPPED",
    "Attachments are only listed: {count}{places}. Use attachments=zip to keep them.",
    counts="attachments",
)
_LEFT_OUT = Kind(
    "CONTENT_DROPPED",
    "Attachments were left out: {count}{places}. Use attachments=zip to keep them.",
    counts="attachments",
)


def convert(source: Path, target: Path, input: Format, output: Format, options: Any, warn: Warn) -> Format | None:
    """Write the message or messages in `source` as `output`; a ZIP if attachments are put beside it.

    Raises Unreadable for anything but mail, InvalidOption for an unknown time zone.
    """
    if source.stat().st_size > MAX_BYTES:
        raise OverLimit("memory", say("The email is larger than {max_bytes} MB.", max_bytes=MAX_BYTES // 1_000_000))
    zone = _zone(getattr(options, "timezone", None))
    mails = _read(source, input, warn)
    warn.detect(mails=len(mails))
    attached = [each for mail in mails for each in mail.attachments]
    if output is ZIP:
        if not attached:
            raise Unreadable("The email has no attachments.", reason="empty")
        _pack(target, mails, None)
        return None
    if output in (HTML, PDF, MARKDOWN):
        others = [mail.header("Subject") or "the mail" for mail in mails if any(map(showing.differs, mail.blocks))]
        warn.tally(_OTHER_TEXT, len(others), others)
    mode = options.attachments
    shown = target if mode != "zip" or not attached else target.with_name(f"mail.{output.extension}")
    if output in (MARKDOWN, TXT):  # pictures are attached files there
        warn.account("pictures", len(attached) - sum(len(showing.not_shown(mail, HTML)) for mail in mails))
    elif output is JSON:  # it has the complete source of pages, links included
        warn.account("links", ALL)
        warn.account("pictures", ALL)
    showing.write(mails, shown, output, options, zone, warn)
    if shown is not target:
        _pack(target, mails, shown)
        return ZIP
    files = [each for mail in mails for each in showing.not_shown(mail, output)]
    warn.tally(_LISTED if mode == "list" else _LEFT_OUT, len(files), (each.name for each in files))
    return None


def _read(source: Path, input: Format, warn: Warn) -> list[Message]:
    if input is MSG:
        return [outlook.read_msg(source, warn)]
    data = source.read_bytes()
    return [internet.read_eml(data, warn)] if input is EML else internet.read_mbox(data, warn)


def _zone(name: str | None) -> tzinfo | None:
    if not name:
        return None
    if name[0] in "+-":
        hours, minutes = int(name[:3]), int(name[-2:]) * (-1 if name[0] == "-" else 1)
        if abs(hours) > 23 or abs(minutes) > 59:
            raise InvalidOption("timezone", say("“{name}” is not a UTC offset.", name=name))
        return timezone(timedelta(hours=hours, minutes=minutes))
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:
        raise InvalidOption(
            "timezone", say("“{name}” is not a time zone. Enter one such as Europe/Berlin.", name=name)
        ) from error


def _pack(target: Path, mails: list[Message], shown: Path | None) -> None:
    """A ZIP of the converted mail, if any, and its files; those of several messages in folders."""
    taken: set[str] = set()
    folder = target.with_name("attached")
    folder.mkdir(exist_ok=True)
    files = [] if shown is None else [(shown.name, shown)]
    for number, mail in enumerate(mails, 1):
        for each in mail.attachments:
            name = filenames.clean(each.name)
            name = f"{number:03}/{name}" if len(mails) > 1 else name
            stem, dot, extension = name.rpartition(".")
            unique, count = name, 1
            while unique in taken:
                count += 1
                unique = f"{stem} ({count}).{extension}" if dot and stem else f"{name} ({count})"
            taken.add(unique)
            path = folder / str(len(taken))
            path.write_bytes(each.data)
            files.append((unique, path))
    archive.pack(target, files)
