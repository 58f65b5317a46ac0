"""Read the places of pictures in backgrounds (CSS Backgrounds 3, 2.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.families.html_pdf.css.room_lengths import Length, TextSizes, length

Pair = tuple[Length, Length]
EDGES = ("left", "right", "top", "bottom", "center")
_ACROSS, _DOWN = {"left": 0.0, "right": 1.0}, {"top": 0.0, "bottom": 1.0}


def read(tokens: Sequence[Any], sizes: TextSizes) -> Pair | None:
    """The place that tokens of tinycss2 say, without blanks; None for one that isn't understood."""
    words: list[str | Length] = []
    for each in tokens:
        known = each.lower_value if each.type == "ident" and each.lower_value in EDGES else length(each, sizes)
        if known is None:
            return None
        words.append(known)
    if not 1 <= len(words) <= 4:
        return None
    if len(words) > 2:
        return _from_edges(words)
    first, second = words[0], words[1] if len(words) == 2 else "center"
    if first in _DOWN or second in _ACROSS:
        first, second = second, first
    across, down = _at(first, _ACROSS), _at(second, _DOWN)
    return (across, down) if across is not None and down is not None else None


def _at(word: str | Length, edges: dict[str, float]) -> Length | None:
    if isinstance(word, Length):
        return word
    return Length(share=0.5) if word == "center" else Length(share=edges[word]) if word in edges else None


def _from_edges(words: list[str | Length]) -> Pair | None:
    """A place by distances from edges, such as `right 10px bottom 20%`."""
    found: dict[bool, Length] = {}
    at = 0
    while at < len(words):
        edge = words[at]
        following = words[at + 1] if at + 1 < len(words) else None
        if isinstance(edge, Length):
            return None
        distance = following if isinstance(following, Length) and edge != "center" else Length()
        at += 2 if isinstance(following, Length) and edge != "center" else 1
        share = {**_ACROSS, **_DOWN}.get(edge, 0.5)
        down = edge in _DOWN or (edge == "center" and (False in found or _names_across(words[at:])))
        if down in found:
            return None
        found[down] = Length(share=share) + distance.times(-1.0 if share == 1.0 else 1.0)
    return (found[False], found[True]) if len(found) == 2 else None


def _names_across(words: list[str | Length]) -> bool:
    return any(isinstance(each, str) and each in _ACROSS for each in words)
