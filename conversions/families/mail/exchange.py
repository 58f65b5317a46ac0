"""Exchange: mails as a page, a text, data, or the files that are attached to them."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone, tzinfo
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from conversions.families.mail import outlook
from conversions.families.mail.message import SHOWN, Attachment, Message, read_eml, read_mbox
from conversions.toolkit import archive, filenames
from conversions.toolkit.data_uris import data_uri
from conversions.toolkit.failures import InvalidOption, OverLimit, Unreadable
from conversions.toolkit.formats import EML, HTML, JSON, MARKDOWN, MSG, PDF, ZIP, Format
from conversions.toolkit.warnings import Kind, Warn

MAX_BYTES = 100_000_000
_CID = re.compile(r"cid:([^\"'\s)>]+)", re.IGNORECASE)
_PICTURE = re.compile(r"image/(?:png|jpeg|jpg|gif|webp|bmp|svg\+xml)\Z")
_OUTSIDE = re.compile(r"(<img\b[^>]*?)\ssrc=\"(?!data:)[^\"]*\"")
_BODY = re.compile(r"<body\b[^>]*>", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
_OTHER_TEXT = Kind(
    "CONTENT_DROPPED", "Mails have another text beside the HTML that is shown", "Convert to JSON to see both."
)
_STYLE = (
    "body{font-family:sans-serif}.mail{border-bottom:1px solid #999;margin-bottom:1em;font-size:10pt}"
    ".mail th{text-align:left;vertical-align:top;padding-right:1em;font-weight:bold}"
    "pre{white-space:pre-wrap;font-family:inherit}img{max-width:100%}.next{break-before:page}"
)


def convert(source: Path, target: Path, input: Format, output: Format, options: Any, warn: Warn) -> Format | None:
    """Write the mail, or mails, of `source` as `output`; ZIP where attached files are put beside it.

    Raises Unreadable for what is no mail, InvalidOption for a time zone that there is not.
    """
    if source.stat().st_size > MAX_BYTES:
        raise OverLimit("memory", f"Mails are read up to {MAX_BYTES // 1_000_000} MB.")
    zone = _zone(getattr(options, "timezone", None))
    mails = _read(source, input, warn)
    warn.detect(mails=len(mails))
    attached = [each for mail in mails for each in mail.attachments]
    if output is ZIP:
        if not attached:
            raise Unreadable("The mail has no attached files.")
        _pack(target, mails, None)
        return None
    if output is not JSON:
        others = [mail.header("Subject") or "the mail" for mail in mails if _differs(mail)]
        warn.tally(_OTHER_TEXT, len(others), others)
    mode = options.attachments
    shown = target if mode != "zip" or not attached else target.with_name(f"mail.{output.extension}")
    _write(mails, shown, output, options, zone, warn)
    if shown is not target:
        _pack(target, mails, shown)
        return ZIP
    files = [each for mail in mails for each in mail.attachments if not _inline(mail, each)]
    what = "Attached files are listed, and not in the output" if mode == "list" else "Attached files were left out"
    advice = "attachments=zip keeps them."
    warn.tally(Kind("CONTENT_DROPPED", what, advice), len(files), (each.name for each in files))
    return None


def _differs(mail: Message) -> bool:
    """Whether the plain text says what the HTML, which is shown in its place, does not."""
    if not (mail.html and mail.text) or len(mail.text) > 1_000_000:
        return False
    said = set(_WORD.findall(mail.text))
    lost = said - set(_WORD.findall(unescape(mail.html)))
    return len(lost) > 10 and 3 * len(lost) > len(said)


def _read(source: Path, input: Format, warn: Warn) -> list[Message]:
    if input is MSG:
        return [outlook.read_msg(source, warn)]
    data = source.read_bytes()
    return [read_eml(data, warn)] if input is EML else read_mbox(data, warn)


def _zone(name: str | None) -> tzinfo | None:
    if not name:
        return None
    if name[0] in "+-":
        hours, minutes = int(name[:3]), int(name[-2:]) * (-1 if name[0] == "-" else 1)
        if abs(hours) > 23 or abs(minutes) > 59:
            raise InvalidOption("timezone", f"“{name}” is no offset from UTC.")
        return timezone(timedelta(hours=hours, minutes=minutes))
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:
        raise InvalidOption("timezone", f"“{name}” is not a known time zone; Europe/Berlin is one.") from error


def _moment(mail: Message, zone: tzinfo | None) -> datetime | None:
    if mail.date is None or zone is None or mail.date.tzinfo is None:
        return mail.date
    try:
        return mail.date.astimezone(zone)
    except (OverflowError, ValueError):
        return mail.date


def _headers(mail: Message, zone: tzinfo | None) -> list[tuple[str, str]]:
    moment = _moment(mail, zone)
    rows = []
    for name in SHOWN:
        value = mail.header(name)
        if name == "Date" and moment is not None:
            value = moment.strftime("%Y-%m-%d %H:%M:%S %z").strip()
        if value:
            rows.append((name, value))
    return rows


def _files(mail: Message, mode: str) -> list[str]:
    if mode == "drop":
        return []
    return [f"{each.name} ({len(each.data):,} bytes)" for each in mail.attachments if not _inline(mail, each)]


def _inline(mail: Message, each: Attachment) -> bool:
    """Whether the text shows a file."""
    return bool(each.cid and mail.html and _PICTURE.match(each.kind.lower()) and each.cid in unquote(mail.html))


def _write(mails: list[Message], target: Path, output: Format, options: Any, zone: tzinfo | None, warn: Warn) -> None:
    if output is JSON:
        values = [_value(each, zone, options.attachments) for each in mails]
        whole = values[0] if len(values) == 1 else values
        target.write_text(json.dumps(whole, ensure_ascii=False, indent=2) + "\n", "utf-8")
    elif output is PDF:
        from conversions.families.html_pdf.render import render

        title = mails[0].header("Subject") or None
        render(_page(mails, zone, options.attachments, warn, safe=len(mails) > 1), target, options, warn, title=title)
    elif output is HTML:
        target.write_text(_page(mails, zone, options.attachments, warn, safe=True), "utf-8", newline="")
    else:
        parts = [_text(each, zone, output, options, target, warn) for each in mails]
        between = "\n---\n\n" if output is MARKDOWN else f"\n{'-' * 72}\n\n"
        target.write_text(between.join(parts), "utf-8", newline="")


def _value(mail: Message, zone: tzinfo | None, mode: str) -> dict[str, Any]:
    moment = _moment(mail, zone)
    return {
        "subject": mail.header("Subject"),
        "from": mail.header("From"),
        "to": mail.header("To"),
        "date": moment.isoformat() if moment else None,
        "headers": [{"name": name, "value": value} for name, value in mail.headers],
        "text": mail.text or None,
        "html": mail.html or None,
        "attachments": [
            {"name": each.name, "type": each.kind, "size": len(each.data), "contentId": each.cid or None}
            for each in (mail.attachments if mode != "drop" else ())
        ],
    }


def _page(mails: list[Message], zone: tzinfo | None, mode: str, warn: Warn, *, safe: bool) -> str:
    """All mails as one page; one that is not `safe` keeps its styles, for an engine that takes out all else."""
    title = escape(mails[0].header("Subject") or "Mail")
    bodies = []
    for number, mail in enumerate(mails):
        head = _table(mail, zone, mode, later=number > 0)
        html = _with_pictures(mail)
        if html and not safe:
            found = _BODY.search(html)
            at = found.end() if found else 0
            return f"{html[:at]}<style>{_STYLE}</style>{head}{html[at:]}"
        bodies.append(head + (_cleaned(html, warn) if html else f"<pre>{escape(mail.text)}</pre>"))
    return (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n<style>{_STYLE}</style>\n'
        f"</head>\n<body>\n{''.join(bodies)}</body>\n</html>\n"
    )


def _table(mail: Message, zone: tzinfo | None, mode: str, *, later: bool) -> str:
    rows = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in _headers(mail, zone))
    rows += "".join(f"<tr><th>Attached</th><td>{escape(each)}</td></tr>" for each in _files(mail, mode))
    return f'<table class="mail{" next" if later else ""}">{rows}</table>\n'


def _with_pictures(mail: Message) -> str:
    """The HTML with the pictures in it that it names by their ids."""
    known = {each.cid: each for each in mail.attachments if each.cid and _PICTURE.match(each.kind.lower())}
    inside: dict[str, str] = {}

    def put(found: re.Match[str]) -> str:
        each = known.get(unquote(found[1]))
        if each is None or sum(map(len, inside.values())) > 30_000_000:
            return found[0]
        return inside.setdefault(each.cid, data_uri(each.kind.lower(), each.data))

    return _CID.sub(put, mail.html) if known else mail.html


def _cleaned(html: str, warn: Warn) -> str:
    from conversions.families.documents import safe_html

    body, count = _OUTSIDE.subn(r"\1", safe_html.clean(html, warn))
    if count:
        warn("REMOTE_RESOURCE_BLOCKED", f"{count:,} pictures that lie outside of the mail were not loaded.")
    return body + "\n"


def _text(mail: Message, zone: tzinfo | None, output: Format, options: Any, target: Path, warn: Warn) -> str:
    bold = "**" if output is MARKDOWN else ""
    end = "  \n" if output is MARKDOWN else "\n"
    rows = [f"{bold}{name}:{bold} {_marked(value, output)}{end}" for name, value in _headers(mail, zone)]
    rows += [f"{bold}Attached:{bold} {_marked(each, output)}{end}" for each in _files(mail, options.attachments)]
    text = mail.text.strip("\n")
    if mail.html and (output is MARKDOWN or not text):
        text = _through_pandoc(mail, target, output, warn)
    elif output is MARKDOWN:
        text = "\n".join(f"{_marked(each, output)}  " if each.strip() else "" for each in text.split("\n"))
    return "".join(rows) + f"\n{text.rstrip()}\n"


def _marked(text: str, output: Format) -> str:
    return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", text) if output is MARKDOWN else text


def _through_pandoc(mail: Message, target: Path, output: Format, warn: Warn) -> str:
    from conversions.families.documents import exchange

    page = target.with_name("body.html")
    body = _cleaned(_PICTURES.sub("", mail.html), warn)
    if not re.sub(r"<[^<>]*>", "", body).strip():
        return ""
    page.write_text(body, "utf-8")
    written = target.with_name(f"body.{output.id}")
    exchange.convert(page, written, HTML, output, exchange.Settings(pictures="drop", encoding="utf-8"), warn)
    return written.read_text("utf-8")


_PICTURES = re.compile(r"<img\b[^>]*\bcid:[^>]*>", re.IGNORECASE)


def _pack(target: Path, mails: list[Message], shown: Path | None) -> None:
    """A ZIP of the mail, if there is one, and its files; those of several mails in folders."""
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
