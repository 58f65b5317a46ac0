"""Write messages as a page, text or data: headers, blocks, and the names of attachments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from engine.families.mail.message import PICTURE, SHOWN, USUAL, Attachment, Block, Message
from engine.toolkit.data_uris import Repetitions, data_uri
from engine.toolkit.formats import HTML, JSON, MARKDOWN, PDF, TXT, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MAX_EMBEDDED = 30_000_000
"""The maximum characters of pictures embedded in a page."""
_CID = re.compile(r"cid:([^\"'\s)>]+)", re.IGNORECASE)
_OUTSIDE = re.compile(r"(<img\b(?:[^<>\"]|\"[^\"]*+\")*?)\ssrc=\"(?!data:)[^\"]*+\"")
_BODY = re.compile(r"<body\b[^<>]*>", re.IGNORECASE)
_OWN_PAGE = re.compile(r"\{\s*page\s*:\s*(?:Word)?Section\d+\s*;?\s*\}", re.IGNORECASE)
"""How Outlook names the page of its text: another page than that of the head, which would stand alone on the first."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_TAG = re.compile(r"<(?:style|script)\b.*?(?:</(?:style|script)\s*>|\Z)|<[^<>]*>", re.DOTALL | re.IGNORECASE)
_PICTURES = re.compile(r"<img\b(?=[^<>]*?\bcid:)[^<>]*+>", re.IGNORECASE)
_STYLE = (
    "body{font-family:sans-serif}.mail{border-bottom:1px solid #999;margin-bottom:1em;font-size:10pt}"
    ".mail th{text-align:left;vertical-align:top;padding-right:1em;font-weight:bold}"
    "pre{white-space:pre-wrap;font-family:inherit}img{max-width:100%}.next{break-before:page}"
)


def write(mails: list[Message], target: Path, output: Format, options: Any, zone: tzinfo | None, warn: Warn) -> None:
    """Write the messages as `output`, with dates in `zone`, or as sent if it is None; `options` are those of pages."""
    if output is JSON:
        values = [_value(each, zone, options.attachments) for each in mails]
        whole = values[0] if len(values) == 1 else values
        target.write_text(json.dumps(whole, ensure_ascii=False, indent=2) + "\n", "utf-8")
    elif output is PDF:
        from engine.families.html_pdf.render import render

        title = mails[0].header("Subject") or None
        render(_page(mails, zone, options.attachments, warn, safe=len(mails) > 1), target, options, warn, title=title)
    elif output is HTML:
        target.write_text(_page(mails, zone, options.attachments, warn, safe=True), "utf-8", newline="")
    else:
        parts = [_text(each, zone, output, options, target, warn) for each in mails]
        between = "\n---\n\n" if output is MARKDOWN else f"\n{'-' * 72}\n\n"
        target.write_text(between.join(parts), "utf-8", newline="")


def differs(block: Block) -> bool:
    """Whether the plain text has content that the HTML, which is shown in its place, lacks."""
    return bool(block.html) and _lacks(_words(block.text), _words(unescape(block.html)))


def not_shown(mail: Message, output: Format) -> list[Attachment]:
    """The attachments that are not in the output: all but pictures that a page shows."""
    if output in (MARKDOWN, TXT, JSON):
        return mail.attachments
    shown = [each.picture for each in mail.blocks]
    html = unquote(mail.html)
    return [
        each
        for each in mail.attachments
        if not (PICTURE.match(each.kind) and (each in shown or (each.cid and each.cid in html)))
    ]


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
        if value and (name, value.lower()) != USUAL:
            rows.append((name, value))
    return rows


def _files(mail: Message, mode: str, output: Format) -> list[str]:
    if mode == "drop":
        return []
    return [f"{each.name} ({len(each.data):,} bytes)" for each in not_shown(mail, output)]


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
    """Return all messages as one page; one that is not `safe` keeps its styles, for an engine that sanitises it."""
    title = escape(mails[0].header("Subject") or "Email")
    bodies = []
    for number, mail in enumerate(mails):
        head = _table(mail, zone, mode, later=number > 0)
        if mail.html and not safe:
            html = _OWN_PAGE.sub("{}", "".join(_shown(mail)))
            found = _BODY.search(html) if mail.blocks[0].html else None
            at = found.end() if found else 0
            return f"{html[:at]}<style>{_STYLE}</style>{head}{html[at:]}"
        bodies += [
            head,
            *(
                _cleaned(html, warn) if block.html else html
                for block, html in zip(mail.blocks, _shown(mail), strict=True)
            ),
        ]
    return (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n<style>{_STYLE}</style>\n'
        f"</head>\n<body>\n{''.join(bodies)}</body>\n</html>\n"
    )


