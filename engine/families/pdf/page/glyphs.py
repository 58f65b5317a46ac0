"""The glyphs of a page with their positions, as PDFium reports them."""

from __future__ import annotations

import ctypes
import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as raw

from engine.families.pdf.page.tagged import Tag
from engine.families.pdf.page.view import View, is_slanted
from engine.families.pdf.page_text import HYPHEN, TAKEN_BACK
from engine.families.pdf.right_to_left import is_turned_ligature
from engine.toolkit import symbols
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

_BOLD = (b"bold", b"black", b"heavy", b"cmbx")
_PLAIN = re.compile(
    rb"regular|roman|book|light|thin|normal|medium|mt$|^(arial|calibri|cambria|georgia|helvetica|times|verdana)$"
)
"""Font families whose bold faces say so in their name: the file's stem width is unreliable."""
_ITALIC = (b"ital", b"obli", b"cmti")
_MONO = (b"courier", b"mono", b"consol", b"cmtt")
_PREFIX = 7
"""The length of a subset prefix, `ABCDEF+` (ISO 32000-1, 9.6.4)."""

SLANTED = 4
"""The turn of text that is parallel to no side of the page."""

MAX_CHARACTERS = 400_000
"""The maximum characters of one page; an A0 page has 100,000 in 10 points.

380,000 in lines take 5 s as docx; 100,000 letters at random places take 25 s.
"""

_EVEN = 0.05
"""Times the text size: glyphs spaced evenly up to this gap are one word, whatever PDFium takes for a space."""

_APART = 0.25
"""Times the text size: above this gap, letter-spaced words can't be told apart."""

_SERIF = 2
"""The serif font flag (ISO 32000-1, table 123)."""


