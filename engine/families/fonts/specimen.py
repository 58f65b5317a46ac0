"""Draw a specimen of a font in several sizes, as a page or picture."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen

from engine.families.fonts import colours, outlines
from engine.families.fonts.exchange import fixed, opened
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import PDF, Format
from engine.toolkit.warnings import Kind, Warn

_LINES = (
    ("The quick brown fox jumps over the lazy dog.", (12, 18, 24, 36, 48)),
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", (30,)),
    ("abcdefghijklmnopqrstuvwxyz", (30,)),
    ("0123456789 .,;:!?&@#%()[]{}/", (30,)),
)
_SIZES = (18, 36, 72)
_WIDTH, _MARGIN = 794, 48
"""An A4 sheet in CSS pixels."""
_MOST_GLYPHS = 4_000


def write(source: Path, target: Path, output: Format, options: Any, warn: Warn) -> None:
    """Draw the specimen. Raises Unreadable as `opened` does, and OverLimit for a font that takes too long to draw."""
    with opened(source) as font:
        outlines.check_parts(font)
        fixed(font, source, options.axes)
        if output is PDF:
            svg, size = _drawing(font, options.text, warn)
        else:
            _picture(font, target, options.text, warn)
            return
    from engine.families.html_pdf.render import draw

    draw(svg, size, target, warn)


def _lines(font: Any, text: str | None, warn: Warn) -> list[tuple[str, int]]:
    known = font.getBestCmap()
    if text is not None:
        lost = sorted({each for each in text if ord(each) not in known and not each.isspace()})
        warn.tally(
            Kind("GLYPH_MISSING", "The font has no glyph for some characters: {count}{places}."), len(lost), lost
        )
        return [(" ".join(text.split()), size) for size in _SIZES]
    wanted = [(line, size) for line, sizes in _LINES for size in sizes]
    if sum(ord(each) in known for each, _ in wanted for each in each) < 26:
        some = "".join(map(chr, [each for each in sorted(known) if each > 32][:120]))
        wanted = [(some[at : at + 24], 30) for at in range(0, len(some), 24)]
    return wanted


def _name(font: Any) -> str:
    try:
        name = font["name"].getDebugName(4) or font["name"].getDebugName(1)
    except (KeyError, AttributeError):
        name = None
    return name or "Font"


def _wrapped(font: Any, text: str | None, warn: Warn) -> list[tuple[list[str], int]]:
    """Lines of glyph names with their font size, none wider than the sheet."""
    glyphs, known = font.getGlyphSet(), font.getBestCmap()
    units = max(16, font["head"].unitsPerEm)
    lines: list[tuple[list[str], int]] = []
    for line, size in _lines(font, text, warn):
        room = (_WIDTH - 2 * _MARGIN) * units / size
        names: list[str] = []
        used = 0.0
        for each in line:
            name = known.get(ord(each), ".notdef")
            width = glyphs[name].width if name in glyphs else units / 2
            if names and used + width > room:
                lines.append((names, size))
                names, used = [], 0.0
            names.append(name)
            used += width
        lines.append((names, size))
    return lines[:80]


def _drawing(font: Any, text: str | None, warn: Warn) -> tuple[bytes, tuple[float, float]]:
    glyphs, units = font.getGlyphSet(), max(16, font["head"].unitsPerEm)
    paths: dict[str, str] = {}
    parts, top = [], float(_MARGIN)
    drawn = 0
    lines = _wrapped(font, text, warn)
    colours.report(font, (name for names, _ in lines for name in names), warn, layers=False)
    for names, size in lines:
        top += size * 1.4
        at, scale = float(_MARGIN), size / units
        for name in names:
            if name not in glyphs or drawn >= _MOST_GLYPHS:
                continue
            drawn += 1
            if name not in paths:
                pen = SVGPathPen(glyphs)
                glyphs[name].draw(pen)
                paths[name] = pen.getCommands()[:200_000]
            if paths[name]:
                place = f"translate({at:.2f} {top:.2f}) scale({scale:.6f} {-scale:.6f})"
                parts.append(f'<path transform="{place}" d="{paths[name]}"/>')
            at += glyphs[name].width * scale
    height = top + _MARGIN
    title = escape(_name(font))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height:.0f}" '
        f'viewBox="0 0 {_WIDTH} {height:.0f}"><title>{title}</title>{"".join(parts)}</svg>'
    )
    return svg.encode(), (_WIDTH, round(height))


def _picture(font: Any, target: Path, text: str | None, warn: Warn) -> None:
    from PIL import Image, ImageDraw, ImageFont

    lines = _wrapped(font, text, warn)
    layers = colours.has_layers(font)
    colours.report(font, (name for names, _ in lines for name in names), warn, layers=layers)
    reverse = {name: chr(code) for code, name in sorted(font.getBestCmap().items(), reverse=True)}
    colours.by_outlines(font)
    font.flavor = None
    plain = target.with_name("plain.ttf")
    font.save(str(plain))
    height = round(2 * _MARGIN + sum(size * 1.4 for _, size in lines))
    image = Image.new("RGB" if layers else "L", (_WIDTH, height), "white")
    canvas, top = ImageDraw.Draw(image), float(_MARGIN)
    try:
        faces = {size: ImageFont.truetype(str(plain), size, layout_engine=ImageFont.Layout.BASIC) for _, size in lines}
        for names, size in lines:
            top += size * 1.4
            shown = "".join(reverse.get(each, "\ufffd") for each in names)
            canvas.text((_MARGIN, top), shown, fill="black", font=faces[size], anchor="ls", embedded_color=layers)
    except OSError as error:
        if error.errno is not None:
            raise
        raise Unreadable("The font can't be shown: it is damaged.", reason="damaged") from error
    image.save(target, "PNG")
