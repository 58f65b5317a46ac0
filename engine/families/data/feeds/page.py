"""Feeds as a sanitised HTML page, and as Markdown."""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path
from typing import Any

from engine.families.data.feeds import entries
from engine.toolkit.formats import HTML, MARKDOWN
from engine.toolkit.warnings import Kind, Warn

_LEFT_OUT = Kind("CONTENT_DROPPED", "Entry fields that the page does not show were left out: {count}{places}.")
_WEB = re.compile(r"https?://", re.IGNORECASE)
_SHOWN = ("title", "link", "published", "updated", "author", "categories", "summary", "content", "enclosures", "id")
_NOT_MISSED = ("others", "id.isPermaLink", "link.type")
_SHOWN_OF_FEED = ("title", "link", "summary", "language", "id")


def to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the feed in `source` as a page."""
    from engine.families.documents import html_document

    title, language, body = _body(source, warn)
    made = html_document.HtmlDocument(body, title=title, language=language)
    html_document.write(made, target, options)


def to_markdown(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the feed in `source` as Markdown."""
    from engine.families.documents import exchange

    body = _body(source, warn)[2]
    page = target.with_name("page.html")
    page.write_text(f'<html><head><meta charset="utf-8"></head><body>{body}</body></html>', "utf-8")
    settings = exchange.Settings(pictures="drop", encoding="utf-8", line_width=options.line_width)
    exchange.convert(page, target, HTML, MARKDOWN, settings, warn)


def _body(source: Path, warn: Warn) -> tuple[str, str | None, str]:
    from engine.families.documents import safe_html

    feed, found = entries.read(source, warn)
    title = unescape(feed.get("title", "")) or "Feed"
    parts = [f"<h1>{_linked(title, feed.get('link', ''))}</h1>\n"]
    if feed.get("summary"):
        parts.append(f"<p>{escape(feed['summary'])}</p>\n")
    left: list[str] = []
    for each in found:
        parts.append(f"<article>\n<h2>{_linked(unescape(each.get('title', '')) or '…', each.get('link', ''))}</h2>\n")
        byline = [each.get("published") or each.get("updated", ""), each.get("author", "")]
        byline.append(", ".join(each.get("categories", ())))
        line = " · ".join(filter(None, byline))
        parts.append(f"<p><small>{escape(line)}</small></p>\n" if line else "")
        text = each.get("content") or each.get("summary") or ""
        parts.append(f"<div>{text if '<' in text else f'<p>{escape(unescape(text))}</p>'}</div>\n" if text else "")
        for address in each.get("enclosures", ()):
            parts.append(f"<p>{_linked(address, address)}</p>\n")
        parts.append("</article>\n")
        left += [one["name"] for one in each.get("others", ())] + [name for name in each if name not in _SHOWN]
    left = [each for each in left if each not in _NOT_MISSED]
    warn.tally(_LEFT_OUT, len(left), left)
    entries.name_details(feed, _SHOWN_OF_FEED, warn)
    language = feed.get("language", "")
    known = language if re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", language) else None
    return title, known, safe_html.clean("".join(parts), warn)


def _linked(text: str, address: str) -> str:
    return f'<a href="{escape(address)}">{escape(text)}</a>' if _WEB.match(address) else escape(text)
