"""What other families ask of workbooks before they open one: is it whole, and is it small enough."""

from __future__ import annotations

from pathlib import Path

from conversions.families.data import biff
from conversions.families.data.sheet_bounds import MAX_SHEET_CELLS
from conversions.families.data.workbooks.facts import WorkbookFacts

__all__ = ["MAX_SHEET_CELLS", "check_biff"]


def check_biff(source: Path) -> None:
    """Look through an Excel 97-2003 file. Raises Unreadable for one that is damaged or locked."""
    biff.inspect(source, WorkbookFacts())
