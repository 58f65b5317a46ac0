"""Shape complex scripts: each syllable becomes one glyph of its font.

HarfBuzz shapes a text into clusters. Each cluster is added to the font as a composite glyph (OpenType, table `glyf`)
with a private character, so that measuring, line breaking and drawing see one character of the right width. The font's
ToUnicode map has the original text, so that it can be copied and searched.
"""

from __future__ import annotations

import itertools
import mmap
import struct
import sys
import unicodedata
from array import array
from typing import Any

import uharfbuzz
from reportlab.pdfbase.ttfonts import TTFontFace

_FIRST_PRIVATE = 0x100000  # plane 16; icon fonts use the private areas below it
_MOST_PRIVATE = 65000
_WORDS, _OFFSETS, _MORE = 0x0001, 0x0002, 0x0020  # composite glyph flags

_written: dict[int, str] = {}


def text_of(code: int) -> str:
    """The written text of a drawn character."""
    if code in _written:
        return _written[code]
    text = chr(code)
    if 0xFB1D <= code <= 0xFDFF or 0xFE70 <= code <= 0xFEFC:  # presentation forms, which nobody types
        return unicodedata.normalize("NFKC", text)
    return text


def to_unicode_cmap(name: str, subset: list[int]) -> str:
    """The ToUnicode CMap of one font subset (ISO 32000-1, 9.10.3)."""
    entries = [f"<{at:02X}> <{text_of(code).encode('utf-16-be').hex().upper()}>" for at, code in enumerate(subset)]
    blocks = [entries[at : at + 100] for at in range(0, len(entries), 100)]
    lines = [
        "/CIDInit /ProcSet findresource begin",
        "12 dict begin",
        "begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        f"/CMapName /{name} def",
        "/CMapType 2 def",
        "1 begincodespacerange",
        "<00> <FF>",
        "endcodespacerange",
    ]
    for block in blocks:
        lines += [f"{len(block)} beginbfchar", *block, "endbfchar"]
    lines += ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"]
    return "\n".join(lines)


class HorizontalMetrics:
    """The advance width and left side bearing of each glyph, from an `hmtx` table (OpenType 1.9).

    The last of the `advances` widths applies to all further glyphs, too.
    """

    def __init__(self, table: bytes, advances: int) -> None:
        values = array("H", table)
        if sys.byteorder == "little":
            values.byteswap()
        self._values = values[: 2 * advances]
        for bearing in values[2 * advances :]:
            self._values.extend((values[2 * advances - 2], bearing))

    def __getitem__(self, glyph: int) -> tuple[int, int]:
        return self._values[2 * glyph], self._values[2 * glyph + 1]

    def append(self, pair: tuple[int, int]) -> None:
        self._values.extend(pair)


