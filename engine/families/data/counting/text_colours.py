"""Recognise the ways in which the fonts of Excel workbooks say black, the usual colour of text."""

from __future__ import annotations

import re

TEXT_IS_BLACK = re.compile(rb'<(?:\w+:)?dk1>\s*<(?:\w+:)?(?:srgbClr val="000000"|sysClr val="windowText")')
"""The first colour of a theme, that of its text (ECMA-376, part 1, 20.1.6.2)."""
_BLACK = 0x7FFF
"""The number of the window's text, which stands for all of them (MS-XLS, 2.5.161)."""
_NUMBERS = frozenset({8, 64, 81, _BLACK})
_AUTOMATIC, _NUMBERED, _WRITTEN, _OF_THEME = range(4)
_TEXT_OF_THEME = 1


def of_xls(number: int) -> int:
    """The number of a colour, the same for each that is black."""
    return _BLACK if number in _NUMBERS else number


def of_xlsb(colour: bytes, theme: bytes) -> object:
    """A colour of eight bytes (MS-XLSB, 2.5.12), the same for each that is black."""
    kind, number, is_tinted = colour[0] >> 1, colour[1], colour[2:4] != b"\0\0"
    is_black = {
        _AUTOMATIC: True,
        _NUMBERED: number in _NUMBERS,
        _WRITTEN: colour[4:7] == b"\0\0\0",
        _OF_THEME: number == _TEXT_OF_THEME and (not theme or TEXT_IS_BLACK.search(theme) is not None),
    }
    return _BLACK if is_black.get(kind, False) and not is_tinted else (kind, colour[1:])
