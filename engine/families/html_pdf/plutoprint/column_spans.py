"""Limit elements that span all columns, whose layout time is quadratic."""

from __future__ import annotations

import re

from engine.families.html_pdf.plutoprint.declared import declared, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Page
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST = 100_000
"""The maximum elements that span columns, times the elements of the page, as what follows is laid out again for each:
250,000 take 5 to 9 s."""

_SPAN = re.compile(r"(?<![\w-])column-span\s*:\s*all", re.IGNORECASE)


def bound(page: Page, sheets: list[str], warn: Warn, *, media: str) -> None:
    """Keep elements beyond those of MOST within one column."""
    found = {each for each in page.styled if _SPAN.search(each.get("style") or "")}
    if any(map(_SPAN.search, sheets)):
        declarations = declared(page.root, sheets, ("column-span",), None, media=media)
        found.update(each for each in declarations if word_of(declarations, each, "column-span") == "all")
    most = MOST // sum(1 for _ in page.root.iter())
    if len(found) <= most:
        return
    for element in [each for each in page.root.iter() if each in found][most:]:
        add_style(element, "column-span:none!important")
    warn(
        "CSS_UNSUPPORTED",
        say("column-span: only the first {most} elements were laid out across all columns.", most=most),
    )
