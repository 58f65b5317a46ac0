"""What the archive says no with: a document that can't be made to conform is not said to."""

from __future__ import annotations

from conversions.toolkit.failures import InvalidOption


def refused(why: str) -> InvalidOption:
    """The error for a document that stays what it is, with the reason."""
    return InvalidOption("operation", f"The PDF can't be made a PDF/A-2b: {why}.")
