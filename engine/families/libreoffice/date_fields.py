"""Find fields that show the current date or time, in parts of office documents that have a page."""

from __future__ import annotations

import re
from html import unescape

_DATES = (
    (re.compile(r"ppt/slides/[^/]+\.xml"), re.compile(rb'<a:fld\b[^<>]*type="datetime')),
    (re.compile(r"word/[^/]+\.xml"), re.compile(rb"""(?:<w:instrText[^<>]*>|w:instr=["'])\s*(?:DATE|TIME)\b""")),
    (re.compile(r"content\.xml"), re.compile(rb'<text:(?:date|time)\b(?![^<>]*text:fixed="true")')),
)
_OPEN = ("content.xml", "styles.xml")
_DATE = _DATES[-1][1]
_MASTER = re.compile(rb"<style:master-page\b([^<>]*)>")
_NAME = re.compile(rb'\bstyle:name="([^"<>]*)"')
_USED = re.compile(rb'\b(?:master-page-name|next-style-name)="([^"<>]+)"')
_ORDINARY = frozenset(("Standard", "Default"))


class DateFields:
    """Whether any part shows one; LibreOffice saves sheets with a page style "Report" that has dates and no page."""

    def __init__(self) -> None:
        self._shown = False
        self._dated: set[str] = set()
        self._used = set(_ORDINARY)

    def part(self, name: str, data: bytes) -> None:
        """Look at one part of the file."""
        self._shown |= any(path.fullmatch(name) and mark.search(data) for path, mark in _DATES)
        if name not in _OPEN:
            return
        self._used.update(map(_text, _USED.findall(data)))
        if name == "styles.xml":
            self._masters(data)

    def _masters(self, data: bytes) -> None:
        before, *pieces = _MASTER.split(data)
        self._shown |= _DATE.search(before) is not None
        names = [_text(found[1]) if (found := _NAME.search(each)) else "" for each in pieces[::2]]
        self._used.update(names[:1])
        self._dated.update(name for name, page in zip(names, pieces[1::2], strict=True) if _DATE.search(page))

    @property
    def shown(self) -> bool:
        """Whether a page of the document has such a field."""
        return self._shown or bool(self._dated & self._used)


def _text(name: bytes) -> str:
    return unescape(name.decode("utf-8", "replace"))
