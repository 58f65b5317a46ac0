"""Write the numbers of headings into their text, and count list labels, for readers that make their own (pandoc)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from engine.families.documents.list_numbers import RENUMBERED
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import paragraphs
from engine.families.documents.word.names import MC, W, child, value
from engine.families.documents.word.numbering import Label, Level, Numbering
from engine.families.documents.word.styles import Styles
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_HEADING = re.compile(r"heading [1-9]")
_SPELLED = frozenset({"decimal", "lowerLetter", "upperLetter", "lowerRoman", "upperRoman"})
_USUAL = re.compile(r"\(?%\d[.)]?")
"""Labels that a list of any format can have: one number, with a point or brackets."""
_LONGEST = 40


def write(root: Element, styles: Styles, numbering: Numbering, warn: Warn) -> bool:
    """Put the label of each numbered heading before its text, and warn of list items with another label than in Word.

    Returns whether a heading changed.
    """
    changed = False
    other: list[str] = []
    for element in _paragraphs(root):
        read = paragraphs.read(element, styles, numbering)
        number, index = read.block.get("numId"), read.block.get("ilvl", 0)
        level = numbering.level(number, index) if number else None
        label = numbering.next(number, index) if number and level else None
        if level is None or label is None or not label.text.strip() or not _has_text(element):
            continue
        if any(_HEADING.fullmatch((value(child(each, "name")) or "").lower()) for each in styles.chain(read.style)):
            if level.format != "bullet":
                _insert(element, label)
                changed = True
        elif _is_unusual(level):
            text = " ".join(f"{label.text} {_text(element)}".split())
            other.append(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")
    warn.tally(RENUMBERED, len(other), [say("“{words}”", words=each) for each in other])
    return changed


def _paragraphs(root: Element) -> Iterator[Element]:
    """The paragraphs without those of text boxes that are stored a second time, for older programs."""
    left = [root]
    while left:
        element = left.pop()
        if element.tag == W + "p":
            yield element
        left += [each for each in reversed(element) if each.tag != MC + "Fallback"]


def _is_unusual(level: Level) -> bool:
    return level.format != "bullet" and not (level.format in _SPELLED and _USUAL.fullmatch(level.text.strip()))


def _insert(element: Element, label: Label) -> None:
    run = etree.Element(W + "r")
    text = etree.SubElement(run, W + "t")
    text.text = label.text if label.follow == "nothing" else f"{label.text.rstrip()} "
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    element.insert(0 if child(element, "pPr") is None else 1, run)


def _has_text(element: Element) -> bool:
    return bool(_text(element).strip())


def _text(element: Element) -> str:
    return "".join(each.text or "" for each in element.iter(W + "t"))
