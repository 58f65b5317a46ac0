"""Remove hidden characters, paragraphs and sections from an OpenDocument text (ISO/IEC 26300-3, 20.402)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.families.documents.odf.names import STYLE, TEXT
from engine.families.documents.ooxml.package import Element

HINTS = (b'text:display="', b"text:is-hidden=")
"""Markup found in any part with hidden text or styles for it, as long as its prefixes are the usual ones."""
_DEEPEST = 50


def leave_out(body: Element, sheets: Iterable[Element]) -> list[str]:
    """Remove the hidden content of a text, and return the removed texts; `sheets` hold its styles."""
    styles = {
        (each.get(STYLE + "family"), each.get(STYLE + "name")): each
        for sheet in sheets
        for each in sheet.iter(STYLE + "style")
    }
    found = []
    for element in list(body.iter(TEXT + "section", TEXT + "p", TEXT + "h", TEXT + "span")):
        if _is_hidden(element, styles):
            found.append("".join(element.itertext()))
            _remove(element)
    return [" ".join(each.split()) for each in found if each.strip()]


def _is_hidden(element: Element, styles: dict[tuple[str | None, str | None], Element]) -> bool:
    if element.tag == TEXT + "section":
        display = element.get(TEXT + "display", "true")
        return bool(display == "none" or (display == "condition" and element.get(TEXT + "is-hidden") == "true"))
    if any(each.get(TEXT + "is-hidden") == "true" for each in element.iterfind(TEXT + "hidden-paragraph")):
        return True
    family = "text" if element.tag == TEXT + "span" else "paragraph"
    name = element.get(TEXT + "style-name")
    for _ in range(_DEEPEST):
        style = styles.get((family, name))
        if style is None:
            return False
        look = style.find(STYLE + "text-properties")
        if look is not None and (display := look.get(TEXT + "display")) is not None:
            return bool(display == "none")
        name = style.get(STYLE + "parent-style-name")
    return False


def _remove(element: Element) -> None:
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)
