"""Mark the first words of elements, so that the drawn pages tell where they begin."""

from __future__ import annotations

import re

import pikepdf

from engine.families.html_pdf.plutoprint.finishing import destinations
from engine.families.html_pdf.source.cleaning import Element

_PREFIX = "fc-first-"
_REPLACED = frozenset(("img", "svg", "hr", "input", "select", "textarea", "button"))
HIDDEN_TAGS = frozenset(("style", "title", "script", "template"))
"""Elements whose text is not shown."""
_WORD = re.compile(r"(\s*)(\S+)(.*)", re.DOTALL)


class Marks:
    """Names of the positions of first words; the same for elements that begin with the same word.

    Those of another `kind` don't meet them.
    """

    def __init__(self, kind: str = "") -> None:
        self._names: dict[Element, str] = {}
        self._prefix = f"{_PREFIX}{kind}"

    def inside(self, element: Element) -> str:
        """Mark the first word or picture in an element, or the element if it has neither."""
        found = _first(element)
        return self._named(element if found is None else found)

    def behind(self, element: Element) -> str:
        """Mark the first word of the text behind an element."""
        run = _wrapped(element, element.tail or "")
        element.tail = run[0]
        element.addnext(run[1])
        return self._named(run[1])

    def refer(self, body: Element) -> None:
        """Insert invisible links: PlutoPrint names only positions that some link targets."""
        hidden = body.makeelement("fc-run", hidden="")
        for name in self._names.values():
            hidden.append(body.makeelement("a", href=f"#{name}"))
        body.append(hidden)

    def _named(self, element: Element) -> str:
        if element not in self._names:
            self._names[element] = element.get("id") or f"{self._prefix}{len(self._names)}"
            element.set("id", self._names[element])
        return self._names[element]


def forget(pdf: pikepdf.Pdf) -> None:
    """Remove the names of first words from a document."""
    trees = pdf.Root.get("/Names", pikepdf.Dictionary())
    if "/Dests" in trees:
        names = pikepdf.NameTree(trees.Dests)
        for name in [each for each in names if str(each).startswith(_PREFIX)]:
            del names[name]


def pages_of(pdf: pikepdf.Pdf) -> dict[str, int]:
    """The index of the page of each named position."""
    indexes = {page.obj.objgen: at for at, page in enumerate(pdf.pages)}
    return {name: indexes[place[0].objgen] for name, place in destinations(pdf).items()}


def _first(element: Element) -> Element | None:
    if element.tag in _REPLACED:
        return element
    if element.text and element.text.strip():
        element.text, run = _wrapped(element, element.text)
        element.insert(0, run)
        return run
    for child in element:
        if isinstance(child.tag, str) and child.tag not in HIDDEN_TAGS and "hidden" not in child.attrib:
            if child.tag == "fc-run" and (child.get("id") or "").startswith(_PREFIX):
                return child
            found = _first(child)
            if found is not None:
                return found
        if child.tail and child.tail.strip():
            child.tail, run = _wrapped(child, child.tail)
            child.addnext(run)
            return run
    return None


def _wrapped(near: Element, text: str) -> tuple[str, Element]:
    """The space before the first word of a text, and an element of the word, followed by the rest."""
    space, word, rest = _WORD.fullmatch(text).groups()  # type: ignore[union-attr]  # the text has a word
    run = near.makeelement("fc-run")
    run.text, run.tail = word, rest
    return space, run
