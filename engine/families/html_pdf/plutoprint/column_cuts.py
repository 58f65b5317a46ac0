"""Name the words of multi-column text, and split columns before a given word."""

from __future__ import annotations

import re

from engine.families.html_pdf.plutoprint.first_words import HIDDEN_TAGS
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element

NAME = "fc-columns"
"""The prefix of our ids."""
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
WHOLE = HEADINGS | {"table", "img", "svg", "figure", "hr", "input", "select", "textarea", "button"}
"""Elements that are not split here."""
UNBROKEN = "data-fc-unbroken"
"""The attribute of boxes that no column or page may break."""
_WORD = re.compile(r"(?<!\s)(\s*+)(\S++)")


def is_whole(element: Element) -> bool:
    """Whether an element is not split here."""
    return element.tag in WHOLE or UNBROKEN in element.attrib


def wrapped(wrapper: Element) -> list[Element]:
    """Give an id to each word, and to each unbreakable element, in text order."""
    found: list[Element] = []

    def named(element: Element) -> Element:
        if not element.get("id"):
            element.set("id", f"{NAME}-w{len(found)}")
        found.append(element)
        return element

    def runs(near: Element, text: str) -> tuple[str, list[Element]]:
        made: list[Element] = []
        first = ""
        at = 0
        for match in _WORD.finditer(text):
            run = near.makeelement("fc-run", id=f"{NAME}-w{len(found)}")
            run.text = match[2]
            found.append(run)
            if made:
                made[-1].tail = match[1]
            else:
                first = match[1]
            made.append(run)
            at = match.end()
        if made:
            made[-1].tail = text[at:]
        return (first if made else text), made

    def inside(element: Element) -> None:
        children = list(element)
        if element.text:
            element.text, made = runs(element, element.text)
            element[0:0] = made
        for each in children:
            if isinstance(each.tag, str) and is_whole(each):
                named(each)
            elif isinstance(each.tag, str) and each.tag not in HIDDEN_TAGS:
                inside(each)
            if each.tail:
                each.tail, made = runs(each, each.tail)
                at = element.index(each) + 1
                element[at:at] = made

    inside(wrapper)
    return found


def words_of(blocks: list[Element]) -> list[Element]:
    """The ids of the words in some blocks."""
    runs = [run for each in blocks for run in each.iter("fc-run")]
    return [each for each in runs if (each.get("id") or "").startswith(f"{NAME}-w")]


def unwrap(mark: Element) -> None:
    """Remove an element that this module has added, leaving its text in place."""
    parent = mark.getparent()
    text = (mark.text or "") + (mark.tail or "")
    before = mark.getprevious()
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text
    parent.remove(mark)


def cut(wrapper: Element, names: list[str]) -> list[Element]:
    """Split a block of columns before the elements with these ids, into one for each page."""
    blocks = [wrapper]
    for name in names:
        now = blocks[-1]
        node = next(each for each in now.iter() if each.get("id") == name)
        blocks.append(split(now, node))
        add_style(
            now, "break-after:page!important;margin-bottom:0!important;padding-bottom:0!important;height:auto!important"
        )
        add_style(blocks[-1], "margin-top:0!important;padding-top:0!important;border-top-width:0!important")
    for each in blocks:
        _trim(each)
    return blocks


def _trim(block: Element) -> None:
    """Remove the bottom margins at a block's end: PlutoPrint starts another column for one that does not fit."""
    node = block
    while len(node) and isinstance(node[-1].tag, str) and not (node[-1].tail or "").strip():
        node = node[-1]
        if node.tag != "fc-run":
            add_style(node, "margin-bottom:0!important")


def split(block: Element, node: Element) -> Element:
    """Move an element and everything after it in the block to a new block of the same kind, directly after it."""
    while True:
        parent = node.getparent()
        begins = node.getprevious() is None and not (parent.text or "").strip()
        if begins and parent is not block:
            node = parent
            continue
        made = parent.makeelement(parent.tag, {key: value for key, value in parent.attrib.items() if key != "id"})
        moved = [node, *node.itersiblings()]
        for each in moved:
            made.append(each)
        made.tail, parent.tail = parent.tail, None
        parent.addnext(made)
        if parent is block:
            return made
        _continue(parent, made)
        node = made


def _continue(first: Element, rest: Element) -> None:
    """Make the two parts of a split box look like a single box."""
    if first.tag in ("ol", "ul"):
        count = sum(each.tag == "li" for each in first)
        parted = len(rest) and rest[0].get("data-rest") is not None
        begun = first.get("start") or "1"
        if first.tag == "ol" and begun.lstrip("-").isdigit():
            rest.set("start", str(int(begun) + count - bool(parted)))
    if first.tag == "li":
        rest.set("data-rest", "")
        add_style(rest, "list-style-type:none!important")
    add_style(first, "margin-bottom:0!important;padding-bottom:0!important;border-bottom-width:0!important")
    add_style(
        rest, "margin-top:0!important;padding-top:0!important;border-top-width:0!important;text-indent:0!important"
    )
