"""Find emoji of several characters, such as flags, and name those that are drawn as their parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from engine.toolkit.warnings import Kind, Warn

_PARTED = Kind(
    "GLYPH_MISSING", "Emoji of several parts, such as flags and skin tones, are drawn as their parts: {count}{places}."
)
_ONE = "[\u00a9\u00ae\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_TONE = "[\U0001f3fb-\U0001f3ff]"
_TAGS = "[\U000e0020-\U000e007e]{1,9}\U000e007f"
_ENDS = f"\ufe0f?(?:{_TONE}|{_TAGS})?"
_SEVERAL = f"{_FLAG}|{_ONE}{_ENDS}(?:\u200d{_ONE}{_ENDS}){{1,9}}|{_ONE}\ufe0f?{_TONE}|\U0001f3f4{_TAGS}"
"""Flags, emoji that zero width joiners join, skin tones, and flags of regions (UTS 51, 1.4)."""
SEQUENCE = f"{_SEVERAL}|[0-9#*]\ufe0f?\u20e3|{_ONE}\ufe0f"
"""The same, keys, and symbols that a variation selector makes emoji."""
TELLING = "\u200d\u20e3\ufe0f\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\U000e007f"
"""Characters, for a set of a regular expression, of which each sequence has one."""
_FOUND = re.compile(_SEVERAL)
_ALL = re.compile(SEQUENCE)
_TELLING = re.compile(f"[{TELLING}]")


def may_occur(characters: Iterable[str]) -> bool:
    """Whether a text of these characters may have such emoji."""
    return any(map(_TELLING.match, characters))


def found_in(text: str) -> Counter[str]:
    """The emoji of several characters in a text."""
    return Counter(_FOUND.findall(text)) if _TELLING.search(text) else Counter()


def all_in(text: str) -> set[str]:
    """The emoji of several characters in a text, also those that most fonts draw: keys and symbols."""
    return set(_ALL.findall(text)) if _TELLING.search(text) else set()


def report(found: Counter[str], warn: Warn) -> None:
    """Warn of emoji in a part of the input that are drawn as their parts."""
    warn.tally(_PARTED, found.total(), found, part=repr(sorted(found.items())))
