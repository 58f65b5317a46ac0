"""Sanitise HTML5 markup: remove scripts, foreign content and external references."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import nh3

from engine.families.documents import declared_columns, form_values
from engine.families.documents.html_document import plain
from engine.toolkit import symbol_fonts
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_DEPTH = 200
_DEEPEST_TAGS = 1_000
"""The maximum open tags of containers in a text: parsing is quadratic in them, and 7,000 lists in lists take 2 s."""

_KEPT = """
    a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del
    details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd
    label li main mark nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table
    tbody td tfoot th thead time tr tt u ul var wbr
"""
_FORMULAS = """
    math annotation maction menclose merror mfenced mfrac mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom
    mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none
    semantics
"""
"""Elements of MathML, without those that hold pictures or HTML (`mglyph`, `annotation-xml`)."""
_TAGS = set(f"{_KEPT} {_FORMULAS}".split())
_FORMS = form_values.TAGS | {"form", "fieldset", "datalist"}
_STRUCTURE = {"html", "head", "body", "title", "meta", "link", "base", "!doctype"}
_ATTRIBUTES = {
    "*": {"id", "class", "title", "lang", "dir", "align", "role"},
    "a": {"href", "name"},
    "img": {"src", "alt", "width", "height"},
    **form_values.ATTRIBUTES,
    "ol": {"start", "type", "reversed"},
    "li": {"value"},
    "td": {"colspan", "rowspan", "valign"},
    "th": {"colspan", "rowspan", "valign", "scope"},
    "col": {"span", "width"},
    "time": {"datetime"},
    "details": {"open"},
    "math": {"display"},
    "annotation": {"encoding"},
    "mi": {"mathvariant"},
    "mfrac": {"linethickness"},
    "mfenced": {"open", "close", "separators"},
}
_ACTIVE = {"script", "noscript"}
_WHOLE = {"script", "style", "template", "iframe", "object", "embed", "svg", "canvas", "datalist"}
_STYLE = {"style", "font"}

_OPENING = re.compile(r"<([a-zA-Z!][a-zA-Z0-9]*+)([^>]*+)(?:>|\Z)")
_COMMENTS = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HANDLER = re.compile(r"[\s\"'/]on[a-z]+\s*=", re.IGNORECASE)
_ACTIVE_URL = re.compile(r"=\s*+(?:[\"']\s*+)?(?:javascript|vbscript|data:text)", re.IGNORECASE)
_RAW = re.compile(r"<(script|style)\b[^<>]*+>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_ANY = re.compile(r"<(/?)([a-z][a-z0-9]*)")
_CONTAINERS = "div|span|section|article|aside|main|nav|header|footer|figure|blockquote|center|details|ul|ol|dl|table"
_CONTAINER = re.compile(rf"<(/?)({_CONTAINERS})(?=[\s/>])", re.IGNORECASE)
"""Elements that only their own closing tag, or one of an enclosing element, closes."""
_VOID = {"br", "col", "hr", "img", "input", "wbr"}
_PICTURE = re.compile(r"data:image/(?:png|jpeg|jpg|gif|webp|bmp|tiff)[;,]", re.IGNORECASE)
_WITHOUT_SCRIPTS = re.compile(r"</?noscript\b[^<>]*>", re.IGNORECASE)
"""The tags around what pages show where no script runs; the parser, for which scripts run, takes it for text."""
_TITLE = re.compile(r"<title[^<>]*+>(.*?)(?:</title\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_LANGUAGE = re.compile(r"<html[^<>]*?\slang\s*=\s*[\"']?([A-Za-z0-9-]{2,35})", re.IGNORECASE)

_HIDDEN = re.compile(r"\shidden(?=[\s=/]|\Z)", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_SHOWN = Kind("VALUE_CONVERTED", "Elements that the page hides are shown in the result: {count}{places}.")


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
    return cleaned(html if styled else symbol_fonts.written(html, warn))


def cleaned(html: str) -> str:
    """The result of `clean` for `html`, without warnings. Raises Unreadable as it does."""
    _check_tags(html)
    body = nh3.clean(
        _WITHOUT_SCRIPTS.sub("", _TITLE.sub("", html, count=1)),
        tags=_TAGS | form_values.TAGS,
        clean_content_tags=_WHOLE - {"object"},
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto", "tel", "ftp", "data", "cid", "file"},
        link_rel=None,
    )
    body = form_values.written(body)
    _check_depth(body)
    return declared_columns.written_out(body)


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name in ("colspan", "rowspan"):
        # The HTML standard's limit for columns; a table with a billion would be built cell by cell.
        return str(min(int(value), 1_000)) if value.isascii() and value.isdigit() and len(value) < 10 else "1"
    if name in ("href", "src") and re.match(r"\s*(data|file):", value, re.IGNORECASE):
        return value if tag == "img" and _PICTURE.match(value.strip()) else None
    return value


def _check_tags(html: str) -> None:
    if len(html) < _DEEPEST_TAGS * len("<div>"):
        return
    opened: list[str] = []
    counts: Counter[str] = Counter()
    for found in _CONTAINER.finditer(_RAW.sub("", _COMMENTS.sub("", html))):
        name = found[2].lower()
        if not found[1]:
            opened.append(name)
            counts[name] += 1
        elif counts[name]:
            while (last := opened.pop()) != name:
                counts[last] -= 1
            counts[name] -= 1
        if len(opened) > _DEEPEST_TAGS:
            raise _too_deep()


def _check_depth(body: str) -> None:
    depth = 0
    for closing, name in _ANY.findall(body):
        if name in _VOID:
            continue
        depth += -1 if closing else 1
        if depth > MAX_DEPTH:
            raise _too_deep()


def _too_deep() -> Unreadable:
    return Unreadable(
        say("The markup is nested more than {max_depth} levels deep.", max_depth=MAX_DEPTH), reason="limit"
    )


def report(html: str, warn: Warn, *, styled: bool = False) -> None:
    """Warn of everything that `cleaned` removes from `html`."""
    outside = _COMMENTS.sub("", html)
    scripts = sum(match[1].lower() == "script" for match in _RAW.finditer(outside))
    styles = sum(match[1].lower() == "style" for match in _RAW.finditer(outside))
    lost: Counter[str] = Counter()
    active = fields = hidden = 0
    elements = _RAW.sub("", outside)
    # Each opening tag without a closing tag after it would be searched for to the end.
    for match in _OPENING.finditer(elements, 0, elements.rfind(">") + 1):
        name, rest = match[1].lower(), match[2]
        known = name in _TAGS or name in _STRUCTURE or name in _ACTIVE or name in _STYLE
        if name in form_values.FIELDS:
            fields += not (name == "input" and form_values.is_box(rest))
        elif not known and name not in _FORMS:
            lost[name] += 1
        styles += name == "link" and "stylesheet" in rest.lower()
        styles += " style=" in rest.lower()
        hidden += "hidden" in rest.lower() and name != "input" and bool(_HIDDEN.search(_QUOTED.sub("", rest)))
        active += bool(rest and (_HANDLER.search(rest) or _ACTIVE_URL.search(unescape(rest))))
    if scripts or active:
        warn(
            "SCRIPT_REMOVED",
            say("{scripts} scripts, event handlers or script addresses were removed.", scripts=scripts + active),
        )
    if lost:
        names = ", ".join(f"<{name}>" for name in sorted(lost)[:20])
        warn("CONTENT_DROPPED", say("Elements that a document can't contain were removed: {names}.", names=names))
    if fields:
        form_values.report(warn)
    if not styled:
        warn.tally(_SHOWN, hidden)
    if styles and not styled:
        warn("CSS_UNSUPPORTED", "The page's styles were ignored; its structure was kept.")
