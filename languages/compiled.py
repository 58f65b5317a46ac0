"""Catalogue files, their compiled files, and which of those are outdated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from languages.available import folder, translated

SUFFIXES = {"django": ".mo", "djangojs": ".js"}
"""Extension of the compiled file of each domain, for gettext and for browsers."""


def po_file(language: str, domain: str) -> Path:
    return folder(language) / f"{domain}.po"


def compiled_file(language: str, domain: str) -> Path:
    return folder(language) / f"{domain}{SUFFIXES[domain]}"


def outdated() -> Iterator[tuple[str, str]]:
    """Languages and domains whose compiled file is missing or older than the catalogue."""
    for language in translated():
        for domain in SUFFIXES:
            source, target = po_file(language, domain), compiled_file(language, domain)
            if source.exists() and not (target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns):
                yield language, domain
