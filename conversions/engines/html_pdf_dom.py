"""The page's elements: what is active, outside or not printable is taken out and reported before the layout."""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin
from xml.dom.minidom import Document, Element, Node

from conversions.converters.base import OverLimit
from conversions.engines import html_pdf_pictures as pictures
from conversions.engines.html_pdf_references import blocked, is_inline
from conversions.engines.html_pdf_styles import data_text, media_matches
from conversions.warnings import Warn

_DROPPED = {
    "iframe": "An embedded page", "frame": "A frame", "embed": "Embedded content", "object": "Embedded content",
    "applet": "An applet", "audio": "A sound", "video": "A video", "canvas": "A canvas", "portal": "An embedded page",
    "progress": "A progress bar", "meter": "A gauge", "bgsound": "A sound",
}  # fmt: skip
_INVISIBLE = frozenset(("template", "datalist", "param", "track", "source", "base", "colgroup", "rp"))
_DATA_SCRIPTS = frozenset(("application/ld+json", "application/json", "text/template", "text/html", "text/x-template"))
_REFERENCES = ("src", "data", "poster", "background", "code", "archive", "longdesc")
_LINKS = re.compile(r"(https?:|mailto:|tel:|ftp:|#|[^:]*$|[^:]*[/?#])", re.IGNORECASE)
_COLOR = re.compile(r"#?[0-9a-zA-Z]{1,30}|rgba?\([0-9., %]{1,40}\)")
_SIZE = re.compile(r"\s*(\d{1,5}(?:\.\d{1,4})?)\s*(px|pt|em|%)?\s*", re.IGNORECASE)
MOST_CHARACTERS = 3_000_000
_ZERO_WIDTH_SPACE = "\u200b"
_SCRIPTS = "Scripts were removed; what they would add to the page is missing."
_BLOCK_TAGS = frozenset(("html", "head", "body"))


@dataclass
class Page:
    """A page as the layout needs it: its tree, its style sheets in order, and what its elements are called."""

    document: Document
    sheets: list[str] = field(default_factory=list)
    styled: list[Element] = field(default_factory=list)
    tables: list[Element] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    base: str = ""
    characters: int = 0


def clean(document: Document, warn: Warn) -> Page:
    """Take out of `document`, in place, what is not printed, and report it."""
    page = Page(document)
    _walk(document.documentElement, page, warn)
    return page


def _walk(root: Element, page: Page, warn: Warn) -> None:
    stack: list[Node] = [root]
    while stack:
        element = stack.pop()
        if not _keep(element, page, warn):
            element.parentNode.removeChild(element)
            continue
        page.tags.add(element.tagName.lower())
        if element.hasAttributes():
            _attributes(element, page, warn)
        _join_texts(element)
        for child in reversed(element.childNodes):
            if child.nodeType == Node.ELEMENT_NODE:
                stack.append(child)
            elif child.nodeType == Node.TEXT_NODE:
                page.characters += len(child.data)
        if page.characters > MOST_CHARACTERS:
            raise OverLimit("timeout", f"The page has more than {MOST_CHARACTERS:,} characters of text: split it.")


def _join_texts(element: Element) -> None:
    """Make neighbouring texts one: the parser begins a new one at every character reference."""
    children = element.childNodes
    if not any(
        one.nodeType == Node.TEXT_NODE and two.nodeType == Node.TEXT_NODE for one, two in itertools.pairwise(children)
    ):
        return
    for kind, group in itertools.groupby(list(children), key=lambda child: child.nodeType):
        if kind == Node.TEXT_NODE:
            first, *others = group
            first.data += "".join(each.data for each in others)
            for each in others:
                each.parentNode = None
    children[:] = [child for child in children if child.parentNode is not None]


def _keep(element: Element, page: Page, warn: Warn) -> bool:
    name = element.tagName.lower()
    if name in _INVISIBLE:
        if name == "base" and element.getAttribute("href").lower().startswith(("http:", "https:")):
            page.base = page.base or element.getAttribute("href")
        return False
    if element.hasAttribute("hidden") or (name == "dialog" and not element.hasAttribute("open")):
        return False
    if name in _DROPPED:
        for attribute in _REFERENCES:
            blocked(element.getAttribute(attribute), warn)
        warn("CONTENT_DROPPED", f"{_DROPPED[name]} (<{name}>) can't be printed and was left out.")
        return False
    if ":" in name or name.startswith("pdf"):
        # The engine has tags of its own, some of which read files.
        blocked(element.getAttribute("src"), warn)
        element.tagName = "span"
    handler = _HANDLERS.get(name)
    return handler(element, page, warn) if handler else True


