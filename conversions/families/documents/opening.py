"""The reader of each word processor's format, all of which end in one model: that of Word documents."""

from __future__ import annotations

from pathlib import Path

from conversions.families.documents.odf import document as odf
from conversions.families.documents.ooxml.package import Package
from conversions.families.documents.rich_text import document as rich_text
from conversions.toolkit.formats import FORMATS, ODT, RTF
from conversions.toolkit.warnings import Warn


def opened(source: Path, warn: Warn) -> Package:
    """A document as a package of WordprocessingML. Raises Unreadable and OverLimit."""
    format = FORMATS[source.suffix[1:]]
    if format is RTF:
        return rich_text.opened(source, warn)
    return odf.opened(source, warn) if format is ODT else Package(source)
