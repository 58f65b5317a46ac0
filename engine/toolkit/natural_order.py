"""Natural sort order, so that page 10 follows page 9."""

from __future__ import annotations

import re

_DIGITS = re.compile("([0-9]+)")


def key(name: str) -> tuple[list[tuple[int, str]], str]:
    """A sort key that compares numbers by value and ignores case."""
    return [(int(part[:4_000]), "") if part.isdecimal() else (-1, part.lower()) for part in _parts(name)], name


def _parts(name: str) -> list[str]:
    return [part for part in _DIGITS.split(name) if part]
