"""The text of a page from PDFium, with U+FFFD for glyphs without a Unicode mapping."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import pypdfium2
import pypdfium2.raw as raw

from engine.toolkit import symbols

UNKNOWN = "\ufffd"
HYPHEN = 2
"""PDFium's code for a hyphen at the end of a line, U+FFFE in a text."""

_UNUSED = "ƂƃƄƅƇƈƉƋƌƍƐƔƕƖƚƛƜƞƟƢƣƤƥƦƧƨƩƪƫƬƮƱƵƶƸƹƺƻƼƽƾƿǀǁǂǃǄǅǆǇǈǉǊǋǌ"
"""Characters that hardly any text contains: their codes are the glyph numbers of lower-case letters in Microsoft's
fonts."""

_SPACE = "\3"
"""The glyph number of the space in Microsoft's and Apple's fonts."""

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SUSPECT = re.compile(f"{CONTROL.pattern}|[\ud800-\udfff\uf020-\uf0ff{_UNUSED}]")
_CONTROLS = 0.25
"""The share of control characters in a font's text above which its characters are taken for glyph numbers."""

_LINE_END = "\ufffe"
TAKEN_BACK = 0.02
"""Times the text size: a space between two glyphs counts as none if the next glyph is moved back by its width, up to
this gap."""

_FLAT = 0.01
"""Times the text size: the height of invisible characters."""


def characters_of(text: pypdfium2.PdfTextPage) -> str:
    """All characters of a page: lines end in CR LF, and U+FFFE is a hyphenation mark.

    PDFium leaves out what it takes for control characters; the text is complete if it is as long as PDFium's count.
    """
    count = text.count_chars()
    if count <= 0:
        return ""
    # UTF-16: up to two units a character, and a NUL at the end.
    buffer = (ctypes.c_ushort * (2 * count + 1))()
    written = raw.FPDFText_GetText(text.raw, 0, count, buffer)
    found = bytes(memoryview(buffer)[: max(0, written - 1)]).decode("utf-16-le", "surrogatepass")
    if len(found) == count and not _SUSPECT.search(found) and _has_hyphens(text, found):
        return found
    whole = "".join(_characters(text, count))
    return whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_taken_back(text: pypdfium2.PdfTextPage, found: str) -> str:
    """Return the characters of a page without spaces whose width is moved back, so that they don't split words."""
    if len(found) != text.count_chars():
        return found
    boxes = raw.FS_RECTF(), raw.FS_RECTF()
    gone = []
    at = found.find(" ", 1)
    while 0 < at < len(found) - 1:
        if not (found[at - 1].isspace() or found[at + 1].isspace()):
            before, behind = boxes
            raw.FPDFText_GetLooseCharBox(text.raw, at - 1, before)
            raw.FPDFText_GetLooseCharBox(text.raw, at + 1, behind)
            most = TAKEN_BACK * abs(before.top - before.bottom)
            if abs(behind.left - before.right) < most and before.top == behind.top and before.bottom == behind.bottom:
                gone.append(at)
        at = found.find(" ", at + 1)
    pieces, last = [], 0
    for at in gone:
        pieces.append(found[last:at])
        last = at + 1
    return "".join([*pieces, found[last:]])


def _has_hyphens(text: pypdfium2.PdfTextPage, found: str) -> bool:
    """Whether all apparent hyphens at line ends are real, rather than unmapped glyphs."""
    at = found.find(_LINE_END)
    while at >= 0:
        if raw.FPDFText_GetUnicode(text.raw, at) != HYPHEN:
            return False
        at = found.find(_LINE_END, at + 1)
    return True


def _characters(text: pypdfium2.PdfTextPage, count: int) -> Iterator[str]:
    characters = [_character(text, at) for at in range(count)]
    unknown = unknown_in(text, enumerate(characters))
    spaced = True
    for at, letter in enumerate(characters):
        if not CONTROL.match(letter):
            shown = UNKNOWN if at in unknown else letter
        elif is_seen(text, at):
            shown = UNKNOWN
        else:
            shown = "" if spaced else " "
        spaced = shown.isspace() or (spaced and not shown)
        yield shown


def _character(text: pypdfium2.PdfTextPage, at: int) -> str:
    code = raw.FPDFText_GetUnicode(text.raw, at)
    if code == HYPHEN and raw.FPDFText_IsHyphen(text.raw, at) == 1:
        return _LINE_END
    letter = chr(code) if code < 0x110000 else UNKNOWN
    return symbols.shown(letter, font_of(text, at)) if symbols.is_private(letter) else letter


def unknown_in(text: pypdfium2.PdfTextPage, characters: Iterable[tuple[int, str]]) -> set[int]:
    """The indexes of characters that are glyph numbers.

    A font without a Unicode mapping may give characters or glyph numbers, and does not say which. Numbers are assumed
    if it has characters that no text contains, many control characters, or the glyph number of the space. A few control
    characters are ligatures, as in the fonts of TeX.
    """
    found = [*characters]
    if not any(letter in _UNUSED or letter < " " for _, letter in found):
        return set()
    unmapped = {at: font_of(text, at) for at, _ in found if _is_unmapped(text, at)}
    controls = Counter(unmapped[at] for at, letter in found if at in unmapped and letter < " " and is_seen(text, at))
    every = Counter(unmapped.values())
    fonts = {font for font, count in controls.items() if count > _CONTROLS * every[font]}
    for at, letter in found:
        if at in unmapped and (letter in _UNUSED or (letter == _SPACE and not is_seen(text, at))):
            fonts.add(unmapped[at])
    return {at for at, font in unmapped.items() if font in fonts}


def _is_unmapped(text: pypdfium2.PdfTextPage, at: int) -> bool:
    return bool(raw.FPDFText_HasUnicodeMapError(text.raw, at) == 1)


def is_seen(text: pypdfium2.PdfTextPage, at: int) -> bool:
    """Whether a character has a shape."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    matrix = raw.FS_MATRIX()
    if not raw.FPDFText_GetCharBox(text.raw, at, left, right, bottom, top):
        return False
    raw.FPDFText_GetMatrix(text.raw, at, matrix)
    size = abs(raw.FPDFText_GetFontSize(text.raw, at)) * max(abs(matrix.c), abs(matrix.d))
    return bool(min(right.value - left.value, top.value - bottom.value) > _FLAT * size)


def font_of(text: pypdfium2.PdfTextPage, at: int) -> str:
    """The font name of a character without its subset prefix."""
    name = ctypes.create_string_buffer(128)
    raw.FPDFText_GetFontInfo(text.raw, at, name, len(name), ctypes.c_int())
    return re.sub(r"^.{6}\+", "", name.value.decode("latin-1"))
