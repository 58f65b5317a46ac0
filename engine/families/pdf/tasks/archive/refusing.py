"""The error for documents that can't be made to conform."""

from __future__ import annotations

from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say


def refused(why: str) -> InvalidOption:
    """The error for a document that can't be converted, with the reason."""
    return InvalidOption("operation", say("The PDF can't be converted to PDF/A-2b: {why}.", why=why))
