"""Open a font, subset it and write it in another format."""

from __future__ import annotations

import logging
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import brotli
from fontTools import subset
from fontTools.misc.psCharStrings import CharStringCompileError
from fontTools.ttLib import TTFont, TTLibError
from fontTools.ttLib.tables.otBase import OTLOffsetOverflowError
from fontTools.varLib import instancer

from engine.families.fonts import estimate, glyph_counts, outlines, sizes, subroutines
from engine.toolkit.cpu_limit import CpuTimeUsedUp, cpu_limit
from engine.toolkit.failures import ConversionError, InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import OTF, TTF, WOFF, WOFF2, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_MARKS = (b"\0\1\0\0", b"OTTO", b"true", b"wOFF", b"wOF2")
_LEAST_SECONDS, _SECONDS_PER_MB = 5.0, 1.0
_FLAVOURS = {TTF: None, OTF: None, WOFF: "woff", WOFF2: "woff2"}
_HINTS = ("cvt ", "fpgm", "prep", "hdmx", "VDMX", "LTSH", "cvar")
_RANGE = re.compile(r"(?:U\+)?([0-9A-Fa-f]+)(?:-(?:U\+)?([0-9A-Fa-f]+))?")
_LAST = 0x10FFFF

_BROKEN = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, NotImplementedError, TypeError, ValueError,
    struct.error, zlib.error, brotli.error, CharStringCompileError, OTLOffsetOverflowError,
)  # fmt: skip
"""What fontTools raises for malformed tables."""

logging.getLogger("fontTools").setLevel(logging.CRITICAL)


def convert(source: Path, target: Path, output: Format, options: Any, warn: Warn) -> None:
    """Write `source` as `output`.

    Raises Unreadable for a damaged file or one that is not a font, InvalidOption for axes or characters the font lacks,
    and OverLimit for one that would take too long.
    """
    with opened(source) as font:
        if not (options.subset or options.ranges):
            estimate.must_fit(source, output)
        fixed(font, source, options.axes)
        if options.subset or options.ranges:
            with _in_time(source):
                _cut(font, options, warn)
        elif options.hinting == "drop":
            _unhint(font)
        if output is TTF and "glyf" not in font:
            outlines.to_quadratic(font, warn)
        elif output is OTF and "glyf" in font:
            outlines.to_cubic(font, warn)
        font.flavor = _FLAVOURS[output]
        font.flavorData = None
        font.save(str(target), reorderTables=output in (TTF, OTF) or None)
        warn.detect(glyphs=len(font.getGlyphOrder()))


@contextmanager
def opened(source: Path) -> Iterator[Any]:
    """Open a font; errors of the library become Unreadable. Raises OverLimit for one that would take too long."""
    with source.open("rb") as file:
        head = file.read(4)
    if head == b"ttcf":
        raise Unreadable(
            "The file is a font collection. Extract one font and convert it.", reason="unsupported_feature"
        )
    if head not in _MARKS:
        raise Unreadable("The file is not a font.", reason="format")
    try:
        sizes.check(source)
        # A modification time would make the output differ every second.
        with TTFont(str(source), recalcTimestamp=False) as font:
            glyph_counts.check(font)
            if "cmap" not in font or not font.getBestCmap():
                raise Unreadable("The font has no characters.", reason="empty")
            subroutines.check(font)
            yield font
    except (ConversionError, MemoryError, RecursionError):
        raise
    except OSError as error:
        if error.errno is not None:
            raise
        raise _damaged() from error
    except (TTLibError, *_BROKEN) as error:
        raise _damaged() from error


@contextmanager
def _in_time(source: Path) -> Iterator[None]:
    """Stop work on tables that may refer to the same parts any number of times.

    The largest font beside this module, of 3.5 MB, takes 3 s of its eight."""
    try:
        with cpu_limit(_LEAST_SECONDS + _SECONDS_PER_MB * sizes.unpacked(source) / 1e6):
            yield
    except CpuTimeUsedUp:
        raise OverLimit("timeout", "The font is too complex to convert in time.") from None


def _damaged() -> Unreadable:
    return Unreadable("The font is damaged: one of its tables can't be read.", reason="damaged")


def fixed(font: Any, source: Path, axes: str | None) -> None:
    """Fix the named axes, such as `wght=700`. Raises InvalidOption for axes the font lacks."""
    if axes is None:
        return
    if "fvar" not in font:
        raise InvalidOption("axes", "The font is not variable: it has no axes.")
    known = {each.axisTag: (each.minValue, each.maxValue) for each in font["fvar"].axes}
    places: dict[str, float] = {}
    for each in axes.split(","):
        name, _, value = each.rpartition("=")
        name = next((tag for tag in known if tag.strip() == name.strip()), name)
        if name not in known:
            raise InvalidOption(
                "axes", say("The font has no axis {name}; it has {known}.", name=name.strip(), known=", ".join(known))
            )
        low, high = known[name]
        places[name] = float(value)
        if not low <= places[name] <= high:
            raise InvalidOption(
                "axes", say("The axis {name} goes from {low} to {high}.", name=name, low=f"{low:g}", high=f"{high:g}")
            )
    with _in_time(source):
        instancer.instantiateVariableFont(font, places, inplace=True)


def _cut(font: Any, options: Any, warn: Warn) -> None:
    wanted = set(map(ord, options.subset or ""))
    lost = [chr(each) for each in sorted(wanted - set(font.getBestCmap())) if not chr(each).isspace()]
    warn.tally(Kind("GLYPH_MISSING", "The font has no glyph for some characters: {count}{places}."), len(lost), lost)
    for each in (options.ranges or "").split(","):
        found = _RANGE.match(each.strip())
        if found:
            first, last = int(found[1], 16), int(found[2] or found[1], 16)
            if first > last or last > _LAST:
                raise InvalidOption("ranges", say("{each} is not a range of characters.", each=each.strip()))
            wanted |= set(range(first, last + 1))
    if not wanted & set(font.getBestCmap()):
        name = "ranges" if options.ranges else "subset"
        raise InvalidOption(name, "The font has none of these characters.")
    settings = subset.Options()
    settings.hinting = options.hinting == "keep"
    settings.layout_features = ["*"]
    settings.name_IDs = ["*"]
    settings.notdef_outline = True
    subsetter = subset.Subsetter(settings)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)


def _unhint(font: Any) -> None:
    for each in _HINTS:
        if each in font:
            del font[each]
    if "glyf" in font:
        for name in font.getGlyphOrder():
            glyph = font["glyf"][name]
            glyph.removeHinting()
    elif "CFF " in font:
        font["CFF "].cff.remove_hints()
