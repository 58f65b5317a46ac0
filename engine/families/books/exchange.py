"""Convert Mobipocket and Kindle books to EPUB, HTML, text and PDF."""

from __future__ import annotations

import hashlib
import uuid
import zipfile
from html import escape
from pathlib import Path
from typing import Any

from engine.families.books.mobi import markup
from engine.families.books.mobi.markup import Book
from engine.families.documents import html_document, safe_html
from engine.families.documents.html_document import HtmlDocument
from engine.toolkit import archive
from engine.toolkit.data_uris import data_uri
from engine.toolkit.formats import EPUB, HTML, PDF, TXT, Format
from engine.toolkit.warnings import Kind, Warn

_PAGES = "<style>.page-break{break-before:page}</style>"
_LEFT_OUT = Kind("METADATA_DROPPED", "The output has no place for these book details: {count}{places}.")
_METADATA = {"publisher": "publisher", "description": "description", "subjects": "subject", "date": "date",
         "isbn": "identifier"}  # fmt: skip
"""Metadata fields by pandoc's names."""


def convert(source: Path, target: Path, output: Format, options: Any, warn: Warn) -> None:
    """Write the book in `source` as `output`.

    Raises Unreadable for a book that is damaged, or protected (DRM), OverLimit for one that unpacks to too much.
    """
    data = source.read_bytes()
    book = markup.read(data, warn)
    warn.detect(version=book.version)
    if output is EPUB:
        _to_epub(book, target, options, hashlib.sha256(data).hexdigest(), warn)
        return
    left = [name for name in book.metadata if name != "authors"] + ["authors"] * (output is TXT and bool(book.authors))
    warn.tally(_LEFT_OUT, len(left), left)
    if output is TXT:
        _to_text(book, target, options, warn)
        return
    body = _body(book, warn)
    made = HtmlDocument(
        _PAGES + body, title=book.title or None, language=book.language or None, authors=tuple(book.authors)
    )
    if output is HTML:
        html_document.write(made, target, options)
    elif output is PDF:
        from engine.families.html_pdf.render import render

        render(html_document.for_paper(made), target, options, warn, title=book.title or None)


def _body(book: Book, warn: Warn) -> str:
    """The text of the book as safe markup, with its cover first."""
    body = safe_html.clean(book.html, warn)
    cover = data_uri(book.cover_kind, book.cover) if book.cover else ""
    return body if not cover or cover in body else f'<p><img src="{cover}" alt=""></p>\n{markup.BREAK}{body}'


def _page(book: Book, body: str, folder: Path) -> Path:
    page = folder / "book.html"
    language = f' lang="{escape(book.language)}"' if book.language else ""
    page.write_text(
        f'<!DOCTYPE html>\n<html{language}><head><meta charset="utf-8"><title>{escape(book.title)}</title></head>'
        f"<body>\n{body}</body></html>\n",
        "utf-8",
    )
    return page


def _to_text(book: Book, target: Path, options: Any, warn: Warn) -> None:
    from engine.families.documents import exchange

    settings = exchange.Settings(encoding="utf-8", pictures="drop", line_width=options.line_width)
    exchange.convert(_page(book, book.html, target.parent), target, HTML, TXT, settings, warn)


def _to_epub(book: Book, target: Path, options: Any, digest: str, warn: Warn) -> None:
    from engine.families.documents import pandoc

    title = options.title or book.title or "Untitled"
    language = options.language or book.language
    metadata = [("title", title), *((("lang", language),) if language else ())]
    metadata += [("author", each) for each in ([options.author] if options.author else book.authors)]
    metadata += [(name, value) for key, name in _METADATA.items() for value in book.metadata.get(key, ()) if value]
    arguments = ["--standalone", *(f"--metadata={name}={value}" for name, value in metadata)]
    pandoc.run(
        _page(book, _body(book, warn), target.parent),
        target,
        reader="html",
        writer="epub3",
        arguments=arguments,
        environment={
            "DOCUMENT_INPUT": HTML.id,
            "DOCUMENT_OUTPUT": EPUB.id,
            "DOCUMENT_PICTURES": "embed",
            "DOCUMENT_ID": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        },
        warn=warn,
    )
    if book.cover:
        _mark_cover(target, book.cover)


def _mark_cover(target: Path, cover: bytes) -> None:
    """Mark the picture with these bytes as the cover."""
    with zipfile.ZipFile(target) as made:
        parts = [(each.filename, made.read(each)) for each in made.infolist()]
    name = next((name for name, data in parts if data == cover), "").rpartition("EPUB/")[2]
    with zipfile.ZipFile(target, "w") as made:
        for part, data in parts:
            if part.endswith(".opf") and name:
                data = data.replace(f'href="{name}"'.encode(), f'properties="cover-image" href="{name}"'.encode(), 1)
            made.writestr(archive.entry(part, stored=part == "mimetype"), data)
