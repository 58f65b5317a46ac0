"""Report characters that no font covers, neither bundled nor embedded."""

from __future__ import annotations

import base64
import functools
import re
import unicodedata
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import uharfbuzz

from engine.toolkit import own_fonts, typefaces
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_ORDER = ("liberation/LiberationSans-Regular.ttf", "dejavu/DejaVuSans.ttf", "droid/DroidSansFallback.ttf")
_EMBEDDED = re.compile(r"url\(\"?data:[^,;\"]*(?:font|octet)[^,\"]*;base64,([A-Za-z0-9+/=%\s]+)\"?\)", re.IGNORECASE)
_WRITTEN = re.compile(r"\\([0-9a-fA-F]{1,6})")
_CONTENT = re.compile(r"content:([^;}]*)")
_UNSEEN = ("Cc", "Cf", "Zs", "Zl", "Zp", "Cs")
_SHOWN = 20


def report(characters: set[str], sheets: Iterable[str], warn: Warn) -> None:
    """Warn of characters of a page and its generated content that are drawn as empty boxes."""
    wanted = {ord(each) for each in characters if each > "\x7f"}
    texts = list(sheets)
    for text in texts:
        for content in _CONTENT.findall(text):
            wanted.update(ord(each) for each in content if each > "\x7f")
            wanted.update(code for code in (int(each, 16) for each in _WRITTEN.findall(content)) if code < 0x110000)
    wanted = {code for code in wanted if unicodedata.category(chr(code)) not in _UNSEEN and not _selects(code)}
    for path, index in (*_bundled(), *((each.path, each.index) for each in typefaces.typefaces())):
        if not wanted:
            return
        covered = _covered(path, index)
        wanted = {code for code in wanted if code not in covered}
    for text in texts:
        for encoded in _EMBEDDED.findall(text):
            if wanted:
                own = _embedded(encoded)
                wanted = {code for code in wanted if code not in own}
    if wanted:
        found = sorted(wanted)
        shown = ", ".join(f"{chr(code)} (U+{code:04X})" for code in found[:_SHOWN])
        more = say(" and {found} more", found=len(found) - _SHOWN) if len(found) > _SHOWN else ""
        warn(
            "GLYPH_MISSING",
            say("Characters missing from all fonts are shown as empty boxes: {shown}{more}.", shown=shown, more=more),
        )


def _selects(code: int) -> bool:
    """Whether a character is a variation selector."""
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x1F3FB <= code <= 0x1F3FF


@functools.cache
def _bundled() -> tuple[tuple[Path, int], ...]:
    """The regular bundled fonts, those with the most characters first."""
    first = tuple(own_fonts.FONTS / each for each in _ORDER)
    others = (each for each in sorted(own_fonts.FONTS.rglob("*.ttf")) if each not in first)
    regular = (each for each in others if "Bold" not in each.name and "Italic" not in each.name)
    return tuple((each, 0) for each in (*first, *regular))


@functools.cache
def _covered(path: Path, index: int) -> uharfbuzz.Set:
    return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)), index).unicodes


def _embedded(encoded: str) -> uharfbuzz.Set:
    """The characters of a font embedded in the page; none if it is unreadable."""
    try:
        data = base64.b64decode(encoded + "==")
        return uharfbuzz.Face(_unpacked(data) if data[:3] == b"wOF" else data).unicodes
    except (ValueError, uharfbuzz.HarfBuzzError):
        return uharfbuzz.Set()


def _unpacked(data: bytes) -> bytes:
    """The font inside a WOFF file. Raises ValueError."""
    from fontTools.ttLib import TTFont, TTLibError  # 3 MB for the few pages with such a font

    target = BytesIO()
    try:
        with TTFont(BytesIO(data), lazy=True) as font:
            font.flavor = None
            font.save(target, reorderTables=None)
    except (TTLibError, KeyError, AttributeError, AssertionError, OSError) as error:
        raise ValueError(str(error)) from error
    return target.getvalue()
