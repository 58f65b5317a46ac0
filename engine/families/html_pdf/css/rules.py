"""Conditional group rules of lowered style sheets (CSS Conditional Rules 3, 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.families.html_pdf.css.media import PAGE_WIDTH, media_matches

_PIECE = re.compile(r"(?:[^{};\"'\\]|\\[\\\"']?+|\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+')*+.?", re.DOTALL)
"""A text up to a brace or semicolon, or without one: up to the end or a quotation mark that has no other."""


def rules(sheets: Iterable[str], media: str, width: float = PAGE_WIDTH) -> Iterator[tuple[str, str]]:
    """The selectors and declarations of each rule that applies to this medium."""
    for sheet in sheets:
        open_ones: list[tuple[str, int]] = []
        for piece in _PIECE.finditer(sheet):
            end = piece[0][-1:]
            if end == "{":
                open_ones.append((piece[0][:-1].strip(), piece.end()))
            elif end == "}" and open_ones:
                prelude, start = open_ones.pop()
                around = [each for each, _ in open_ones]
                if prelude.startswith("@") or not all(_counts(each, media, width) for each in around):
                    continue
                yield prelude, sheet[start : piece.end() - 1]


def _counts(prelude: str, media: str, width: float) -> bool:
    if not prelude.lower().startswith("@media"):
        return False
    query = prelude[6:].strip().lower()
    if media == "screen":
        query = query.replace("print", "speech").replace("screen", "print")
    return media_matches(query, width)
