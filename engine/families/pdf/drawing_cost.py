"""Estimate how much pages draw through nested forms, patterns, masks and glyphs, before drawing."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pikepdf
from pikepdf import Name

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MAX_INSTRUCTIONS = 32_000_000
"""The maximum bytes of drawing instructions for one page: a renderer takes up to fifty times as much memory for them.

29 million take 4 s as a picture, and 13 to 17 s as docx or txt.
"""
MAX_TILES = 4_000_000
"""The maximum repetitions of a pattern on a page; hatching each point of an A4 page repeats it half a million times.

3.9 million take 0.5 s as a picture, and 1 s as docx.
"""

_SPACE = rb"(?:[\0\s]|%[^\r\n]{0,999}[\r\n])"
_END = rb"(?![^\0\s/\[\]<>(){}%])"
_USE = re.compile(
    rb"/([^\0\s/\[\]<>(){}%]++)(?:"
    + _SPACE + rb"++(?:Do|gs|scn|SCN|[-+.\d]++" + _SPACE + rb"++Tf)" + _END
    + rb"|" + _SPACE + rb"*+(?:[-+.\d]++" + _SPACE + rb"*+)?+%[^\r\n]{1000})"
)  # fmt: skip
"""A name before an operator that draws by it, or before a comment that is too long to be searched after each name."""
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")


def check(pdf: pikepdf.Pdf, numbers: Iterable[int]) -> None:
    """Raise OverLimit if one of these pages, counted from 0, draws more than MAX_INSTRUCTIONS.

    Nested forms and the like count each time they are drawn; recursive ones are refused.
    """
    weighing = _Weighing()
    for number in numbers:
        if _weight(pdf.pages[number], number, weighing) > MAX_INSTRUCTIONS:
            raise over_limit()


def weight(pdf: pikepdf.Pdf, number: int) -> int:
    """Bytes of instructions that the page `number`, counted from 0, draws; raises OverLimit as check()."""
    return _weight(pdf.pages[number], number, _Weighing())


def _weight(page: pikepdf.Page, number: int, weighing: _Weighing) -> int:
    contents = page.obj.get(Name.Contents)
    parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents] if contents is not None else []
    left, bottom, right, top = (float(each) for each in page.mediabox)
    weighing.area = abs((right - left) * (top - bottom))
    data = b"\n".join(decompressed(part) for part in parts)
    found = weighing.of_instructions(data, page.resources, (number,))
    return found + sum(
        weighing.weigh(appearance, page.resources, (number,))[1] for appearance in _appearances(page.obj)
    )


def over_limit() -> OverLimit:
    return OverLimit("limit", "A page in the PDF has too much content to convert.")


def decompressed(stream: pikepdf.Object) -> bytes:
    """The instructions in a stream; Flate is decompressed only up to the limit."""
    if not isinstance(stream, pikepdf.Stream):
        return b""
    filters = stream.get(Name.Filter)
    chain = list(filters) if isinstance(filters, pikepdf.Array) else [filters] if filters is not None else []
    if any(each != Name.FlateDecode for each in chain) or Name.DecodeParms in stream:
        data = bytes(stream.read_bytes())
        if len(data) > MAX_INSTRUCTIONS:
            raise over_limit()
        return data
    data = bytes(stream.read_raw_bytes())
    for _ in chain:
        inflater = zlib.decompressobj()
        try:
            data = inflater.decompress(data, MAX_INSTRUCTIONS + 1)
        except zlib.error:
            return b""  # damaged instructions draw nothing
        if len(data) > MAX_INSTRUCTIONS:
            raise over_limit()
    return data


def _appearances(page: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """The appearance streams of a page's annotations (ISO 32000-1, 12.5.5)."""
    annotations = page.get(Name.Annots)
    for annotation in annotations if isinstance(annotations, pikepdf.Array) else ():
        appearances = annotation.get(Name.AP) if isinstance(annotation, pikepdf.Dictionary) else None
        appearance = appearances.get(Name.N) if isinstance(appearances, pikepdf.Dictionary) else None
        if isinstance(appearance, pikepdf.Stream):
            yield appearance
        elif isinstance(appearance, pikepdf.Dictionary):
            yield from (each for each in dict(appearance.items()).values() if isinstance(each, pikepdf.Stream))


@dataclass(frozen=True)
class _Use:
    """A stream drawn by name, with the resources around it; a Type 3 glyph is drawn by the texts that follow."""

    stream: pikepdf.Object
    around: pikepdf.Object
    letter: bool = False


