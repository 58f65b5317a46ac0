"""The files of the languages: those of translators, what they are compiled to, and which of these are out of date."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from languages.spoken import folder, translated

SUFFIXES = {"django": ".mo", "djangojs": ".js"}
"""How the name of the file ends that each domain is compiled to, for gettext and for browsers."""


def po_file(language: str, domain: str) -> Path:
    return folder(language) / f"{domain}.po"


def compiled_file(language: str, domain: str) -> Path:
    return folder(language) / f"{domain}{SUFFIXES[domain]}"


def outdated() -> Iterator[tuple[str, str]]:
    """The languages and domains whose compiled file is older than that of the translators, or not there at all."""
    for language in translated():
        for domain in SUFFIXES:
            source, target = po_file(language, domain), compiled_file(language, domain)
            if source.exists() and not (target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns):
                yield language, domain
