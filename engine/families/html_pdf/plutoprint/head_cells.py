"""Align head cells of tables as what is around them (HTML, 15.3.9): PlutoPrint centres them in any case."""

from __future__ import annotations

from engine.families.html_pdf.plutoprint.declared import Declared, declared, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page

_NAME = "text-align"
_STARTS = frozenset(("start", "initial", "unset", "revert"))
_SIDES = frozenset(("left", "right", "center", "justify"))
_WITH_ATTRIBUTE = frozenset(("tr", "thead", "tbody", "tfoot"))


def align(page: Page, sheets: list[str], *, media: str) -> None:
    """Let each `<th>` inherit its alignment, unless it has its own, or what it would inherit is the initial value."""
    if "th" not in page.names or not (page.aligned or any(_NAME in each for each in sheets)):
        return
    cells = list(page.root.iter("th"))
    wanted = {up for each in cells for up in (each, *each.iterancestors())}
    declarations = declared(page.root, sheets, (_NAME,), wanted, media=media)
    inherits: dict[Element, bool] = {}
    for cell in cells:
        if word_of(declarations, cell, _NAME) or cell.get("align"):
            continue
        row = cell.getparent()
        if row not in inherits:
            inherits[row] = _is_aligned(row, declarations)
        if inherits[row]:
            add_style(cell, f"{_NAME}:inherit")


def _is_aligned(element: Element, declarations: Declared) -> bool:
    """Whether the nearest element that says how text is aligned says something else than the initial value."""
    for each in (element, *element.iterancestors()):
        word = word_of(declarations, each, _NAME)
        if not word and each.tag in _WITH_ATTRIBUTE:
            word = (each.get("align") or "").strip().lower()
        if word in _STARTS:
            return False
        if word and word != "inherit":
            return word in _SIDES or word == "end"
    return False
