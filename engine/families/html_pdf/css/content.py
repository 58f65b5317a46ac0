"""Evaluate the `content` property (CSS Generated Content 3, 2)."""

from __future__ import annotations

import re
from collections.abc import Callable

_PART = re.compile(r"(?<!\\)(?:\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)')|([a-zA-Z][\w-]*)(?:\(([^()]*)\))?")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_QUOTES = {"open-quote": "“", "close-quote": "”", "none": "", "normal": "", "no-open-quote": "", "no-close-quote": ""}
Filled = Callable[[str, str], str | None]
"""Returns the text of a function and its arguments, or None if it is unknown."""


def written(content: str, filled: Filled) -> tuple[str, str]:
    """The generated text, and the first unknown part."""
    text = unknown = ""
    for one, other, word, arguments in _PART.findall(content):
        found = _QUOTES.get(word.lower()) if word else unescaped(one or other)
        found = filled(word.lower(), arguments.strip()) if found is None else found
        text += found or ""
        unknown = unknown or (word if found is None else "")
    return text, unknown


def unescaped(text: str) -> str:
    """A CSS string with its escapes resolved."""
    return _ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2], text)
