"""Report missing fonts and the ones that replace them."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Mapping

import uharfbuzz
from lxml import etree

from engine.toolkit import font_twins, own_fonts, typefaces
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
_MAPPED = ("symbol",)
"""Fonts whose characters are written as others."""
_USUAL = "Liberation Serif"  # PlutoPrint's default if no family of a list is found


def report(
    values: Iterable[tuple[str, str]], sheets: Iterable[str], warn: Warn, *, characters: Collection[str] = ()
) -> None:
    """Warn of each missing family that is first in a list; `values` are values of `font` and `font-family`.

    The one that replaces it is named if it has all `characters` of the page: others are set in other fonts.
    """
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
        _warn(first, other if _has_all(other, characters) else "", warn)


def report_unlike(fonts: Mapping[str, Collection[str]], warn: Warn) -> None:
    """Warn of each font of a document that is replaced by a bundled font of different widths, which changes line
    breaks, and once of all that are replaced by fonts of the same widths.

    `fonts` are given with the characters set in them. Fonts without a bundled substitute are reported by `report`.
    """
    replaced = {
        each: other
        for each in fonts
        if (other := _installed().get(_plain(each), "")) and _plain(each) not in (_plain(other), *_MAPPED)
    }
    font_twins.report((each for each in replaced if font_twins.twin(each)), warn)
    for font, other in replaced.items():
        if not font_twins.twin(font):
            _warn(font, other if _has_any(other, fonts[font]) else "", warn)


def _warn(font: str, other: str, warn: Warn) -> None:
    """Warn of a font that is replaced, by `other` if that is known."""
    if other:
        message = say("The font “{first}” is not installed and was replaced by {other}.", first=font[:60], other=other)
    else:
        message = say("The font “{name}” is not installed and was replaced.", name=font[:60])
    warn("FONT_SUBSTITUTED", message)


def report_absent(fonts: Iterable[str], warn: Warn) -> None:
    """Warn of each font of a document that is not installed."""
    for font in fonts:
        if not _there(font, set()):
            _warn(font, "", warn)


def _there(family: str, own: set[str]) -> bool:
    return _plain(family) in own or _plain(family) in _installed()


def _plain(family: str) -> str:
    return font_twins.plain(family.replace("!important", ""))


def _has_any(family: str, characters: Collection[str]) -> bool:
    """Whether a font that is here has a letter of these, or any of the characters if none is a letter."""
    letters = [each for each in characters if each.isalpha()] or [each for each in characters if _is_seen(each)]
    covered = _covered(_plain(family))
    return covered is None or not letters or any(ord(each) in covered for each in letters)


def _has_all(family: str, characters: Collection[str]) -> bool:
    """Whether a font that is here has all of these characters."""
    covered = _covered(_plain(family))
    return covered is None or all(ord(each) in covered for each in characters if _is_seen(each))


def _is_seen(character: str) -> bool:
    return character.isprintable() and not character.isspace()


@functools.cache
def _covered(family: str) -> uharfbuzz.Set | None:
    """The characters of a font by the plain name of its family; None if it is in the page or the file is unknown."""
    own = typefaces.by_family().get(family)
    if own:
        return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(own[0].path)), own[0].index).unicodes
    files = (each for each in sorted(own_fonts.FONTS.rglob("*.ttf")) if each.stem.partition("-")[0].lower() == family)
    path = next((each for each in files if each.stem.partition("-")[2] in ("", "Regular")), None)
    return None if path is None else uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path))).unicodes


@functools.cache
def _installed() -> dict[str, str]:
    """The families in fonts.conf and in the font files, each with its font; the operator's precede the substitutes."""
    stems = {each.stem.partition("-")[0] for each in own_fonts.FONTS.rglob("*.ttf")}
    found = {_plain(each): each for each in stems}
    for alias in etree.parse(str(own_fonts.FONTS / "fonts.conf")).iter("alias"):
        names = [str(each.text) for each in alias.iter("family")]
        found.setdefault(_plain(names[0]), names[1])
        found.update({_plain(each): each for each in names[1:]})
    found.update({name: faces[0].families[0] for name, faces in typefaces.by_family().items()})
    return found
