"""Remove metadata from a PDF: author, program and dates."""

from __future__ import annotations

import pikepdf
from pikepdf import Name, sanitize


def remove_metadata(pdf: pikepdf.Pdf) -> None:
    """Remove the metadata of the document and of its parts, thumbnails, and private application data."""
    for holder in pdf.objects:
        if isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
            for name in (Name.Metadata, Name.PieceInfo, Name.Thumb, Name.LastModified):
                if name in holder:
                    del holder[name]
    if Name.Info in pdf.trailer:
        del pdf.trailer[Name.Info]
    sanitize.remove_search_index(pdf)
    sanitize.remove_web_capture(pdf)
