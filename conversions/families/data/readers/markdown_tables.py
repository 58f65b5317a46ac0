"""Markdown tables in: the rows of a file's tables (GitHub Flavored Markdown, section 4.10)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cmarkgfm import cmark

from conversions.families.data.readers import html_tables
from conversions.families.data.table import Table
from conversions.toolkit import encodings
from conversions.toolkit.warnings import Warn

_EXTENSIONS = ["table", "strikethrough", "autolink"]


def read(source: Path, options: Any, warn: Warn) -> list[Table]:
    """The chosen table of a Markdown file, or all of them; the text of each cell, without markup.

    Raises Unreadable for a file without a table and InvalidOption for a number that no table has.
    """
    text = encodings.read(source.read_bytes(), warn)
    # Markup of HTML is left in, as it is only read here: `<br>` in a cell is a line break.
    markup = cmark.markdown_to_html_with_extensions(text, cmark.Options.CMARK_OPT_UNSAFE, _EXTENSIONS)
    return html_tables.tables(markup, "file", options, warn)
