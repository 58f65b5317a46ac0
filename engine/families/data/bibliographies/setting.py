"""Typeset a bibliography as a list of references."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.families.data.bibliographies import files
from engine.families.documents import citations, exchange, html_document
from engine.families.documents.exchange import Prepared, Settings
from engine.toolkit.formats import CSLJSON, FORMATS, HTML, PDF
from engine.toolkit.warnings import Kind, Warn

_BESIDE = Kind("CONTENT_DROPPED", "Fields that reference lists don't show were left out: {count}{places}.")
_TITLE = "References"


def write(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write `source` as a list in the style of `options.citation_style`, in the format of `target`.

    Raises Unreadable for a file without entries.
    """
    found = files.read_items(source, warn)
    beside = [name for each in found for name in each.pop("custom", {})]
    warn.tally(_BESIDE, len(beside), beside)
    items = target.with_name("items.json")
    items.write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    settings = Settings.from_options(options)
    arguments = (*citations.arguments(settings.citation_style), f"--metadata=title={_TITLE}")
    prepared = Prepared(items, "csljson", CSLJSON, arguments)
    output = FORMATS[target.suffix[1:]]
    if output not in (HTML, PDF):
        exchange.write(prepared, target, output, settings, warn)
        return
    made = exchange.page(prepared, target, output, settings, warn)
    if output is HTML:
        html_document.write(made, target, options)
        return
    from engine.families.html_pdf.render import render

    render(html_document.for_paper(made), target, options, warn, title=made.title)
