"""Replace tabs in preformatted text by the spaces up to the next tab stop (CSS Text 3, 4.2): PlutoPrint gives each the
same width."""

from __future__ import annotations

import re

from engine.families.html_pdf.plutoprint.declared import Declared, declared
from engine.families.html_pdf.source import limits
from engine.families.html_pdf.source.cleaning import Element, Page

_SPACE, _SIZE = "white-space", "tab-size"
_NAMES = (_SPACE, "white-space-collapse", _SIZE)
_KEEPING = re.compile(r"pre(?!-line)|break-spaces")
_PRE = frozenset(("pre", "textarea", "listing", "xmp", "fc-textarea"))
_WHOLE = re.compile(r"\d{1,2}")
_USUAL = 8
_LINE_ENDS = frozenset(("br", "p", "div", "li", "tr", "td", "pre"))


def expand(page: Page, sheets: list[str], *, media: str) -> None:
    """Replace the tabs of each text that keeps its spaces, counting columns of one character. Raises OverLimit."""
    if "\t" not in page.characters:
        return
    declarations = declared(page.root, sheets, _NAMES, None, media=media)
    for element, own in declared(page.root, (), _NAMES, page.styled, media=media).items():
        declarations[element] = {**declarations.get(element, {}), **own}
    column = 0
    left: list[tuple[Element, bool, int, bool]] = [(page.root, False, _USUAL, False)]
    while left:
        element, keeps, size, is_tail = left.pop()
        if is_tail:
            element.tail, column = _expanded(element.tail, column, size, page, keeps=keeps)
            continue
        if not isinstance(element.tag, str) or element.tag in ("style", "svg", "head"):
            continue
        inner_keeps, inner_size = _style(element, declarations, keeps=keeps, size=size)
        if element.tag in _LINE_ENDS:
            column = 0
        element.text, column = _expanded(element.text, column, inner_size, page, keeps=inner_keeps)
        for child in reversed(element):
            left += [(child, inner_keeps, inner_size, True), (child, inner_keeps, inner_size, False)]


def _style(element: Element, declarations: Declared, *, keeps: bool, size: int) -> tuple[bool, int]:
    """Whether the text of an element keeps its spaces, and the columns between its tab stops."""
    own = declarations.get(element, {})
    if element.tag in _PRE:
        keeps = True
    said = (own.get(_SPACE) or own.get("white-space-collapse") or "").strip().lower()
    if said and not said.startswith("inherit"):
        keeps = bool(_KEEPING.match(said))
    columns = _WHOLE.match(own.get(_SIZE, "").strip())
    return keeps, int(columns[0]) if columns and own[_SIZE].strip() == columns[0] else size


def _expanded(text: str | None, column: int, size: int, page: Page, *, keeps: bool) -> tuple[str | None, int]:
    """A text with its tabs replaced, and the column where it ends."""
    if not text:
        return text, column
    if not keeps or "\t" not in text:
        _, line_end, last = text.rpartition("\n")
        return text, len(last) if line_end else column + len(text)
    pieces = []
    for piece in re.split(r"([\t\n])", text):
        if piece == "\n":
            column = 0
            pieces.append(piece)
        elif piece == "\t":
            blanks = size - column % size if size else 0
            column += blanks
            pieces.append(" " * blanks)
        else:
            column += len(piece)
            pieces.append(piece)
    expanded = "".join(pieces)
    page.length += len(expanded) - len(text)
    if page.length > limits.MOST_CHARACTERS:
        raise limits.too_long()
    return expanded, column
