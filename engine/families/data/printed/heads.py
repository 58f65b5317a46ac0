"""Headers and footers of printed sheets (ECMA-376, part 1, 18.3.1.46)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.families.data.printed.looks import Font, Run

_CODE = re.compile(
    r'&(?:"(?P<font>[^"]*)"|K(?P<colour>[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|(?P<size>\d{1,3})(?=\D|$)'
    r"|(?P<sum>[PN])(?P<sign>[+-])(?P<number>\d{1,4})|(?P<letter>.))",
    re.DOTALL,
)
_HEX = re.compile("[0-9A-Fa-f]{6}")
_SWITCHES = {"B": "bold", "I": "italic", "S": "strike"}


@dataclass(frozen=True)
class Facts:
    """What codes stand for on one page."""

    page: int
    pages: int
    sheet: str
    file: str
    now: datetime


def parts(code: str, font: Font, facts: Facts, unknown: Callable[[str], None]) -> tuple[list[Run], ...]:
    """The left, centre and right part of a header or footer as runs; `unknown` gets the codes that have no text."""
    found: dict[str, list[Run]] = {"L": [], "C": [], "R": []}
    side, own, at = "C", font, 0

    def add(text: str) -> None:
        if text:
            found[side].append(Run(text, own))

    for match in _CODE.finditer(code):
        add(code[at : match.start()])
        at = match.end()
        letter = (match["letter"] or "").upper()
        if match["font"] is not None:
            own = _named(own, match["font"])
        elif match["colour"] is not None:
            own = replace(own, colour=match["colour"] if _HEX.fullmatch(match["colour"]) else None)
        elif match["size"] is not None:
            own = replace(own, size=float(min(max(int(match["size"]), 1), 409)))
        elif match["sum"] is not None:
            base = facts.page if match["sum"] == "P" else facts.pages
            add(str(base + int(match["sign"] + match["number"])))
        elif letter in found:
            side, own = letter, font
        elif letter in _SWITCHES:
            switched: dict[str, Any] = {_SWITCHES[letter]: not getattr(own, _SWITCHES[letter])}
            own = replace(own, **switched)
        elif letter in "UE":
            own = replace(own, underline="" if own.underline else "single" if letter == "U" else "double")
        elif letter in "XY":
            rise = 1 if letter == "X" else -1
            own = replace(own, rise=0 if own.rise == rise else rise)
        elif letter == "&":
            add("&")
        else:
            add(_field(letter, facts, unknown))
    add(code[at:])
    return found["L"], found["C"], found["R"]


def _field(letter: str, facts: Facts, unknown: Callable[[str], None]) -> str:
    if letter == "F" and facts.file:
        return facts.file
    texts = {
        "P": str(facts.page),
        "N": str(facts.pages),
        "D": facts.now.date().isoformat(),
        "T": f"{facts.now:%H:%M}",
        "A": facts.sheet,
    }
    if letter not in texts:
        unknown(f"&{letter}")
    return texts.get(letter, "")


def _named(font: Font, text: str) -> Font:
    """The font and style that a code such as `Arial,Bold Italic` names; a hyphen stands for the font in use."""
    name, _, style = text.partition(",")
    style = style.lower()
    return replace(
        font,
        name=font.name if name.strip() in ("-", "") else name.strip(),
        bold="bold" in style,
        italic="italic" in style or "oblique" in style,
    )
