"""Convert a page with its files to PDF, one HTML file, or a document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.families.html_pdf.options import PageOptions
from engine.families.saved_pages import folders, inlining, mhtml, webarchive
from engine.families.saved_pages.parts import SavedPage
from engine.toolkit.formats import HTML, HTMLZ, MHTML, PDF, WEBARCHIVE, Format
from engine.toolkit.warnings import Kind, Warn

_READERS: dict[Format, Callable[[Path], SavedPage]] = {
    MHTML: mhtml.read,
    WEBARCHIVE: webarchive.read,
    HTMLZ: folders.read,
}
_UNUSED = Kind("CONTENT_DROPPED", "PDFs and pictures that the page doesn't show were left out: {count}{places}.")


def convert(source: Path, target: Path, input: Format, output: Format, options: Any, warn: Warn) -> Format | None:
    """Write the page in `source` as `output`; a ZIP if a document has separate picture files.

    Raises Unreadable for a file without a page, OverLimit for one that is too large.
    """
    page = _READERS[input](source)
    root, used = inlining.inlined(page, warn)
    if input is HTMLZ:
        _report_unused(page, used, warn)
    if output is HTML:
        from engine.families.saved_pages import standalone

        standalone.write(root, target, warn)
        return None
    html = inlining.written(root)
    if output is PDF:
        from engine.families.html_pdf.render import render

        render(html, target, options, warn)
        return None
    from engine.families.documents import exchange

    whole = target.with_name("page.html")
    whole.write_text(html, "utf-8")
    settings = replace(exchange.Settings.from_options(options), encoding="utf-8")
    return exchange.convert(whole, target, HTML, output, settings, warn)


def folder_to_pdf(source: Path, target: Path, options: PageOptions, warn: Warn) -> None:
    """Write the index.html of a ZIP as PDF; raises what `convert` does."""
    page = folders.read(source, only_index=True)
    root, used = inlining.inlined(page, warn)
    _report_unused(page, used, warn)

    from engine.families.html_pdf.render import render

    render(inlining.written(root), target, options, warn)


def _report_unused(page: SavedPage, used: set[str], warn: Warn) -> None:
    names = [
        folders.name_of(each)
        for each, part in page.parts.items()
        if each not in used and (part.kind.startswith("image/") or part.kind == "application/pdf")
    ]
    warn.tally(_UNUSED, len(names), names)
