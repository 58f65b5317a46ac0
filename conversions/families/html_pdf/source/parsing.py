"""From text to a tree of `xml.dom.minidom`, by a parser that stops at what no page needs."""

from __future__ import annotations

import re
from typing import Any
from xml.dom.minidom import Document

import html5lib

from conversions.toolkit.failures import OverLimit

MOST_ELEMENTS = 100_000
MOST_DEPTH = 200
MOST_ATTRIBUTES = 500
_TAG = re.compile(r"<[A-Za-z]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(text: str) -> Document:
    """The tree of an HTML text (WHATWG HTML, by html5lib). Raises OverLimit for too many or too deep elements."""
    if sum(1 for _ in _TAG.finditer(text)) > 2 * MOST_ELEMENTS:
        raise _too_many()
    text = _SURROGATE.sub("\ufffd", text)
    parser = BoundedParser(tree=BoundedTree)
    try:
        document: Document = parser.parse(text)
    except RecursionError as error:
        raise OverLimit("memory", "The page's elements are nested too deeply.") from error
    return document


def _too_many() -> OverLimit:
    return OverLimit("timeout", f"The page has more than {MOST_ELEMENTS} elements: split it into several pages.")


class BoundedParser(html5lib.HTMLParser):  # type: ignore[misc]
    """A parser whose tokenizer stops at an element with too many attributes: it compares each with all before it."""

    def reset(self) -> None:
        tokenizer = self.tokenizer
        read_name = tokenizer.attributeNameState

        def bounded() -> bool:
            if len(tokenizer.currentToken["data"]) > MOST_ATTRIBUTES:
                raise OverLimit("timeout", f"An element of the page has more than {MOST_ATTRIBUTES} attributes.")
            return bool(read_name())

        tokenizer.attributeNameState = bounded
        super().reset()


class BoundedTree(html5lib.treebuilders.getTreeBuilder("dom")):  # type: ignore[misc]
    """A tree builder that counts the elements it makes."""

    created = 0

    def insertElementNormal(self, token: Any) -> Any:
        self._count()
        return super().insertElementNormal(token)

    def insertElementTable(self, token: Any) -> Any:
        self._count()
        return super().insertElementTable(token)

    def _count(self) -> None:
        self.created += 1
        if self.created > MOST_ELEMENTS:
            raise _too_many()
        if len(self.openElements) > MOST_DEPTH:
            raise OverLimit("memory", f"The page's elements are nested more than {MOST_DEPTH} deep.")
