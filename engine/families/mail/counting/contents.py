"""Count the visible contents of the parts of a message."""

from __future__ import annotations

import re

from engine.families.html_pdf.census import page
from engine.toolkit.census import Census

HEADERS = (
    "from", "sender", "to", "cc", "bcc", "reply-to", "subject", "resent-from", "resent-sender", "resent-to",
    "resent-cc", "resent-bcc", "resent-date", "organization", "comments",
)  # fmt: skip
"""Headers whose words every result has; dates are formatted differently."""
_INSIDE = re.compile(r"<img\b[^<>]*?\bsrc\s*=\s*[\"']?(?:cid:([^\"'\s>]+)|(data:image))", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n\s*\n")


def add_text(census: Census, text: str) -> None:
    """Count a plain text by its paragraphs."""
    census.texts += filter(None, (each.strip() for each in _BLANK_LINES.split(text)))


def add_page(census: Census, html: str, known: set[str]) -> set[str]:
    """Count an HTML text. Returns the content ids, of the `known` ones, of the pictures that it shows."""
    found = page(html.encode("utf-8", "replace"), "utf-8")
    found.items.pop("pictures", None)
    census.include(found)
    shown = [match[1] in known if match[1] else True for match in _INSIDE.finditer(html)]
    if count := sum(shown):
        census.add("pictures", count)
    return {match[1] for match in _INSIDE.finditer(html) if match[1]} & known
