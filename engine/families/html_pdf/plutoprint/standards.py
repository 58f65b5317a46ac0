"""Make a document conform to a standard, if its options ask for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.families.html_pdf.options import Standard
from engine.toolkit.warnings import Warn

if TYPE_CHECKING:
    from engine.families.html_pdf.tagged.conformity import Conforming


def asked(options: object, written: Mapping[str, str], warn: Warn) -> Conforming | None:
    """What the options ask for; None for nothing. `written` has the texts of private characters."""
    standard = options.pdf_standard if isinstance(options, Standard) else "none"
    if standard == "none":
        return None
    from engine.families.html_pdf.tagged.conformity import Conforming  # 19 modules, 8 ms

    return Conforming.to(standard, written, warn)
