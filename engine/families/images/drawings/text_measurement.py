"""Measure text in the installed fonts, where engines can't place it."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from xml.etree.ElementTree import Element

import uharfbuzz as hb
from defusedxml.ElementTree import parse

from engine.families.images.drawings.style_attribute import styled
from engine.families.images.drawings.values import declarations
from engine.toolkit import emoji_font, emoji_sequences, own_fonts, typefaces
from engine.toolkit.font_twins import plain

_USUAL = "Liberation Serif"
_FALLBACKS = ("Liberation Sans", "DejaVu Sans", "Droid Sans Fallback", "Symbola")
_OF_EMOJI = "Noto Emoji"
_EMOJI = re.compile(emoji_sequences.SEQUENCE)
_SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
}  # fmt: skip
_File: TypeAlias = tuple[Path, int]
"""A font file and the number of its face."""
_LENGTH = re.compile(r"\s*+([+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d{1,3})?)\s*+([a-zA-Z%]*+)\s*+")
_UNITS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 96 / 101.6}
_RELATIVE = ("em", "ex", "ch", "%", "larger", "smaller")
_SHORTHAND = re.compile(r"(?<![\d.])([\d.]++(?:[a-z]+|%))(?:\s*/\s*[^\s,]+)?\s+(.+)$", re.IGNORECASE | re.DOTALL)
_BOLD = frozenset(("bold", "bolder", "600", "700", "800", "900"))


@dataclass(frozen=True)
class TextStyle:
    """The inherited properties that determine text width; lengths in user units."""

    families: tuple[str, ...] = (_USUAL,)
    size: float = 16.0
    bold: bool = False
    italic: bool = False
    letter_spacing: float = 0.0
    word_spacing: float = 0.0
    anchor: str = "start"
    vertical: bool = False
    preserved: bool = False

    def within(self, element: Element) -> TextStyle:
        """The style of an element whose parent has this one."""
        declared = {name: value for name, value in element.attrib.items() if not name.startswith("{")}
        declared |= styled(element)
        short = _SHORTHAND.search(declared.get("font", ""))
        if short:
            declared = {"font-size": short[1], "font-family": short[2], **declared}
            words = declared["font"][: short.start()].lower().split()
            declared.setdefault("font-weight", next((each for each in words if each in _BOLD), "normal"))
            declared.setdefault("font-style", "italic" if {"italic", "oblique"} & set(words) else "normal")
        size = _size(declared.get("font-size", ""), self.size)
        space = element.get("{http://www.w3.org/XML/1998/namespace}space")
        kept = declared.get("white-space", "")
        names = tuple(each.strip().strip("\"'") for each in declared.get("font-family", "").split(",") if each.strip())
        return TextStyle(
            families=names or self.families,
            size=size,
            bold=declared.get("font-weight", "").lower() in _BOLD if "font-weight" in declared else self.bold,
            italic=declared["font-style"].lower() in ("italic", "oblique") if "font-style" in declared else self.italic,
            letter_spacing=length(declared.get("letter-spacing"), size, 0.0)
            if "letter-spacing" in declared
            else self.letter_spacing,
            word_spacing=length(declared.get("word-spacing"), size, 0.0)
            if "word-spacing" in declared
            else self.word_spacing,
            anchor=declared.get("text-anchor", self.anchor),
            vertical=declared["writing-mode"].startswith(("tb", "vertical"))
            if "writing-mode" in declared
            else self.vertical,
            preserved=kept.startswith("pre") if kept else space == "preserve" if space else self.preserved,
        )


def resolve_font_sizes(root: Element) -> None:
    """Replace font size keywords by pixels, and set the initial font size (CSS Fonts 4, 2.5)."""
    for element in root.iter():
        word = (element.get("font-size") or "").strip().lower()
        if word in _SIZES:
            element.set("font-size", f"{_SIZES[word]:g}px")
        style = element.get("style") or ""
        if "font-size" in style:
            sizes = ((name, value, value.lower()) for name, value, _ in declarations(style))
            resized = (
                f"{name}:{_SIZES[word]:g}px" if name == "font-size" and word in _SIZES else f"{name}:{value}"
                for name, value, word in sizes
            )
            element.set("style", ";".join(resized))
    # The engine's initial size differs, of which this is a multiple.
    usual = TextStyle()
    own = styled(root)
    if own.get("font-size", "").lower().endswith(_RELATIVE):
        own["font-size"] = f"{usual.within(root).size:g}px"
        root.set("style", ";".join(f"{name}:{value}" for name, value in own.items()))
    elif root.get("font-size", "%").strip().lower().endswith(_RELATIVE):  # weaker than any style
        root.set("font-size", f"{_size(root.get('font-size', ''), usual.size):g}px")


def style_of(element: Element, parents: dict[Element, Element]) -> TextStyle:
    """The computed style of an element."""
    chain = [element]
    while chain[-1] in parents:
        chain.append(parents[chain[-1]])
    style = TextStyle()
    for each in reversed(chain):
        style = style.within(each)
    return style


def length(text: str | None, size: float, whole: float) -> float:
    """A length in user units; `size` is the font size, percentages refer to `whole`; 0.0 if invalid."""
    match = _LENGTH.fullmatch(text or "")
    if not match:
        return 0.0
    number, unit = float(match[1]), match[2].lower()
    if unit == "%":
        return number / 100 * whole
    if unit in ("em", "rem"):
        return number * size
    return number * (size / 2 if unit in ("ex", "ch") else _UNITS.get(unit, 0.0))


def _size(text: str, around: float) -> float:
    value = text.strip().lower()
    if value in _SIZES:
        return _SIZES[value]
    if value in ("smaller", "larger"):
        return around / 1.2 if value == "smaller" else around * 1.2
    return (length(value, around, around) or around) if value else around


def clusters(text: str) -> Iterator[str]:
    """The clusters of a text that are drawn as one: a character with its combining marks, or an emoji."""
    at = 0
    for emoji in _EMOJI.finditer(text):
        yield from _of_letters(text[at : emoji.start()])
        yield emoji[0]
        at = emoji.end()
    yield from _of_letters(text[at:])


def _of_letters(text: str) -> Iterator[str]:
    piece = ""
    for char in text:
        joins = unicodedata.category(char) in ("Mn", "Mc", "Me") or char == "\u200d" or "\ufe00" <= char <= "\ufe0f"
        after = piece[-1:] == "\u200d" or (
            piece and unicodedata.combining(piece[-1]) == 9
        )  # a virama joins two characters
        if piece and not joins and not after:
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece


def advance(cluster: str, style: TextStyle) -> float:
    """The advance width of a cluster, in user units, without letter or word spacing."""
    first = (_OF_EMOJI,) if emoji_font.is_emoji(cluster) else style.families
    for name in (*first, _USUAL, *_FALLBACKS, *_noto()):
        font = _font(_file(name, bold=style.bold, italic=style.italic))
        if font is not None and font.get_nominal_glyph(ord(cluster[0])):
            buffer = hb.Buffer()
            buffer.add_str(cluster)
            buffer.guess_segment_properties()
            hb.shape(font, buffer)
            width = sum(each.x_advance for each in buffer.glyph_positions)
            return float(width / font.face.upem * style.size)
    return style.size / 2


def heights(style: TextStyle) -> tuple[float, float, float]:
    """The ascent, descent and x-height of a font, in user units."""
    files = (_file(name, bold=style.bold, italic=style.italic) for name in (*style.families, _USUAL))
    font = next((each for each in map(_font, files) if each is not None), None)
    if font is None:
        return 0.9 * style.size, 0.2 * style.size, 0.5 * style.size
    extents = font.get_font_extents("ltr")
    small = font.get_metric_position_with_fallback(hb.OTMetricsTag.X_HEIGHT)
    once = style.size / font.face.upem
    return extents.ascender * once, -extents.descender * once, small * once


def kerning(one: str, two: str, style: TextStyle) -> float:
    """The kerning between two adjacent clusters, in user units; mostly negative."""
    for name in (*style.families, _USUAL, *_FALLBACKS, *_noto()):
        file = _file(name, bold=style.bold, italic=style.italic)
        font = _font(file)
        if font is not None and font.get_nominal_glyph(ord(one[0])):
            return _kerning(one, two, file) * style.size if font.get_nominal_glyph(ord(two[0])) else 0.0
    return 0.0


@functools.lru_cache(maxsize=8192)
def _kerning(one: str, two: str, file: _File | None) -> float:
    """The same in ems, without ligatures, which individually positioned characters don't form."""
    font = _font(file)
    assert font is not None
    widths = []
    for text in (one + two, one, two):
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(font, buffer, {"liga": False, "clig": False})
        widths.append(sum(each.x_advance for each in buffer.glyph_positions))
    return float((widths[0] - widths[1] - widths[2]) / font.face.upem)


