"""Paper size and margins in points, from the options."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say

PT = {"mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0, "pt": 1.0, "px": 0.75, "pc": 12.0, "q": 18 / 25.4}
SMALLEST, LARGEST = 10 * PT["mm"], 14_400.0  # ISO 32000-1, annex C: a page is at most 14,400 units wide
LEAST_TEXT = 10 * PT["mm"]
DEFAULT_MARGIN = 15 * PT["mm"]

_LENGTH = re.compile(r"(\d+(?:\.\d+)?) ?(mm|cm|in|pt|px)?")
_MM = {
    "a0": (841, 1189), "a1": (594, 841), "a2": (420, 594), "a3": (297, 420), "a4": (210, 297), "a5": (148, 210),
    "a6": (105, 148), "b4": (250, 353), "b5": (176, 250), "jis-b4": (257, 364), "jis-b5": (182, 257),
}  # fmt: skip
NAMED: dict[str, tuple[float, float]] = {
    **{name: (width * PT["mm"], height * PT["mm"]) for name, (width, height) in _MM.items()},
    "letter": (612, 792), "legal": (612, 1008), "tabloid": (792, 1224), "ledger": (1224, 792),
}  # fmt: skip
"""The width and height of named sizes (ISO 216, JIS P 0138, ANSI/ASME Y14.1) in points."""


@dataclass(frozen=True)
class Margins:
    """The page margins in points."""

    top: float
    right: float
    bottom: float
    left: float

    @property
    def around(self) -> tuple[float, float, float, float]:
        return self.top, self.right, self.bottom, self.left


def paper(text: str) -> tuple[float, float]:
    """The width and height in points of a named size or a text such as `210mm x 297mm`. Raises InvalidOption."""
    text = text.strip().lower()
    if text in NAMED:
        return NAMED[text]
    sides = [_LENGTH.fullmatch(side.strip()) for side in re.split("[x×]", text)]
    if len(sides) != 2 or not sides[0] or not sides[1] or not sides[1][2]:
        raise InvalidOption(
            "pageSize",
            say(
                "{text} is not a paper size. Enter A0 to A6, B4, B5, Letter, Legal, Tabloid, Ledger, or "
                "a width and a height such as 210mm x 297mm.",
                text=repr(text[:40]),
            ),
        )
    unit = sides[1][2]
    width, height = (float(side[1]) * PT[side[2] or unit] for side in sides if side)
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        raise InvalidOption(
            "pageSize", say("{text} is out of range. Each side must be from 10mm to 5080mm.", text=repr(text[:40]))
        )
    return width, height


def margins(text: str) -> Margins:
    """Parse one to four lengths as in CSS: top, right, bottom, left. Raises InvalidOption."""
    sides = [PT[unit or "mm"] * float(number) for number, unit in _LENGTH.findall(text.lower())]
    if not 1 <= len(sides) <= 4:
        raise InvalidOption(
            "margin",
            say("{text} is not a margin. Enter one to four lengths such as 20mm or 1in 2cm.", text=repr(text[:40])),
        )
    top = sides[0]
    right = sides[1] if len(sides) > 1 else top
    return Margins(top, right, sides[2] if len(sides) > 2 else top, sides[3] if len(sides) > 3 else right)
