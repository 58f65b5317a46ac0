"""Name the macros of office files, which no conversion runs or keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.toolkit.warnings import Warn

_PARTS = re.compile(r".*vbaProject\.bin|Basic/.+/.+|Scripts/.+")


def report(names: Iterable[str], warn: Warn) -> None:
    """Warn of the macros among the parts of an office file, if there are any."""
    if any(map(_PARTS.fullmatch, names)):
        warn("SCRIPT_REMOVED", "The file's macros were not run.")