def _shown(mail: Message) -> Iterator[str]:
    """Each block of a message as HTML."""
    known = {each.cid: each for each in mail.attachments if each.cid and PICTURE.match(each.kind)}
    inside: dict[Attachment, str] = {}
    repetitions = Repetitions()

    def put(found: re.Match[str]) -> str:
        each = known.get(unquote(found[1]))
        return found[0] if each is None else embedded(each) or found[0]

    def embedded(each: Attachment) -> str:
        if each not in inside and sum(map(len, inside.values())) > MAX_EMBEDDED:
            return ""
        uri = inside.get(each) or inside.setdefault(each, data_uri(each.kind.lower(), each.data))
        return repetitions.shown(each.cid or each.name, uri)

    for block in mail.blocks:
        if block.picture:
            yield f'<p><img alt="{escape(block.picture.name)}" src="{embedded(block.picture)}"></p>\n'
        elif block.html:
            yield _CID.sub(put, block.html)
        else:
            yield f"<pre>{escape(block.text)}</pre>\n"


def _table(mail: Message, zone: tzinfo | None, mode: str, *, later: bool) -> str:
    rows = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in _headers(mail, zone))
    rows += "".join(f"<tr><th>Attached</th><td>{escape(each)}</td></tr>" for each in _files(mail, mode, HTML))
    return f'<table class="mail{" next" if later else ""}">{rows}</table>\n'


def _cleaned(html: str, warn: Warn) -> str:
    from engine.families.documents import safe_html

    body, count = _OUTSIDE.subn(r"\1", safe_html.clean(html, warn))
    if count:
        warn(
            "REMOTE_RESOURCE_BLOCKED",
            say("{count} external pictures were not loaded.", count=count),
        )
    return body + "\n"


def _text(mail: Message, zone: tzinfo | None, output: Format, options: Any, target: Path, warn: Warn) -> str:
    bold = "**" if output is MARKDOWN else ""
    end = "  \n" if output is MARKDOWN else "\n"
    rows = [f"{bold}{name}:{bold} {_marked(value, output)}{end}" for name, value in _headers(mail, zone)]
    rows += [
        f"{bold}Attached:{bold} {_marked(each, output)}{end}" for each in _files(mail, options.attachments, output)
    ]
    texts = [_block_text(each, output, target, warn) for each in mail.blocks]
    text = "\n\n".join(filter(None, texts))
    return "".join(rows) + f"\n{text}\n"


def _block_text(block: Block, output: Format, target: Path, warn: Warn) -> str:
    text = block.text.strip("\n")
    if block.html and (output is MARKDOWN or not text or _is_stub(block)):
        return _through_pandoc(block.html, target, output, warn).strip("\n")
    if output is MARKDOWN:
        text = "\n".join(f"{_marked(each, output)}  " if each.strip() else "" for each in text.split("\n"))
    return text.rstrip()


def _marked(text: str, output: Format) -> str:
    return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", text) if output is MARKDOWN else text


def _through_pandoc(html: str, target: Path, output: Format, warn: Warn) -> str:
    from engine.families.documents import exchange

    page = target.with_name("body.html")
    body = _cleaned(_PICTURES.sub("", html), warn)
    if not re.sub(r"<[^<>]*>", "", body).strip():
        return ""
    page.write_text(body, "utf-8")
    written = target.with_name(f"body.{output.id}")
    exchange.convert(page, written, HTML, output, exchange.Settings(pictures="drop", encoding="utf-8"), warn)
    return written.read_text("utf-8")


def _is_stub(block: Block) -> bool:
    """Return whether the plain text lacks much of the HTML, such as a hint to use another mail reader."""
    return bool(block.html) and _lacks(_words(unescape(_TAG.sub(" ", block.html))), _words(block.text))


def _lacks(words: set[str], found: set[str]) -> bool:
    lost = words - found
    return len(lost) > 10 and 3 * len(lost) > len(words)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text)) if len(text) <= 1_000_000 else set()
