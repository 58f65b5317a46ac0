"""Map the private characters of the fonts Symbol, Wingdings and Webdings to Unicode."""

from __future__ import annotations

import re

_SYMBOL = (
    {0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼"}
    | dict(
        zip(
            range(0xA0, 0xF0),
            "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
            strict=True,
        )
    )
    | dict(zip(range(0xF1, 0xFF), "⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭", strict=True))
)
"""The encoding of Symbol (Adobe, Symbol Encoding; its mapping to Unicode is Unicode's VENDORS/ADOBE/symbol.txt)."""
_GREEK = dict(zip(b"abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)) | dict(
    zip(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)
)
_WINGDINGS = {
    0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x75: "◆", 0x76: "❖", 0x77: "◆", 0x9F: "•", 0xA1: "○",
    0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xD8: "➢", 0xDC: "➲", 0xE0: "→", 0xDF: "←", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔",
    0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑", 0x4A: "☺", 0x4C: "☹", 0x21: "✏", 0x22: "✂", 0x28: "☎",
    0x2A: "✉", 0x46: "☞", 0x76 + 0: "❖", 0x73: "⬧", 0x74: "⧫", 0xB2: "◇", 0x6A: "&",
}  # fmt: skip
_WINGDINGS_2 = {
    0x4F: "✗",
    0x50: "✓",
    0x51: "☒",
    0x52: "☑",
    0x53: "☒",
    0x54: "☒",
    0x97: "●",
    0x98: "•",
    0xA2: "■",
    0xA3: "☐",
}
_WINGDINGS_3 = {
    0x21: "→", 0x22: "←", 0x23: "↑", 0x24: "↓", 0x70: "▲", 0x71: "▼", 0x72: "△", 0x73: "▽", 0x74: "◀", 0x75: "▶",
    0x76: "◁", 0x77: "▷", 0x7D: "▶",
}  # fmt: skip
_WEBDINGS = {0x61: "✔", 0x63: "□", 0x67: "■", 0x6E: "●", 0x72: "✖", 0x33: "◀", 0x34: "▶", 0x35: "▲", 0x36: "▼"}
_PICTURED = (
    ("wingdings 2", _WINGDINGS_2), ("wingdings 3", _WINGDINGS_3), ("wingdings", _WINGDINGS), ("webdings", _WEBDINGS),
)  # fmt: skip
"""Fonts in which any character is a picture, by the beginning of their names."""
_MARKS = {code: _WINGDINGS[code] for code in (0xA7, 0xD8, 0xFC, 0xFE)}
"""Replacements for list bullets whose font is unknown."""
_PRIVATE = re.compile("[\uf020-\uf0ff]")


def shown(text: str, font: str) -> str:
    """`text`, set in `font`, in characters that any font has; a picture without a counterpart becomes a bullet."""
    return "".join(each or "•" for each in _mapped(text, font))


def lost(text: str, font: str) -> int:
    """The number of pictures in `text`, set in `font`, that have no known counterpart."""
    return sum(not each for each in _mapped(text, font))


def _mapped(text: str, font: str) -> list[str]:
    """The counterpart of each character; empty if none is known."""
    name = font.lower()
    if not any("\uf000" <= each <= "\uf0ff" for each in text) and not is_symbolic(font):
        return [*text]
    pictured = next((table for beginning, table in _PICTURED if name.startswith(beginning)), None)
    table = pictured if pictured is not None else _SYMBOL | _GREEK
    table = table if is_symbolic(font) else table | _MARKS
    found = []
    for each in text:
        code = ord(each) - 0xF000 if "\uf000" <= each <= "\uf0ff" else ord(each)
        if code in table:
            found.append(table[code])
        elif code > 0xFF or code <= 0x20 or pictured is None:
            found.append(chr(code))
        else:
            found.append("")
    return found


def is_private(text: str) -> bool:
    """Whether a text contains private characters of these fonts."""
    return _PRIVATE.search(text) is not None


def is_symbolic(font: str) -> bool:
    return font.lower().startswith(("symbol", "wingdings", "webdings"))


def coded(code: str | None, font: str) -> str:
    """The character of a `w:sym` with a hexadecimal code (17.3.3.30); empty if the code is invalid."""
    return shown(decoded(code), font)


def decoded(code: str | None) -> str:
    """The character with a hexadecimal code, a private one below 256; empty if the code is invalid."""
    if not code or len(code) > 6 or not all(each in "0123456789abcdefABCDEF" for each in code):
        return ""
    at = int(code, 16)
    if not at or at > 0x10FFFF or 0xD800 <= at < 0xE000:
        return ""
    return chr(0xF000 + at) if at < 0x100 else chr(at)
