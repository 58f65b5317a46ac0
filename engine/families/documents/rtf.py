r"""The text of an RTF file as UTF-8, decoded from its code pages.

RTF 1.9.1: `\'hh` is a byte in the code page of the current font (`\fcharset` in the font table), else of the document
(`\ansicpg`); `\uN` is a UTF-16 code unit, followed by `\ucN` characters for readers that don't know it.
"""

from __future__ import annotations

import re

from engine.toolkit import symbols

_TOKEN = re.compile(
    rb"(?P<open>\{)|(?P<close>\})|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]+)(?P<number>-?\d{1,10})? ?"
    rb"|(?P<symbol>\\[^a-zA-Z'\x80-\xff])|(?P<high>[\x80-\xff]+)|(?P<text>[^\\{}\x80-\xff]+)|(?P<stray>[\\'])",
    re.DOTALL,
)
CHARSETS = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
"""The code page of each `\\fcharset` that has one of its own."""
CODES = 0xE000
"""Where the codes of a list label's pattern (`leveltext`) are put: its length, and the levels of its numbers."""
_PAGES = {65001: "utf-8", 10000: "mac-roman", 936: "gb18030", 1361: "johab"}


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._out = bytearray()
        self._default = "cp1252"
        self._fonts: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._font = self._usual = 0
        self._in_fonts = 0
        self._in_rules = 0
        self._in_label = 0
        self._in_pattern = 0
        self._groups: list[tuple[str, int, int]] = []
        self._page = ""
        self._uc = 1
        self._bytes = bytearray()
        self._high = 0
        self._skip = 0
        self._bare = False
        self.replaced = 0

    def read(self) -> bytes:
        at = 0
        while at < len(self._data):
            token = _TOKEN.match(self._data, at)
            if token is None:
                break
            at = self._take(token, token.lastgroup or "", token.end())
        self._flush()
        return bytes(self._out)

    def _take(self, token: re.Match[bytes], kind: str, end: int) -> int:
        kind = "word" if kind == "number" else kind
        if kind in ("hex", "high"):
            data = bytes.fromhex(token["hex"].decode()) if kind == "hex" else token["high"]
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            self._bytes += data[skipped:]
            return end
        if kind == "text" and self._skip:
            # Line ends are not text.
            rest = token["text"].replace(b"\r", b"").replace(b"\n", b"")
            skipped = min(self._skip, len(rest))
            self._skip -= skipped
            if rest[skipped:]:
                self._flush()
                self._bare = False
                self._out += rest[skipped:]
            return end
        if kind == "word" and token["word"] == b"u" and token["number"]:
            self._flush_bytes()
            self._unit(int(token["number"]) & 0xFFFF)
            self._skip = self._uc
            return end
        if not (kind == "text" and token["text"].strip(b"\r\n") == b""):
            self._flush()
        self._skip = 0
        if kind == "open":
            self._groups.append((self._page, self._uc, self._font))
        elif kind == "close" and self._groups:
            self._page, self._uc, self._font = self._groups.pop()
            if len(self._groups) < self._in_fonts:
                self._in_fonts = 0
            if len(self._groups) < self._in_rules:
                self._in_rules = 0
            if len(self._groups) < self._in_label:
                self._in_label = 0
            if len(self._groups) < self._in_pattern:
                self._in_pattern = 0
        elif kind == "word":
            number = int(token["number"]) if token["number"] else None
            if token["word"] == b"bin" and number:
                # Bytes follow, usually of a picture, which may also be written as digits.
                last = end + max(number, 0)
                self._out += b" " + self._data[end:last].hex().encode()
                self._bare = False
                return last
            written = self._word(token["word"], number) or token[0]
            self._out += written
            self._bare = not written.endswith(b" ")
            return end
        if kind == "text" and self._in_fonts and len(self._groups) <= self._in_fonts + 1:
            name = token["text"].decode("latin-1").partition(";")[0].strip()
            self._names[self._font] = self._names.get(self._font) or name
        if token[0] != b"\\":  # alone it precedes a byte that needs no escaping, or the end
            self._out += token[0]
            self._bare = False
        return end

    def _word(self, word: bytes, number: int | None) -> bytes | None:
        """Handle a control word, and return its replacement."""
        if word == b"ansicpg" and number is not None:
            self._default = _known(_PAGES.get(number, f"cp{number}"))
            return b"\\ansicpg1252 "
        if word == b"mac":
            self._default = "mac-roman"
            return b"\\ansi "
        if word in (b"pc", b"pca"):
            self._default = "cp437" if word == b"pc" else "cp850"
            return b"\\ansi "
        if word == b"uc" and number is not None:
            self._uc = max(0, min(number, 100))
            return b"\\uc0 "
        if word == b"fonttbl":
            self._in_fonts = len(self._groups)
        elif word in (b"fchars", b"lchars"):
            self._in_rules = len(self._groups)
        elif word == b"deff" and number is not None:
            self._font = self._usual = number
        elif word == b"f" and number is not None:
            self._font = number
            self._page = self._page if self._in_fonts else self._fonts.get(number, "")
        elif word == b"fcharset" and self._in_fonts and number in CHARSETS:
            self._fonts[self._font] = CHARSETS[number]
            self._page = CHARSETS[number]
        elif word == b"plain":
            self._page, self._font = "", self._usual
        elif word in (b"pntext", b"listtext"):
            self._in_label = len(self._groups)
        elif word == b"leveltext":
            self._in_pattern = len(self._groups)
        return None

    def _unit(self, unit: int) -> None:
        if 0xDC00 <= unit < 0xE000 and self._high:
            self._write(chr(0x10000 + ((self._high - 0xD800) << 10) + unit - 0xDC00))
            self._high = 0
            return
        self._flush_high()
        if 0xD800 <= unit < 0xDC00:
            self._high = unit
        elif 0xDC00 <= unit < 0xE000:
            self._write("\ufffd")
        else:
            letter = chr(unit)
            self._write(symbols.shown(letter, self._name()) if symbols.is_private(letter) else letter)

    def _write(self, text: str) -> None:
        if not self._in_rules:  # the characters that may not begin or end a line are not text
            self.replaced += text.count("\ufffd")
        if self._bare:
            # The character would be read as part of the preceding control word.
            self._out += b" "
            self._bare = False
        for character in text:
            if character in "\\{}":
                self._out += b"\\"
            if character < " " and self._in_pattern:
                character = chr(CODES + ord(character))  # the length of the label, or the level of a number in it
            if character >= " ":
                self._out += character.encode("utf-8", "replace")

    def _flush(self) -> None:
        self._flush_bytes()
        self._flush_high()

    def _flush_high(self) -> None:
        if self._high:
            self._high = 0
            self._write("\ufffd")

    def _flush_bytes(self) -> None:
        if self._bytes:
            data = bytes(self._bytes)
            self._bytes.clear()
            self._write(self._label(data) if self._in_label else data.decode(self._page or self._default, "replace"))

    def _label(self, data: bytes) -> str:
        """The label of a list item, whose font is often named with the wrong character set."""
        if symbols.is_symbolic(self._name()):
            return symbols.shown(data.decode("latin-1"), self._name())
        try:
            return data.decode(self._page or self._default)
        except UnicodeDecodeError:
            return data.decode(self._default, "replace")

    def _name(self) -> str:
        return self._names.get(self._font, "")


def _known(name: str) -> str:
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name


def to_utf8(data: bytes) -> tuple[bytes, int]:
    """The same file with its text in UTF-8, and how many undecodable characters became U+FFFD."""
    reader = _Reader(data)
    return reader.read(), reader.replaced
