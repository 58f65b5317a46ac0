"""Report missing fonts and the ones that replace them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from lxml import etree

from engine.toolkit import own_fonts, typefaces
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_FACE = re.compile(r"@font-face\s*\{[^{}]*?font-family\s*:\s*([^;}]*)", re.IGNORECASE)
_SIZE = r"(?:(?<![\d.])[\d.]++(?:[a-z]++|%)|(?:xx?-)?(?:small|large)|medium|smaller|larger)"
_SHORT = re.compile(
    rf"{_SIZE}(?:\s*+/\s*+[^\s,]++)?\s+(.+)$|{_SIZE}/\s*+[^\s,]*+",
    re.IGNORECASE | re.DOTALL,
)
"""What follows the size in a value of `font`; or a size without a font."""
_WORDS = frozenset(("inherit", "initial", "unset", "revert", "revert-layer", "none", "default", "-webkit-body"))
_AS_WIDE = frozenset(("arial", "helvetica", "arimo", "times", "timesnewroman", "tinos", "courier", "couriernew",
                      "cousine", "symbol"))  # fmt: skip
"""Fonts with bundled substitutes of equal width, and one whose characters are mapped."""
_USUAL = "Liberation Serif"  # PlutoPrint's default if no family of a list is found


def report(values: Iterable[tuple[str, str]], sheets: Iterable[str], warn: Warn) -> None:
    """Warn of each missing family that is first in a list; `values` are values of `font` and `font-family`."""
    own = {_plain(name) for sheet in sheets for name in _FACE.findall(sheet)}
    reported: set[str] = set()
    for name, value in values:
        found = value if name == "font-family" else next(filter(None, _SHORT.findall(value)), "")
        if not found or "var(" in found:
            continue
        families = [each.strip().strip("\"'") for each in found.replace("!important", "").split(",")]
        first = families[0]
        if not first or first.lower() in _WORDS or first in reported or _there(first, own):
            continue
        reported.add(first)
        taken = next((each for each in families[1:] if _there(each, own)), "")
        other = taken if _plain(taken) in own else _installed().get(_plain(taken), _USUAL)
        warn(
            "FONT_SUBSTITUTED",
            say("The font “{first}” is not installed and was replaced by {other}.", first=first[:60], other=other),
        )


def report_unlike(fonts: Iterable[str], warn: Warn) -> None:
    """Warn of each font of a document that is replaced by a bundled font of different widths, which changes line
    breaks.

    Fonts without a bundled substitute are reported by `report`.
    """
    for font in fonts:
        other = _installed().get(_plain(font), "")
        if other and _plain(font) not in _AS_WIDE and _plain(font) != _plain(other):
            warn(
                "FONT_SUBSTITUTED",
                say("The font “{first}” is not installed and was replaced by {other}.", first=font[:60], other=other),
            )


def report_absent(fonts: Iterable[str], warn: Warn) -> None:
    """Warn of each font of a document that is not installed."""
    for font in fonts:
        if not _there(font, set()):
            warn("FONT_SUBSTITUTED", say("The font “{name}” is not installed and was replaced.", name=font[:60]))


def _there(family: str, own: set[str]) -> bool:
    return _plain(family) in own or _plain(family) in _installed()


def _plain(family: str) -> str:
    return typefaces.plain(family.replace("!important", ""))


@functools.cache
def _installed() -> dict[str, str]:
    """The families in fonts.conf and in the font files, each with its font; the operator's precede the substitutes."""
    stems = {each.stem.partition("-")[0] for each in own_fonts.FONTS.rglob("*.ttf")}
    found = {_plain(each): each for each in stems}
    for alias in etree.parse(str(own_fonts.FONTS / "fonts.conf")).iter("alias"):
        names = [str(each.text) for each in alias.iter("family")]
        found[_plain(names[0])] = names[1]
        found.update({_plain(each): each for each in names[1:]})
    found.update({name: faces[0].families[0] for name, faces in typefaces.by_family().items()})
    return found
