"""Limit adjacent floats, whose layout time is quadratic."""

from __future__ import annotations

import re
from collections import Counter

from engine.families.html_pdf.plutoprint.declared import declared
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST = 4_000
"""The maximum floats in one box; PlutoPrint takes one second for 5,000 and six for 10,000."""

_FLOAT = re.compile(r"(?:^|[;{\s])float\s*:\s*(left|right)", re.IGNORECASE)


def bound(page: Page, sheets: list[str], warn: Warn, *, media: str) -> None:
    """Make floats beyond MOST of one box inline."""
    declarations = declared(page.root, sheets, ("float",), None, media=media) if any(map(_FLOAT.search, sheets)) else {}
    found = {
        each for each, words in declarations.items() if words.get("float", "").strip().startswith(("left", "right"))
    }
    found.update(each for each in page.styled if _FLOAT.search(each.get("style") or ""))
    if len(found) <= MOST:
        return
    beside: Counter[Element] = Counter()
    for element in page.root.iter():
        if element in found:
            beside[element.getparent()] += 1
            if beside[element.getparent()] > MOST:
                style = f"{element.get('style') or ''};float:none!important;display:inline-block!important"
                element.set("style", style.strip(";"))
                warn(
                    "CSS_UNSUPPORTED",
                    say("float: at most {most} boxes inside one box are laid out side by side.", most=MOST),
                )