def by_address(function: Any, result: Any, *given: Any) -> Any:
    """A PDFium function with addresses as arguments: making a ctypes pointer takes longer than the call."""
    return ctypes.CFUNCTYPE(result, *given)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_object_of = by_address(raw.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_origin = by_address(
    raw.FPDFText_GetCharOrigin, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p
)


@dataclass(frozen=True, slots=True)
class Style:
    """Text style: `size` in points as seen, `colour` as rrggbb, `turn` in quarter turns clockwise or SLANTED.

    `font` is the PDF's font name, followed by ` Serif` if the PDF flags it so.
    """

    size: float
    bold: bool
    italic: bool
    mono: bool
    colour: str
    font: str
    turn: int
    underlined: bool = False


class Glyph(NamedTuple):
    """One glyph, from `x0` to `x1` on the baseline `base`, in coordinates of a line that runs to the right.

    `spaced` is whether PDFium has a space or line end before it, and `guessed` whether the PDF itself has none there.
    `order` is its index in the page's text, `tag` its place in the document structure, and `drawn` the address of the
    text object that draws it.
    """

    text: str
    x0: float
    x1: float
    base: float
    style: Style
    spaced: bool
    order: int
    tag: Tag | None = None
    guessed: bool = False
    drawn: int | None = None


def glyphs_of(text_page: pypdfium2.PdfTextPage, view: View, tags: Mapping[int, Tag]) -> list[Glyph]:
    """The glyphs of a page in content order, without white space, surrogate pairs as one.

    Raises OverLimit for more than MAX_CHARACTERS.
    """
    count = text_page.count_chars()
    if count > MAX_CHARACTERS:
        raise OverLimit(
            "limit",
            say(
                "A page in the PDF has {count} characters, and the limit is {max_characters}.",
                count=count,
                max_characters=MAX_CHARACTERS,
            ),
        )
    found = list(_glyphs(text_page.raw, count, view, tags))
    for at, (one, other) in enumerate(itertools.pairwise(found)):
        if one[1:4] == other[1:4] and is_turned_ligature(one.text, other.text):
            found[at], found[at + 1] = one._replace(text=other.text), other._replace(text=one.text)
    return found


def _glyphs(text: ctypes.Array[ctypes.c_char], count: int, view: View, tags: Mapping[int, Tag]) -> Iterator[Glyph]:
    box = raw.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    styles: dict[int | None, Style] = {}
    known: dict[Style, Style] = {}
    tagged: dict[int | None, Tag | None] = {}
    spaced, guessed, space, doubt, half = True, False, 0, 0.0, 0
    previous: Glyph | None = None
    apart = _APART
    unicode_of, loose_box = raw.FPDFText_GetUnicode, raw.FPDFText_GetLooseCharBox
    is_generated = raw.FPDFText_IsGenerated
    page = ctypes.cast(text, ctypes.c_void_p).value
    x_at, y_at = ctypes.addressof(x), ctypes.addressof(y)
    upright = view.turn == 0 and not view.mirrored
    left_edge, _, _, top_edge = view.box
    for at in range(count):
        code = unicode_of(text, at)
        if code <= 32 and code != HYPHEN:
            if code in (9, 10, 13, 32):
                made = is_generated(text, at) == 1
                doubt = apart + _EVEN if made and code == 32 and not spaced and _EVEN < apart < _APART else 0.0
                guessed = made and (guessed or not spaced)
                spaced, space = True, at
                continue
            doubt = 0.0
            if is_generated(text, at) == 1:
                continue
        if code in (0xA0, 0x3000, 0x2003, 0x2002):
            spaced, guessed = True, False
            continue
        if 0xD800 <= code < 0xDC00:
            half = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((half - 0xD800) << 10) + (code - 0xDC00) if half else 0xFFFD
            half = 0
        if code in (0xFFFE, 0xAD) or (code == HYPHEN and raw.FPDFText_IsHyphen(text, at) == 1):
            code = 45
        address = _object_of(page, at)
        style = styles.get(address)
        if style is None:
            read = _style(text, at, view)
            style = styles[address] = known.setdefault(read, read)
            if tags:
                tagged[address] = tags.get(raw.FPDFPageObj_GetMarkedContentID(raw.FPDFText_GetTextObject(text, at)))
        if not loose_box(text, at, box) or not _origin(page, at, x_at, y_at):
            continue
        if upright and style.turn == 0:  # the fast path of most glyphs: not rotated, and no second call
            x0, x1, base = box.left - left_edge, box.right - left_edge, top_edge - y.value
            if x1 < x0:
                x0, x1 = x1, x0
        else:
            x0, y0, x1, y1 = view.rectangle(box.left, box.bottom, box.right, box.top)
            across, base = view.point(x.value, y.value)
            if 0 < style.turn < SLANTED:
                x0, x1, base = _along(style.turn, (x0, y0, x1, y1), across, base)
        if x1 - x0 > 4 * style.size:  # a wrong bounding box in the font
            raw.FPDFText_GetCharBox(text, at, left, right, bottom, top)
            if not style.turn:
                x0, _, x1, _ = view.rectangle(left.value, bottom.value, right.value, top.value)
        letter = chr(code) if code < 0x110000 else "\ufffd"
        if symbols.is_private(letter):
            letter = symbols.shown(letter, style.font)
        glyph = Glyph(letter, x0, x1, base, style, spaced, at, tagged.get(address), guessed, address)
        if previous is not None and abs(base - previous.base) < _EVEN * style.size:
            gap = (x0 - previous.x1) / style.size
            if (doubt and -_EVEN < gap < doubt) or (
                glyph.spaced and abs(gap) < TAKEN_BACK and unicode_of(text, space) == 32 and space == at - 1
            ):
                glyph = glyph._replace(spaced=False)
            apart = _APART if glyph.spaced else min(gap, apart)
        else:
            apart = _APART
        yield glyph
        previous, spaced, guessed, doubt = glyph, False, False, 0.0


def _along(turn: int, box: tuple[float, float, float, float], across: float, down: float) -> tuple[float, float, float]:
    """The extent of a box and its baseline in coordinates of a line that runs to the right."""
    x0, y0, x1, y1 = box
    if turn == 1:  # turned by a quarter: right is down, down is left
        return y0, y1, -across
    if turn == 2:
        return -x1, -x0, -down
    return -y1, -y0, across


def _style(text: ctypes.Array[ctypes.c_char], at: int, view: View) -> Style:
    name = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    raw.FPDFText_GetFontInfo(text, at, name, len(name), flags)
    font = name.value
    if font[_PREFIX - 1 : _PREFIX] == b"+":
        font = font[_PREFIX:]
    low = font.lower()
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text, at, matrix)
    given = raw.FPDFText_GetFontSize(text, at)
    size = abs(given) * (math.hypot(matrix.c, matrix.d) or 1)
    size = min(max(round(size * 2) / 2, 0.5), 2_000) if math.isfinite(size) else 1.0
    # Text of a negative size is upside down and runs to the left of its matrix (ISO 32000-1, 9.4.4).
    ahead = (-matrix.a, -matrix.b) if given < 0 else (matrix.a, matrix.b)
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    drawn = raw.FPDFText_GetFillColor(text, at, red, green, blue, alpha)
    # The standard fonts only have a name, not a weight.
    return Style(
        size=size,
        bold=any(word in low for word in _BOLD)
        or (raw.FPDFText_GetFontWeight(text, at) >= 600 and _PLAIN.search(low) is None),
        italic=any(word in low for word in _ITALIC) or bool(flags.value & 64),
        mono=any(word in low for word in _MONO),
        colour=f"{red.value:02x}{green.value:02x}{blue.value:02x}" if drawn else "000000",
        font=font.decode("latin-1") + " Serif" * bool(flags.value & _SERIF),
        turn=SLANTED if is_slanted(*ahead) else view.angle(*ahead),
    )
