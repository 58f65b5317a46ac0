"""Texts inside the objects of a PDF, beside its pages, without what is wanted gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pikepdf

from conversions.families.pdf.tasks.redaction.wanted import Wanted


def scrubber(wanted: Wanted) -> Callable[[Any], bool]:
    """What takes matches out of the texts inside an object that is written in one piece, and says if there were any."""

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
                    text = str(value)
                    clean = wanted.without(text)
                    if clean != text:
                        now[key] = pikepdf.String(clean)
                        changed = True
                elif isinstance(value, pikepdf.Object) and not value.is_indirect:
                    waiting.append(value)
        return changed

    return scrub
