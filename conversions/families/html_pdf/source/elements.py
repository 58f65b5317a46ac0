"""Elements that are not printed as they are: scripts, style sheets, pictures, form fields, links."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from urllib.parse import urljoin
from xml.dom.minidom import Node

from conversions.families.html_pdf import pictures
from conversions.families.html_pdf.css.media import media_matches
from conversions.families.html_pdf.source.references import blocked, data_of, is_inline
from conversions.families.html_pdf.source.tree import Element, Page, text_of
from conversions.toolkit.warnings import Warn

_DATA_SCRIPTS = frozenset(("application/ld+json", "application/json", "text/template", "text/html", "text/x-template"))
_LINKS = re.compile(r"(https?:|mailto:|tel:|ftp:|#|[^:]*$|[^:]*[/?#])", re.IGNORECASE)
SIZE = re.compile(r"\s*(\d{1,5}(?:\.\d{1,4})?)\s*(px|pt|em|%)?\s*", re.IGNORECASE)
_ZERO_WIDTH_SPACE = "\u200b"

SCRIPTS = "Scripts were removed; what they would add to the page is missing."


def _script(element: Element, page: Page, warn: Warn) -> bool:
    if element.getAttribute("type").strip().lower() not in _DATA_SCRIPTS:
        warn("SCRIPT_REMOVED", SCRIPTS)
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
            page.sheets.append(data_of(href).decode("utf-8", "replace"))
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
        data = data_of(source)
        reason = pictures.fault(data)
        if reason is None:
            if pictures.is_svg(data):
                from conversions.families.html_pdf.svg import report_svg  # for the few pages that have one

                report_svg(data, warn)
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
        match = SIZE.fullmatch(element.getAttribute(side))
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
            page.moved.append(child)
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
HANDLERS: dict[str, _Handler] = {
    "script": _script, "style": _style, "link": _link, "meta": _meta, "img": _picture, "svg": _svg, "math": _math,
    "input": _field, "select": _field, "textarea": _field, "button": _field, "wbr": _word_break, "table": _table,
    "a": _anchor, "area": _anchor,
}  # fmt: skip
