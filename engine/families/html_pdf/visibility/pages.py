"""Report the words that are not visible on the pages of a PDF that has no HTML to compare with."""

from __future__ import annotations

from pathlib import Path

from engine.families.html_pdf.visibility import continued, drawn, report
from engine.toolkit.warnings import Warn


def check(target: Path, warn: Warn) -> None:
    """Report words of the PDF in `target` that are off the page, clipped, covered, or in their background's colour."""
    found = drawn.unseen(target)
    report.sample(found, warn)
    report.words(continued.without(target, found.phrases) if found.phrases else [], [], 0, warn)
