"""Count the rows of a table in HTML or Markdown, by lines, and parse a sample with lxml, Markdown with cmark first."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from engine.families.data.counting import rows
from engine.families.data.counting.lines import Lines
from engine.toolkit.census import Census

_BODY, _END = b"<tbody>\n", b"</tbody>"


_ENTRY = re.compile(rb"<article\b|<div\b[^<>]*\bclass=\"csl-entry\"")
_HEADING, _PARAGRAPH = re.compile(rb"^## ", re.MULTILINE), re.compile(rb"\n\n(?=\S)")


def entries(path: Path) -> Census:
    """Return the number of entries of a feed or of a list of references on a page."""
    census = Census()
    census.add("entries", len(_ENTRY.findall(path.read_bytes())))
    return census


def entries_in_markdown(path: Path) -> Census:
    """Return the number of entries: of a feed, each below a heading; of a list of references, in a paragraph."""
    data = path.read_bytes()
    census = Census()
    census.add("entries", len(_HEADING.findall(data)) or len(_PARAGRAPH.findall(data)))
    return census


def entries_in_word(path: Path) -> Census:
    """Return the number of entries of a list of references, each a paragraph in the style for them."""
    census = Census()
    with zipfile.ZipFile(path) as archive:
        census.add("entries", archive.read("word/document.xml").count(b'<w:pStyle w:val="Bibliography"'))
    return census


def html(path: Path) -> Census:
    """Return the rows, columns and values of a page with one table, each row on a line of its own."""
    data = path.read_bytes()
    begin, end = data.index(_BODY) + len(_BODY), data.rindex(_END)
    header = _rows(data[data.index(b"<table>") : begin])
    return _census(header, Lines(data[begin:end]), b"")


def markdown(path: Path) -> Census:
    """Return the rows, columns and values of a Markdown table."""
    data = path.read_bytes()
    if not data:
        return rows.table(0, [])
    lines = Lines(data)
    first = lines.between(0, 2)
    return _census([each for each in _tables(first) if any(each)], Lines(data, len(first)), first)


def _census(header: list[list[str]], lines: Lines, before: bytes) -> Census:
    """Return the census of lines of rows, which need the text `before` them to be parsed."""

    def parsed(first: int, last: int) -> list[list[str]]:
        block = lines.between(first, last)
        return _tables(before + block)[1:] if before else _rows(block)

    lead = 0
    if not header:  # the first row is taken for it, as in other formats
        header, lead = parsed(0, 1), 1
    count = max(0, lines.count - lead)
    blocks = [parsed(first + lead, last + lead) for first, last in rows.windows(count)]
    census = rows.table(count, blocks, header=header[0] if header else ())
    census.add("columns", len(header[0]) if header else 0)
    return census


def _tables(text: bytes) -> list[list[str]]:
    from cmarkgfm import cmark

    from engine.toolkit import cmark_html

    markup = cmark_html.to_html(text.decode(), cmark.Options.CMARK_OPT_UNSAFE, ["table"])
    return _rows(markup.encode())


def _rows(markup: bytes) -> list[list[str]]:
    """Return the texts of the cells of each row."""
    from lxml import etree  # `lxml.html` takes longer to import than a long table to count

    if b"<tr" not in markup:
        return []
    root = etree.fromstring(b"<table>" + markup, etree.HTMLParser(encoding="utf-8", huge_tree=True))
    for each in root.iter("br"):
        each.tail = f"\n{each.tail or ''}"
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
