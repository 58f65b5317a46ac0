"""Glyph names and widths of Type 1 fonts (Adobe Type 1 Font Format)."""

from __future__ import annotations

import re

from fontTools.encodings.StandardEncoding import StandardEncoding

_CODED = re.compile(rb"dup\s+(\d{1,5}+)\s*/(\S+)\s+put")
_OUTLINE = re.compile(rb"/(\S{1,127}+)\s++(\d{1,5}+)\s++\S++\s")
"""The longest name and the digits of the longest string (PostScript Language Reference, appendix B)."""
_HEAD = 256
"""Bytes of an outline that are decrypted for its width: an instruction has at most 24 numbers of 5 bytes (6.1)."""


def read(data: bytes, clear: int) -> tuple[dict[int, str], dict[str, float]]:
    """The font's encoding, and the width of each glyph; the first `clear` bytes are not encrypted."""
    opened, rest = data[:clear], data[clear:]
    own = encoding(opened)
    if re.fullmatch(rb"[0-9A-Fa-f\s]{8}", rest[:8]):
        rest = bytes.fromhex(re.sub(rb"[^0-9A-Fa-f]", b"", rest)[: len(rest) // 2 * 2].decode("ascii"))
    private = decrypted(rest, 55665)[4:]
    skipped = int(found[1]) if (found := re.search(rb"/lenIV\s+(\d{1,3})\b", private)) else 4
    scale = 1000 * float(found[1]) if (found := re.search(rb"/FontMatrix\s*\[\s*([\d.eE+-]+)", opened)) else 1.0
    widths: dict[str, float] = {}
    at = private.find(b"/CharStrings")
    while at >= 0 and (match := _OUTLINE.search(private, at)):
        end = match.end() + int(match[2])
        head = private[match.end() : min(end, match.end() + skipped + _HEAD)]
        if (width := _width(decrypted(head, 4330)[skipped:])) is not None:
            widths[match[1].decode("latin-1")] = width * scale
            at = end
        else:
            at = match.start() + 1
    return own, widths


def encoding(head: bytes) -> dict[int, str]:
    """Code to glyph name, from the unencrypted part of a font."""
    if b"/Encoding StandardEncoding" in head or b"/Encoding  StandardEncoding" in head:
        return dict(enumerate(StandardEncoding))
    return {int(code): name.decode("latin-1") for code, name in _CODED.findall(head)}


def decrypted(data: bytes, key: int) -> bytes:
    """The decrypted data (7.1), including the random bytes before it."""
    out = bytearray(len(data))
    for at, code in enumerate(data):
        out[at] = code ^ (key >> 8)
        key = ((code + key) * 52845 + 22719) & 0xFFFF
    return bytes(out)


def _width(outline: bytes) -> float | None:
    """The width set by the outline's first instruction."""
    numbers: list[float] = []
    at = 0
    while at < len(outline):
        code = outline[at]
        at += 1
        if code >= 32:
            if code <= 246:
                numbers.append(code - 139)
            elif code <= 254:
                if at >= len(outline):
                    return None
                high = code - 247 if code <= 250 else code - 251
                numbers.append((high * 256 + outline[at] + 108) * (1 if code <= 250 else -1))
                at += 1
            else:
                numbers.append(int.from_bytes(outline[at : at + 4], "big", signed=True))
                at += 4
        elif code == 12 and outline[at : at + 1] == b"\x0c" and len(numbers) > 1:  # div
            last = numbers.pop()
            numbers[-1] = numbers[-1] / last if last else 0.0
            at += 1
        elif code == 13 and len(numbers) >= 2:
            return numbers[1]
        elif code == 12 and outline[at : at + 1] == b"\x07" and len(numbers) >= 4:
            return numbers[2]
        else:
            return None
    return None
