"""Safe HTML: markup as HTML5 reads it, with all that is active, foreign or outside of the document taken out."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import nh3

from conversions.families.documents.html_document import plain
from conversions.toolkit.failures import Unreadable
from conversions.toolkit.warnings import Warn

MAX_DEPTH = 200

_KEPT = """
    a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del
    details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd
    label li main mark nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table
    tbody td tfoot th thead time tr tt u ul var wbr
"""
_TAGS = set(_KEPT.split())
_STRUCTURE = {"html", "head", "body", "title", "meta", "link", "base", "!doctype"}
_ATTRIBUTES = {
    "*": {"id", "class", "title", "lang", "dir", "align", "role"},
    "a": {"href", "name"},
    "img": {"src", "alt", "width", "height"},
    "input": {"type", "checked", "disabled"},
    "ol": {"start", "type", "reversed"},
    "li": {"value"},
    "td": {"colspan", "rowspan", "valign"},
    "th": {"colspan", "rowspan", "valign", "scope"},
    "col": {"span", "width"},
    "time": {"datetime"},
    "details": {"open"},
}
_ACTIVE = {"script", "noscript"}
_WHOLE = {"script", "style", "template", "iframe", "object", "embed", "svg", "canvas", "select", "textarea"}
_STYLE = {"style", "font"}

_OPENING = re.compile(r"<([a-zA-Z!][a-zA-Z0-9]*)([^>]*)>")
_COMMENTS = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HANDLER = re.compile(r"[\s\"'/]on[a-z]+\s*=", re.IGNORECASE)
_ACTIVE_URL = re.compile(r"=\s*[\"']?\s*(?:javascript|vbscript|data:text)", re.IGNORECASE)
_RAW = re.compile(r"<(script|style)\b[^<>]*+>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_ANY = re.compile(r"<(/?)([a-z][a-z0-9]*)")
_VOID = {"br", "col", "hr", "img", "input", "wbr"}
_CHECKBOX = re.compile(r"type\s*=\s*[\"']?checkbox", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/(?:png|jpeg|jpg|gif|webp|bmp|tiff)[;,]", re.IGNORECASE)
_TITLE = re.compile(r"<title[^<>]*+>(.*?)(?:</title\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_LANGUAGE = re.compile(r"<html[^<>]*?\slang\s*=\s*[\"']?([A-Za-z0-9-]{2,35})", re.IGNORECASE)


def title(html: str) -> str | None:
    """The title of a page."""
    found = _TITLE.search(html)
    return plain(found[1]) or None if found else None


def language(html: str) -> str | None:
    """The language of a page."""
    found = _LANGUAGE.search(html)
    return found[1] if found else None


def clean(html: str, warn: Warn, *, styled: bool = False) -> str:
    """The body of `html` as balanced markup without scripts, frames, forms, styles and addresses that run code.

    Styles are reported as lost unless others have read them (`styled`). Raises Unreadable for markup that is nested
    too deep.
    """
    report(html, warn, styled=styled)
    return cleaned(html)


def cleaned(html: str) -> str:
    """What `clean` makes of `html`, without a word of what was taken out. Raises Unreadable as it does."""
    body = nh3.clean(
        _TITLE.sub("", html, count=1),
        tags=_TAGS,
        clean_content_tags=_WHOLE - {"object"},
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto", "tel", "ftp", "data", "cid", "file"},
        link_rel=None,
    )
    _check_depth(body)
    return body


def _attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "input" and name == "type":
        return "checkbox" if value.lower() == "checkbox" else None
    if name in ("colspan", "rowspan"):
        # The HTML standard's own limit for columns; a table of a thousand million would be built cell by cell.
        return str(min(int(value), 1_000)) if value.isascii() and value.isdigit() and len(value) < 10 else "1"
    if name in ("href", "src") and re.match(r"\s*(data|file):", value, re.IGNORECASE):
        return value if tag == "img" and _PICTURE.match(value.strip()) else None
    return value


def _check_depth(body: str) -> None:
    depth = 0
    for closing, name in _ANY.findall(body):
        if name in _VOID:
            continue
        depth += -1 if closing else 1
        if depth > MAX_DEPTH:
            raise Unreadable(f"The markup is nested more than {MAX_DEPTH} levels deep.")


def report(html: str, warn: Warn, *, styled: bool = False) -> None:
    """Say what `cleaned` takes out of `html`."""
    outside = _COMMENTS.sub("", html)
    scripts = sum(match[1].lower() == "script" for match in _RAW.finditer(outside))
    styles = sum(match[1].lower() == "style" for match in _RAW.finditer(outside))
    lost: Counter[str] = Counter()
    active = 0
    elements = _RAW.sub("", outside)
    # Behind the last of them every one that is opened would be followed to the end.
    for match in _OPENING.finditer(elements, 0, elements.rfind(">") + 1):
        name, rest = match[1].lower(), match[2]
        known = name in _TAGS or name in _STRUCTURE or name in _ACTIVE or name in _STYLE
        if not known or (name == "input" and not _CHECKBOX.search(rest)):
            lost[name] += 1
        styles += name == "link" and "stylesheet" in rest.lower()
        styles += " style=" in rest.lower()
        active += bool(rest and (_HANDLER.search(rest) or _ACTIVE_URL.search(unescape(rest))))
    if scripts or active:
        warn("SCRIPT_REMOVED", f"{scripts + active:,} scripts, event handlers or script addresses were removed.")
    if lost:
        names = ", ".join(f"<{name}>" for name in sorted(lost)[:20])
        warn("CONTENT_DROPPED", f"Elements that a document can't contain were removed: {names}.")
    if styles and not styled:
        warn("CSS_UNSUPPORTED", "The styles of the page were ignored; its structure was kept.")
