"""The text of a PDF as plain text."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as raw

from conversions.families.pdf.pdfium import PageOptions, opened, page_of, text_of
from conversions.toolkit.warnings import Warn

_CONTROLS = {code: None for code in range(32) if code not in (9, 10)} | {0: "\ufffd", 0x7F: None}


class TextOptions(PageOptions, Protocol):
    """What plain text needs of its options."""

    @property
    def page_break(self) -> str: ...


def to_txt(source: Path, target: Path, options: TextOptions, warn: Warn) -> None:
    """Write the text of the chosen pages, one after the other."""
    with opened(source, options) as (document, numbers):
        _warn_of_forms(document, warn)
        texts = []
        for number in numbers:
            with page_of(document, number) as page:
                texts.append(_clean(text_of(page), warn))
    _warn_of_blanks([number for number, text in zip(numbers, texts, strict=True) if not text.strip()], numbers, warn)
    between = "\f" if options.page_break == "formFeed" else "\n"
    target.write_text(between.join(f"{text.rstrip()}\n" for text in texts), encoding="utf-8", newline="\n")


def _clean(text: str, warn: Warn) -> str:
    cleaned = text.translate(_CONTROLS)
    if "\ufffd" in cleaned:
        warn("ENCODING_REPLACED", "The PDF does not say which characters some letters are; they became U+FFFD.")
    return cleaned


def _warn_of_forms(document: pypdfium2.PdfDocument, warn: Warn) -> None:
    if raw.FPDF_GetFormType(document) != raw.FORMTYPE_NONE:
        warn("CONTENT_DROPPED", "The content of form fields was left out.")


def _warn_of_blanks(blank: list[int], numbers: list[int], warn: Warn) -> None:
    if blank:
        named = ", ".join(str(number + 1) for number in blank[:20]) + (", ..." if len(blank) > 20 else "")
        which = "No page has text" if len(blank) == len(numbers) else f"There is no text on page {named}"
        warn("NO_TEXT", f"{which}: blank, or scans in which none was read.")
