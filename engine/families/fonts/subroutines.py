"""Count what PostScript outlines draw through their subroutines, before they are drawn."""

from __future__ import annotations

from typing import Any

from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.misc.psCharStrings import SimpleT2Decompiler

from engine.toolkit.failures import OverLimit

MOST = 20_000_000
"""The maximum numbers and operators of all glyphs, those of a subroutine once per call; 1 million take 0.6 s to count,
and 1.5 to 4 s to draw."""
_MOST_OF_GLYPH = 1_000_000
"""The same for one glyph; of 2,956 glyphs of four text fonts, none has more than 657."""
_DEEPEST = 10
"""The maximum nesting of subroutines (Adobe Technical Note 5177, Appendix B)."""
_ACCENTED = 4
"""The operands of an `endchar` that draws two other glyphs (Appendix C)."""


def check(font: Any) -> None:
    """Raise OverLimit for a font whose PostScript outlines take too long to draw; all are drawn to save a font."""
    kind = next((each for each in ("CFF ", "CFF2") if each in font), None)
    if kind is None:
        return
    strings = font[kind].cff.topDictIndex[0].CharStrings
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in sizes:
            sizes[name] = MOST + 1  # in case it contains itself
            count = _Count(strings[name])
            sizes[name] = count.total + sum(size(each) for each in count.parts if each in strings)
        return sizes[name]

    left = MOST
    for name in font.getGlyphOrder():
        left -= size(name)
        if left < 0:
            raise _too_much()


def _too_much() -> OverLimit:
    return OverLimit("limit", "The font's glyphs are drawn with too many lines and curves.")


class _Count(SimpleT2Decompiler):  # type: ignore[misc]  # the library has no types
    """Goes through the outline of one glyph: its `total` numbers and operators, and the `parts` it is composed of."""

    def __init__(self, outline: Any) -> None:
        super().__init__(getattr(outline.private, "Subrs", []), outline.globalSubrs, outline.private)
        self.total = 0
        self.parts: list[str] = []
        self.execute(outline)

    def execute(self, outline: Any, **named: Any) -> None:
        if len(self.callingStack) > _DEEPEST:
            raise _too_much()
        super().execute(outline, **named)
        self.total += len(outline.program)
        if self.total > _MOST_OF_GLYPH:
            raise _too_much()

    def op_div(self, index: int) -> None:
        below, above = self.pop(), self.pop()
        self.push(above / below)

    def op_endchar(self, index: int) -> None:
        operands = self.popall()
        if len(operands) >= _ACCENTED:
            self.parts += [StandardEncoding[int(each)] for each in operands[-2:]]