@functools.cache
def _font(file: _File | None) -> hb.Font | None:
    return hb.Font(hb.Face(hb.Blob.from_file_path(str(file[0])), file[1])) if file else None


@functools.cache
def _file(name: str, *, bold: bool, italic: bool) -> _File | None:
    """The font file for a family: its own, or that of the fontconfig substitute."""
    files = _files()
    named = plain(name)
    stem = named if is_installed(name) else _aliases().get(named, "")
    style = ("bold" if bold else "") + ("italic" if italic else "")
    for each in (style, style.removesuffix("italic"), style.removeprefix("bold"), "regular"):
        if f"{stem}-{each}" in files:
            return files[f"{stem}-{each}"]
    return files.get(stem)


def is_installed(name: str) -> bool:
    """Whether a family of this name itself is available, rather than a substitute."""
    named = plain(name)
    return any(each.startswith(f"{named}-") or each == named for each in _files())


@functools.cache
def _files() -> dict[str, _File]:
    """The font files by family and style."""
    found = {each.stem.lower(): (each, 0) for each in sorted(own_fonts.FONTS.rglob("*.ttf"))}
    for family, faces in typefaces.by_family().items():
        for face in faces:
            style = ("bold" if face.bold else "") + ("italic" if face.italic else "")
            found.setdefault(f"{family}-{style or 'regular'}", (face.path, face.index))
    return found


@functools.cache
def _noto() -> tuple[str, ...]:
    return tuple(each.stem.partition("-")[0] for each in sorted((own_fonts.FONTS / "noto").glob("*-Regular.ttf")))


@functools.cache
def _aliases() -> dict[str, str]:
    found = {}
    for alias in parse(own_fonts.FONTS / "fonts.conf").getroot().iter("alias"):
        first, *others = (plain(each.text or "") for each in alias.iter("family"))
        found[first] = others[0]
    return found
