"""The marks of list items as text before their own (CSS Lists 3)."""

from __future__ import annotations

import re
from xml.dom.minidom import Node

from reportlab.pdfbase.pdfmetrics import stringWidth
from xhtml2pdf.w3c.generated_content import greek_alphabet, int_to_roman

from conversions.families.html_pdf.css.styles import Declared
from conversions.families.html_pdf.fonts.bundled import SANS
from conversions.families.html_pdf.source.tree import Element
from conversions.families.html_pdf.xhtml2pdf.styled import StyledTree

_SIGNS = {"disc": "•", "circle": "◦", "square": "▪", "none": ""}
_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_WORD = re.compile(r"[a-z][a-z-]+")
_NOT_TYPES = frozenset(("inside", "outside", "inherit", "initial"))


def mark(page: StyledTree, item: Element, own: Declared, *, rtl: bool) -> None:
    """Put an item's mark before its first text, which it hangs beside."""
    if own.get("display") not in (None, "block", "list-item"):
        return
    kind = _kind(page, item)
    sign = _SIGNS.get(kind)
    text = _count(page, item, kind) + "." if sign is None else sign
    if not text:
        return
    text += "\u00a0" * (2 if sign else 1)
    holder = _first_block(page, item)
    hang = f"{-stringWidth(text, SANS.style(bold=False, italic=False), 1.0):.3f}em"
    if holder is item and not rtl:
        own.setdefault("text-indent", hang)
    elif not rtl and "text-indent" not in page.own(holder):
        page.say(holder, "text-indent", hang)
    holder.insertBefore(item.ownerDocument.createTextNode(text), holder.firstChild)
    first = holder.childNodes[1] if len(holder.childNodes) > 1 else None
    if first is not None and first.nodeType == Node.TEXT_NODE:
        first.data = first.data.lstrip()


def _kind(page: StyledTree, item: Element) -> str:
    element = item
    while element is not None and element.nodeType == Node.ELEMENT_NODE:
        named: str = _TYPES.get(element.getAttribute("type").strip(), element.getAttribute("type").strip().lower())
        if element in (item, item.parentNode) and (named in _SIGNS or named in _TYPES.values()):
            return named
        said = page.own(element)
        for name in reversed(said):
            if name in ("list-style-type", "list-style"):
                words: list[str] = [each for each in _WORD.findall(said[name].lower()) if each not in _NOT_TYPES]
                if words:
                    return words[0]
        element = element.parentNode
    return "disc"


def _numbers(parent: Element) -> dict[Element, int]:
    items = [each for each in parent.childNodes if getattr(each, "tagName", "") == "li"]
    backwards = parent.hasAttribute("reversed")
    at = number(parent.getAttribute("start"), len(items) if backwards else 1)
    found = {}
    for each in items:
        found[each] = at = number(each.getAttribute("value"), at)
        at += -1 if backwards else 1
    return found


def _count(page: StyledTree, item: Element, kind: str) -> str:
    if item.parentNode not in page.counted:
        page.counted[item.parentNode] = _numbers(item.parentNode)
    at = page.counted[item.parentNode].get(item, 1)
    if "roman" in kind and 0 < at < 4000:
        roman: str = int_to_roman(at)
        return roman.upper() if "upper" in kind else roman.lower()
    if ("alpha" in kind or "latin" in kind) and at > 0:
        letters = ""
        while at:
            at, letter = divmod(at - 1, 26)
            letters = chr(97 + letter) + letters
        return letters.upper() if "upper" in kind else letters
    if kind == "lower-greek" and at > 0:
        return str(greek_alphabet[(at - 1) % len(greek_alphabet)])
    return f"{at:02d}" if kind == "decimal-leading-zero" else str(at)


def number(text: str, otherwise: int) -> int:
    """The whole number that an attribute says."""
    text = text.strip()
    return int(text[:9]) if text.removeprefix("-")[:9].isdecimal() else otherwise


def _first_block(page: StyledTree, element: Element) -> Element:
    """The innermost block that an item's text begins in."""
    for child in element.childNodes:
        if child.nodeType == Node.TEXT_NODE and not child.data.strip():
            continue
        plain = child.nodeType == Node.ELEMENT_NODE and page.own(child).get("display") == "block"
        if plain and child.tagName not in ("table", "ul", "ol", "hr", "li"):
            return _first_block(page, child)
        break
    return element
