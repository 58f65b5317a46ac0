"""Register how the contents of documents are counted, by format."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path

from engine.toolkit.census import LETTERINGS, PARAGRAPHS, Census, Counting, combine
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

_ROW = re.compile(rb"^[ >]*\|(?![ \t]*:?-+:?[ \t]*\|)[^\n]*\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(rb"^[ >]*+\|?+[ \t]*+:?-++:?[ \t]*+\|", re.MULTILINE)
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


def _by(module: str, function: str = "count") -> Callable[[Path], Census]:
    """How files are counted by a module, which is imported when the first one is counted."""

    name = f"{_HERE}.{module}"

    def count(path: Path) -> Census:
        census: Census = getattr(importlib.import_module(name), function)(path)
        return census

    return count


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
    return Counting(
        _by("markup.trees", function),
        kinds,
        source_only=source_only,
        unsupported=_FILES,
        modules=(f"{_HERE}.markup.trees",),
    )


COUNTINGS = {
    DOCX: combine(
        Counting(_by("word"), _OFFICE | _TABLES, result_only=_SLIDES, unsupported=_FILES, modules=(f"{_HERE}.word",)),
        Counting(_by("word_lettering"), LETTERINGS | PARAGRAPHS, modules=(f"{_HERE}.word_lettering",)),
    ),
    HTML: Counting(_by("plain", "page"), _NONE, result_only=_SLIDES, modules=(f"{_HERE}.plain",)),
    ODT: combine(
        Counting(_by("open_document"), _OFFICE | _TABLES, unsupported=_FILES, modules=(f"{_HERE}.open_document",)),
        Counting(_by("open_lettering"), LETTERINGS | PARAGRAPHS, modules=(f"{_HERE}.open_lettering",)),
    ),
    RTF: combine(
        Counting(
            _by("rich_text"),
            _OFFICE | {"cells"},
            result_only=frozenset({"tables"}),  # tables with only an empty line between them may be read as one
            unsupported=_FILES,
            modules=(f"{_HERE}.rich_text",),
        ),
        Counting(_by("rich_lettering"), LETTERINGS | PARAGRAPHS, modules=(f"{_HERE}.rich_lettering",)),
    ),
    PPTX: Counting(
        _by("slides"), _OFFICE - {"notes"} | _TABLES | _SLIDES, unsupported=_FILES, modules=(f"{_HERE}.slides",)
    ),
    ODP: Counting(_by("open_document", "slides"), _SLIDES, modules=(f"{_HERE}.open_document",)),
    PPT: Counting(_by("old_slides"), _SLIDES, modules=(f"{_HERE}.old_slides",)),
    MARKDOWN: Counting(
        _by("plain", "markdown"),
        _OFFICE | _TABLES,
        result_only=_SLIDES,
        unsupported=_FILES,
        modules=(f"{_HERE}.plain",),
        estimate=_notation,
    ),
    TXT: Counting(
        _by("plain", "text"),
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