def _script(element: Element, page: Page, warn: Warn) -> bool:
    if element.getAttribute("type").strip().lower() not in _DATA_SCRIPTS:
        warn("SCRIPT_REMOVED", _SCRIPTS)
        blocked(element.getAttribute("src"), warn)
    return False


def _style(element: Element, page: Page, warn: Warn) -> bool:
    kind = element.getAttribute("type").strip().lower()
    if kind in ("", "text/css") and media_matches(element.getAttribute("media")):
        page.sheets.append(text_of(element))
    return False


def _link(element: Element, page: Page, warn: Warn) -> bool:
    if "stylesheet" in element.getAttribute("rel").lower().split():
        href = element.getAttribute("href")
        if is_inline(href) and media_matches(element.getAttribute("media")):
            page.sheets.append(data_text(href))
        else:
            blocked(href, warn)
    return False


def _meta(element: Element, page: Page, warn: Warn) -> bool:
    if element.getAttribute("http-equiv").strip().lower() == "refresh":
        _, _, url = element.getAttribute("content").partition("=")
        blocked(url.strip(" '\""), warn)
    return element.getAttribute("name").lower() in ("author", "subject", "keywords")


def _picture(element: Element, page: Page, warn: Warn) -> bool:
    source = element.getAttribute("src").strip()
    if is_inline(source):
        data = pictures.picture_data(source)
        reason = pictures.fault(data)
        if reason is None:
            if pictures.is_svg(data):
                pictures.report_svg(data, warn)
            element.setAttribute("src", "data:" + source[5:])
            _picture_size(element)
            return True
        described = element.getAttribute("alt").strip()[:60]
        warn("CONTENT_DROPPED", f"A picture {f'({described}) ' if described else ''}was left out: {reason}.")
    else:
        blocked(source, warn)
    alternative = element.getAttribute("alt").strip()
    if not alternative:
        return False
    for attribute in list(element.attributes.keys()):
        if attribute not in ("class", "id", "title"):
            element.removeAttribute(attribute)
    element.tagName = "span"
    element.appendChild(element.ownerDocument.createTextNode(alternative))
    return True


def _picture_size(element: Element) -> None:
    for side in ("width", "height"):
        if not element.hasAttribute(side):
            continue
        match = _SIZE.fullmatch(element.getAttribute(side))
        if match and not match[2] and 0 < float(match[1]) < 20_000:
            element.setAttribute(side, match[1])
            continue
        element.removeAttribute(side)
        if match and float(match[1]) > 0:
            style = f"{side}: {match[1]}{match[2] or 'px'}; {element.getAttribute('style')}"
            element.setAttribute("style", style)


def _svg(element: Element, page: Page, warn: Warn) -> bool:
    element.setAttribute("xmlns", "http://www.w3.org/2000/svg")
    element.setAttribute("xmlns:xlink", "http://www.w3.org/1999/xlink")
    styles = "".join(sheet for sheet in page.sheets if len(sheet) < 50_000 and ("fill" in sheet or "stroke" in sheet))
    text = element.toxml()
    if styles:
        at = text.index(">") + 1
        escaped = styles.replace("&", "&amp;").replace("<", "&lt;")
        text = f"{text[:at]}<style>{escaped}</style>{text[at:]}" if text[at - 2] != "/" else text
    while element.firstChild:
        element.removeChild(element.firstChild)
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    element.setAttribute("src", f"data:image/svg+xml;base64,{encoded}")
    for attribute in ("xmlns", "xmlns:xlink"):
        element.removeAttribute(attribute)
    return _picture(element, page, warn)


def _math(element: Element, page: Page, warn: Warn) -> bool:
    warn("CONTENT_DROPPED", "Formulas (<math>) are printed as plain text.")
    return True


def _field(element: Element, page: Page, warn: Warn) -> bool:
    """Print a form field as it looks when nobody has touched it."""
    name, kind = element.tagName.lower(), element.getAttribute("type").strip().lower()
    if kind == "hidden":
        return False
    warn("CONTENT_DROPPED", "Form fields are printed with the values they have; they can't be filled in.")
    text = ""
    if name == "textarea":
        text = text_of(element)
    elif name == "select":
        options = element.getElementsByTagName("option")
        chosen = [each for each in options if each.hasAttribute("selected")] or list(options[:1])
        text = ", ".join(text_of(each).strip() for each in chosen)
    elif name == "button":
        text = text_of(element).strip()
    elif kind == "checkbox":
        text = "☑" if element.hasAttribute("checked") else "☐"
    elif kind == "radio":
        text = "◉" if element.hasAttribute("checked") else "○"
    elif kind == "password":
        text = "•" * len(element.getAttribute("value"))
    elif kind == "image":
        blocked(element.getAttribute("src"), warn)
        text = element.getAttribute("alt")
    else:
        text = element.getAttribute("value") or element.getAttribute("placeholder")
        text = text or {"submit": "Submit", "reset": "Reset"}.get(kind, "")
    while element.firstChild:
        element.removeChild(element.firstChild)
    element.tagName = "div" if name == "textarea" else "span"
    for attribute in ("type", "value", "name", "src", "width", "height"):
        if element.hasAttribute(attribute):
            element.removeAttribute(attribute)
    if kind not in ("checkbox", "radio"):
        border = "border: 1px solid #767676; padding: 1px 4px; white-space: pre-wrap; "
        element.setAttribute("style", border + element.getAttribute("style"))
        text = text or "\u00a0" * 20
    element.appendChild(element.ownerDocument.createTextNode(text))
    return True


