"""Limit nested boxes that are laid out twice per level, which takes exponential time."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.families.html_pdf.css.content import unescaped
from engine.families.html_pdf.plutoprint import stacked_boxes
from engine.families.html_pdf.plutoprint.declared import Declared, Pair, declared
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MOST_COLUMNS = 200
"""The maximum columns of a box: on A4 paper they are 4 pixels wide, less than a character."""
CHEAP_LAYOUTS = 20_000
"""The boxes times their layouts up to which all columns stay as they are: 40 ms."""
MOST_LAYOUTS = 500_000
"""The maximum boxes times their layouts; each takes some 2 microseconds. A page of 200 boxes in 8 levels has 50,000."""
MOST_IN_TABLES = 20_000_000
"""The same for nested tables, which can't be replaced: a mail of 500 boxes in 12 levels has 2 million."""

MOST_BARE = 200
"""The weight of the bare text up to which its columns stay: 10,000 characters. 40,000 in 20 columns take 5 s."""
_TEXT = 50
"""The characters of a text that take as long as a box."""
_NAMES = ("display", "flex-direction", "flex-flow", "columns", "column-count", "column-width")
_COLUMNS = ("columns", "column-count", "column-width")
_HINTS = re.compile(r"column|table|flex-")
_COUNT = re.compile(r"(?<![\w.-])\d+(?![\w.%-])")
_DECLARATION = re.compile(rf"(?:^|;)\s*({'|'.join(_NAMES)})\s*:\s*([^;]*)")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_WORD = re.compile(r"[\w(-]+")
_ROWS = {"row", "row-reverse", "nowrap", "wrap", "wrap-reverse", "initial", "unset", "important"}
_NO_COLUMNS = {"auto", "none", "initial", "unset", "important"}


def bound(page: Page, sheets: list[str], warn: Warn, *, media: str) -> None:
    """Replace boxes that are laid out twice, if they are nested deeply: columns of flex boxes by rows that look the
    same, and the innermost others by plain blocks.

    The columns of a box are limited to what a page can show. Raises OverLimit for tables that would still take too
    long.
    """
    styles = {each: _plain(each.get("style") or "") for each in page.styled}
    styled = {each: style for each, style in styles.items() if _HINTS.search(style) or "display" in style}
    if "table" not in page.names and not any(map(_HINTS.search, (*styled.values(), *sheets))):
        return
    declarations = _read(page, sheets, styled, media=media)
    for element in declarations:
        _clamp(element, declarations, warn)
    levels = _levels(page.root, declarations)
    if _layouts(levels) > CHEAP_LAYOUTS:
        for element in stacked_boxes.stack(page.root, styles.items(), sheets, media=media):
            declarations[element] = {}
        levels = _levels(page.root, declarations)
    deepest = most = max(levels.values(), default=0)
    while most and _layouts(levels, most) > MOST_LAYOUTS:
        most -= 1
    deep = [
        each for each, level in levels.items() if level >= most and each.tag != "table" and _doubles(each, declarations)
    ]
    for element in deep:
        if most == deepest and not _is_long(element, declarations):
            continue  # nothing is nested in it
        add_style(element, "display:block!important;columns:auto!important")
        declarations[element] = {}
        if most == deepest:
            warn("CSS_UNSUPPORTED", "Columns of very long texts were laid out one below the other.")
            continue
        warn(
            "CSS_UNSUPPORTED",
            say("Columns nested more than {most} deep were laid out one below the other.", most=most),
        )
    if _layouts(_levels(page.root, declarations)) > MOST_IN_TABLES:
        raise OverLimit("limit", "The page's tables are nested too deeply for their content.")


def size(page: Page, sheets: list[str], *, media: str) -> int:
    """The boxes of a page, each times the number of its layouts."""
    styled = {each: style for each in page.styled if _HINTS.search(style := _plain(each.get("style") or ""))}
    return _layouts(_levels(page.root, _read(page, sheets, styled, media=media)))


def _read(page: Page, sheets: list[str], styled: Mapping[Element, str], *, media: str) -> Declared:
    declarations = declared(page.root, sheets, _NAMES, None, media=media, merged=_together)
    for element, style in styled.items():
        declarations[element] = _together([*declarations.get(element, {}).items(), *_DECLARATION.findall(style)])
    return declarations


def _is_long(element: Element, declarations: Declared) -> bool:
    """Whether a box has columns and much text of its own."""
    return bool(_words(declarations, element, *_COLUMNS) - _NO_COLUMNS) and _weight(element) > MOST_BARE


def _layouts(levels: Mapping[Element, int], most: int = 1_000) -> int:
    return sum(_weight(each) << min(level, most) for each, level in levels.items())


def _clamp(element: Element, declarations: Declared, warn: Warn) -> None:
    for name in ("columns", "column-count"):
        found = _COUNT.findall(declarations[element].get(name, ""))
        if any(int(each[:9]) > MOST_COLUMNS for each in found):
            add_style(element, f"column-count:{MOST_COLUMNS}!important")
            warn(
                "CSS_UNSUPPORTED",
                say("columns: only the first {most_columns} were laid out side by side.", most_columns=MOST_COLUMNS),
            )


def _levels(root: Element, declarations: Declared) -> dict[Element, int]:
    """The number of twice laid-out boxes around each element."""
    levels: dict[Element, int] = {}
    inside: dict[Element, int] = {}
    for element in root.iter():
        parent = element.getparent()
        if parent is None:
            levels[element] = 0
        elif isinstance(element.tag, str):
            if parent not in inside:
                inside[parent] = levels[parent] + _doubles(parent, declarations)
            levels[element] = inside[parent]
    return levels


def _weight(element: Element) -> int:
    return 1 + (len(element.text or "") + len(element.tail or "")) // _TEXT


def _doubles(element: Element, declarations: Declared) -> bool:
    """Whether a box may be laid out twice under any of its declarations.

    PlutoPrint decides which declaration is valid and wins, and inherited or computed values may be anything.
    """
    if element.tag == "table" or element not in declarations:
        return bool(element.tag == "table")
    display = _words(declarations, element, "display")
    anything = any(each == "inherit" or each.endswith("(") for each in display)
    if anything or "table" in display:
        return True
    if display & {"flex", "inline-flex"} and _words(declarations, element, "flex-direction", "flex-flow") - _ROWS:
        return True
    return bool(_words(declarations, element, *_COLUMNS) - _NO_COLUMNS)


def _words(declarations: Declared, element: Element, *names: str) -> set[str]:
    return {word for name in names for word in _WORD.findall(declarations.get(element, {}).get(name, "").lower())}


def _together(pairs: list[Pair]) -> dict[str, str]:
    """Declarations by name, with all values of each."""
    found: dict[str, str] = {}
    for name, value in pairs:
        found[name] = f"{found.get(name, '')} {value}"
    return found


def _plain(style: str) -> str:
    """A style attribute in normalised spelling."""
    before, end, after = style.rpartition("*/")  # a comment without end is none
    return unescaped(_COMMENT.sub("", before + end) + after).lower()
