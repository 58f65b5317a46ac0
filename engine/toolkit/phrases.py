"""Search for phrases of a long text in the result, byte for byte: far cheaper than parsing both."""

from __future__ import annotations

import re

LONG = 32_000
"""Bytes of a file from which this is worthwhile."""
_WINDOWS, _WINDOW = 64, 1_000
"""The number of sampled windows, at equal distances, and their size in bytes."""
_FEWEST = 100
"""Phrases below which the sample proves nothing."""
_PHRASE = re.compile(rb"[A-Za-z0-9\x80-\xff]{2,40}(?: [A-Za-z0-9\x80-\xff]{1,40}){2,7}|[\x80-\xff]{18,60}")


def found_in_order(source: bytes, made: bytes) -> bool:
    """Return whether all sampled phrases of a text are in `made`, in order; False if there are too few."""
    step = max(len(source) // _WINDOWS, _WINDOW)
    at = found = 0
    for start in range(0, len(source), step):
        for phrase in _PHRASE.findall(source, start, start + _WINDOW)[1:-1]:  # the first and the last may be cut
            place = made.find(phrase, at)
            if place < 0:
                return False
            at = place + len(phrase)
            found += 1
    return found >= _FEWEST
