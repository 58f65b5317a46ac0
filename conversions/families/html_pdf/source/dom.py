"""The page's elements: what is active, outside or not printable is taken out and reported before the layout."""

from __future__ import annotations

import itertools
import re
from xml.dom.minidom import Document, Node

from conversions.families.html_pdf.source.elements import HANDLERS, SCRIPTS, SIZE
from conversions.families.html_pdf.source.references import blocked
from conversions.families.html_pdf.source.tree import Element, Page
from conversions.toolkit.failures import OverLimit
from conversions.toolkit.warnings import Warn

_DROPPED = {
    "iframe": "An embedded page", "frame": "A frame", "embed": "Embedded content", "object": "Embedded content",
    "applet": "An applet", "audio": "A sound", "video": "A video", "canvas": "A canvas", "portal": "An embedded page",
    "progress": "A progress bar", "meter": "A gauge", "bgsound": "A sound",
}  # fmt: skip
_INVISIBLE = frozenset(("template", "datalist", "param", "track", "source", "base", "rp"))
_ROW_GROUPS = ("thead", "tbody", "tfoot")
_PARENTS = {
    "td": ("tr",), "th": ("tr",), "tr": ("table", *_ROW_GROUPS), **dict.fromkeys(_ROW_GROUPS, ("table",)),
}  # fmt: skip
_REFERENCES = ("src", "data", "poster", "background", "code", "archive", "longdesc")
_COLOR = re.compile(r"#?[0-9a-zA-Z]{1,30}|rgba?\([0-9., %]{1,40}\)")
MOST_CHARACTERS = 3_000_000


def clean(document: Document, warn: Warn) -> Page:
    """Take out of `document`, in place, what is not printed, and report it."""
    page = Page(document)
    _walk(document.documentElement, page, warn)
    return page


def _walk(root: Element, page: Page, warn: Warn) -> None:
    stack: list[Element] = [root]
    while stack:
        element = stack.pop()
        if not _keep(element, page, warn):
            element.parentNode.removeChild(element)
            continue
        if element.hasAttributes():
            _attributes(element, page, warn)
        _join_texts(element)
        stack += page.moved
        page.moved.clear()
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
    if name in _PARENTS and element.parentNode.tagName not in _PARENTS[name]:
        element.tagName = "div"  # a part of a table that is in none, as in a formula
    handler = HANDLERS.get(name)
    return handler(element, page, warn) if handler else True


def _attributes(element: Element, page: Page, warn: Warn) -> None:
    name = element.tagName.lower()
    for attribute, value in list(element.attributes.items()):
        if attribute == "class":
            page.classes.update(value.split())
        elif attribute == "id":
            page.ids.add(value)
        elif attribute.startswith("on"):
            warn("SCRIPT_REMOVED", SCRIPTS)
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


def _plain_size(element: Element, attribute: str, value: str) -> None:
    match = SIZE.fullmatch(value)
    if element.tagName.lower() == "font" or (match and float(match[1]) <= 10_000 and match[2] in (None, "%", "px")):
        return
    if attribute == "border" and not match:
        element.setAttribute(attribute, "1")  # `border` alone, or a word
    else:
        element.removeAttribute(attribute)
