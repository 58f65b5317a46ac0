"""Name gradients and pictures behind rows of tables, which PlutoPrint draws anew in each cell (CSS 2.2, 17.5.1)."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Sequence
from itertools import islice

from engine.families.html_pdf.plutoprint.declared import declared
from engine.families.html_pdf.plutoprint.layered_backgrounds import is_marked
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Kind, Warn

_PICTURE = re.compile(r"gradient\(|url\(")
_DRAWN = re.compile(r"data:image/svg\+xml;base64,([\w+/=]{1,2000})(?![\w+/=])")
_DOWN = re.compile(rb'<linearGradient[^>]* x1="([^"]*)"[^>]* x2="\1"')
"""A gradient from top to bottom, drawn by gradients.py, which looks the same in each cell of a row."""
_ACROSS = re.compile(
    r"url\(|(?:radial|conic)-gradient\(|"
    r"linear-gradient\(\s*(?:to [a-z ]*(?:left|right)|(?!-?(?:0|180)deg)-?[\d.]+(?:deg|turn|rad|grad))"
)
"""The same in style sheets as they are written."""
_NAMES = ("background", "background-image")
_GROUPS = ("thead", "tbody", "tfoot", "tr")
_DIVIDED = Kind("CSS_UNSUPPORTED", "Gradients and pictures behind rows of tables that are drawn in each cell: {count}.")


def report(page: Page, sheets: Sequence[str], warn: Warn, *, media: str) -> None:
    """Warn of the rows, and groups of rows, that have a picture and more than one cell; `sheets` are not lowered."""
    found = declared(page.root, sheets, _NAMES, None, media=media) if any(map(_PICTURE.search, sheets)) else {}
    rows = [
        each
        for each in page.root.iter(*_GROUPS)
        if each in found or "background" in (each.get("style") or "") or is_marked(each)
    ]
    pictured = [each for each in rows if is_marked(each) or _is_divided(each, found.get(each, {}))]
    warn.tally(_DIVIDED, sum(len([*islice(each.iter("td", "th"), 2)]) > 1 for each in pictured))


def _is_divided(row: Element, said: dict[str, str]) -> bool:
    own = row.get("style") or ""
    if "background" in own:
        drawn = _DRAWN.search(own)
        return _PICTURE.search(own) is not None and not (drawn is not None and _DOWN.search(_read(drawn[1])))
    shown = _PICTURE if row.tag != "tr" else _ACROSS
    return any(shown.search(each) for each in said.values())


def _read(encoded: str) -> bytes:
    try:
        return b64decode(encoded)
    except ValueError:  # a picture of the page's own
        return b""
