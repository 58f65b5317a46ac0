"""Read the look of the paragraphs of an OpenDocument text (OpenDocument 1.3, part 3, 17.6 and 20)."""

from __future__ import annotations

import re
from typing import Any

from engine.families.documents.counting.blocks import MIRRORED, SIDES
from engine.families.documents.counting.lettering import Look
from engine.families.documents.counting.open_document import FO, NO_FILL, STYLE

_AS_USUAL = frozenset({"left", "start"})
_MARGINS = {
    "margin-left": "indented left",
    "margin-right": "indented right",
    "text-indent": "indented first",
    "margin-top": "spaced before",
    "margin-bottom": "spaced after",
}
_WIDE = re.compile(r"-?0*(?:\.0*)?[1-9]|-?0*\.0*[1-9]")
_SINGLE = frozenset({"normal", "100%"})


def look(properties: Any) -> Look:
    """The look of a paragraph, as far as these properties of its style name it."""
    found: dict[str, bool] = {}
    if properties is None:
        return found
    given = {str(name).removeprefix(FO): str(value).lower() for name, value in properties.items()}
    if alignment := given.get("text-align"):
        found["aligned"] = alignment not in _AS_USUAL
    if mode := given.get(f"{STYLE}writing-mode"):
        found[MIRRORED] = mode.startswith("rl")
    if kept := given.get("keep-with-next"):
        found["joined"] = kept == "always"
    if fill := given.get("background-color"):
        found["shaded"] = fill not in NO_FILL
    for side in SIDES:
        if border := given.get(f"border-{side}", given.get("border")):
            found[f"bordered {side}"] = border.split()[0] not in ("none", "hidden") and " none" not in border
    for name, part in _MARGINS.items():
        if width := given.get(name, given.get("margin") if name.startswith("margin") else None):
            found[part] = bool(_WIDE.match(width))
    if height := given.get("line-height"):
        found["spaced line"] = height not in _SINGLE
    for name in ("line-height-at-least", "line-spacing"):
        if height := given.get(f"{STYLE}{name}"):
            found["spaced line"] = bool(_WIDE.match(height))
    return found
