"""Convert feeds (RSS, Atom) to objects, rows and pages, outlines (OPML) to objects and rows, and both back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.data.adapters import Adapter
from engine.families.data.converters import declare_all
from engine.families.documents.options import HtmlOptions, LineWidth
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import CSV, FEED, HTML, JSON, MARKDOWN, ODS, OPML, XLSM, XLSX
from engine.toolkit.options import NoOptions
from engine.toolkit.warnings import Warn

_ENTRIES, _OUTLINES = "feed entries", "an OPML outline"
_SAFE = ("defusedxml", "defusedxml")

declare_all(
    __name__,
    readers=(
        Adapter(FEED, "feeds.entries:read_objects", "documents", NoOptions, _ENTRIES, _SAFE),
        Adapter(OPML, "feeds.outlines:read_objects", "documents", NoOptions, _OUTLINES, _SAFE),
    ),
    outputs=(JSON,),
    writers=(
        Adapter(OPML, "feeds.outlines:write", "documents", NoOptions, "to an OPML outline", renames=True),
        Adapter(FEED, "feeds.entries_out:write", "documents", NoOptions, "to an RSS feed", renames=True),
    ),
    inputs=(CSV, JSON, XLSX, XLSM, ODS),
)
declare_all(
    __name__,
    readers=(
        Adapter(FEED, "feeds.entries:read_rows", "tables", NoOptions, _ENTRIES, _SAFE),
        Adapter(OPML, "feeds.outlines:read_rows", "tables", NoOptions, _OUTLINES, _SAFE),
    ),
    outputs=(CSV, XLSX, ODS),
)

_PAGE = "engine.families.data.feeds.page"


@converter(
    FEED, HTML, profile="office", engine=Engine("nh3", ("nh3",), lazy=("defusedxml", _PAGE)), options=HtmlOptions
)
def feed_to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the entries of a feed to a safe HTML page."""
    from engine.families.data.feeds import page

    page.to_html(source, target, options, warn)


@converter(
    FEED,
    MARKDOWN,
    profile="office",
    engine=Engine(
        "pypandoc-binary", ("nh3",), lazy=("pypandoc", "defusedxml", _PAGE), programs=("pypandoc/files/pandoc",)
    ),
    options=LineWidth,
)
def feed_to_markdown(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the entries of a feed to Markdown."""
    from engine.families.data.feeds import page

    page.to_markdown(source, target, options, warn)
