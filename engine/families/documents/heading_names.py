"""Turn off pandoc's heading identifiers for texts where they would take quadratic time."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST = 4_000
"""Headings of one text that get identifiers; pandoc takes 1 s for 3,000 equal ones, and 4 s for 6,000.

The manual of Org, with 880,000 characters, has 428.
"""

_HEADINGS: Mapping[str, re.Pattern[str]] = {
    "html": re.compile(r"<h[1-6][\s/>]", re.IGNORECASE),
    "latex": re.compile(r"\\(?:part|chapter|(?:sub)*section|(?:sub)?paragraph)\b"),
    "rst": re.compile(r"^([^\w\s])\1*[ \t]*$", re.MULTILINE),
    "org": re.compile(r"^\*+ ", re.MULTILINE),
    "textile": re.compile(r"^[ \t]*h[1-6]", re.MULTILINE),
    "mediawiki": re.compile(r"^=", re.MULTILINE),
}


def reader(name: str, text: bytes, warn: Warn) -> str:
    """Return the pandoc reader for a text; for more than MOST headings without identifiers, with a warning."""
    headings = _HEADINGS.get(name)
    if headings is None or sum(1 for _ in headings.finditer(text.decode("utf-8", "replace"))) <= MOST:
        return name
    warn("VALUE_CONVERTED", say("The text has more than {most} headings, so links to headings don't work.", most=MOST))
    return f"{name}-auto_identifiers"
