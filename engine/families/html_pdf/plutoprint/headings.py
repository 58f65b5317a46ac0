"""First-level headings keep their size inside sections, as in browsers (HTML, 15.3.7)."""

from __future__ import annotations

from engine.families.html_pdf.plutoprint.declared import declared
from engine.families.html_pdf.source.cleaning import Page

_SECTIONS = frozenset(("article", "aside", "nav", "section"))
_MARGINS = ("margin-top", "margin-bottom")


def enlarge(page: Page, sheets: list[str], *, media: str) -> None:
    """Set on each `<h1>` in a section the size and margins that the page's own rules don't set."""
    found = [
        each for each in page.headings if each.tag == "h1" and any(up.tag in _SECTIONS for up in each.iterancestors())
    ]
    if not found:
        return
    names = ("font", "font-size", "margin", "margin-block", *_MARGINS)
    for element, own in declared(page.root, sheets, names, found, media=media).items():
        styles = [] if "font" in own or "font-size" in own else ["font-size:2em"]
        if "margin" not in own and "margin-block" not in own:
            styles += [f"{each}:.67em" for each in _MARGINS if each not in own]
        element.set("style", ";".join([*styles, element.get("style") or ""]).strip(";"))
