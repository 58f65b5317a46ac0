"""Write PDF blocks as GitHub Flavored Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.families.pdf.page.blocks import Block, cell_parts
from engine.families.pdf.page.document import Document
from engine.families.pdf.page.links_and_fields import Field
from engine.families.pdf.page.segments import Span
from engine.families.pdf.page.tables import Table
from engine.families.pdf.writers.runs import Run, cleaned, emphasised, runs_of
from engine.toolkit.data_uris import data_uri

_ESCAPED = re.compile(r"([\\`*_\[\]<>|]|&(?=#?\w+;))")
_AT_START = re.compile(r"^(#{1,6}|[-+=~]+|>)(?=\s|$)")
_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_ADDRESS = re.compile(r"[\s<>()\\]")
_TYPES = {".jpg": "image/jpeg", ".png": "image/png"}


def written(document: Document, blocks: Iterable[Block], *, pictures: str, marks: bool) -> Iterator[str]:
    """The text in pieces; `pictures` is `embed`, `drop` or their folder, `marks` starts each page."""
    files = {path.name: path for path in document.pictures}
    page, listed = -1, False
    numbers = iter(document.numbers)
    for block in (*blocks, None):
        if block is None or block.page != page:
            for number in numbers:
                if page >= 0 and page in document.fields:
                    yield _fields(document.fields[page], "\n" if listed else "")
                    listed = False
                page = number
                if marks:
                    yield ("\n" if listed else "") + f"<!-- page {number + 1} -->\n\n"
                    listed = False
                if block is not None and number == block.page:
                    break
        if block is None:
            if page in document.fields:
                yield _fields(document.fields[page], "\n" if listed else "")
                listed = False
            yield "\n" if listed and document.notes else ""
            yield from (f"[^{note.marker}]: {_inline(note.spans)}\n\n" for note in document.notes)
            break
        # Items are on consecutive lines, everything else is separated by an empty line.
        item = block.kind == "item"
        text = _block(block, files, pictures)
        if not text:
            continue
        yield ("\n" if listed and not item else "") + text + ("\n" if item and not block.last else "\n\n")
        listed = item and not block.last


def _block(block: Block, files: dict[str, Path], pictures: str) -> str:
    if block.kind == "table" and block.table is not None:
        return _table(block.table)
    if block.kind == "picture":
        if block.picture is None or block.picture.file is None or pictures == "drop":
            return ""
        return f"![]({address_of(files[block.picture.file], pictures)})"
    if block.kind == "heading":
        return f"{'#' * block.level} {_inline(block.spans, plain=True)}"
    if block.kind == "code":
        fence = "```" if "```" not in block.text else "~~~~"
        return f"{fence}\n{cleaned(block.text)}\n{fence}"
    if block.kind == "item":
        return f"{'   ' * block.depth}{block.marker} {_inline(block.spans)}"
    return _at_start(_inline(block.spans))


def address_of(file: Path, pictures: str) -> str:
    """The address of a picture: a data URI, or its path in the folder `pictures`."""
    if pictures != "embed":
        return f"{pictures}/{file.name}"
    return data_uri(_TYPES[file.suffix], file.read_bytes())


def _at_start(text: str) -> str:
    return _NUMBER.sub(r"\1\\\2", _AT_START.sub(r"\\\1", text))


def _inline(spans: list[Span], *, plain: bool = False) -> str:
    runs = runs_of(spans)
    for run in runs:
        run.underlined = False
        if plain:
            run.bold = run.italic = False
    return "".join(_run(run) for run in emphasised(runs))


def _run(run: Run) -> str:
    if run.note:
        return f"[^{run.note}]" + " " * run.text[-1:].isspace()
    text = _ESCAPED.sub(r"\\\1", " ".join(run.text.split()))
    if not text:
        return " " if run.text else ""
    if run.raised:
        tag = "sup" if run.raised > 0 else "sub"
        text = f"<{tag}>{text}</{tag}>"
    mark = ("**" if run.bold else "") + ("*" if run.italic else "")
    text = f"{mark}{text}{mark[::-1]}"
    if run.link:
        text = f"[{text}]({_ADDRESS.sub(lambda match: f'%{ord(match[0]):02X}', run.link)})"
    return " " * run.text[:1].isspace() + text + " " * run.text[-1:].isspace()


def _table(table: Table) -> str:
    grid = [[""] * len(table.widths) for _ in range(table.rows)]
    for cell in table.cells:
        parts = cell_parts(table, cell)
        grid[cell.row][cell.column] = "<br>".join(_inline(part, plain=cell.row == 0) for part in parts)
    head, *rows = (f"| {' | '.join(row)} |" for row in grid)
    return "\n".join((head, "|" + " --- |" * len(table.widths), *rows))


def _fields(fields: list[Field], before: str) -> str:
    lines = (f"- **{_text(field.name)}:** {_text(field.value)}".rstrip() for field in fields)
    return before + "\n".join(lines) + "\n\n"


def _text(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", " ".join(cleaned(text).split()))
