"""Growth: inputs of a size that can be chosen, and whether a reader takes four times as long for one twice as large.

Every reader of the registry is tried: what its vectors read is repeated, as a whole and in pieces, and nested, and its
format may have inputs of its own in `OWN`.
"""

from __future__ import annotations

import functools
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.families.registry import CONVERTERS
from engine.toolkit.declaring import Converter
from tests.converters.vectors import VECTORS
from tests.hostile import record_shapes
from tests.hostile.costs import Cost, Meter
from tests.hostile.shapes import SHAPES, Make, after, repeated

MEASURABLE = 0.5
"""Seconds of processor time from which on two measurements can be compared."""
MOST = 6.0
"""Seconds after which a conversion is stopped: what was compared with it took at most a quarter."""
GROWS = 3.4
"""Times as long for twice the size: 2 is linear, 4 is the square; a run of it varies by a tenth."""
TIMES = 3
_SMALLEST = 1_000
_SIZES = (32_000, 250_000, 1_000_000)
_SAMPLE = 20_000
_PIECES = 3


@dataclass(frozen=True)
class Find:
    """An input that takes `seconds[1]` at the size `size`, and `seconds[0]` at half of it."""

    slug: str
    generator: str
    size: int
    seconds: tuple[float, float]

    def __str__(self) -> str:
        before, after = self.seconds
        return f"{self.slug}, {self.generator}: {self.size // 2:,} B {before:.1f} s, {self.size:,} B {after:.1f} s"


def readers() -> dict[str, list[Converter]]:
    """One converter for each format and module that reads it, the first by its slug, by the family that declares it."""
    chosen: dict[tuple[str, str], Converter] = {}
    for slug in sorted(CONVERTERS):
        each = CONVERTERS[slug]
        chosen.setdefault((each.input.id, each.declared_in), each)
    found: dict[str, list[Converter]] = {}
    for each in chosen.values():
        found.setdefault(each.declared_in.removeprefix("engine.families.").partition(".")[0], []).append(each)
    return dict(sorted(found.items()))


def generators(converter: Converter) -> Iterator[tuple[str, Make]]:
    """The inputs that a reader is tried with, by name."""
    for number, fragment in enumerate(OWN.get(converter.input.id, ())):
        yield f"own {number} {fragment[:24]!r}", functools.partial(repeated, fragment)
    for made in (MADE, SHAPES, record_shapes.SHAPES):
        yield from made.get(converter.input.id, {}).items()
    sample = _sample(converter.input.id)
    if sample is None:
        return
    yield "whole", functools.partial(repeated, sample)
    if sample.startswith(b"PK\x03\x04"):
        yield from _of_parts(sample)
        return
    for name, part in _pieces(sample):
        yield name, functools.partial(_grown, sample, part)