def _word_break(element: Element, page: Page, warn: Warn) -> bool:
    element.parentNode.insertBefore(element.ownerDocument.createTextNode(_ZERO_WIDTH_SPACE), element)
    return False


def _table(element: Element, page: Page, warn: Warn) -> bool:
    page.tables.append(element)
    for child in list(element.childNodes):
        if child.nodeType == Node.ELEMENT_NODE and child.tagName == "caption":
            # The engine would draw the table's border around it.
            element.parentNode.insertBefore(child, element)
            _walk(child, page, warn)
    return True


def _anchor(element: Element, page: Page, warn: Warn) -> bool:
    href = element.getAttribute("href").strip()
    if href.lower().replace("\t", "").replace("\n", "").startswith(("javascript:", "vbscript:")):
        warn("SCRIPT_REMOVED", "A link that runs a script was removed.")
        element.removeAttribute("href")
    elif href and not _LINKS.match(href):
        element.removeAttribute("href")
    elif href and page.base and not href.startswith("#"):
        try:
            element.setAttribute("href", urljoin(page.base, href))
        except ValueError:
            element.removeAttribute("href")
    return True


_Handler = Callable[[Element, Page, Warn], bool]
_HANDLERS: dict[str, _Handler] = {
    "script": _script, "style": _style, "link": _link, "meta": _meta, "img": _picture, "svg": _svg, "math": _math,
    "input": _field, "select": _field, "textarea": _field, "button": _field, "wbr": _word_break, "table": _table,
    "a": _anchor, "area": _anchor,
}  # fmt: skip


def _attributes(element: Element, page: Page, warn: Warn) -> None:
    name = element.tagName.lower()
    for attribute, value in list(element.attributes.items()):
        if attribute == "class":
            page.classes.update(value.split())
        elif attribute == "id":
            page.ids.add(value)
        elif attribute == "style":
            page.styled.append(element)
        elif attribute.startswith("on"):
            warn("SCRIPT_REMOVED", _SCRIPTS)
            element.removeAttribute(attribute)
        elif attribute in ("bgcolor", "color", "bordercolor") and not _COLOR.fullmatch(value.strip()):
            element.removeAttribute(attribute)
        elif attribute == "background" or (attribute in ("src", "srcset") and name not in ("img", "svg")):
            blocked(value, warn)
            element.removeAttribute(attribute)
        elif attribute in ("width", "height", "size", "border", "cellpadding", "cellspacing") and name not in (
            "img",
            "svg",
        ):
            _plain_size(element, attribute, value)
    if name == "table" and element.hasAttribute("cellpadding"):
        padding = f"padding: {element.getAttribute('cellpadding')}px; "
        for cell in cells_of(element):
            cell.setAttribute("style", padding + cell.getAttribute("style"))


def _plain_size(element: Element, attribute: str, value: str) -> None:
    match = _SIZE.fullmatch(value)
    if element.tagName.lower() == "font" or (match and float(match[1]) <= 10_000 and match[2] in (None, "%", "px")):
        return
    if attribute == "border" and not match:
        element.setAttribute(attribute, "1")  # `border` alone, or a word
    else:
        element.removeAttribute(attribute)


def rows_of(table: Element) -> Iterator[Element]:
    """The rows of a table, without those of the tables in it."""
    for child in table.childNodes:
        if child.nodeType == Node.ELEMENT_NODE:
            if child.tagName == "tr":
                yield child
            elif child.tagName in ("thead", "tbody", "tfoot"):
                yield from rows_of(child)


def cells_of(table: Element) -> Iterator[Element]:
    """The cells of a table, without those of the tables in it."""
    for row in rows_of(table):
        for child in row.childNodes:
            if child.nodeType == Node.ELEMENT_NODE and child.tagName in ("td", "th"):
                yield child


def text_of(element: Element) -> str:
    """All text in an element."""
    parts = []
    stack: list[Node] = [element]
    while stack:
        node = stack.pop()
        if node.nodeType == Node.TEXT_NODE:
            parts.append(node.data)
        stack.extend(reversed(node.childNodes))
    return "".join(parts)
