"""Recognise files whose content contradicts their extension.

Banks and shops often export HTML or text as .xls, which spreadsheet programs open all the same.
"""

from __future__ import annotations

import re

from engine.toolkit import formats
from engine.toolkit.encodings import MARKS
from engine.toolkit.formats import Format

_MARKED = (
    formats.PDF, formats.PNG, formats.JPG, formats.GIF, formats.WEBP, formats.AVIF, formats.HEIC, formats.TIFF,
    formats.PSD, formats.RTF, formats.PARQUET, formats.SQLITE, formats.ORC, formats.AVRO, formats.SEVEN_ZIP,
)  # fmt: skip
"""Formats with a unique signature."""
_PARTS = ((b"xl/", formats.XLSX), (b"word/", formats.DOCX), (b"ppt/", formats.PPTX))
"""Prefixes of part names in an Office Open XML package (ECMA-376, part 2)."""
_TYPED = (formats.ODS, formats.ODT, formats.ODP, formats.ODG, formats.EPUB)
"""Packages whose first file holds their content type, uncompressed (OpenDocument 1.3, part 2, section 3.3)."""
_HTML = re.compile(r"<!doctype\s+html|<html[\s>]|<table[\s>]", re.IGNORECASE)
_JSON = re.compile(r"\[\s*[\[{\"]|\{\s*\"")
_NEAR = 1024


def recognised(head: bytes) -> Format | None:
    """The format that the first bytes of a file belong to; None if they are ambiguous."""
    if formats.ZIP.recognises(head):
        return _package(head)
    marked = next((each for each in _MARKED if each.recognises(head)), None)
    return marked or (_of_text(head) if formats.TXT.recognises(head) else None)


def _package(head: bytes) -> Format:
    if head[30:38] == b"mimetype":
        kind = next((each for each in _TYPED if head[38:].startswith(each.content_type.encode())), None)
        return kind or formats.ZIP
    return next((kind for name, kind in _PARTS if name in head), formats.ZIP)


def _of_text(head: bytes) -> Format | None:
    encoding = next((name for mark, name in MARKS if head.startswith(mark)), "utf-8")
    text = head.decode(encoding, "ignore").lstrip("\ufeff \t\r\n")
    if not text:
        return None
    if _HTML.search(text, 0, _NEAR):
        return formats.HTML
    if text.startswith("<"):
        return formats.SVG if "<svg" in text else formats.XML
    if _JSON.match(text):
        return formats.JSON
    return formats.TSV if "\t" in text.splitlines()[0] else None
