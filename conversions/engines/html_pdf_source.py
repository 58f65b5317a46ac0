"""From bytes to a tree: the page's character encoding, and a parser that stops at what no page needs."""

from __future__ import annotations

import codecs
import re
from typing import Any
from xml.dom.minidom import Document

import html5lib
import webencodings
from html5lib._tokenizer import HTMLTokenizer

from conversions.converters.base import OverLimit, Unreadable
from conversions.formats import HTML
from conversions.warnings import Warn

MOST_BYTES = 32_000_000
MOST_ELEMENTS = 100_000
MOST_DEPTH = 200
MOST_ATTRIBUTES = 500
_HEAD = 4096
_TAG = re.compile(r"<[A-Za-z]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_META = re.compile(rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.+-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9_:.+-]{1,40})", re.IGNORECASE)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = re.compile("[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]")
# What pages without a declared encoding are written in; windows-1252 last (WHATWG HTML, 13.2.3.2).
_GUESSES = [
    "utf_8", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "shift_jis",
    "euc_jp", "iso2022_jp", "gb18030", "big5", "euc_kr", "tis_620",
]  # fmt: skip


def decode(data: bytes, warn: Warn) -> str:
    """The text of an HTML file: by its byte order mark, its declaration, or a guess that is reported.

    Raises Unreadable for bytes that are no text, and OverLimit for too many.
    """
    if len(data) > MOST_BYTES:
        raise OverLimit("memory", f"The page is larger than {MOST_BYTES // 1_000_000} MB.")
    if not HTML.recognises(data[:_HEAD]):
        raise Unreadable("The file is not HTML: its content is of another format.")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(_strict_or_replaced(data[len(mark) :], encoding, warn))
    if (wide := _wide(data[:_HEAD])) is not None:
        return _checked(_strict_or_replaced(data, wide, warn))
    head = data[:_HEAD]
    declared = _XML.match(head.lstrip()) or _META.search(head)
    if declared:
        encoding = webencodings.lookup(declared[1].decode("ascii"))
        if encoding is not None:
            # A file that can be searched for its declaration is not in UTF-16 (WHATWG HTML, 13.2.3.2).
            name = "utf-8" if encoding.name.startswith("utf-16") else encoding.codec_info.name
            return _checked(_strict_or_replaced(data, name, warn))
    try:
        return _checked(data.decode("utf-8"))
    except UnicodeDecodeError:
        pass
    import charset_normalizer  # for the few pages that do not say how they are encoded

    found = charset_normalizer.from_bytes(data[:65_536], cp_isolation=_GUESSES, enable_fallback=False).best()
    encoding_name = found.encoding if found is not None else "cp1252"
    warn("ENCODING_GUESSED", f"The page does not say how it is encoded; it was read as {encoding_name}.")
    warn.detect(encoding=encoding_name)
    return _checked(data.decode(encoding_name, "replace"))


def _wide(head: bytes) -> str | None:
    """The Unicode encoding of text without a mark whose ASCII characters have NUL bytes, or None."""
    if head.count(0) * 5 < len(head) * 2:
        return None
    if head.count(0) * 10 > len(head) * 7:
        return "utf-32-be" if head[:1] == b"\0" else "utf-32-le"
    return "utf-16-be" if head[:1] == b"\0" else "utf-16-le"


def _strict_or_replaced(data: bytes, encoding: str, warn: Warn) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        warn("ENCODING_REPLACED", f"Byte {error.start} and possibly others are not {encoding}; they became U+FFFD.")
        return data.decode(encoding, "replace")


def _checked(text: str) -> str:
    if len(_CONTROLS.findall(text[:65_536])) * 50 > min(len(text), 65_536):
        raise Unreadable("The file is not HTML: it holds bytes that no text has.")
    return text.removeprefix("\ufeff")


def parse(text: str) -> Document:
    """The tree of an HTML text (WHATWG HTML, by html5lib). Raises OverLimit for too many or too deep elements."""
    if sum(1 for _ in _TAG.finditer(text)) > 2 * MOST_ELEMENTS:
        raise _too_many()
    text = _SURROGATE.sub("\ufffd", text)
    parser = html5lib.HTMLParser(tree=BoundedTree)
    try:
        document: Document = parser.parse(text)
    except RecursionError as error:
        raise OverLimit("memory", "The page's elements are nested too deeply.") from error
    return document


def _too_many() -> OverLimit:
    return OverLimit("timeout", f"The page has more than {MOST_ELEMENTS} elements: split it into several pages.")


_attribute_name = HTMLTokenizer.attributeNameState


def _bounded_attribute_name(self: Any) -> bool:
    """Read an attribute's name; the tokenizer compares it with all names before it."""
    if len(self.currentToken["data"]) > MOST_ATTRIBUTES:
        raise OverLimit("timeout", f"An element of the page has more than {MOST_ATTRIBUTES} attributes.")
    return bool(_attribute_name(self))


HTMLTokenizer.attributeNameState = _bounded_attribute_name


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
