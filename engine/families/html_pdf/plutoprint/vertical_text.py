"""Turn short vertical texts, such as those of table heads, on their side (CSS Writing Modes 4, 3.1).

PlutoPrint writes from left to right only, but turns boxes: a text becomes a box as wide as it is long, turned within
one that has its sides exchanged. Chinese, Japanese and Korean letters stand upright one below the other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from engine.families.html_pdf.plutoprint.declared import of_page, word_of
from engine.families.html_pdf.plutoprint.grid_measure import Draw, widths
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.families.html_pdf.source.lines_of_text import can_be_vertical, is_upright, short_text
from engine.toolkit.warnings import Kind, Warn

_MOST = 10_000
_LEFT_OUT = Kind("CSS_UNSUPPORTED", "Vertical texts that are drawn from left to right: {count}.")
_ASKED = re.compile(r"writing-mode\s*:\s*(?:vertical|sideways|tb|bt)")
_NAMES = ("writing-mode", "-webkit-writing-mode", "transform")
_OVER = frozenset(("rotate(180deg)", "rotate(-180deg)", "rotate(.5turn)", "rotate(0.5turn)", "scale(-1)"))
"""Turns upside down, with which pages let text that goes down go up."""
_DOWN = frozenset(("vertical-rl", "vertical-lr", "sideways-rl", "tb", "tb-rl", "tb-lr"))
_UP = frozenset(("sideways-lr", "bt-lr"))
_LINE = 1.2
"""The height of a line, in the size of its letters."""
_STACKED = f"display:inline-block;width:{_LINE}em;line-height:{_LINE};word-break:break-all;text-align:center"


def may_occur(sheets: Sequence[str]) -> bool:
    """Whether a page's styles have vertical text."""
    return any(_ASKED.search(each) for each in sheets)


def lower(page: Page, sheets: Sequence[str], draw: Draw, warn: Warn, *, media: str) -> None:
    """Turn the vertical texts of a page."""
    found = of_page(page, sheets, _NAMES, media=media)
    turned: list[tuple[Element, bool]] = []
    for element in [each for each in page.root.iter() if each in found]:
        mode = next((word for each in _NAMES[:2] if (word := word_of(found, element, each))), "")
        if mode not in _DOWN | _UP or element.tag in ("html", "body") or not can_be_vertical(element):
            continue
        inner = _wrapped(element)
        if is_upright(short_text(inner)):
            inner.set("style", _STACKED)
        else:
            over = word_of(found, element, "transform") in _OVER
            if over:
                add_style(element, "transform:none!important")
            turned.append((inner, (mode in _UP) != over))
    left = len(turned[_MOST:])
    turned = turned[:_MOST]
    if not turned:
        return
    for inner, _ in turned:
        inner.set("style", "display:inline-block;white-space:nowrap")
    lengths = widths(page.root, [inner for inner, _ in turned], draw)
    for (inner, up), length in zip(turned, lengths, strict=True):
        lines = 1 + sum(1 for _ in inner.iter("br"))
        if length == math.inf:
            inner.attrib.pop("style")
        elif length is not None:
            _turn(inner, length, lines * _LINE, up=up)
    warn.tally(_LEFT_OUT, left + lengths.count(math.inf))


def _wrapped(element: Element) -> Element:
    """All that is in an element within a box of ours."""
    inner = element.makeelement("fc-run")
    inner.text, element.text = element.text, None
    inner.extend(list(element))
    element.append(inner)
    return inner


def _turn(inner: Element, length: float, across: float, *, up: bool) -> None:
    """Turn a text that is so many pixels long, and `across` high in the size of its letters."""
    outer = inner.makeelement("fc-run")
    parent = inner.getparent()
    parent.replace(inner, outer)
    outer.append(inner)
    outer.set(
        "style",
        f"display:inline-block;position:relative;width:{across:g}em;height:{length:.2f}px;vertical-align:top",
    )
    move = f"translate(0px,{length:.2f}px) rotate(-90deg)" if up else f"translate({across:g}em,0px) rotate(90deg)"
    inner.set(
        "style",
        f"display:block;position:absolute;left:0;top:0;width:{length + 0.5:.2f}px;white-space:nowrap;"
        f"text-align:left;text-indent:0;line-height:{_LINE};transform-origin:0 0;transform:{move}",
    )
