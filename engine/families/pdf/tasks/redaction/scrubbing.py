"""Remove texts from PDF objects outside of page content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pikepdf

from engine.families.pdf.name_text import string_text
from engine.families.pdf.tasks.redaction.terms import Wanted


def scrubber(wanted: Wanted) -> Callable[[Any], bool]:
    """A function that removes matches from the texts in a direct object, and returns whether there were any."""

    def scrub(holder: Any) -> bool:
        changed, waiting = False, [holder]
        while waiting:
            now = waiting.pop()
            if isinstance(now, pikepdf.Array):
                keys: list[Any] = list(range(len(now)))
            elif isinstance(now, pikepdf.Dictionary | pikepdf.Stream):
                keys = list(now.keys())
            else:
                continue
            for key in keys:
                value = now[key]
                if isinstance(value, pikepdf.String):
                    text = string_text(value)
                    clean = wanted.without(text)
                    if " " not in clean and wanted.named_in(clean):
                        clean = ""
                    if clean != text:
                        now[key] = pikepdf.String(clean)
                        changed = True
                elif isinstance(value, pikepdf.Object) and not value.is_indirect:
                    waiting.append(value)
        return changed

    return scrub
