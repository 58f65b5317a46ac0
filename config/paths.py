"""Normalisation of request paths before routing."""

from __future__ import annotations

_FILES = "/api/v1/files/"
"""Paths where a trailing slash is part of the key."""


def without_slash(path: str) -> str:
    """Drop a trailing slash of an API route: a redirect would lose the body of a POST."""
    return path.removesuffix("/") if path.startswith("/api/") and not path.startswith(_FILES) else path