def grows(meter: Meter, converter: Converter, name: str, make: Make) -> Find | None:
    """The size at which the time grows faster than it should, measured several times before it is told."""

    def cost(size: int) -> Cost:
        return meter.cost(converter.slug, make(size), most=MOST)

    idle = cost(_SMALLEST).seconds
    for first in _SIZES:
        size, after = first, cost(first)
        while after.end == "stopped" and size // 2 > _SMALLEST:
            before = cost(size // 2)
            if before.end != "stopped" and _much((before.seconds, after.seconds), idle):
                break
            size, after = size // 2, before
        if after.reason == "limit":
            return None
        if after.seconds - idle < MEASURABLE:
            continue
        pair = cost(size // 2).seconds, after.seconds
        for _ in range(TIMES - 1):
            if not _much(pair, idle):
                break
            pair = min(pair[0], cost(size // 2).seconds), min(pair[1], cost(size).seconds)
        if _much(pair, idle):
            return Find(converter.slug, name, size, pair)
        if size < first or after.seconds > MOST / GROWS:
            return None
    return None


def _much(pair: tuple[float, float], idle: float) -> bool:
    return pair[1] - idle > GROWS * max(pair[0] - idle, MEASURABLE / 10)


@functools.cache
def _sample(format: str) -> bytes | None:
    """The largest of the vectors of a format that is no more than _SAMPLE bytes and no failure."""
    made = (each.source() for each in VECTORS if each.slug.partition("-to-")[0] == format and not each.error)
    return max((each for each in made if len(each) <= _SAMPLE), key=len, default=None)


def _grown(sample: bytes, piece: tuple[int, int], size: int) -> bytes:
    start, end = piece
    return sample[:end] + repeated(sample[start:end], size) + sample[end:]


def _pieces(sample: bytes) -> Iterator[tuple[str, tuple[int, int]]]:
    """Lines, elements and stretches of a sample, the longest of each kind."""
    for name, pattern in (
        ("line", rb"[^\n]*\n"),
        ("element", rb"<(\w[\w:.-]*)[^<>]*>[^<>]*</\1>"),
        ("tag", rb"<\w[^<>]*>"),
    ):
        found = sorted((each.span() for each in re.finditer(pattern, sample)), key=lambda span: span[0] - span[1])
        for span in found[:_PIECES]:
            yield f"{name} at {span[0]}", span
    for share in range(1, _PIECES):
        at = len(sample) * share // _PIECES
        yield f"bytes at {at}", (at, min(at + 16, len(sample)))


def _of_parts(sample: bytes) -> Iterator[tuple[str, Make]]:
    """The part in XML that holds the text of an archive, with pieces of it repeated."""
    with zipfile.ZipFile(io.BytesIO(sample)) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    texts = [name for name in parts if name.endswith((".xml", ".xhtml", ".html"))]
    if not texts:
        return
    # In OpenDocument settings and styles may be larger; elsewhere the text is the largest.
    chosen = max(texts, key=lambda name: (name == "content.xml", len(parts[name])))
    for name, piece in _pieces(parts[chosen]):

        def make(size: int, piece: tuple[int, int] = piece) -> bytes:
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                for each, content in parts.items():
                    archive.writestr(each, _grown(content, piece, size) if each == chosen else content)
            return out.getvalue()

        yield f"{chosen}: {name}", make


_LIGHT = (
    b"*a **a ", b"*a_ ", b"a**b", b"[", b"[a](", b"![a", b"``a ", b"<a ", b"http://a ", b"> ", b"~~a ", b"[^1]: ",
    b"[a]: b\n\n", b"|a", b"- a\n", b"$a ", b"{a", b"^a ", b"/a *b ", b"|a ", b"a_ ", b"\\a{", b"'''a ", b"{{a",
)  # fmt: skip
OWN: Mapping[str, tuple[bytes, ...]] = {
    **dict.fromkeys(("markdown", "rst", "org", "textile", "jira", "mediawiki"), _LIGHT),
    **dict.fromkeys(("asciidoc", "typst", "latex", "man"), _LIGHT),
    "html": (
        b"<div style='float:left'>x</div>", b"<div style='columns:2'>", b"<b>", b"<table><tr><td>", b"<p>x", b"<td>x",
        b"<div style='display:flex;flex-direction:column'>", b"<span style='display:inline-block'>x</span> ",
        b"<ul><li>x", b"<style>a>b{color:red}</style>", b"<p style='position:absolute'>x", b"x ", b"x", b"&amp;",
        b"<a href=#a>x</a>",
    ),
    "json": (b"[", b'{"a":', b"[],", b'"\\u0061'),
    "yaml": (b"- ", b"[", b"a: &a b\n", b"? ", b"'", b"\n "),
    "xml": (b"<a>",),
    "csv": (b",", b'"', b"a\n", b'"a""'),
    "tsv": (b"\t", b'"'),
    "toml": (b"[a]\n", b"a.", b"[[a]]\n"),
    "rtf": (b"{", b"\\'", b"\\par ", b"{\\b a"),
    "ics": (b"BEGIN:VEVENT\n", b" a\n"),
    "vcf": (b"BEGIN:VCARD\n", b" a\n"),
    "bibtex": (b"@a{", b"{", b'"', b"@string{a=b#"),
    "txt": (b" ", b"\n", b"x", b"x ", b"http://a "),
    "srt": (b"1\n00:00:00,000 --> 00:00:01,000\n<b>x\n\n", b"<i>"),
    "vtt": (b"WEBVTT\n\n00:00.000 --> 00:01.000\n<b>", b"<c>"),
}  # fmt: skip
"""Fragments that are repeated: what opens and is never closed, above all."""


_SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">'
_PARTS = b"Content-Type: multipart/mixed; boundary=b\n\n"
MADE: Mapping[str, Mapping[str, Make]] = {
    "eml": {
        "words": after(b"Subject: ", b"=?utf-8?q?a?= ", b"\n\nx"),
        "parameters": after(b"Content-Type: text/plain", b"; a=b", b"\n\nx"),
        "headers": after(b"Subject: x\n", b"A: b\n", b"\nx"),
        "people": after(b"To: ", b"a <a@b>, ", b"\n\nx"),
        "parts": after(_PARTS, b"--b\n\nx\n"),
    },
    "svg": {
        "nested": after(_SVG, b"<g opacity='.5'>"),
        "shapes": after(_SVG, b"<rect width='9' height='9'/>", b"</svg>"),
        "masks": after(_SVG + b"<mask id='m'/>", b"<rect width='9' height='9' mask='url(#m)'/>", b"</svg>"),
        "letters": after(_SVG + b"<text>", b"x ", b"</text></svg>"),
        "points": after(_SVG + b"<path d='M0 0", b"L9 9 0 9", b"'/></svg>"),
        "rules": after(_SVG + b"<style>", b".a .b{fill:red}", b"</style><g class='a'/></svg>"),
    },
    "bibtex": {"blanks for a key": after(b"@a{", b" "), "blanks for a field": after(b"@a{b,", b" ")},
    "ris": {
        "lines": after(b"TY  - BOOK\nAB  - a\n", b"b\n"),
        "numbers": after(b"TY  - BOOK\n", b"SN  - 1\n"),
        "fields": after(b"TY  - BOOK\n", b"U1  - a\n"),
    },
    "xml": {"attributes": after(b"<a ", b"a='b' ", b"/>"), "flat": after(b"<a>", b"<b>x</b>", b"</a>")},
}
"""Whole inputs, for what is to stand at a place of its own."""
