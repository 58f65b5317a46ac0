"""Makes texts from files, and their names, safe to print."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str) -> str:
    """The text with a replacement for whatever controls a terminal, ends a line, or can't be encoded."""
    return _UNPRINTABLE.sub("\ufffd", text)
