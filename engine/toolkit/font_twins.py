"""Bundled fonts whose letters are as wide as those of another one: lines break where they do in that font."""

from __future__ import annotations

from collections.abc import Iterable

from engine.toolkit.messages import say
from engine.toolkit.own_fonts import FONTS
from engine.toolkit.warnings import Warn


def plain(family: str) -> str:
    """A family name for comparison: without spaces and quotes, in lower case."""
    return "".join(family.split()).replace('"', "").replace("'", "").lower()


_WIDTHS_OF = {
    "Liberation Sans": ("Arial", "Helvetica", "Arimo"),
    "Liberation Serif": ("Times", "Times New Roman", "Tinos"),
    "Liberation Mono": ("Courier", "Courier New", "Cousine"),
    "Carlito": ("Calibri",),
    "Caladea": ("Cambria", "Cambria Math"),
}
_TWINS = {plain(each): twin for twin, others in _WIDTHS_OF.items() for each in others}
_NAMES = {plain(each): each for each in _WIDTHS_OF}
_ALMOST = {"calibrilight": "Carlito"}
"""Fonts that a bundled one is drawn for and is not quite as wide as: by a hundredth."""

_LINES = {"Liberation Mono": 1.133, "Carlito": 1.2207, "Caladea": 1.1724}
_LINE = 1.149


def twin(family: str) -> str:
    """The bundled font that is as wide as a family; empty if there is none."""
    return _TWINS.get(plain(family), "")


def stand_in(family: str) -> str:
    """The bundled font of these that is drawn for a family, itself among them; empty for other families."""
    name = plain(family)
    return _TWINS.get(name) or _ALMOST.get(name) or _NAMES.get(name, "")


def line_height(family: str) -> float:
    """The natural height of a line in font sizes: of Calibri and Cambria in Carlito and Caladea, which has less itself.

    It is the sum of ascent, descent and line gap in `hhea`; other families get that of Arial and Times New Roman.
    """
    return _LINES.get(stand_in(family), _LINE)


def file(family: str, *, bold: bool, italic: bool) -> str:
    """The path of the file with a style of one of these bundled fonts."""
    style = "Bold" * bold + "Italic" * italic or "Regular"
    return str(FONTS / family.partition(" ")[0].lower() / f"{family.replace(' ', '')}-{style}.ttf")


def report(families: Iterable[str], warn: Warn) -> None:
    """Warn once of all families of a document that are set in a font of the same widths."""
    met = {plain(each): each for each in families}
    if met:
        names = ", ".join(f"“{each[:60]}”" for each in sorted(met.values()))
        message = say("Fonts that are not installed were replaced by others of the same widths: {names}.", names=names)
        warn("FONT_SUBSTITUTED", message)
