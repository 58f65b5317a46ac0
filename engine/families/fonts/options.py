"""Options of font conversions: characters, axes of variable fonts and hints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option

_RANGE = r"(U\+)?[0-9A-Fa-f]{1,6}(-(U\+)?[0-9A-Fa-f]{1,6})?"


@dataclass(frozen=True)
class Axes:
    """The axis values at which a variable font is fixed."""

    axes: str | None = option(
        None,
        "Axes of a variable font to fix, such as wght=700,wdth=100. Other axes stay variable.",
        max_length=200,
        pattern=r"[A-Za-z0-9 ]{4} ?= ?-?\d{1,5}(\.\d{1,4})?( ?, ?[A-Za-z0-9 ]{4} ?= ?-?\d{1,5}(\.\d{1,4})?){0,15}",
        selects=frozenset({"axes", "layout"}),
    )


@dataclass(frozen=True)
class Cut(Axes):
    """The characters and features to keep."""

    subset: str | None = option(
        None,
        "Text with the characters to keep. All are kept if neither this nor ranges is given.",
        min_length=1,
        max_length=5_000,
        multiline=True,
        selects=EVERYTHING,
    )
    ranges: str | None = option(
        None,
        "Ranges of characters to keep, such as U+0020-007E,U+20AC.",
        max_length=1_000,
        pattern=rf"{_RANGE}( ?, ?{_RANGE}){{0,99}}",
        selects=EVERYTHING,
    )
    hinting: Literal["keep", "drop"] = option(
        "keep",
        "Keep or remove hinting, which sharpens small text on low-resolution screens. Files are smaller without it.",
        choices={
            "keep": "Keep it: Small text stays sharp on low-resolution screens.",
            "drop": "Leave it out: Smaller; current screens don't need it.",
        },
    )


@dataclass(frozen=True)
class Specimen(Axes):
    """The content of a specimen."""

    text: str | None = option(
        None,
        "Text to show; by default a sentence and the alphabet, where the font has the characters.",
        min_length=1,
        max_length=500,
    )
