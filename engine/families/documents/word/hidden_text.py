"""Remove hidden runs, table rows and paragraph marks from a Word text (ECMA-376, part 1, 17.3.2.41)."""

from __future__ import annotations

import re

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import declared_grid, paragraphs
from engine.families.documents.word.names import W, child, on
from engine.families.documents.word.numbering import Numbering
from engine.families.documents.word.paragraphs import Paragraph
from engine.families.documents.word.styles import Styles
from engine.toolkit.warnings import Kind, Warn

MARK = re.compile(rb"<\w{1,20}:(?:vanish|hidden)[\s/>]")
"""What a part has that hides some of its own text."""
_HIDDEN = Kind("CONTENT_DROPPED", "Hidden text was left out: {count}{places}.", drawn=True)
_KEPT = frozenset(
    W + each for each in ("rPr", "fldChar", "instrText", "delInstrText", "commentReference", "annotationRef")
)
"""The parts of a hidden run that are kept: its text is removed, but a field still begins and ends there."""

_LONGEST = 40


def leave_out(root: Element, styles: Styles) -> list[str]:
    """Remove hidden content from a part, and return the removed texts.

    A hidden paragraph mark joins its paragraph with the next one, unless it only serves to give one line two styles.
    """
    found = []
    for table in root.iter(W + "tbl"):
        for row in declared_grid.rows_of(table):
            mark = child(child(row, "trPr"), "hidden")
            if mark is not None and on(mark):
                found.append(_text(row))
                row.getparent().remove(row)
    for element in list(root.iter(W + "p")):
        paragraph = paragraphs.read(element, styles, Numbering(None, styles.theme))
        found += [_cut(run) for run in element.iter(W + "r") if _is_hidden(run, element, paragraph, styles)]
        if (paragraph.text | paragraph.mark).get("vanish"):
            _join(element)
    return [" ".join(each.split()) for each in found if each.strip()]


def report(texts: list[str], warn: Warn) -> None:
    """Warn of hidden text that was left out."""
    if not texts:
        return
    shown = (f"“{each if len(each) <= _LONGEST else each[:_LONGEST] + '…'}”" for each in texts)
    warn.tally(_HIDDEN, len(texts), shown)
    warn.leave_out(texts)


def _is_hidden(run: Element, element: Element, paragraph: Paragraph, styles: Styles) -> bool:
    own = next(each for each in run.iterancestors(W + "p"))
    return own is element and bool(styles.run(run, paragraph.text).get("vanish"))


def _cut(run: Element) -> str:
    text = _text(run)
    for each in list(run):
        if each.tag not in _KEPT:
            run.remove(each)
    return text


def _text(element: Element) -> str:
    return "".join(each.text or "" for each in element.iter(W + "t"))


def _join(element: Element) -> None:
    """Move the rest of a paragraph to the beginning of the next one, and remove it."""
    properties = child(element, "pPr")
    own = child(properties, "rPr")
    after = element.getnext()
    if child(properties, "sectPr") is not None or child(own, "specVanish") is not None:
        return
    if after is None or after.tag != W + "p":
        return
    first = 0 if child(after, "pPr") is None else 1
    for each in reversed([each for each in element if each.tag != W + "pPr"]):
        after.insert(first, each)
    element.getparent().remove(element)
