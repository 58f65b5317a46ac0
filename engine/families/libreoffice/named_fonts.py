"""The names of the fonts that an office file uses."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

_OOXML_FONTS = (
    (re.compile(r"ppt/(slides|slideLayouts|slideMasters)/[^/]+\.xml"), re.compile(rb'<a:latin typeface="([^"+]+)"')),
    (re.compile(r"(ppt|word)/theme/theme1\.xml"), re.compile(rb'<a:latin typeface="([^"+]+)"')),
    (
        re.compile(r"word/(?:document|styles|numbering|footnotes|endnotes|header[0-9]*|footer[0-9]*)\.xml"),
        re.compile(rb'<w:rFonts\b[^<>]*\bw:ascii="([^"]+)"'),
    ),
    (re.compile(r"xl/styles\.xml"), re.compile(rb'<(?:x:)?name val="([^"]+)"')),
)
_ODF_FONT = re.compile(rb'<style:font-face\b[^<>]*\bsvg:font-family="([^"]+)"')
_RTF_FONT = re.compile(rb"\\f[0-9]++(?:\\[a-z]++-?+[0-9]*+)*+(?: ?+([^;{}\\]++);)?+")
"""The control words before a name are matched without it too: none of them is then looked at again."""
_EAST_ASIAN = (
    re.compile(r"word/(?:document|styles|header[0-9]*|footer[0-9]*)\.xml|ppt/slides/[^/]+\.xml"),
    re.compile(rb'<w:rFonts\b[^<>]*\bw:eastAsia="([^"]+)"|<a:ea\s[^<>]*\btypeface="([^"+]+)"'),
)
"""Fonts of Chinese, Japanese and Korean, which count only where such text is: most files name one all the same."""
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Fonts:
    """Collects the fonts of one archive, part by part."""

    def __init__(self) -> None:
        self._found: set[str] = set()
        self._east_asian: set[str] = set()
        self._needs_east_asian = False

    def text(self, text: str) -> None:
        """Look at what a part says."""
        self._needs_east_asian |= _IDEOGRAPHS.search(text) is not None

    def part(self, name: str, data: bytes) -> None:
        """Look for fonts in a part."""
        patterns = [mark for path, mark in _OOXML_FONTS if path.fullmatch(name)]
        if name in ("content.xml", "styles.xml"):
            patterns.append(_ODF_FONT)
        for pattern in patterns:
            self._found |= set(map(_font, pattern.findall(data)))
        if _EAST_ASIAN[0].fullmatch(name):
            self._east_asian |= {_font(each or other) for each, other in _EAST_ASIAN[1].findall(data)}

    def names(self) -> tuple[str, ...]:
        """The fonts that the texts can need, in order."""
        return tuple(sorted(self._found | self._east_asian if self._needs_east_asian else self._found))


def of_rich_text(data: bytes) -> tuple[str, ...]:
    """The fonts in the table of an RTF document."""
    table, closed, _ = data.partition(b"{\\fonttbl")[2].partition(b"}}")
    found: Callable[[bytes], list[bytes]] = _RTF_FONT.findall
    return tuple(sorted({_font(each) for each in found(table) if each})) if closed else ()


def _font(name: bytes) -> str:
    return html.unescape(name.decode("utf-8", "replace")).strip("'\" ")[:100]
