"""Look for what a long text has rarely, such as the tag of a picture in the XML of a sheet."""

from __future__ import annotations


def has(data: bytes, mark: bytes) -> bool:
    """Whether the text has a mark; from its end, as Python searches backwards in a third of the time."""
    return data.rfind(mark) >= 0
