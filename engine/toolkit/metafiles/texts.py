"""The texts of metafiles as SVG, with the letters of symbol fonts as Unicode."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from html import escape

from metafile_render.commands import DrawTextCommand
from metafile_render.primitives import Matrix

from engine.toolkit import symbols

_SYMBOL_CHARSET = 2
_ASCENT, _DESCENT = 0.905, 0.212
"""Of Arial and its likes, in ems: texts are placed by their tops or bottoms."""
_EXTRA = dict(zip("KLMNOhlm", "…⋯⋮⋰⋱ℏℓ∓", strict=True))
"""Letters of MT Extra, a font of equations, whose other pictures become bullets."""
_PLAIN_FACE = "Times New Roman"
_LEAST = 0.1
"""Pixels: smaller fonts are not drawn by all that draw SVG."""


def svg(command: DrawTextCommand, matrix: Matrix, number: Callable[[float], str], counted: Counter[str]) -> str:
    """A text as one element, each letter where the file puts it."""
    font = command.font
    text, face = _unicode(command.text, font.face_name, font.charset, counted)
    text = "".join(each if each >= " " and not "\ud800" <= each <= "\udfff" else " " for each in text)
    counted["character"] += text.count("\ufffd")
    scale = abs(matrix.d) or 1.0
    size = command.font_height * scale
    if font.height > 0:  # the height of a line, not of an em
        size /= _ASCENT + _DESCENT
    elif font.height == 0:
        size = 12.0
    size = max(size, _LEAST)
    left, baseline = matrix.transform_point(command.origin)
    baseline += {"top": _ASCENT * size, "bottom": -_DESCENT * size, "baseline": 0.0}[command.alignment.vertical]
    places = [
        math.hypot((x - command.origin[0]) * matrix.a, (y - command.origin[1]) * matrix.d) for x, y in command.positions
    ]
    end = command.advance_end
    wide = 0.0 if end is None else math.hypot(
        (end[0] - command.origin[0]) * matrix.a, (end[1] - command.origin[1]) * matrix.d
    )  # fmt: skip
    anchor = command.alignment.horizontal
    if len(places) == len(text) and any(places) and not _joined(text):
        start = left - {"left": 0.0, "center": wide / 2, "right": wide}[anchor]
        across, anchor = _letters(text, [start + each for each in places], number), "left"
    else:
        start, across = left, f'<text x="{number(left)}" BASE>{escape(text, quote=False)}</text>'
    styles = [
        f'y="{number(baseline)}" font-family="{escape(face)}" font-size="{number(size)}" fill="{command.color.svg()}"'
    ]
    styles += [f'fill-opacity="{command.color.alpha / 255:.3g}"'] if command.color.alpha < 255 else []
    styles += [f'font-weight="{min(font.weight, 900)}"'] if font.weight >= 500 else []
    styles += ['font-style="italic"'] if font.italic else []
    lines = [each for each, on in (("underline", font.underline), ("line-through", font.strikeout)) if on]
    styles += [f'text-decoration="{" ".join(lines)}"'] if lines else []
    styles += [f'text-anchor="{"middle" if anchor == "center" else "end"}"'] if anchor != "left" else []
    x, y = matrix.transform_point(command.origin)
    if abs(command.rotation) > 1e-3:
        styles.append(f'transform="rotate({command.rotation:.4g} {number(x)} {number(y)})"')
    markup = across.replace("BASE", " ".join(styles), 1)
    return _ground(command, matrix, number, (start, baseline - _ASCENT * size, wide, size * 1.117)) + markup


def _letters(text: str, places: list[float], number: Callable[[float], str]) -> str:
    """A text element whose letters have places; trailing blanks are left out."""
    text = text.rstrip()
    across = " ".join(number(each) for each in places[: len(text)])
    return f'<text x="{across}" BASE xml:space="preserve">{escape(text, quote=False)}</text>'


def _joined(text: str) -> bool:
    """Whether letters change by their neighbours, as those of Arabic and Indic scripts, so that they stay together."""
    return any("\u0590" <= each <= "\u08ff" or "\u0900" <= each <= "\u0dff" for each in text)


def _ground(
    command: DrawTextCommand, matrix: Matrix, number: Callable[[float], str], box: tuple[float, float, float, float]
) -> str:
    """The filled rectangle behind an opaque text, where the file says how large it is."""
    if not command.opaque or command.background_color.alpha == 0:
        return ""
    area = command.bounds
    if area is not None and area.width and area.height:
        left, top = matrix.transform_point((area.left, area.top))
        right, bottom = matrix.transform_point((area.right, area.bottom))
        box = (min(left, right), min(top, bottom), abs(right - left), abs(bottom - top))
    elif abs(command.rotation) > 1e-3 or box[2] <= 0:
        return ""
    x, y, width, height = map(number, box)
    fill = command.background_color.svg()
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>'


def _unicode(text: str, face: str, charset: int, counted: Counter[str]) -> tuple[str, str]:
    """A text in characters that any font has, and the font to set it in."""
    name = face.lower()
    if name.startswith("mt extra"):
        letters = [_EXTRA.get(each if each < "\uf000" else chr(ord(each) - 0xF000)) for each in text]
        counted["symbol"] += sum(each is None for each in letters)
        return "".join(each or "•" for each in letters), _PLAIN_FACE
    private = any("\uf000" <= each <= "\uf0ff" for each in text)
    if not (private or symbols.is_symbolic(face) or charset == _SYMBOL_CHARSET):
        return text, face
    known = symbols.is_symbolic(face)
    font = face if known else "Symbol"
    codes = "".join(each if ord(each) <= 0xFF or each >= "\uf000" else _byte(each) for each in text)
    counted["symbol"] += symbols.lost(codes, font)
    return symbols.shown(codes, font), _PLAIN_FACE


def _byte(letter: str) -> str:
    """The letter with the number that a character of Windows-1252 has there."""
    raw = letter.encode("cp1252", "ignore")
    return chr(raw[0]) if raw else letter
