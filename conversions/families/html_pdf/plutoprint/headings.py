"""First-level headings in sections as large as any: browsers no longer make them smaller (HTML, 15.3.7)."""

from __future__ import annotations

from conversions.families.html_pdf.plutoprint.declared import declared
from conversions.families.html_pdf.source.cleaning import Page

_SECTIONS = frozenset(("article", "aside", "nav", "section"))
_MARGINS = ("margin-top", "margin-bottom")


def enlarge(page: Page, sheets: list[str], *, media: str) -> None:
    """Give each `<h1>` in a section the size and the margins that the page's own rules don't give it."""
    found = [
        each for each in page.headings if each.tag == "h1" and any(up.tag in _SECTIONS for up in each.iterancestors())
    ]
    if not found:
        return
    names = ("font", "font-size", "margin", "margin-block", *_MARGINS)
    for element, own in declared(page.root, sheets, names, found, media=media).items():
        said = [] if "font" in own or "font-size" in own else ["font-size:2em"]
        if "margin" not in own and "margin-block" not in own:
            said += [f"{each}:.67em" for each in _MARGINS if each not in own]
        element.set("style", ";".join([*said, element.get("style") or ""]).strip(";"))
