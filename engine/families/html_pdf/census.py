"""Count the visible contents of web pages."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from engine.toolkit import grids
from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import HTML

_HIDDEN = frozenset({
    "script", "style", "template", "head", "noscript", "math", "svg", "datalist", "audio", "video", "object",
    "iframe", "rp", "rt", "option",
})  # fmt: skip
"""Elements whose text is not part of the page."""
_TYPED = "|text|search|email|url|tel|number|date|time|month|week|"
_VALUES = f"//input[not(@type) or contains('{_TYPED}', concat('|', @type, '|'))]/@value"
_CHOSEN = "//option[@selected]"
_BLOCK = re.compile(
    rb"<(?=/?(?:address|article|aside|blockquote|body|br|button|caption|center|dd|details|dir|div|dl|dt|fieldset"
    rb"|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|input|legend|li|listing|main|menu|nav|ol|p"
    rb"|plaintext|pre|section|select|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul|xmp)[\s/>])",
    re.IGNORECASE,
)
"""Block elements, at whose tags a word ends."""
_CELL = re.compile(rb"<t[dh][\s>]")
_INNER = "[string(@src) and not(contains(substring(@src, 1, 8), '//'))]"
_INNER_PICTURES, _EMBEDDED = f"//img{_INNER}", f"//embed{_INNER}"


def count(path: Path) -> Census:
    """Return the census of a page: visible texts, pictures and links."""
    return page(*decoded(path.read_bytes()))


def page(data: bytes, encoding: str | None) -> Census:
    """Return the census of a page in an encoding; with None, the page's own declaration is used."""
    from lxml import etree, html

    census = Census()
    if not data.strip():
        return census
    root = html.document_fromstring(_BLOCK.sub(b"\n<", data), parser=html.HTMLParser(encoding=encoding))
    for each in root.xpath("//*[@hidden or @style]"):
        if _is_hidden(each):
            each.tag = "template"
    values = [str(each) for each in root.xpath(_VALUES)]
    values += ["".join(each.itertext()) for each in root.xpath(_CHOSEN)]
    etree.strip_elements(root, *_HIDDEN, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    links = sum(_leads_out(each) for each in root.xpath("//a/@href"))
    for kind, number in (("pictures", len(root.xpath(_INNER_PICTURES))), ("links", links)):
        if number:
            census.add(kind, number)
    if embedded := len(root.xpath(_EMBEDDED)):  # such as a figure of LaTeX in a PDF of its own
        census.optional["pictures"] = Counter({"": embedded})
    grids.of_tree(root, census)
    text = etree.tostring(root, method="text", encoding="unicode")
    census.texts += filter(None, map(str.strip, (*text.split("\n"), *values)))
    return census


def _glance(data: bytes) -> dict[str, int]:
    cells = len(_CELL.findall(data))
    return {
        "pictures": data.count(b"<img "), "links": data.count(b"<a "), "tables": data.count(b"<table"), "cells": cells
    }  # fmt: skip


def decoded(data: bytes) -> tuple[bytes, str | None]:
    """Return the page in UTF-8 if its encoding is certain, and the encoding to parse it in; None if undeclared here."""
    from engine.toolkit import encodings

    if marked := encodings.unicode_mark(data[:256]):
        length, encoding = marked
        return data[length:].decode(encoding, "replace").encode(), "utf-8"
    try:
        data.decode()
    except UnicodeDecodeError:
        return data, None
    return data, "utf-8"


def _leads_out(address: str) -> bool:
    return not address.strip().lower().startswith(("#", "javascript:", "vbscript:", "data:")) and bool(address.strip())


def _is_hidden(element: Any) -> bool:
    style = str(element.get("style", "")).replace(" ", "").lower()
    return element.get("hidden") is not None or "display:none" in style or "visibility:hidden" in style


_KINDS = frozenset({"words", "pictures", "links", "tables", "cells"})

COUNTINGS = {
    HTML: Counting(count, _KINDS, unsupported=frozenset({"attachments"}), modules=("lxml.html",), estimate=_glance),
}
