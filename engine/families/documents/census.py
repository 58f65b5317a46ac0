"""Register how the contents of documents are counted, by format."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from engine.toolkit.census import LETTERINGS, Census, Counting, combine
from engine.toolkit.formats import (
    ASCIIDOC,
    DOCBOOK,
    DOCX,
    HTML,
    IPYNB,
    JIRA,
    LATEX,
    MAN,
    MARKDOWN,
    MEDIAWIKI,
    ODP,
    ODT,
    OPML,
    ORG,
    PPT,
    PPTX,
    RST,
    RTF,
    TEXTILE,
    TXT,
    TYPST,
)  # fmt: skip


def _word(path: Path) -> Census:
    from engine.families.documents.counting import word

    return word.count(path)


def _slides(path: Path) -> Census:
    from engine.families.documents.counting import slides

    return slides.count(path)


def _lettered_word(path: Path) -> Census:
    from engine.families.documents.counting import word_lettering

    return word_lettering.count(path)


def _lettered_open_document(path: Path) -> Census:
    from engine.families.documents.counting import open_lettering

    return open_lettering.count(path)


def _lettered_rich_text(path: Path) -> Census:
    from engine.families.documents.counting import rich_lettering

    return rich_lettering.count(path)


def _open_document(path: Path) -> Census:
    from engine.families.documents.counting import open_document

    return open_document.count(path)


def _rich_text(path: Path) -> Census:
    from engine.families.documents.counting import rich_text

    return rich_text.count(path)


def _markdown(path: Path) -> Census:
    from engine.families.documents.counting import plain

    return plain.markdown(path)


def _page(path: Path) -> Census:
    from engine.families.documents.counting import plain

    return plain.page(path)


def _open_slides(path: Path) -> Census:
    from engine.families.documents.counting import open_document

    return open_document.slides(path)


def _old_slides(path: Path) -> Census:
    from engine.families.documents.counting import old_slides

    return old_slides.count(path)


def _plain(path: Path) -> Census:
    from engine.families.documents.counting import plain

    return plain.text(path)


_ROW = re.compile(rb"^[ >]*\|(?![ \t]*:?-+:?[ \t]*\|)[^\n]*\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(rb"^[ >]*\|?[ \t]*:?-+:?[ \t]*\|", re.MULTILINE)
_CELL = re.compile(rb"<t[dh][\s>]")


def _notation(data: bytes) -> dict[str, int]:
    pictures = data.count(b"![")
    links = data.count(b"](") + data.count(b"][") + data.count(b"<http") + data.count(b"<a ") - pictures
    bars = [each.count(b"|") - 1 for each in _ROW.findall(data)]
    return {
        "pictures": pictures + data.count(b"<img "),
        "links": links,
        "notes": data.count(b"[^"),
        "tables": len(_RULE.findall(data)) + data.count(b"<table"),
        "cells": sum(bars) + len(_CELL.findall(data)),
    }


def _nothing(data: bytes) -> dict[str, int]:
    return {}


_HERE = "engine.families.documents.counting"
_OFFICE = frozenset({"words", "pictures", "links", "notes"})
_TABLES = frozenset({"tables", "cells"})
_FILES = frozenset({"attachments"})
_SLIDES = frozenset({"slides"})
_NONE: frozenset[str] = frozenset()


def _syntax(module: str, function: str = "read", kinds: frozenset[str] = _OFFICE) -> Counting:
    """How a markup language is counted, by its own tokenizer."""
    name = f"{_HERE}.markup.{module}"

    def count(path: Path) -> Census:
        from engine.families.documents.counting import plain

        source = plain.read(path)
        found: Census = getattr(importlib.import_module(name), function)(source).census(source)
        return found

    return Counting(count, kinds, unsupported=_FILES, modules=(f"{_HERE}.plain", name))


def _tree(function: str, kinds: frozenset[str], source_only: frozenset[str] = frozenset()) -> Counting:
    name = f"{_HERE}.markup.trees"

    def count(path: Path) -> Census:
        census: Census = getattr(importlib.import_module(name), function)(path)
        return census

    return Counting(count, kinds, source_only=source_only, unsupported=_FILES, modules=(name,))


COUNTINGS = {
    DOCX: combine(
        Counting(_word, _OFFICE | _TABLES, result_only=_SLIDES, unsupported=_FILES, modules=(f"{_HERE}.word",)),
        Counting(_lettered_word, LETTERINGS, modules=(f"{_HERE}.word_lettering",)),
    ),
    HTML: Counting(_page, _NONE, result_only=_SLIDES, modules=(f"{_HERE}.plain",)),
    ODT: combine(
        Counting(_open_document, _OFFICE | _TABLES, unsupported=_FILES, modules=(f"{_HERE}.open_document",)),
        Counting(_lettered_open_document, LETTERINGS, modules=(f"{_HERE}.open_lettering",)),
    ),
    RTF: combine(
        Counting(
            _rich_text,
            _OFFICE | {"cells"},
            result_only=frozenset({"tables"}),  # tables with only an empty line between them may be read as one
            unsupported=_FILES,
            modules=(f"{_HERE}.rich_text",),
        ),
        Counting(_lettered_rich_text, LETTERINGS, modules=(f"{_HERE}.rich_lettering",)),
    ),
    PPTX: Counting(_slides, _OFFICE - {"notes"} | _TABLES | _SLIDES, unsupported=_FILES, modules=(f"{_HERE}.slides",)),
    ODP: Counting(_open_slides, _SLIDES, modules=(f"{_HERE}.open_document",)),
    PPT: Counting(_old_slides, _SLIDES, modules=(f"{_HERE}.old_slides",)),
    MARKDOWN: Counting(
        _markdown,
        _OFFICE | _TABLES,
        result_only=_SLIDES,
        unsupported=_FILES,
        modules=(f"{_HERE}.plain",),
        estimate=_notation,
    ),
    TXT: Counting(
        _plain,
        frozenset({"words"}),
        result_only=_SLIDES,
        unsupported=_FILES | {"pictures"},
        modules=(f"{_HERE}.plain",),
        estimate=_nothing,
    ),
    LATEX: _syntax("tex"),
    TYPST: _syntax("typst"),
    RST: _syntax("restructured"),
    ORG: _syntax("org"),
    ASCIIDOC: _syntax("asciidoc"),
    MEDIAWIKI: _syntax("wiki", "media_wiki"),
    JIRA: _syntax("wiki", "jira", _OFFICE - {"notes"}),
    TEXTILE: _syntax("wiki", "textile", _OFFICE - {"notes"}),
    MAN: _syntax("man", kinds=frozenset({"words"})),
    DOCBOOK: _tree("doc_book", _OFFICE),
    OPML: _tree("outline", frozenset({"words"})),
    IPYNB: _tree("notebook", frozenset({"words", "links"})),
}
