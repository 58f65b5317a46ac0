"""The margin boxes of `@page` rules (CSS Paged Media 3, 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.families.html_pdf.css import content
from engine.families.html_pdf.css.cascade import declarations
from engine.families.html_pdf.css.pages import Paper, page_rules
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_ACROSS, _DOWN = ("left", "center", "right"), ("top", "middle", "bottom")
BESIDE = {
    edge: tuple(f"{edge}-{place}" for place in places)
    for edge, places in (("top", _ACROSS), ("right", _DOWN), ("bottom", _ACROSS), ("left", _DOWN))
}
"""The boxes at each side of a page without those in its corners."""
NAMES = (
    *(name for names in BESIDE.values() for name in names),
    *(f"{edge}-{side}-corner" for edge in ("top", "bottom") for side in ("left", "right")),
)
_NO_MARGIN = 1.0
_BOX = re.compile(r"@((?:top|bottom|left|right)-[a-z-]+)\s*\{((?:[^{}\"]|\"(?:[^\"\\]|\\.)*\")*)\}", re.IGNORECASE)
LITERAL = "\ue000"
"""Stands for a literal brace that does not start a field."""
Boxes = dict[tuple[str, str], str]
"""The text at the `top` or `bottom`, at `left`, `center` or `right`; {page} is replaced."""


def boxes(sheets: Iterable[str], warn: Warn) -> tuple[Boxes, Boxes]:
    """The margin texts of the first page, and of the others."""
    found: dict[str, Boxes] = {"": {}, ":first": {}}
    for selector, body in (each for sheet in sheets for each in page_rules(sheet)):
        for name, inside in _BOX.findall(body):
            written = next((value for each, value, _ in declarations(inside) if each == "content"), "none")
            text, unknown = content.written(written.replace("{", LITERAL), _number)
            side, place = name.lower().split("-")[:2]
            if selector in found and not unknown and side in ("top", "bottom"):
                found[selector][side, place] = text
            elif text or unknown:
                warn(
                    "CSS_UNSUPPORTED",
                    say(
                        "@page {selector}: @{name}: {said} is not supported. Use headerText or footerText.",
                        selector=selector,
                        name=name,
                        said=written[:60],
                    ),
                )
    return {**found[""], **found[":first"]}, found[""]


def without(names: Iterable[str]) -> str:
    """What removes boxes in an `@page` rule."""
    return "".join(f"@{each}{{content:none!important}}" for each in names)


def without_outside(paper: Paper) -> str:
    """Rules that remove what is in margins that the paper does not have: it would cover the text there."""
    boxes = "".join(without(names) for edge, names in BESIDE.items() if getattr(paper.margins, edge) < _NO_MARGIN)
    return f"@page{{{boxes}}}@page :first{{{boxes}}}" if boxes else ""


def _number(name: str, arguments: str) -> str | None:
    return f"{{{arguments}}}" if name == "counter" and arguments in ("page", "pages") else None
