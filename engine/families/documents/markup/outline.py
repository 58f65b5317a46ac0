"""OPML outlines and feed lists as HTML, with headings for branches and lists for leaves."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from engine.families.documents import commonmark, safe_html
from engine.families.documents.markup import trees
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Kind, Warn

_LEVELS = 6
_SHOWN = {"text", "title", "_note", "xmlUrl", "htmlUrl", "url", "type", "version", "isComment", "isBreakpoint"}
_ADDRESSES = ("xmlUrl", "url", "htmlUrl")
_ATTRIBUTES = Kind("METADATA_DROPPED", "Outline attributes were left out: {count}{places}.")


def read(data: bytes, warn: Warn) -> tuple[str, str | None]:
    """The page body, and the title of the outline. Raises Unreadable for XML that isn't OPML."""
    root = trees.parse(data, warn)
    body = root.find("body")
    if root.tag != "opml" or body is None:
        raise Unreadable(
            "The file is XML, but not OPML: it has no <opml> with a <body>.", line=root.sourceline, reason="format"
        )
    others = [name for each in body.iter("outline") for name in each.attrib if name not in _SHOWN]
    warn.tally(_ATTRIBUTES, len(others), dict.fromkeys(others))
    markup = "".join(_parts(body, 1))
    if not markup:
        raise Unreadable("The outline is empty.", reason="empty")
    safe_html.report("\n".join(each.get("text") or "" for each in body.iter("outline")), warn)
    title = (root.findtext("head/title") or "").strip()
    return safe_html.clean(markup, warn), title or None


def _parts(parent: Any, level: int) -> Iterator[str]:
    items: list[str] = []
    for each in parent.iterchildren("outline"):
        note = each.get("_note") or ""
        if level > _LEVELS or (not len(each) and not note.strip()):
            items.append(_item(each, note, level))
            continue
        yield from _listed(items)
        items = []
        yield f"<h{level}>{_text(each)}</h{level}>\n"
        yield commonmark.unsafe(note) if note.strip() else ""
        yield from _parts(each, level + 1)
    yield from _listed(items)


def _item(outline: Any, note: str, level: int) -> str:
    below = "".join(_parts(outline, level + 1)) if len(outline) else ""
    return f"<li>{_text(outline)}{commonmark.unsafe(note) if note.strip() else ''}{below}</li>\n"


def _listed(items: list[str]) -> Iterator[str]:
    if items:
        yield "<ul>\n" + "".join(items) + "</ul>\n"


def _text(outline: Any) -> str:
    """The text of an outline, which may be HTML (OPML 2.0, "text"), linked to its target."""
    text = outline.get("text") or outline.get("title") or ""
    text = safe_html.cleaned(text) if "<" in text or "&" in text else escape(text)
    addresses = [outline.get(name) for name in _ADDRESSES if outline.get(name)]
    if not addresses:
        return text
    links = "".join(f' (<a href="{escape(each)}">{escape(each)}</a>)' for each in dict.fromkeys(addresses[1:]))
    return f'<a href="{escape(addresses[0])}">{text or escape(addresses[0])}</a>{links}'
