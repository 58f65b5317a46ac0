"""Control characters that no XML tree accepts."""

from __future__ import annotations

import re

CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters excluded by XML 1.0, 2.2, except NUL, which no parser passes on."""


def without_controls(text: str) -> str:
    """Remove control characters; a form feed becomes white space."""
    return CONTROL.sub("", text.replace("\f", " "))
