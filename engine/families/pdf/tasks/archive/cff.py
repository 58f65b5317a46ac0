"""Glyph names and widths of CFF fonts."""

from __future__ import annotations

import io

from fontTools.cffLib import CFFFontSet
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.pens.basePen import NullPen


class Compact:
    """The glyphs of a CFF font by name, and their widths."""

    def __init__(self, data: bytes) -> None:
        fonts = CFFFontSet()
        fonts.decompile(io.BytesIO(data), None)
        self.top = fonts[0]
        # The glyphs of a CID-keyed font use the matrices of its font dictionaries.
        self._scale = 1.0 if hasattr(self.top, "ROS") else 1000 * (getattr(self.top, "FontMatrix", None) or [0.001])[0]

    def encoding(self) -> dict[int, str]:
        own = self.top.Encoding if isinstance(self.top.Encoding, list) else StandardEncoding
        return dict(enumerate(own))

    def width(self, name: str) -> float | None:
        if name not in self.top.CharStrings or name == ".notdef":
            return None
        outline = self.top.CharStrings[name]
        outline.draw(NullPen())
        return float(outline.width * self._scale)
