"""Convert PDF to Markdown or HTML, with pictures embedded or in a ZIP."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from engine.families.pdf.page import letter_looks
from engine.families.pdf.page.blocks import Block, joined_pages
from engine.families.pdf.page.continued import joined_tables
from engine.families.pdf.page.document import Document, ReadOptions, document_of
from engine.families.pdf.writers import markdown, web
from engine.toolkit import archive
from engine.toolkit.formats import HTML, MARKDOWN, ZIP, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_FOLDER = "pictures"
Write = Callable[..., Iterator[str]]


class TextOptions(ReadOptions, Protocol):
    """The options needed for writing a text."""

    @property
    def images(self) -> str: ...
    @property
    def page_marks(self) -> bool: ...
    @property
    def running_lines(self) -> str: ...


def to_markdown(source: Path, target: Path, options: TextOptions, warn: Warn) -> Format | None:
    """Write headings, paragraphs, lists and tables as Markdown; a ZIP if there are separate pictures."""
    return _to_text(markdown.written, MARKDOWN, source, target, options, warn)


def to_html(source: Path, target: Path, options: TextOptions, warn: Warn) -> Format | None:
    """Write the same as HTML."""
    return _to_text(partial(web.written, styled=True), HTML, source, target, options, warn, counts=True)


def _to_text(
    write: Write, output: Format, source: Path, target: Path, options: TextOptions, warn: Warn, *, counts: bool = False
) -> Format | None:
    folder = target.with_name(_FOLDER)
    document = document_of(source, options, warn, folder=None if options.images == "drop" else folder)
    if output is MARKDOWN:
        letter_looks.report(document.blocks, warn)
    if counts:  # readers of the output count the items of a list
        warn.leave_out(each.marker for each in document.blocks if each.marker)
    blocks: Iterable[Block] = with_running(document) if options.running_lines == "keep" else document.blocks
    if options.running_lines == "drop":
        report_running_lines(document, warn)
    if not options.page_marks:
        blocks = joined_tables(joined_pages(list(blocks)), document.sizes)
    where = options.images if options.images != "zip" else _FOLDER
    text = "".join(write(document, blocks, pictures=where, marks=options.page_marks)).rstrip("\n") + "\n"
    target.write_text(text, encoding="utf-8", newline="\n")
    if options.images != "zip" or not document.pictures:
        return None
    page = target.rename(target.with_name(f"document.{output.extension}"))
    files = [(f"{_FOLDER}/{path.name}", path) for path in document.pictures]
    archive.pack(target, [(page.name, page), *files])
    return ZIP


def report_running_lines(document: Document, warn: Warn) -> None:
    """Report the running headers and footers that are left out."""
    lines = [line.text.strip() for each in (document.heads, document.feet) for found in each.values() for line in found]
    if lines:
        warn.leave_out(lines)
        examples = ", ".join(f"“{text[:60]}”" for text in list(dict.fromkeys(lines))[:5])
        warn(
            "CONTENT_DROPPED",
            say(
                "Headers and footers that repeat on every page were left out: {count} ({examples}).",
                count=len(lines),
                examples=examples,
            ),
        )


def with_running(document: Document) -> Iterator[Block]:
    """The blocks with the running headers before those of their page, and its footers after them."""
    by_page: dict[int, list[Block]] = {number: [] for number in document.numbers}
    for block in document.blocks:
        by_page[block.page].append(block)
    for number in document.numbers:
        for line in document.heads.get(number, ()):
            yield Block("paragraph", number, list(line.spans), size=line.size)
        yield from (replace(block) for block in by_page[number])
        for line in document.feet.get(number, ()):
            yield Block("paragraph", number, list(line.spans), size=line.size)
