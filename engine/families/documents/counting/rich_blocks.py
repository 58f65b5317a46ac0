"""Read the look of the paragraphs of an RTF document (RTF 1.9.1, Paragraph Formatting Properties)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.families.documents.counting import blocks
from engine.families.documents.counting.blocks import LISTED, MIRRORED
from engine.families.documents.counting.lettering import Look
from engine.toolkit.census import Census

_ALIGNED = {b"ql": False, b"qc": True, b"qr": True, b"qj": True, b"qd": True}
_WIDTHS = {
    b"li": "indented left", b"lin": "indented left", b"ri": "indented right", b"rin": "indented right",
    b"fi": "indented first", b"sb": "spaced before", b"sa": "spaced after",
}  # fmt: skip
_LINES = {b"brdrt": "top", b"brdrb": "bottom", b"brdrl": "left", b"brdrr": "right"}
_OTHER_LINES = (b"brdrt", b"brdrb", b"brdrl", b"brdrr", b"brdrbtw", b"brdrbar", b"chbrdr")
"""The ends of words for lines of cells, rows, pages and letters, and between paragraphs."""
_WIDTHS_OF_LINES = frozenset({b"brdrw", b"brdrcf", b"brdrsh", b"brdrframe"})
_NO_LINES = frozenset({b"brdrnone", b"brdrnil", b"brdrtbl"})
_LISTS = frozenset({b"ls", b"pnlvlbody", b"pnlvlblt", b"pnlvl"})
_SINGLE = b"240"
_ITEM = re.compile(r"\s*(?:[•·▪‣◦–-]|\w{1,4}[.)])\s")
"""The start of an item whose mark or number is a part of the text."""
_WHITE = (255, 255, 255)

Colours = Sequence[tuple[int, int, int] | None]


class Blocks:
    """The text and the look of the paragraph at hand; that of notes is left out."""

    def __init__(self, census: Census) -> None:
        self._census = census
        self._texts: list[str] = []

    def text(self, text: str) -> None:
        self._texts.append(text)

    def end(self, look: Look) -> None:
        """Count the paragraph, and begin the next."""
        text = "".join(self._texts)
        is_item = look.get("indented first") and _ITEM.match(text)
        blocks.add(self._census, text, {**look, LISTED: True} if is_item else look)
        self._texts.clear()


def turned(look: dict[str, bool], word: bytes, number: bytes | None, colours: Colours) -> dict[str, bool]:
    """The look after a control word."""
    if word == b"pard":
        return {}
    if word in _ALIGNED:
        return {**look, "aligned": _ALIGNED[word]}
    if word in _WIDTHS:
        return {**look, _WIDTHS[word]: (number or b"0") not in (b"0", b"-0")}
    if word in (b"sbauto", b"saauto"):
        return look if number == b"0" else {**look, f"spaced {'before' if word == b'sbauto' else 'after'}": True}
    if word == b"sl":
        return {**look, "spaced line": (number or b"0") not in (b"0", _SINGLE)}
    if word in (b"rtlpar", b"ltrpar"):
        return {**look, MIRRORED: word == b"rtlpar"}
    if word == b"keepn":
        return {**look, "joined": number != b"0"}
    if word in _LISTS:
        return {**look, LISTED: number != b"0"}
    if word == b"cbpat":
        colour = colours[int(number)] if number and 0 <= int(number) < len(colours) else None
        return {**look, "shaded": colour not in (None, _WHITE)}
    if word in _LINES:
        return {**_elsewhere(look), f"at {_LINES[word]}": True}
    if word == b"box":
        return {**look, **{f"at {side}": True for side in _LINES.values()}}
    if word.endswith(_OTHER_LINES):
        return _elsewhere(look)
    if word.startswith(b"brdr") and word not in _WIDTHS_OF_LINES:
        return look | {f"bordered {each[3:]}": word not in _NO_LINES for each in look if each.startswith("at ")}
    return look


def _elsewhere(look: dict[str, bool]) -> dict[str, bool]:
    """The look where the words for lines that follow are not those of the side named last."""
    return {name: on for name, on in look.items() if not name.startswith("at ")}
