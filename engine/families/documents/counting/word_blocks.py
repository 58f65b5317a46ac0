"""Read the look of the paragraphs of a Word document (ISO/IEC 29500-1, 17.3.1)."""

from __future__ import annotations

import re
from typing import Any

from engine.families.documents.counting.blocks import LISTED, MIRRORED, SIDES
from engine.families.documents.counting.lettering import Look
from engine.families.documents.counting.word import NO_FILL, OFF, W

_AS_USUAL = frozenset({"left", "start", ""})
_NO_LINE = frozenset({"none", "nil", ""})
_WIDE = re.compile("[1-9]")
_SINGLE = "240"
"""Of a line, in the unit of `auto` and no rule (17.3.1.33)."""
_SAME_SIDE = {"start": "left", "end": "right", "hanging": "first", "firstLine": "first"}


def look(properties: Any) -> Look:
    """The look of a paragraph, as far as these properties of it or its style name it."""
    found: dict[str, bool] = {}
    for each in () if properties is None else properties:
        value = each.get(f"{W}val", "").lower()
        match each.tag.removeprefix(W):
            case "jc":
                found["aligned"] = value not in _AS_USUAL
            case "bidi":
                found[MIRRORED] = value not in OFF
            case "keepNext":
                found["joined"] = value not in OFF
            case "numPr":
                found[LISTED] = _number(each) != "0"
            case "shd":
                found["shaded"] = each.get(f"{W}fill", "").lower() not in NO_FILL
            case "pBdr":
                for side in each:
                    name = side.tag.removeprefix(W)
                    if name in SIDES:
                        found[f"bordered {name}"] = side.get(f"{W}val", "").lower() not in _NO_LINE
            case "ind":
                for key, width in each.items():
                    name = key.removeprefix(W)
                    if not name.endswith("Chars"):
                        found[f"indented {_SAME_SIDE.get(name, name)}"] = _is_wide(width)
            case "spacing":
                found.update(_spacing(each))
    return found


def _number(properties: Any) -> str:
    number = properties.find(f"{W}numId")
    return "" if number is None else str(number.get(f"{W}val", ""))


def _spacing(element: Any) -> Look:
    found: dict[str, bool] = {}
    for side in ("before", "after"):
        if (width := element.get(f"{W}{side}")) is not None:
            found[f"spaced {side}"] = _is_wide(width)
        if element.get(f"{W}{side}Autospacing", "0") not in OFF:
            found[f"spaced {side}"] = True
    if (line := element.get(f"{W}line")) is not None:
        found["spaced line"] = line != _SINGLE or element.get(f"{W}lineRule", "auto") != "auto"
    return found


def _is_wide(width: str) -> bool:
    return _WIDE.search(width) is not None
