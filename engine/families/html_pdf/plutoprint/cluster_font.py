"""Add glyphs for letter clusters to a bundled font (OpenType, table `glyf`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path

import uharfbuzz
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

_KEPT = frozenset(("GlyphOrder", "head", "hhea", "maxp", "OS/2", "hmtx", "cmap", "loca", "glyf", "name", "post"))


class ClusterFont:
    """A bundled font, used for shaping and extended with glyphs."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        self._shaper = uharfbuzz.Font(uharfbuzz.Face(self._data))
        self._font = TTFont(BytesIO(self._data), lazy=True)
        self._order = self._font.getGlyphOrder()
        self._cmap = self._font.getBestCmap()
        self._widths = self._font["hmtx"].metrics

    def _shape(self, text: str) -> list[tuple[int, str, int, int, int]]:
        """The shaped glyphs: the cluster of each, its name, its offsets and its advance."""
        buffer = uharfbuzz.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        uharfbuzz.shape(self._shaper, buffer)
        return [
            (info.cluster, self._order[info.codepoint], position.x_offset, position.y_offset, position.x_advance)
            for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        ]

    def clusters(self, text: str) -> list[tuple[str, bool]]:
        """The clusters of a text, and whether each is drawn by a single character's own glyph."""
        groups: dict[int, list[tuple[int, str, int, int, int]]] = {}
        for each in self._shape(text):
            groups.setdefault(each[0], []).append(each)
        starts = sorted(groups)
        found = []
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            part, glyphs = text[start:end], groups[start]
            plain = len(part) == 1 and len(glyphs) == 1 and self._cmap.get(ord(part)) == glyphs[0][1]
            found.append((part, plain and glyphs[0][2:4] == (0, 0)))
        return found

    def with_clusters(self, wanted: Mapping[str, str], plain: Iterable[str]) -> bytes:
        """A font with a glyph for each private character and the `plain` ones, without shaping tables."""
        font = TTFont(BytesIO(self._data))
        glyphs, metrics = font["glyf"], font["hmtx"].metrics
        cmap = {ord(each): self._cmap[ord(each)] for each in sorted(plain) if ord(each) in self._cmap}
        needed = dict.fromkeys((font.getGlyphOrder()[0], *cmap.values()))
        order: list[str] = []
        for code, text in wanted.items():
            pen = TTGlyphPen(glyphs)
            at = 0
            for _, name, x, y, advance in self._shape(text):
                if glyphs[name].numberOfContours:
                    needed[name] = None
                    pen.addComponent(name, (1, 0, 0, 1, at + x, y))
                at += advance
            name = f"cluster{ord(code):x}"
            glyph = pen.glyph()
            glyphs.glyphs[name] = glyph
            order.append(name)
            cmap[ord(code)] = name
            glyph.recalcBounds(glyphs)
            metrics[name] = (max(at, 0), getattr(glyph, "xMin", 0))
        for name in list(needed):
            needed.update(dict.fromkeys(glyphs[name].getComponentNames(glyphs)))
        order = [*needed, *order]
        glyphs.glyphs = {name: glyphs.glyphs[name] for name in order}
        font["hmtx"].metrics = {name: metrics[name] for name in order}
        font.setGlyphOrder(order)
        glyphs.glyphOrder = order
        table = CmapSubtable.newSubtable(12)
        table.platformID, table.platEncID, table.language, table.cmap = 3, 10, 0, cmap
        font["cmap"].tables = [table]
        font["post"].formatType = 3.0
        font.recalcTimestamp = False
        for tag in set(font.keys()) - _KEPT:
            del font[tag]
        target = BytesIO()
        font.save(target, reorderTables=None)
        return target.getvalue()
