"""Controls: what texts of pages have in them that is no character, and that no tree of XML takes."""

from __future__ import annotations

import re

CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""XML 1.0, 2.2, without the zero byte, which no parser passes on."""


def without_controls(text: str) -> str:
    """The text without them: a form feed is white space, and nothing else of it can be seen."""
    return CONTROL.sub("", text.replace("\f", " "))
