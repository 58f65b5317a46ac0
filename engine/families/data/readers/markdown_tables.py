"""Read the tables of a Markdown file as rows (GitHub Flavored Markdown, 4.10)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cmarkgfm import cmark

from engine.families.data.readers import html_tables
from engine.families.data.table import Table
from engine.toolkit import cmark_html, encodings
from engine.toolkit.warnings import Kind, Warn

_EXTENSIONS = ["table", "strikethrough", "autolink"]
_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_FENCE = re.compile(r"[\s>]*(```|~~~)")
_BAR = re.compile(r"(?<!\\)\|")
_BEYOND = Kind(
    "CONTENT_DROPPED",
    "Cells beyond the last column of their Markdown table were left out: {count}{places}. Add a header cell for them.",
)


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The chosen table of a Markdown file, or all of them; cell texts without markup.

    Raises Unreadable for a file without tables and InvalidOption for a table number that does not exist.
    """
    text = encodings.read(source.read_bytes(), warn)
    # HTML is kept, as it is only parsed here: `<br>` in a cell is a line break.
    markup = cmark_html.to_html(text, cmark.Options.CMARK_OPT_UNSAFE, _EXTENSIONS)
    lost = list(_beyond(text))
    warn.tally(_BEYOND, len(lost), lost)
    return html_tables.tables(markup, "file", options, warn)


def _beyond(text: str) -> Iterator[str]:
    """The lines of rows with more cells than columns, which Markdown ignores."""
    width, fenced, before = 0, False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
        bare = line.strip("> \t")
        if fenced or not bare:
            width = 0
        elif width:
            if _cells(bare) > width:
                yield f"line {number}"
        elif "|" in bare and _RULE.fullmatch(bare) and _cells(before) == _cells(bare):
            width = _cells(bare)
        before = bare


def _cells(line: str) -> int:
    return len(_BAR.findall(line.strip())) + 1 - line.startswith("|") - bool(re.search(r"(?<!\\)\|$", line))