class _Weighing:
    """Counts the bytes of instruction streams, each once; `area` is that of the page."""

    def __init__(self) -> None:
        self.area = 0.0
        self._weights: dict[tuple[int, ...], tuple[int, int]] = {}
        self._open: set[tuple[int, ...]] = set()
        self._glyphs = 0

    def weigh(self, stream: pikepdf.Object, around: pikepdf.Object, place: tuple[int, ...]) -> tuple[int, int]:
        """The bytes of a stream alone, and with everything it draws, in a `place` with the resources `around`."""
        own = stream.get(Name.Resources)
        key = tuple(stream.objgen) if own is not None else (*stream.objgen, *place)
        if key in self._open:
            raise OverLimit("limit", "The PDF has a form, pattern, mask or glyph that contains itself.")
        if key not in self._weights:
            self._open.add(key)
            data = decompressed(stream)
            resources, inside = (around, place) if own is None else (own, key)
            self._weights[key] = len(data), self.of_instructions(data, resources, inside)
            self._open.discard(key)
        return self._weights[key]

    def of_instructions(self, data: bytes, resources: pikepdf.Object, place: tuple[int, ...]) -> int:
        drawn = self._drawn(resources)
        weight, weights = len(data), dict[bytes, int]()
        for use in _USE.finditer(data) if drawn else ():
            name = _ESCAPED.sub(_character, use[1])
            if name not in weights:
                weights[name] = sum(self._of_use(each, len(data), place) for each in drawn.get(name, ()))
            weight = min(weight + weights[name], MAX_INSTRUCTIONS + 1)
        return weight

    def _of_use(self, use: _Use, length: int, place: tuple[int, ...]) -> int:
        if not use.letter:
            return self.weigh(use.stream, use.around, place)[1]
        self._glyphs += 1
        alone, whole = self.weigh(use.stream, use.around, place)
        self._glyphs -= 1
        # Glyphs that draw nothing further are cached by the renderer; others are drawn for each character of a text.
        return (whole if self._glyphs else whole - alone) * length

    def _drawn(self, resources: pikepdf.Object) -> dict[bytes, list[_Use]]:
        """The stream that each name draws: a form, a pattern, a mask or a font's glyphs."""
        found: dict[bytes, list[_Use]] = {}

        def add(name: str, stream: object, around: pikepdf.Object, *, letter: bool = False) -> None:
            if isinstance(stream, pikepdf.Stream):
                found.setdefault(name[1:].encode("utf-8", "surrogateescape"), []).append(_Use(stream, around, letter))

        for name, each in _entries(resources, Name.XObject):
            if isinstance(each, pikepdf.Stream) and each.get(Name.Subtype) == Name.Form:
                add(name, each, resources)
        for name, each in _entries(resources, Name.Pattern):
            if isinstance(each, pikepdf.Stream):
                self._check_tiles(each)
                add(name, each, resources)
        for name, each in _entries(resources, Name.ExtGState):
            mask = each.get(Name.SMask) if isinstance(each, pikepdf.Dictionary) else None
            if isinstance(mask, pikepdf.Dictionary):
                add(name, mask.get(Name.G), resources)
        for name, each in _entries(resources, Name.Font):
            if isinstance(each, pikepdf.Dictionary) and each.get(Name.Subtype) == Name.Type3:
                for _, letter in _entries(each, Name.CharProcs):
                    add(name, letter, each.get(Name.Resources, resources), letter=True)
        return found

    def _check_tiles(self, pattern: pikepdf.Object) -> None:
        matrix = pattern.get(Name.Matrix)
        a, b, c, d = map(float, matrix[:4]) if isinstance(matrix, pikepdf.Array) else (1.0, 0.0, 0.0, 1.0)
        step = abs(float(pattern.get(Name.XStep, 1)) * float(pattern.get(Name.YStep, 1)) * (a * d - b * c))
        if not math.isfinite(step) or self.area > MAX_TILES * step > 0:
            raise OverLimit(
                "limit",
                say("A pattern in the PDF is repeated more than {max_tiles} times on a page.", max_tiles=MAX_TILES),
            )


def _entries(holder: pikepdf.Object, key: pikepdf.Name) -> Iterable[tuple[str, pikepdf.Object]]:
    found = holder.get(key) if isinstance(holder, pikepdf.Dictionary) else None
    return found.items() if isinstance(found, pikepdf.Dictionary) else ()


def _character(escaped: re.Match[bytes]) -> bytes:
    return bytes([int(escaped[1], 16)])
