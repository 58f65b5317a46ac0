"""Remove and report active, external and unprintable content before layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urljoin

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from engine.families.html_pdf import formulas
from engine.families.html_pdf.source import drawings, fields, gauges, limits, pictures
from engine.families.html_pdf.source.references import blocked, is_inline, sheet_of
from engine.toolkit import emoji_sequences
from engine.toolkit.controls import CONTROL, without_controls
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

Element: TypeAlias = Any
"""An element of the tree; lxml has no types."""

_DROPPED = {
    **dict.fromkeys(("iframe", "portal"), say("An embedded page")),
    **dict.fromkeys(("embed", "object"), say("Embedded content")),
    **dict.fromkeys(("audio", "bgsound"), say("A sound")),
    "frame": say("A frame"),
    "applet": say("An applet"),
    "video": say("A video"),
    "canvas": say("A canvas"),
}
_INVISIBLE = frozenset(("template", "datalist", "param", "track", "source", "base", "rp"))
_REFERENCES = ("src", "data", "poster", "background", "code", "archive", "longdesc")
_DATA_SCRIPTS = frozenset(("application/ld+json", "application/json", "text/template", "text/html", "text/x-template"))
_OTHER_LINK = re.compile(r"(?!(?:https?|mailto|tel|ftp):)([a-z][a-z0-9+.-]{0,40}):", re.IGNORECASE)
"""The address of a link that may start a program, or read a file of the reader's."""
_IGNORED = dict.fromkeys(map(ord, "\t\r\n"))
"""Characters that browsers ignore in addresses."""
_OF_TEXT = re.compile(
    r"(?:^|(?<=;))\s*+((?:(?:color|font|text-|line-height|letter-spacing|margin)[\w-]*"
    r"|display|float|opacity|vertical-align|visibility)\s*:[^;]*)"
)
"""Attributes with which mails describe the text that replaces a picture, and where it stands."""
_ICON = 100
"""The width in CSS pixels up to which the text that replaces a picture is kept apart from that beside it."""
_SPAN = re.compile(r"\s*(\d{1,3}|1000)\s*")
_INTEGER = re.compile(r"\s*([+-]?\d{1,9})\s*", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_REFERS_TO_NONE = re.compile(
    r"&#(?:0*(?:[1-8]|1[124-9]|2\d|3[01]|6553[45])(?!\d)|[xX]0*(?:[1-8bBcCeEfF]|1[\da-fA-F]|[fF]{3}[eEfF])(?![\da-fA-F]))"
)
"""References to a control character, which the parser passes on like the character itself."""
_SCRIPTS = say("Scripts were removed, and with them any content that they add to the page.")
_ENDS = re.compile(r"</(?:body|html)\s*+>", re.IGNORECASE)
_METADATA = ("author", "subject", "description", "keywords")
_OF_HEAD = frozenset((
    "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title",
))  # fmt: skip
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


@dataclass
class Page:
    """A page ready for layout: its tree, its style sheets in order, and facts collected about it."""

    root: Element
    sheets: list[Element] = field(default_factory=list)
    styled: list[Element] = field(default_factory=list)
    headings: list[Element] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    characters: set[str] = field(default_factory=set)
    metadata: dict[str, str] = field(default_factory=dict)
    base: str = ""
    title: str | None = None
    language: str | None = None
    embedded: pictures.Pictures = field(default_factory=pictures.Pictures)
    has_formulas: bool = False
    undrawn: list[str] = field(default_factory=list)
    """The names of the elements of formulas that became plain text."""
    aligned: bool = False
    """Whether anything has an `align` attribute."""
    length: int = 0
    """The total length of all texts."""
    longest: int = 0
    """The length of the longest text."""

    def joined_emoji(self) -> Counter[str]:
        """The emoji of several characters in the text."""
        if not emoji_sequences.may_occur(self.characters):
            return Counter()
        texts = (each.text for each in self.root.iter() if each.tag not in ("style", "title"))
        tails = (each.tail for each in self.root.iter())
        return sum((emoji_sequences.found_in(each) for each in (*texts, *tails) if each), Counter[str]())

    @property
    def style_texts(self) -> list[str]:
        """The texts of the style sheets."""
        return [each.text or "" for each in self.sheets]


def parse(text: str) -> Element:
    """The tree of an HTML text. Raises OverLimit for too many elements, or attributes of one."""
    if text.count("<") > 4 * limits.MOST_ELEMENTS:
        raise limits.too_many_elements()
    limits.check_tags(text)
    text = _unended(text)
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    data = _SURROGATE.sub("\ufffd", text).encode()
    try:
        root = document_fromstring(data if data.strip() else b"<html><body></body></html>", parser=parser)
    except etree.ParserError:
        root = document_fromstring(b"<html><body></body></html>", parser=parser)
    except etree.LxmlError as error:
        raise Unreadable("The file is not HTML: it has no readable elements.", reason="format") from error
    if CONTROL.search(text) or _REFERS_TO_NONE.search(text):
        _without_controls(root)
    if root.find("head") is None:
        root.insert(0, root.makeelement("head"))
    if root.find("body") is None:
        root.append(root.makeelement("body"))
    _end_head(root)
    return root


def _end_head(root: Element) -> None:
    """Move what does not belong to the head to the body, as in browsers (HTML, 13.2.6.4.4): libxml2 leaves in it the
    elements that it doesn't know, such as `main`, and what is behind them.
    """
    body = root.find("body")
    inside = list(root.find("head"))
    first = next((at for at, each in enumerate(inside) if each.tag not in _OF_HEAD), len(inside))
    moved = inside[first:]
    if not moved:
        return
    moved[-1].tail = f"{moved[-1].tail or ''}{body.text or ''}" or None
    body.text = None
    body[:0] = moved


def _unended(text: str) -> str:
    """A page without the ends of its body if more follows: browsers add it to the body (HTML, 13.2.6.4.19), libxml2
    drops it."""
    first = _ENDS.search(text)
    if first is None or not _ENDS.sub("", text[first.end() :]).strip():
        return text
    return _ENDS.sub("", text)


def _without_controls(root: Element) -> None:
    """Remove control characters from texts and attributes: a modified tree may not contain any."""
    for element in root.iter():
        for name in ("text", "tail"):
            if (given := getattr(element, name)) and CONTROL.search(given):
                setattr(element, name, without_controls(given))
        for name, value in element.attrib.items():
            if CONTROL.search(value):
                with suppress(ValueError):  # the attribute name is invalid, too, and nothing refers to it
                    element.set(name, without_controls(value))


def clean(root: Element, warn: Warn) -> Page:
    """Remove unprintable content from the tree, in place, and report it. Raises OverLimit."""
    page = Page(root, language=(root.get("lang") or root.get("xml:lang") or "").strip()[:40] or None)
    stack: list[tuple[Element, int, int]] = [(root, 1, 0)]
    count = 0
    while stack:
        element, depth, tables = stack.pop()
        if not isinstance(element.tag, str):
            _take_out(element)
            continue
        count += 1
        name = element.tag
        tables += name == "table"
        if count > limits.MOST_ELEMENTS:
            raise limits.too_many_elements()
        if depth > limits.MOST_DEPTH:
            raise limits.too_deep()
        if tables > limits.MOST_TABLES:
            raise limits.too_many_tables()
        if len(element.attrib) > limits.MOST_ATTRIBUTES:
            raise limits.too_many_attributes()
        if not _keep(element, page, warn):
            _text(element.tail, page)
            if name == "source":  # the parser takes what follows one, such as its picture, for its content
                stack += [(child, depth, tables) for child in reversed(element)]
                element.drop_tag()
            else:
                _take_out(element)
            continue
        page.names.add(name)
        if element.attrib:
            _attributes(element, page, warn)
        if name in _HEADINGS:
            page.headings.append(element)
        if name != "style":
            _text(element.text, page)
        _text(element.tail, page)
        stack += [(child, depth + 1, tables) for child in reversed(element)]
    if page.has_formulas:
        names = (f"<{each}>" for each in dict.fromkeys(page.undrawn))
        warn.tally(formulas.UNDRAWN, len(page.undrawn), names)
        own = root.makeelement("style")
        own.text = formulas.STYLE
        root.find("head").insert(0, own)
        page.sheets.insert(0, own)
    return page


def _take_out(element: Element) -> None:
    """Remove an element, but not the text after it."""
    element.drop_tree()


def _text(text: str | None, page: Page) -> None:
    if not text:
        return
    page.length += len(text)
    page.longest = max(page.longest, len(text))
    page.characters.update(text)
    if page.length > limits.MOST_CHARACTERS:
        raise limits.too_long()


def _keep(element: Element, page: Page, warn: Warn) -> bool:
    name = element.tag
    if name in _INVISIBLE:
        if name == "base" and (element.get("href") or "").lower().startswith(("http:", "https:")):
            page.base = page.base or element.get("href")
        return False
    if element.get("hidden") is not None or (name == "dialog" and element.get("open") is None):
        return False
    if name in _DROPPED:
        for attribute in _REFERENCES:
            blocked(element.get(attribute) or "", warn)
        warn(
            "CONTENT_DROPPED",
            say("{dropped} (<{name}>) can't be printed and was left out.", dropped=_DROPPED[name], name=name),
        )
        return False
    handler = _HANDLERS.get(name)
    return handler(element, page, warn) if handler else True


def _attributes(element: Element, page: Page, warn: Warn) -> None:
    name = element.tag
    for attribute, value in list(element.attrib.items()):
        if attribute == "class":
            page.names.update(f".{each}" for each in value.split())
        elif attribute == "id":
            page.names.add(f"#{value}")
        elif attribute == "style":
            page.styled.append(element)
        elif attribute == "align":
            page.aligned = True
        elif attribute.startswith("on"):
            warn("SCRIPT_REMOVED", _SCRIPTS)
            del element.attrib[attribute]
        elif attribute == "background" or (attribute in ("src", "srcset", "data") and name != "img"):
            blocked(value, warn)
            del element.attrib[attribute]
        elif attribute in ("srcset", "sizes") or (attribute in ("rowspan", "colspan") and not _SPAN.fullmatch(value)):
            del element.attrib[attribute]


def _script(element: Element, page: Page, warn: Warn) -> bool:
    if (element.get("type") or "").strip().lower() not in _DATA_SCRIPTS:
        warn("SCRIPT_REMOVED", _SCRIPTS)
        blocked(element.get("src") or "", warn)
    return False


def _style(element: Element, page: Page, warn: Warn) -> bool:
    if (element.get("type") or "").strip().lower() not in ("", "text/css"):
        return False
    for child in element:
        element.text = (element.text or "") + (child.text or "") + (child.tail or "")
        element.remove(child)
    page.sheets.append(element)
    return True


def _link(element: Element, page: Page, warn: Warn) -> bool:
    if "stylesheet" not in (element.get("rel") or "").lower().split():
        return False
    href = element.get("href") or ""
    if not is_inline(href):
        blocked(href, warn)
        return False
    element.tag = "style"
    element.text = sheet_of(href)
    for attribute in ("href", "rel", "type"):
        element.attrib.pop(attribute, None)
    page.sheets.append(element)
    return True


def _meta(element: Element, page: Page, warn: Warn) -> bool:
    content = element.get("content") or ""
    if (element.get("http-equiv") or "").strip().lower() == "refresh":
        _, _, url = content.partition("=")
        blocked(url.strip(" '\""), warn)
    name = (element.get("name") or "").strip().lower()
    if name in _METADATA and content.strip():
        page.metadata.setdefault("subject" if name == "description" else name, " ".join(content.split())[:1000])
    return False


def _title(element: Element, page: Page, warn: Warn) -> bool:
    if any(each.tag == "svg" for each in element.iterancestors()):
        return True
    page.title = page.title or " ".join((element.text_content() or "").split())[:300] or None
    return False


def _picture(element: Element, page: Page, warn: Warn) -> bool:
    source = (element.get("src") or "").strip()
    if is_inline(source):
        try:
            element.set("src", page.embedded.readable(source, warn))
            return True
        except pictures.Unusable as reason:
            described = (element.get("alt") or "").strip()[:60]
            warn(
                "CONTENT_DROPPED",
                say("A picture ({described}) was left out: {reason}.", described=described, reason=reason)
                if described
                else say("A picture was left out: {reason}.", reason=reason),
            )
    else:
        blocked(source, warn)
    alternative = (element.get("alt") or "").strip()
    if not alternative:
        return False
    style = _style_of_text(element)
    for attribute in list(element.attrib):
        if attribute not in ("class", "id", "title"):
            del element.attrib[attribute]
    element.set("style", style)
    element.tag, element.text = "span", alternative
    page.names.add("span")
    return True


def _style_of_text(picture: Element) -> str:
    """The style of the text that replaces a picture: that of its attributes, then its own."""
    found = []
    side = (picture.get("align") or "").strip().lower()
    if side in ("left", "right"):
        found.append(f"float:{side}")
    width = _whole(picture.get("width"), 0)
    if 1 < width <= _ICON:
        found += ["display:inline-block", f"min-width:{width}px", "padding:0 .15em"]
    return ";".join((*found, *_OF_TEXT.findall(picture.get("style") or "")))


def _svg(element: Element, page: Page, warn: Warn) -> bool:
    if drawings.expanded(element) > drawings.MOST_SVG_ELEMENTS:
        warn("CONTENT_DROPPED", "A picture was left out: its drawing repeats itself too often.")
        return False
    for each in element.iter():
        if isinstance(each.tag, str) and ":" not in each.tag and not drawings.is_drawn(each.tag):
            warn("CONTENT_DROPPED", say("<{name}> in an SVG picture was left out.", name=each.tag))
    return True


def _svg_picture(element: Element, page: Page, warn: Warn) -> bool:
    """Handle a picture within an SVG."""
    for attribute, value in list(element.attrib.items()):
        if attribute.endswith("href") and not is_inline(value):
            blocked(value, warn)
            return False
    return True


def _use(element: Element, page: Page, warn: Warn) -> bool:
    for attribute, value in list(element.attrib.items()):
        if attribute.endswith("href") and not value.startswith("#"):
            blocked(value, warn)
            return False
    return True


def _details(element: Element, page: Page, warn: Warn) -> bool:
    """Give a box that opens the word that browsers show for it, if it has no summary (HTML, 4.11.1)."""
    if element.find("summary") is None:
        summary = element.makeelement("summary")
        summary.text, summary.tail, element.text = "Details", element.text, None
        element.insert(0, summary)
        page.names.add("summary")
    return True


def _math(element: Element, page: Page, warn: Warn) -> bool:
    page.undrawn += formulas.replace(element)
    page.has_formulas = True
    return True


def _field(element: Element, page: Page, warn: Warn) -> bool:
    """Replace a form field by its initial appearance."""
    name, kind = element.tag, (element.get("type") or "").strip().lower()
    if kind == "hidden":
        return False
    if name == "button":
        return True
    fields.draw(element, kind, warn)
    return True


def _gauge(element: Element, page: Page, warn: Warn) -> bool:
    gauges.draw(element)
    return True


def _numbered(element: Element, page: Page, warn: Warn) -> bool:
    """Number the items of a list that counts down, which only browsers do."""
    if element.get("reversed") is not None:
        items = [each for each in element if each.tag == "li"]
        at = _whole(element.get("start"), len(items))
        for each in items:
            at = _whole(each.get("value"), at)
            each.set("value", str(at))
            at -= 1
        del element.attrib["reversed"]
    return True


def _whole(text: str | None, otherwise: int) -> int:
    match = _INTEGER.fullmatch(text or "")
    return int(match[1]) if match else otherwise


def _anchor(element: Element, page: Page, warn: Warn) -> bool:
    href = (element.get("href") or "").translate(_IGNORED).strip()
    if href.lower().startswith(("javascript:", "vbscript:")):
        warn("SCRIPT_REMOVED", "A link that runs a script was removed.")
        element.set("href", "")  # it keeps the look of a link, and leads nowhere
    elif (other := _OTHER_LINK.match(href)) is not None:
        warn("CONTENT_DROPPED", say("A link was removed: its address begins with {scheme}.", scheme=other[0].lower()))
        element.set("href", "")
    elif href and not href.startswith("#"):
        try:
            element.set("href", urljoin(page.base, href) if page.base else href)
        except ValueError:
            element.set("href", "")
    return True


def _embedded(element: Element, page: Page, warn: Warn) -> bool:
    """Handle the references of an embedded SVG or an unknown element."""
    blocked(element.get("src") or "", warn)
    return True


_Handler = Callable[[Element, Page, Warn], bool]
_HANDLERS: dict[str, _Handler] = {
    "script": _script, "style": _style, "link": _link, "meta": _meta, "title": _title, "img": _picture, "svg": _svg,
    "image": _svg_picture, "use": _use, "math": _math, "input": _field, "select": _field, "textarea": _field,
    "button": _field, "progress": _gauge, "meter": _gauge, "ol": _numbered, "a": _anchor, "area": _anchor,
    "pdf:insertpdf": _embedded, "details": _details,
}  # fmt: skip
