"""Write rows as HTML and Markdown tables."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from engine.families.data.table import Table
from engine.families.data.values import text
from engine.toolkit.warnings import Warn

_BREAK = re.compile(r"\r\n|\r|\n")
# Characters that GitHub's Markdown could parse as markup in a cell; `_` only where it can open or close emphasis.
_MARKDOWN = re.compile(r"[\\`*\[\]<>|~]|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_NOT_HTML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_STYLE = (
    "table{border-collapse:collapse;font-family:sans-serif;font-size:14px}"
    "th,td{border:1px solid #ccc;padding:4px 8px;text-align:left;vertical-align:top}th{background:#f3f3f3}"
)


def write_html(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write one HTML table, as a page or (`fragment`) alone; line breaks in cells are `<br>`."""

    def cell(value: str) -> str:
        if _NOT_HTML.search(value):
            warn("ENCODING_REPLACED", "Control characters, which HTML does not allow, became U+FFFD.")
            value = _NOT_HTML.sub("\ufffd", value)
        return _BREAK.sub("<br>", escape(value))

    with target.open("w", encoding="utf-8", newline="\n") as file:
        if not options.fragment:
            file.write(
                '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
                f"<title>{cell(options.title or table.name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
            )
        file.write("<table>\n")
        if options.header and table.named:
            names = "".join(f"<th>{cell(name)}</th>" for name in table.columns)
            file.write(f"<thead>\n<tr>{names}</tr>\n</thead>\n")
        file.write("<tbody>\n")
        for batch in table.batches():
            for row in batch:
                file.write(f"<tr>{''.join(f'<td>{cell(text(value))}</td>' for value in row)}</tr>\n")
        file.write("</tbody>\n</table>\n")
        if not options.fragment:
            file.write("</body>\n</html>\n")


def write_markdown(table: Table, target: Path, options: Any, warn: Warn) -> None:
    """Write one table of GitHub Flavored Markdown (section 4.10), which always has a header row."""

    def cell(value: str) -> str:
        if "\x00" in value:
            warn("ENCODING_REPLACED", "NUL characters, which Markdown does not allow, became U+FFFD.")
            value = value.replace("\x00", "\ufffd")
        if value != value.strip(" \t"):
            warn("VALUE_CONVERTED", "Markdown tables don't show white space around cell text.")
        value = _MARKDOWN.sub(_escaped, value.strip(" \t"))
        return _BREAK.sub("<br>", value)

    with target.open("w", encoding="utf-8", newline="\n") as file:
        if not table.columns:
            return
        names = table.columns if table.named else ["" for _ in table.columns]
        file.write(f"| {' | '.join(map(cell, names))} |\n|{' --- |' * len(names)}\n")
        for batch in table.batches():
            for row in batch:
                file.write(f"| {' | '.join(cell(text(value)) for value in row)} |\n")


def _escaped(match: re.Match[str]) -> str:
    return "&amp;" if match[0] == "&" else "\\" + match[0]
