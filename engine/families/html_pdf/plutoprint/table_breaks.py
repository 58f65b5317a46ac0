"""Break pages between the rows of tables where styles force it (CSS Fragmentation 3, 3.1).

PlutoPrint breaks before and after blocks only. A row without height whose cell ends in such a break does the same, and
a copy of the head of the table follows it. Rows that are not drawn keep what rules for every second row select.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence, Set
from itertools import takewhile

from lxml import html as markup

from engine.families.html_pdf.plutoprint.breaks import FORCED
from engine.families.html_pdf.plutoprint.declared import of_page, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Kind, Warn

_ASKED = re.compile(r"break-(?:before|after)\s*:\s*(?:page|always|left|right|recto|verso)")
_SIDES = {
    "before": ("page-break-before", "break-before"),
    "after": ("page-break-after", "break-after"),
}
_SHOWN = frozenset(("", "table-row", "table-row-group"))
_CELL = (
    "padding:0!important;border:0!important;background:none!important;height:0!important;line-height:0!important;"
    "font-size:0!important"
)
_ROW = "height:0!important;background:none!important;border:0!important;break-inside:auto!important"
_MOST = 300
"""Breaks in the tables of a page; each is a row that is laid out."""
_LONGEST_HEAD = 5_000
"""The length of a head that is repeated after each break."""
_WIDEST = 1_000
_PERIOD = 12
"""Rules for every second, third, fourth or sixth row select the same ones in the second part of a group."""
_LEFT_OUT = Kind("CSS_UNSUPPORTED", "Page breaks between rows of tables that are not made: {count}.")


def make(page: Page, sheets: Sequence[str], warn: Warn, *, media: str, tagged: bool) -> None:
    """Make the page breaks that rows and groups of rows force, and warn of those that can't be made.

    These are within cells of several rows, below very long heads, and all in `tagged` documents, whose rows are read.
    """
    if not any(_ASKED.search(each) for each in sheets):
        return
    names = [*_SIDES["before"], *_SIDES["after"], "display"]
    found = of_page(page, sheets, names, media=media)
    made = left = 0
    tables: dict[Element, tuple[Element | None, int]] = {}
    spanned = _spanned(page.root)
    # From the last one on, as each break moves all rows that are left behind it.
    for element in reversed([each for each in page.root.iter("tr", "tbody") if each in found]):
        table = _table(element)
        if word_of(found, element, "display") not in _SHOWN or table is None:
            continue
        for side, properties in _SIDES.items():
            kind = next(
                (FORCED[word] for each in properties if (word := word_of(found, element, each)) in FORCED), None
            )
            if kind is None:
                continue
            if tagged or made >= _MOST or not _break(element, table, side, kind, tables, spanned):
                left += 1
            else:
                made += 1
    warn.tally(_LEFT_OUT, left)


def _table(element: Element) -> Element | None:
    """The table of a row or group of rows of its body."""
    parent = element.getparent()
    if element.tag == "tr" and parent.tag == "tbody":
        parent = parent.getparent()
    return parent if parent.tag == "table" else None


def _break(
    element: Element,
    table: Element,
    side: str,
    kind: str,
    tables: dict[Element, tuple[Element | None, int]],
    spanned: Set[Element],
) -> bool:
    """Break the page on a side of a row or group; returns whether that was possible.

    `tables` keeps the head of each table and the number of its columns, 0 if the head is too long to repeat; `spanned`
    has the rows that cells of earlier ones reach into.
    """
    follower = _beside(element, forwards=True) if side == "after" else element
    leader = element if side == "after" else _beside(element, forwards=False)
    if follower is None or leader is None:
        edge = element.getparent() if element.tag == "tr" and element.getparent().tag == "tbody" else None
        if edge is not None:
            return _break(edge, table, side, kind, tables, spanned)
        add_style(table, f"break-{side}:{kind}!important")
        return True
    if table not in tables:
        head = next(table.iterchildren("thead"), None)
        is_long = head is not None and len(markup.tostring(head)) > _LONGEST_HEAD
        rows = (each for each in table.iter("tr") if _table(each) is table)
        tables[table] = head, 0 if is_long else max([1, *map(_columns, rows)])
    head, columns = tables[table]
    if not columns:
        return False
    if follower.tag == "tr":
        if follower in spanned:
            return False
        follower = _divided(follower)
    row = element.makeelement("tr", style=_ROW)
    cell = element.makeelement("td", style=_CELL, colspan=str(min(columns, _WIDEST)))
    cell.append(element.makeelement("div", style=f"height:0;margin:0;padding:0;border:0;break-after:{kind}!important"))
    row.append(cell)
    before = next(follower.itersiblings("tbody", preceding=True), None)
    if before is None:
        follower.addprevious(row)
    else:
        before.extend([row, _unseen(row)])
    if head is not None:
        follower.addprevious(_copied(head))
    return True


def _divided(row: Element) -> Element:
    """The second part of a group of rows, from a row on, or of the rows of a table without groups."""
    parent = row.getparent()
    before = parent.index(row)
    group = row.makeelement("tbody", {key: value for key, value in parent.attrib.items() if key != "id"})
    rest = [row, *row.itersiblings()]
    if parent.tag == "table":
        group.attrib.clear()
        rest = [row, *takewhile(lambda each: each.tag == "tr", row.itersiblings())]
        row.addprevious(group)
    else:
        parent.addnext(group)
    group.extend([_unseen(row) for _ in range(before % _PERIOD or _PERIOD)])
    group.extend(rest)
    return group


def _unseen(row: Element) -> Element:
    return row.makeelement("tr", style="display:none!important")


def _copied(head: Element) -> Element:
    made = copy.deepcopy(head)
    made.tail = None
    add_style(made, "display:table-row-group!important")
    for each in made.iter():
        each.attrib.pop("id", None)
    return made


def _beside(element: Element, *, forwards: bool) -> Element | None:
    """The next or previous row or group of the body."""
    return next(element.itersiblings(element.tag, preceding=not forwards), None)


def _columns(row: Element) -> int:
    return sum(_number(each, "colspan") for each in row.iterchildren("td", "th"))


def _spanned(root: Element) -> set[Element]:
    """The rows that a cell of an earlier one reaches into."""
    found: set[Element] = set()
    for group in root.iter("table", "tbody"):
        end = 0
        for at, row in enumerate(group.iterchildren("tr")):
            if at < end:
                found.add(row)
            end = max([end, *(at + _number(cell, "rowspan") for cell in row.iterchildren("td", "th"))])
    return found


def _number(cell: Element, name: str) -> int:
    text = (cell.get(name) or "").strip()
    if text == "0" and name == "rowspan":
        return _WIDEST
    return min(int(text), _WIDEST) if text.isascii() and text.isdigit() and text != "0" else 1
