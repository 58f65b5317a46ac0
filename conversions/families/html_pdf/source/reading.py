"""From bytes to a tree: the page's character encoding, and a parser that stops at what no page needs."""

from __future__ import annotations

import re
from typing import Any
from xml.dom.minidom import Document

import html5lib

from conversions.toolkit import encodings
from conversions.toolkit.failures import OverLimit, Unreadable
from conversions.toolkit.formats import HTML
from conversions.toolkit.warnings import Warn

MOST_BYTES = 32_000_000
MOST_ELEMENTS = 100_000
MOST_DEPTH = 200
MOST_ATTRIBUTES = 500
_HEAD = 4096
_TAG = re.compile(r"<[A-Za-z]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def decode(data: bytes, warn: Warn) -> str:
    """The text of an HTML file: by its byte order mark, its declaration, or a guess that is reported.

    Raises Unreadable for bytes that are no text, and OverLimit for too many.
    """
    if len(data) > MOST_BYTES:
        raise OverLimit("memory", f"The page is larger than {MOST_BYTES // 1_000_000} MB.")
    if not HTML.recognises(data[:_HEAD]):
        raise Unreadable("The file is not HTML: its content is of another format.")
    return _checked(encodings.read(data, warn, declared=encodings.declared_in_html(data)))


def _checked(text: str) -> str:
    if len(_CONTROLS.findall(text[:65_536])) * 50 > min(len(text), 65_536):
        raise Unreadable("The file is not HTML: it holds bytes that no text has.")
    return text.removeprefix("\ufeff")


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
