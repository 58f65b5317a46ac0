"""Read the text of strings in the fonts of a drawn PDF (ISO 32000-1, 9.10)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_CHARS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_RANGES = re.compile(rb"beginbfrange(.*?)endbfrange", re.DOTALL)
_PAIR = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]*)>")
_SPAN = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*(<[0-9A-Fa-f]*>|\[[^\]]*\])")
_HEX = re.compile(rb"<([0-9A-Fa-f]*)>")


class Font:
    """A font of a page: the number of bytes of a code, and the text of each."""

    def __init__(self, font: Any, written: Mapping[str, str]) -> None:
        self.width = 2 if font.get("/Subtype") == "/Type0" else 1
        self._texts = _mapped(font.ToUnicode.read_bytes()) if "/ToUnicode" in font else {}
        self._texts = {code: written.get(text, text) for code, text in self._texts.items()}

    def texts(self, codes: bytes) -> list[str]:
        """The text of each code; one without any is U+FFFD, or as in Windows in a font of single bytes."""
        if self.width == 2:
            numbers = [codes[at] << 8 | codes[at + 1] for at in range(0, len(codes) - 1, 2)]
            return [self._texts.get(each, "\ufffd") for each in numbers]
        return [self._texts.get(each) or bytes((each,)).decode("cp1252", "replace") for each in codes]

    def text(self, codes: bytes) -> str:
        """The text of codes."""
        return "".join(self.texts(codes))


def _mapped(data: bytes) -> dict[int, str]:
    found: dict[int, str] = {}
    for block in _CHARS.findall(data):
        for code, text in _PAIR.findall(block):
            found[int(code, 16)] = _text(text)
    for block in _RANGES.findall(data):
        for first, last, to in _SPAN.findall(block):
            begin, end = int(first, 16), int(last, 16)
            if to[:1] == b"[":
                texts = [_text(each) for each in _HEX.findall(to)]
                found.update(zip(range(begin, end + 1), texts, strict=False))
                continue
            text = _text(to[1:-1])
            for code in range(begin, min(end, begin + 0xFFFF) + 1):
                found[code] = text[:-1] + chr(ord(text[-1]) + code - begin) if text else ""
    return found


def _text(digits: bytes) -> str:
    return bytes.fromhex(digits.decode()).decode("utf-16-be", "replace")
