"""Choose the reader for each word processor format; all of them return the Word document model."""

from __future__ import annotations

from pathlib import Path

from engine.families.documents.odf import document as odf
from engine.families.documents.ooxml.package import Package
from engine.families.documents.rich_text import document as rich_text
from engine.toolkit.formats import FORMATS, ODT, RTF
from engine.toolkit.warnings import Warn


def opened(source: Path, warn: Warn) -> Package:
    """Open a document as a WordprocessingML package. Raises Unreadable and OverLimit."""
    format = FORMATS[source.suffix[1:]]
    if format is RTF:
        return rich_text.opened(source, warn)
    return odf.opened(source, warn) if format is ODT else Package(source)
