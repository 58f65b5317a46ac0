"""Decompress Outlook's RTF (MS-OXRTFCP) and extract its HTML (MS-OXRTFEX)."""

from __future__ import annotations

import re
import struct

from engine.toolkit import encodings
from engine.toolkit.failures import OverLimit, Unreadable

_MAX = 20_000_000
_BEFORE = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier"
    b"{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""The initial content of the compression window."""
_WINDOW = 4096
_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|\r?\n|([^\\{}\r\n]+)|(\\)", re.DOTALL
)
_SIGNS = {b"par": "\r\n", b"line": "\r\n", b"tab": "\t", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
          b"rdblquote": "”", b"bullet": "•", b"endash": "–", b"emdash": "—"}  # fmt: skip
_SKIPPED = {b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"generator", b"themedata"}


def unpacked(data: bytes) -> bytes:
    """The decompressed RTF. Raises Unreadable for damaged data, OverLimit if it becomes too long."""
    if len(data) < 16:
        raise Unreadable("The message's text is damaged.", reason="damaged")
    size, mark = struct.unpack("<I4s", data[4:12])
    if size > _MAX:
        raise OverLimit("memory", "The message's text is too long.")
    if mark == b"MELA":
        return data[16 : 16 + size]
    if mark != b"LZFu":
        raise Unreadable("The message's text uses an unknown compression method.", reason="unsupported_feature")
    window = bytearray(_BEFORE.ljust(_WINDOW, b"\0"))
    at, place, out = 16, len(_BEFORE), bytearray()
    while at < len(data) and len(out) <= size:
        flags = data[at]
        at += 1
        for bit in range(8):
            if at >= len(data):
                break
            if flags >> bit & 1:
                pair = int.from_bytes(data[at : at + 2].ljust(2, b"\0"), "big")
                at += 2
                start, length = pair >> 4, (pair & 15) + 2
                if start == place:
                    return bytes(out)
                piece = bytearray()
                for step in range(length):
                    byte = window[(start + step) % _WINDOW]
                    piece.append(byte)
                    window[place] = byte
                    place = (place + 1) % _WINDOW
                out += piece
            else:
                out.append(data[at])
                window[place] = data[at]
                place = (place + 1) % _WINDOW
                at += 1
    return bytes(out[:size])


def read(rtf: bytes) -> tuple[str, str]:
    """The HTML embedded in an RTF text, or nothing and its plain text."""
    inside = b"\\fromhtml1" in rtf[:2_000]
    page = re.search(rb"\\ansicpg(\d{3,5})", rtf[:2_000])
    codec = encodings.python_name(f"cp{page[1].decode()}") if page else "cp1252"
    html, plain, raw = list[str](), list[str](), bytearray()
    hidden, skipped, tagged, unicode_skip, to_skip = False, False, False, 1, 0
    stack: list[tuple[bool, bool, bool, int]] = []
    starred = False

    def flush() -> None:
        if raw:
            put(_text(bytes(raw), codec))
            raw.clear()

    def put(text: str) -> None:
        if skipped:
            return
        if tagged:
            html.append(text)
        elif not hidden:
            html.append(text)
            plain.append(text)

    for token in _TOKEN.finditer(rtf):
        word, number, byte, sign, brace, text, _ = token.groups()
        if byte or text:
            piece = bytes.fromhex(byte.decode()) if byte else text
            if to_skip:
                cut = min(to_skip, len(piece))
                piece, to_skip = piece[cut:], to_skip - cut
            raw += piece
            continue
        flush()
        if brace == b"{":
            if len(stack) > 1_000:
                raise Unreadable("The message's text is nested too deeply.", reason="limit")
            stack.append((hidden, skipped, tagged, unicode_skip))
        elif brace == b"}":
            if stack:
                hidden, skipped, tagged, unicode_skip = stack.pop()
        elif sign == b"*":
            starred = True
            continue
        elif sign in (b"\\", b"{", b"}"):
            raw += sign
        elif sign == b"~":
            put("\xa0")
        elif word == b"htmltag":
            tagged, skipped = True, False
        elif word == b"htmlrtf":
            hidden = number != b"0"
        elif word == b"u" and number:
            value = int(number) % 65_536
            put(chr(value) if not 0xD800 <= value < 0xE000 else "\ufffd")
            to_skip = unicode_skip
        elif word == b"uc" and number:
            unicode_skip = min(abs(int(number)), 10)
        elif word in _SIGNS:
            put(_SIGNS[word])
        elif word in _SKIPPED or (starred and word != b"mhtmltag") or word == b"mhtmltag":
            skipped = True
        starred = False
    flush()
    return ("".join(html) if inside else "", "".join(plain).replace("\r\n", "\n").strip())


def _text(raw: bytes, codec: str) -> str:
    try:
        return raw.decode(codec, "replace")
    except LookupError:
        return raw.decode("cp1252", "replace")
