"""Draw the legend of a fieldset in its border, as browsers do (HTML, 15.3.13)."""

from __future__ import annotations

import re

from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.plutoprint.declared import Declared, declared
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page

_READ = (
    "float", "position", "display", "border", "border-width", "border-style", "border-top", "padding", "padding-top",
    "background", "background-color", "line-height", "font",
)  # fmt: skip
_LINE = ("border", "border-width", "border-style", "border-top")
_NO_LINE = re.compile(r"(?:none|hidden|0[a-z]*)\b")
_NO_BACKGROUND = re.compile(r"none|transparent|inherit|initial|unset")
_LONGEST = 60
"""The maximum length of a legend that certainly fits on one line."""
_USUAL = 1.15
"""The default line height of the fonts, in their size."""
_LINES = re.compile(r"(\d{0,2}\.?\d{1,3})(?![\d.%\w])")
_EDGE = ".35em"  # the default padding of a fieldset (HTML, 15.3.13)
_LENGTH = re.compile(r"[\d.]+(?:px|pt|mm|cm|in|em|rem)?")
_SIBLINGS = re.compile(r"[+~]|:(?:first|last|only|nth)-")


def raise_legends(page: Page, sheets: list[str], *, media: str) -> None:
    """Move each short legend into the border of its fieldset; one that the page's rules position stays in place."""
    pairs = [(each.getparent(), each) for each in page.root.iter("legend") if _first(each)]
    if not pairs:
        return
    around = {up for group, _ in pairs for up in group.iterancestors()}
    declarations = declared(
        page.root, sheets, _READ, {*around, *(each for pair in pairs for each in pair)}, media=media
    )
    placing = [selectors for selectors, _ in rules(sheets, media) if _SIBLINGS.search(selectors)]
    for group, legend in pairs:
        own, line = declarations.get(legend, {}), declarations.get(group, {})
        placed = "float" in own or "position" in own or "display" in own or "display" in line
        edge = line.get("padding-top") or next(iter(line.get("padding", "").split()), _EDGE)
        drawn = not any(_NO_LINE.match(line[each].strip()) for each in _LINE if each in line)
        if placed or not drawn or not _LENGTH.fullmatch(edge):
            continue
        edge = f"{edge}px" if edge.strip(".0123456789") == "" else edge
        half = f"{_line_height(legend, declarations) / 2:.3f}em"
        add_style(
            legend,
            f"display:table;margin-top:calc(0px - {edge} - {half});margin-bottom:0;"
            f"background:{_behind(group, declarations)}!important",
        )
        below = _room(group, edge)
        below.tail, legend.tail = legend.tail, None
        group.insert(1, below)
        parent = group.getparent()
        flows = declarations.get(parent, {}).get("display", "block").strip() == "block"
        if flows and not any(_is_selected(group, each) for each in placing):
            parent.insert(parent.index(group), _room(parent, half))  # for the upper half of the legend


def _room(element: Element, height: str) -> Element:
    return element.makeelement("fc-run", style=f"display:block;height:{height}")


def _is_selected(group: Element, selectors: str) -> bool:
    """Whether positional selectors may match a group."""
    words = ("fieldset", *(f".{each}" for each in (group.get("class") or "").split()))
    return any(each in selectors for each in words)


def _first(legend: Element) -> bool:
    group = legend.getparent()
    begins = group is not None and group.tag == "fieldset" and group[0] is legend
    return begins and not (group.text or "").strip() and len(" ".join(legend.text_content().split())) <= _LONGEST


def _line_height(legend: Element, declarations: Declared) -> float:
    for element in (legend, *legend.iterancestors()):
        own = declarations.get(element, {})
        for value in (own.get("line-height", ""), own.get("font", "").partition("/")[2]):
            match = _LINES.match(value.strip())
            if match:
                return min(float(match[1]), 3.0)
    return _USUAL


def _behind(group: Element, declarations: Declared) -> str:
    """The background colour behind a group."""
    for element in (group, *group.iterancestors()):
        own = declarations.get(element, {})
        for name in ("background-color", "background"):
            value = own.get(name, "").replace("!important", "").strip()
            if value and "(" not in value.replace("rgb(", "").replace("hsl(", "") and not _NO_BACKGROUND.match(value):
                return value
    return "#fff"
