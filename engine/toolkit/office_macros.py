"""Name the macros of office files, which no conversion runs or keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.toolkit.warnings import Kind, Warn

MACROS = Kind("SCRIPT_REMOVED", "Macros were left out: {count}{places}.")
_PARTS = re.compile(r".*vbaProject\.bin|Basic/.+/(?!script-lb\.xml).+|Scripts/.+")


def report(names: Iterable[str], warn: Warn) -> None:
    """Warn of the macros among the parts of an office file, if there are any."""
    warn.tally(MACROS, sum(map(bool, map(_PARTS.fullmatch, names))))
