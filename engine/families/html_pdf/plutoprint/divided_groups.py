"""Name the groups of rows that a page break divides although it is to be avoided: PlutoPrint keeps rows, not groups."""

from __future__ import annotations

from collections.abc import Sequence

from engine.families.html_pdf.plutoprint.declared import of_page, word_of
from engine.families.html_pdf.plutoprint.hyphens import Draw
from engine.families.html_pdf.plutoprint.repeated_heads import pages_of_rows
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Kind, Warn

_KIND = Kind("CSS_UNSUPPORTED", "Groups of rows are divided by a page break that they avoid: {count}{places}.")
_NAMES = ("break-inside", "page-break-inside")
_AVOIDED = frozenset(("avoid", "avoid-page"))
_MOST = 1_000
"""Groups whose ends are looked for."""


def found(page: Page, sheets: Sequence[str], *, media: str) -> list[list[Element]]:
    """The first cell of the first and last rows of each group that avoids breaks."""
    styles = (*sheets, *(each.get("style") or "" for each in page.styled))
    if not any("break-inside" in each for each in styles):
        return []
    said = of_page(page, list(sheets), _NAMES, media=media)
    groups: list[list[Element]] = []
    for group in page.root.iter("tbody", "tfoot"):
        if not any(word_of(said, group, name) in _AVOIDED for name in _NAMES):
            continue
        cells = [
            cell for row in group.iterchildren("tr") if (cell := next(row.iterchildren("td", "th"), None)) is not None
        ]
        if len(cells) > 1 and len(groups) < _MOST:
            groups.append([cells[0], cells[-1]])
    return groups


def report(groups: Sequence[Sequence[Element]], root: Element, draw: Draw, warn: Warn) -> None:
    """Warn of the groups that are on two pages; those on more are taller than one."""
    pages = pages_of_rows(groups, root, draw)
    texts = [
        f"“{' '.join(' '.join(group[0].itertext()).split())[:40]}”"
        for group, here in zip(groups, pages, strict=True)
        if here and max(here) - min(here) == 1
    ]
    warn.tally(_KIND, len(texts), texts)
