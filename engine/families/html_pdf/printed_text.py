"""Extract the text of rendered pages directly from their content streams, for a cheap first comparison.

It supports what this family's engines write. Words that it misreads fail that comparison and are extracted again with
PDFium.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Name

_MOST_NESTED = 6
_MOST_FORMS = 2_000
"""Form XObjects of one page that are read; text in further ones is left to PDFium."""

_SHOWN = re.compile(
    rb"\(([^()\\]*+(?:\\.[^()\\]*+)*+)\)"  # a string
    rb"|<([0-9A-Fa-f\s]+)>"  # one in hexadecimal digits
    rb"|/([^\s/<>\[\]()]+)\s+[-\d.]+\s+Tf"
    rb"|T([dDm*])"  # a new position
    rb"|-((?:[4-9]\d\d|\d{4,})(?:\.\d*)?(?=[(<]))"  # a gap of 0.4 em or more in a line
    rb"|/([^\s/<>\[\]()]+)\s+Do",
    re.DOTALL,
)
"""Each alternative begins with a letter of its own, outside its group: `re` then skips all others at once."""
_KERNED = re.compile(rb"\)(?<!\\\))\s?+-?+(?:\d{1,2}+(?!\d)|[0-3]\d\d)(?:\.\d*+)?+\s?+\(")
"""Kerning between two strings of a line that does not separate words. A justified page has 600; without possessive
quantifiers each takes twice as long."""
_ESCAPED = re.compile(rb"\\(?:([0-7]{1,3})|\r?\n|(.))", re.DOTALL)
_CONTROLS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_MAPPED = re.compile(rb"<([0-9A-Fa-f]+)>\s*(?:<([0-9A-Fa-f]+)>\s*)?(?:<([0-9A-Fa-f]+)>|\[([^\]]*)\])")
_SECTION = re.compile(rb"begin(bfchar|bfrange)(.*?)endbf", re.DOTALL)
_PAIR = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]*)>")
_LATIN_1 = "".join(map(chr, range(256)))
_HEX = re.compile(rb"<([0-9A-Fa-f]*)>")


class _Font:
    """The characters of a font by its one-byte or two-byte codes."""

    def __init__(self, font: Any) -> None:
        self.wide = font.get("/Subtype") == Name.Type0
        self.letters: dict[int, str] = {}
        mapping = font.get("/ToUnicode")
        if isinstance(mapping, pikepdf.Stream):
            self.letters = _letters(mapping.read_bytes())
        table = [*_LATIN_1]
        for code, letters in self.letters.items():
            if code < len(table):
                table[code] = letters[:1] or "\ufffe"
        self._table = "".join(table)
        self._long = any(len(each) != 1 for each in self.letters.values())

    def text(self, codes: bytes) -> str:
        if self.wide:
            return "".join(self.letters.get(codes[at] << 8 | codes[at + 1], "") for at in range(0, len(codes) - 1, 2))
        if self._long:
            return "".join(self.letters.get(code, chr(code)) for code in codes)
        return codecs.charmap_decode(codes, "ignore", self._table)[0]


def text_of(target: Path) -> Iterator[str]:
    """Yield the text of each page of a file in content order."""
    with pikepdf.open(target) as pdf:
        yield from text_on(pdf)


def text_on(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Yield the text of each page in content order, with a blank before each position that text is put at."""
    fonts: dict[tuple[int, int], _Font] = {}
    for page in pdf.pages:
        found: list[str] = []
        _read(page.obj, page.get("/Contents"), fonts, found, [_MOST_FORMS], 0)
        yield "".join(found)


def _read(
    holder: Any, contents: Any, fonts: dict[tuple[int, int], _Font], found: list[str], left: list[int], depth: int
) -> None:
    resources = holder.get("/Resources", {})
    streams = contents if isinstance(contents, pikepdf.Array) else [] if contents is None else [contents]
    named: dict[bytes, _Font] = {}
    text = None
    data = _KERNED.sub(b"", b"\n".join(each.read_bytes() for each in streams))
    for codes, digits, name, place, gap, form in _SHOWN.findall(data):
        if codes:
            if b"\\" in codes:
                codes = _ESCAPED.sub(_unescaped, codes)
            if text is not None:
                found.append(text(codes))
        elif place or gap:
            found.append(" ")
        elif name:
            if name not in named:
                named[name] = _font(resources, name, fonts)
            text = named[name].text
        elif digits:
            if text is not None:
                found.append(text(_bytes(digits)))
        elif form and depth < _MOST_NESTED and left[0]:
            inner = resources.get("/XObject", {}).get("/" + form.decode("latin-1"))
            if inner is not None and inner.get("/Subtype") == Name.Form:
                left[0] -= 1
                found.append(" ")
                _read(inner, inner, fonts, found, left, depth + 1)
                found.append(" ")


def _bytes(digits: bytes) -> bytes:
    digits = b"".join(digits.split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


def _font(resources: Any, name: bytes, fonts: dict[tuple[int, int], _Font]) -> _Font:
    font = resources.get("/Font", {}).get("/" + name.decode("latin-1"), pikepdf.Dictionary())
    if not font.is_indirect:
        return _Font(font)
    if font.objgen not in fonts:
        fonts[font.objgen] = _Font(font)
    return fonts[font.objgen]


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes((int(match[1], 8) & 255,))
    return _CONTROLS.get(match[2], match[2]) if match[2] else b""


def _letters(mapping: bytes) -> dict[int, str]:
    """Parse a ToUnicode CMap (ISO 32000-1, 9.10.3)."""
    found: dict[int, str] = {}
    for kind, section in _SECTION.findall(mapping):
        if kind == b"bfchar":
            for code, letters in _PAIR.findall(section):
                found[int(code, 16)] = _utf16(letters)
            continue
        for first, last, start, each in _MAPPED.findall(section):
            codes = range(int(first, 16), min(int(last or first, 16), int(first, 16) + 65_535) + 1)
            if start:
                begin = _utf16(start)
                found.update({code: begin[:-1] + chr(ord(begin[-1]) + at) for at, code in enumerate(codes) if begin})
            else:
                found.update(zip(codes, map(_utf16, _HEX.findall(each)), strict=False))
    return found


def _utf16(digits: bytes) -> str:
    return bytes.fromhex((digits + b"0" * (-len(digits) % 4)).decode()).decode("utf-16-be", "replace")
