"""Put an element within bare copies of the elements around it, from which it inherits."""

from __future__ import annotations

from collections.abc import Container, Iterable

from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element

BARE = (
    "display:block!important;position:static!important;float:none!important;margin:0!important;padding:0!important;"
    "border:0!important;background:none!important;width:auto!important;height:auto!important;min-height:0!important;"
    "transform:none!important;counter-increment:none!important;columns:auto!important;break-before:auto!important;"
    "break-after:auto!important"
)
_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th", "li", "ul", "ol", "dl", "dd", "dt"))
"""Elements whose copies would draw or number something, or can't be blocks."""


def within(element: Element, around: Iterable[Element], *, nameless: Container[str] = ()) -> Element:
    """An element within copies of those `around` it, innermost first, which lose the `nameless` ids."""
    made = element
    for each in around:
        outer = each.makeelement(each.tag if each.tag not in _PARTS else "div", dict(each.attrib))
        if outer.get("id") in nameless:
            del outer.attrib["id"]
        add_style(outer, BARE)
        outer.append(made)
        made = outer
    return made
