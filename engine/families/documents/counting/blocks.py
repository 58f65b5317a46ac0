"""Count the paragraphs of word processor files by their looks, such as centred ones."""

from __future__ import annotations

import re
from collections import Counter

from engine.families.documents.counting.lettering import Look
from engine.toolkit.census import PARAGRAPHS, Census

LISTED, MIRRORED = "listed", "mirrored"
"""For items of lists, whose indents and space every format has in a way of its own, and for paragraphs from right to
left, of which formats name the sides in either way."""
SIDES = ("left", "right", "top", "bottom")
_OF_LISTS = frozenset({"indented", "spaced"})
_WORDS = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 8
"""Words by which a paragraph is known; numbers are left out, as those of lists and notes are written anew."""


def add(census: Census, text: str, look: Look) -> None:
    """Count a paragraph by the kinds of its look, whose names stand before a blank: `indented left` is one of them."""
    name = " ".join(_WORDS.findall(text)[:_MOST_WORDS])
    if not name:
        return
    census.paragraphs[name] += 1
    kinds = {each.partition(" ")[0] for each, on in look.items() if on}
    left_out = (_OF_LISTS if LISTED in kinds else set()) | ({"aligned"} if MIRRORED in kinds else set())
    for kind in kinds & PARAGRAPHS:
        if kind in left_out:
            census.optional.setdefault(kind, Counter())[name] += 1
        else:
            census.add(kind, label=name)
