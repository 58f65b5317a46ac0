"""Check for other families that a workbook is intact and small enough to open."""

from __future__ import annotations

from pathlib import Path

from engine.families.data.workbooks import biff
from engine.families.data.workbooks.facts import WorkbookFacts
from engine.families.data.workbooks.sheet_bounds import MAX_SHEET_CELLS

__all__ = ["MAX_SHEET_CELLS", "check_biff"]


def check_biff(source: Path) -> None:
    """Check an Excel 97-2003 file. Raises Unreadable if it is damaged or locked."""
    biff.inspect(source, WorkbookFacts())
