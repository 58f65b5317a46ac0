"""Name the macros of office files, which no conversion runs or keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.toolkit.warnings import Kind, Warn

MACROS = Kind("SCRIPT_REMOVED", "Macros were left out: {count}{places}.")
_PARTS = re.compile(r".*(?i:vbaProject)\.bin|Basic/.+/(?!script-lb\.xml).+|Scripts/.*[^/]")


def is_macro(name: str) -> bool:
    """Whether a part of an office file is a macro, or a project with some."""
    return _PARTS.fullmatch(name) is not None


def count(names: Iterable[str]) -> int:
    """The number of macros among the parts of an office file."""
    return sum(map(is_macro, names))


def report(names: Iterable[str], warn: Warn) -> None:
    """Warn of the macros among the parts of an office file, if there are any."""
    warn.tally(MACROS, count(names))