class ShapedFace(TTFontFace):  # type: ignore[misc]
    """A TrueType face to which composite glyphs can be added."""

    _ttf_data: Any
    glyphPos: array[int]
    charWidths: dict[int, float]

    def __init__(self, filename: str) -> None:
        super().__init__(filename)
        # Mapped, the file is in memory once for all processes, and only as far as it is used.
        with open(filename, "rb") as file:
            self._ttf_data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.glyphToChar: dict[int, list[int]] = {}  # megabytes that are not needed here
        # The library's pair and number lists take ten times as much.
        (advances,) = struct.unpack_from(">H", self.get_table("hhea"), 34)
        self.hmetrics: HorizontalMetrics = HorizontalMetrics(self.get_table("hmtx"), advances)
        self.glyphPos = array("L", self.glyphPos)
        widths: dict[float, float] = {}
        self.charWidths = {code: widths.setdefault(width, width) for code, width in self.charWidths.items()}
        # The library uses the typographic ascent, which leaves no room for accents; browsers use these.
        ascent, descent = struct.unpack_from(">2h", self.get_table("hhea"), 4)
        self.ascent, self.descent = self._pdfScale(ascent), self._pdfScale(descent)
        self._clusters: dict[tuple[str, tuple[tuple[int, int, int], ...]], str] = {}
        self._shaped: dict[str, str] = {}
        self._font: uharfbuzz.Font | None = None

    def give_back(self) -> None:
        """Release the file's memory; it is read again when drawn."""
        if isinstance(self._ttf_data, mmap.mmap):
            self._ttf_data.madvise(mmap.MADV_DONTNEED)

    def get_table(self, tag: str) -> bytes:
        return bytes(super().get_table(tag))

    def shape(self, text: str) -> str:
        """`text` as the characters to draw, in visual order; every character must have a glyph or be ignorable."""
        if text not in self._shaped:
            self._shaped[text] = "".join(self._shape(text))
        return self._shaped[text]

    def _shape(self, text: str) -> list[str]:
        if self._font is None:
            self._font = uharfbuzz.Font(uharfbuzz.Face(bytes(self._ttf_data)))
            self._open_for_more()
        buffer = uharfbuzz.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        uharfbuzz.shape(self._font, buffer)
        shaped = zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        clusters = [(at, list(group)) for at, group in itertools.groupby(shaped, key=lambda each: each[0].cluster)]
        ends = [at for at, _ in clusters[1:]] + [len(text)]
        drawn: list[str] = []
        for (start, group), end in zip(clusters, ends, strict=True):
            glyphs = []
            advance = 0
            for info, position in group:
                glyphs.append((info.codepoint, advance + position.x_offset, position.y_offset))
                advance += position.x_advance
            drawn.append(self._cluster(text[start:end], tuple(glyphs), advance))
        return drawn

    def _cluster(self, text: str, glyphs: tuple[tuple[int, int, int], ...], advance: int) -> str:
        """The character that draws a cluster: the base character itself if that is enough, else a private one."""
        gid = glyphs[0][0]
        plain = len(glyphs) == 1 and glyphs[0][1:] == (0, 0) and self.hmetrics[gid][0] == advance
        if plain and len(text) == 1 and self.charToGlyph.get(ord(text)) == gid:
            return text
        key = (text, glyphs)
        if key not in self._clusters:
            if len(_written) == _MOST_PRIVATE:
                return text
            code = _FIRST_PRIVATE + len(_written)
            _written[code] = text
            self.charToGlyph[code] = gid if plain else self._compose(glyphs, advance)
            self.charWidths[code] = self._pdfScale(advance)
            self._clusters[key] = chr(code)
        return self._clusters[key]

    def _open_for_more(self) -> None:
        """Move the table `glyf` to the end of the font, where it can grow, and raise the limits of `maxp`."""
        start, _ = self.get_table_pos("glyf")
        data = bytearray(self._ttf_data)
        moved, length = len(data), self.glyphPos[-1]
        data += data[start : start + length]
        maxp, _ = self.get_table_pos("maxp")
        struct.pack_into(">HH", data, maxp + 10, 4096, 512)  # maxCompositePoints, maxCompositeContours
        struct.pack_into(">HH", data, maxp + 28, 32, 8)  # maxComponentElements, maxComponentDepth
        self._ttf_data = data
        self.table["glyf"].update(offset=moved, length=length)

    def _compose(self, glyphs: tuple[tuple[int, int, int], ...], advance: int) -> int:
        start, length = self.get_table_pos("glyf")
        parts = []
        boxes = []
        for gid, x, y in glyphs:
            if self.glyphPos[gid] == self.glyphPos[gid + 1]:
                continue  # a glyph without an outline
            box = struct.unpack_from(">4h", self._ttf_data, start + self.glyphPos[gid] + 2)
            boxes.append((box[0] + x, box[1] + y, box[2] + x, box[3] + y))
            parts.append((gid, x, y))
        outline = bytearray()
        for at, (gid, x, y) in enumerate(parts):
            flags = _WORDS | _OFFSETS | (_MORE if at < len(parts) - 1 else 0)
            outline += struct.pack(">HHhh", flags, gid, x, y)
        left = min((box[0] for box in boxes), default=0)
        if parts:
            low = min(box[1] for box in boxes)
            right, high = max(box[2] for box in boxes), max(box[3] for box in boxes)
            outline = bytearray(struct.pack(">5h", -1, left, low, right, high)) + outline
            outline += b"\0" * (-len(outline) % 4)
        self._ttf_data += outline
        self.table["glyf"]["length"] = length + len(outline)
        self.glyphPos.append(length + len(outline))
        self.hmetrics.append((min(max(0, advance), 0xFFFF), left & 0xFFFF))
        return len(self.glyphPos) - 2
