"""Register how the contents of documents are counted, by format."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.toolkit.census import LETTERINGS, PARAGRAPHS, Census, Counting, combine
from engine.toolkit.formats import (
    ASCIIDOC,
    DOC,
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


_OFFICE = frozenset({"words", "pictures", "links", "notes"})
_TABLES = frozenset({"tables", "cells"})
_FILES = frozenset({"attachments"})
_SLIDES = frozenset({"slides"})
_CHARTS = frozenset({"charts"})
_WORDS = frozenset({"words"})
_NONE: frozenset[str] = frozenset()


def _by(
    module: str,
    function: str,
    kinds: frozenset[str],
    *,
    source_only: frozenset[str] = _NONE,
    result_only: frozenset[str] = _NONE,
    unsupported: frozenset[str] = _NONE,
    estimate: Callable[[bytes], Mapping[str, int]] | None = None,
) -> Counting:
    """How a function counts files; its module is imported with the first of them."""
    name = f"{_HERE}.{module}"

    def count(path: Path) -> Census:
        census: Census = getattr(importlib.import_module(name), function)(path)
        return census

    return Counting(
        count,
        kinds,
        source_only=source_only,
        result_only=result_only,
        unsupported=unsupported,
        modules=(name,),
        estimate=estimate,
    )


def _syntax(module: str, function: str = "read", kinds: frozenset[str] = _OFFICE) -> Counting:
    """How a markup language is counted, by its own tokenizer."""
    name = f"{_HERE}.markup.{module}"

    def count(path: Path) -> Census:
        from engine.families.documents.counting import plain

        source = plain.read(path)
        found: Census = getattr(importlib.import_module(name), function)(source).census(source)
        return found

    return Counting(count, kinds, unsupported=_FILES, modules=(f"{_HERE}.plain", name))


COUNTINGS = {
    DOCX: combine(
        _by("word", "count", _OFFICE | _TABLES, source_only=_CHARTS, result_only=_SLIDES, unsupported=_FILES),
        _by("word_lettering", "count", LETTERINGS | PARAGRAPHS),
    ),
    HTML: _by("plain", "page", _CHARTS, result_only=_SLIDES),
    ODT: combine(
        _by("open_document", "count", _OFFICE | _TABLES, unsupported=_FILES),
        _by("open_lettering", "count", LETTERINGS | PARAGRAPHS),
    ),
    RTF: combine(
        _by(
            "rich_text",
            "count",
            _OFFICE | {"cells"},
            result_only=frozenset({"tables"}),  # tables with only an empty line between them may be read as one
            unsupported=_FILES,
        ),
        _by("rich_lettering", "count", LETTERINGS | PARAGRAPHS),
    ),
    PPTX: _by("slides", "count", _OFFICE - {"notes"} | _TABLES | _SLIDES, source_only=_CHARTS, unsupported=_FILES),
    DOC: _by("old_word", "count", _WORDS),
    ODP: _by("open_document", "slides", _SLIDES | _WORDS),
    PPT: _by("old_slides", "count", _SLIDES | _WORDS),
    MARKDOWN: _by("plain", "markdown", _OFFICE | _TABLES, result_only=_SLIDES, unsupported=_FILES, estimate=_notation),
    TXT: _by(
        "plain",
        "text",
        frozenset({"words"}),
        result_only=_SLIDES,
        unsupported=_FILES | {"pictures"},
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
    DOCBOOK: _by("markup.trees", "doc_book", _OFFICE, unsupported=_FILES),
    OPML: _by("markup.trees", "outline", frozenset({"words"}), unsupported=_FILES),
    IPYNB: _by("markup.trees", "notebook", frozenset({"words", "links"}), unsupported=_FILES),
}
