"""Write PDF blocks as simple HTML."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from engine.families.pdf.page.blocks import Block, cell_parts
from engine.families.pdf.page.document import Document
from engine.families.pdf.page.links_and_fields import Field
from engine.families.pdf.page.segments import Span
from engine.families.pdf.page.tables import Table
from engine.families.pdf.writers.markdown import address_of
from engine.families.pdf.writers.runs import Run, cleaned, emphasised, is_unseen, runs_of

_LINES = ' border="1" style="border-collapse:collapse"'


def written(
    document: Document, blocks: Iterable[Block], *, pictures: str, marks: bool, styled: bool = False
) -> Iterator[str]:
    """A whole page of HTML in pieces; `pictures` is `embed`, `drop` or their folder.

    Colours of words and lines of tables are written if `styled`.
    """
    blocks = list(blocks)
    title = next((block.text.strip() for block in blocks if block.kind == "heading"), document.title) or "Document"
    yield (f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{_text(title)}</title>\n</head>\n<body>\n')
    yield from body(document, blocks, pictures=pictures, marks=marks, styled=styled)
    yield "</body>\n</html>\n"


def body(
    document: Document, blocks: Iterable[Block], *, pictures: str, marks: bool, styled: bool = False
) -> Iterator[str]:
    """The content of the page body, as `written` writes it."""
    files = {path.name: path for path in document.pictures}
    lists: list[str] = []
    page = -1
    numbers = iter(document.numbers)
    for block in (*blocks, None):
        if block is None or block.kind != "item":
            yield from _closed(lists, 0)
        if block is None or block.page != page:
            for number in numbers:
                if page in document.fields:
                    yield from _closed(lists, 0)
                    yield _fields(document.fields[page])
                page = number
                if marks:
                    yield from _closed(lists, 0)
                    yield f'<hr id="page-{number + 1}">\n'
                if block is not None and number == block.page:
                    break
        if block is None:
            if page in document.fields:
                yield _fields(document.fields[page])
            yield from map(_note, document.notes)
            break
        if block.kind == "item":
            yield from _item(block, lists, styled=styled)
        else:
            yield _block(block, files, pictures, styled=styled)


def _note(note: Block) -> str:
    back = f'<a href="#reference-{note.marker}">{note.marker}</a>'
    return f'<aside id="note-{note.marker}"><p><sup>{back}</sup> {_inline(note.spans)}</p></aside>\n'


def _item(block: Block, lists: list[str], *, styled: bool) -> Iterator[str]:
    """One item, with the tags of the lists that it ends and begins."""
    tag = "ul" if block.marker == "-" else "ol"
    yield from _closed(lists, block.depth + 1)
    if len(lists) == block.depth + 1 and lists[-1] != tag:
        yield from _closed(lists, block.depth)
    while len(lists) <= block.depth:
        start = "" if tag == "ul" or block.marker == "1." else f' start="{block.marker[:-1]}"'
        yield f"<{tag}{start}>\n"
        lists.append(tag)
    yield f"<li>{_inline(block.spans, styled=styled)}</li>\n"
    if block.last:
        yield from _closed(lists, block.depth)


def _closed(lists: list[str], depth: int) -> Iterator[str]:
    while len(lists) > depth:
        yield f"</{lists.pop()}>\n"


def _block(block: Block, files: dict[str, Path], pictures: str, *, styled: bool) -> str:
    if block.kind == "table" and block.table is not None:
        return _table(block.table, styled=styled)
    if block.kind == "picture":
        if block.picture is None or block.picture.file is None or pictures == "drop":
            return ""
        x0, y0, x1, y1 = block.picture.box
        size = f'width="{round((x1 - x0) / 0.75)}" height="{round((y1 - y0) / 0.75)}"'
        return f'<p><img src="{address_of(files[block.picture.file], pictures)}" alt="" {size}></p>\n'
    if block.kind == "heading":
        return f"<h{block.level}>{_inline(block.spans, plain=True, styled=styled)}</h{block.level}>\n"
    if block.kind == "code":
        return f"<pre>{_text(block.text)}</pre>\n"
    return f"<p>{_inline(block.spans, styled=styled)}</p>\n"


def _text(text: str) -> str:
    return html.escape(cleaned(text), quote=False)


def _inline(spans: list[Span], *, plain: bool = False, styled: bool = False) -> str:
    runs = runs_of(spans)
    if plain:
        for run in runs:
            run.bold = run.italic = False
    if not styled:
        return "".join(map(_run, emphasised(runs))).strip()
    return "".join(_coloured(colour, emphasised(alike)) for colour, alike in groupby(runs, _colour)).strip()


def _coloured(colour: str, runs: list[Run]) -> str:
    text = "".join(map(_run, runs))
    return f'<span style="color:#{colour}">{text}</span>' if colour and text.strip() else text


def _colour(run: Run) -> str:
    """The colour of a run; empty for black, for links, and for what could not be seen on white."""
    return "" if run.colour == "000000" or run.link or run.note or is_unseen(run.colour) else run.colour


def _run(run: Run) -> str:
    if run.note:
        mark = f'<a id="reference-{run.note}" href="#note-{run.note}">{_text(run.text.strip())}</a>'
        return f"<sup>{mark}</sup>" + " " * run.text[-1:].isspace()
    text = _text(" ".join(run.text.split()))
    if not text:
        return " " if run.text else ""
    for tag, wanted in (
        ("sup", run.raised > 0),
        ("sub", run.raised < 0),
        ("em", run.italic),
        ("strong", run.bold),
        ("u", run.underlined and not run.link),
    ):
        if wanted:
            text = f"<{tag}>{text}</{tag}>"
    if run.link:
        text = f'<a href="{html.escape(cleaned(run.link))}">{text}</a>'
    return " " * run.text[:1].isspace() + text + " " * run.text[-1:].isspace()


def _table(table: Table, *, styled: bool) -> str:
    out = [f"<table{_LINES if styled and table.ruled else ''}>\n"]
    rows: list[list[str]] = [[] for _ in range(table.rows)]
    for cell in table.cells:
        head = cell.row == 0
        tag = "th" if head else "td"
        spans = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
        spans += f' colspan="{cell.columns}"' if cell.columns > 1 else ""
        text = "<br>".join(_inline(part, plain=head, styled=styled) for part in cell_parts(table, cell))
        rows[cell.row].append(f"<{tag}{spans}>{text}</{tag}>")
    out += (f"<tr>{''.join(row)}</tr>\n" for row in rows)
    return "".join((*out, "</table>\n"))


def _fields(fields: list[Field]) -> str:
    pairs = (f"<dt>{_text(field.name)}</dt><dd>{_text(field.value)}</dd>\n" for field in fields)
    return f"<dl>\n{''.join(pairs)}</dl>\n"
