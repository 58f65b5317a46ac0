"""Write letters that pages set in Symbol, Wingdings and Webdings as the characters that these fonts show."""

from __future__ import annotations

import re
from html import escape, unescape

from engine.toolkit import symbols
from engine.toolkit.warnings import Kind, Warn

UNKNOWN = Kind("GLYPH_MISSING", "Unknown symbol font characters became bullets: {count}{places}.")
_SET = re.compile(r"((?:<[a-z][\w:-]*+[^<>]*+>\s*+)++)([^<]*)", re.IGNORECASE)
"""The tags before a text, and the text."""
_FONT = re.compile(
    r"(?:\bfont(?:-family)?\s*:|\bface\s*=)\s*(?:[\"']|&quot;)*(?:(symbol|wingdings(?:\s[23])?|webdings)(?![\w-]))?",
    re.IGNORECASE,
)
"""A font that a tag names: one of these, or another."""
_BLANK = re.compile(r"([\s\xa0]+)")


def written(html: str, warn: Warn) -> str:
    """`html` with the pictures of its symbol fonts as Unicode characters; those without one become bullets, counted.

    Only fonts named in the tags themselves are known, as mails of Outlook and pages of Word name them; browsers show
    pictures where the font is there.
    """
    if not any(name in html.lower() for name in ("symbol", "wingdings", "webdings")):
        return html
    letters: list[str] = []
    unknown = 0

    def changed(found: re.Match[str]) -> str:
        nonlocal unknown
        font = next(reversed(_FONT.findall(found[1])), "")
        if not font:
            return found[0]
        pieces = _BLANK.split(unescape(found[2]))
        made = [each if at % 2 else symbols.shown(each, font) for at, each in enumerate(pieces)]
        if made == pieces:
            return found[0]
        letters.extend(pieces[::2])
        unknown += sum(symbols.lost(each, font) for each in pieces[::2])
        return f"{found[1]}{escape(''.join(made), quote=False)}"

    html = _SET.sub(changed, html)
    warn.leave_out(filter(None, letters))
    warn.tally(UNKNOWN, unknown)
    return html
