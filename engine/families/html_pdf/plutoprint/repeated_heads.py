"""Name the pages on which PlutoPrint does not repeat the head of a table: those where a row continues."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from itertools import chain

from engine.families.html_pdf.plutoprint.declared import declared, word_of
from engine.families.html_pdf.plutoprint.first_words import pages_of
from engine.families.html_pdf.plutoprint.hyphens import Draw
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Kind, Warn

_KIND = Kind("CSS_UNSUPPORTED", "Table headings are not repeated on pages where a long row continues: {count}{places}.")
_LONG, _MANY = 400, 30
"""Letters, and elements, of a cell that may be taller than a page."""
_TALL = frozenset(("img", "svg"))
_MOST = 2_000
"""Cells whose ends are looked for."""
_NAME = "fc-t-"
_MARK = "position:absolute;width:1px;height:1px"


def long_rows(page: Page, sheets: Sequence[str], *, media: str) -> list[list[Element]]:
    """The cells of each row that may be taller than a page, in tables whose heads are repeated."""
    heads = [each for each in page.root.iter("thead") if "".join(each.itertext()).strip()]
    if next(chain.from_iterable(map(_rows, _first(heads))), None) is None:
        return []
    said = declared(page.root, list(sheets), ("display",), heads, media=media)
    shown = [each for each in heads if word_of(said, each, "display") in ("", "table-header-group")]
    found: list[list[Element]] = []
    left = _MOST
    for row in chain.from_iterable(map(_rows, _first(shown))):
        cells = [each for each in row if each.tag in ("td", "th") and each.get("rowspan", "1") == "1"]
        left -= len(cells)
        if left < 0:
            break
        found.append(cells)
    return found


def report(rows: Sequence[Sequence[Element]], root: Element, draw: Draw, warn: Warn) -> None:
    """Warn of pages that one of the rows continues on."""
    count = 0
    texts = []
    for row, here in zip(rows, pages_of_rows(rows, root, draw), strict=True):
        if here and (more := max(here) - min(here)):
            count += more
            text = " ".join(" ".join(each.itertext()) for each in row)
            texts.append(f"“{' '.join(text.split())[:40]}”")
    warn.tally(_KIND, count, texts)


def pages_of_rows(rows: Sequence[Sequence[Element]], root: Element, draw: Draw) -> list[list[int]]:
    """Lay a copy of the page out with both ends of each cell marked, and return the pages of each row's cells."""
    cells = [cell for row in rows for cell in row]
    for at, cell in enumerate(cells):
        cell.set(_NAME, str(at))
    copied = copy.deepcopy(root)
    for cell in cells:
        del cell.attrib[_NAME]
    links = copied.makeelement("div", hidden="")
    for cell in [each for each in copied.iter("td", "th") if _NAME in each.attrib]:
        at = cell.attrib.pop(_NAME)
        first, last = (cell.makeelement("fc-run", id=f"{_NAME}{end}{at}", style=_MARK) for end in "ab")
        first.tail, cell.text = cell.text, None
        cell.insert(0, first)
        cell.append(last)
        links.extend([links.makeelement("a", href=f"#{_NAME}{end}{at}") for end in "ab"])
    copied.find("body").append(links)
    with draw(copied) as pdf:
        places = pages_of(pdf)
    begin = 0
    found = []
    for row in rows:
        numbers = range(begin, begin := begin + len(row))
        found.append([places[name] for at in numbers for end in "ab" if (name := f"{_NAME}{end}{at}") in places])
    return found


def _first(heads: Sequence[Element]) -> list[Element]:
    """The first of the heads of each table, which is the one that is repeated (CSS 2, 17.2)."""
    return list({each.getparent(): each for each in reversed(heads)}.values())[::-1]


def _rows(head: Element) -> Iterator[Element]:
    """The rows below a head with a cell that may be taller than a page."""
    for part in head.itersiblings("tbody", "tr"):
        for row in [part] if part.tag == "tr" else part.iterchildren("tr"):
            if any(map(_may_be_tall, row)):
                yield row


def _may_be_tall(cell: Element) -> bool:
    length = 0
    for number, each in enumerate(cell.iter()):
        length += len(each.text or "") + len(each.tail or "")
        if number > _MANY or length > _LONG or each.tag in _TALL:
            return True
    return False
