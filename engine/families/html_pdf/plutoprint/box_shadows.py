"""Draw the shadows of boxes as rings of borders around them, as PlutoPrint has no shadows (CSS Backgrounds 3, 6.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.families.html_pdf.css import background_frames, shadows
from engine.families.html_pdf.css.background_frames import Frame
from engine.families.html_pdf.css.ignored import KIND
from engine.families.html_pdf.css.room_lengths import TextSizes
from engine.families.html_pdf.css.shadows import Ring
from engine.families.html_pdf.plutoprint.declared import Declared, in_order, of_page, selected, word_of
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Warn

MOST = 1_000
"""The boxes of a page whose shadows are drawn: up to 64 rings each, 2 ms."""
_ASKED = re.compile(r"(?<![\w-])box-shadow\s*+:")
_LAST = re.compile(r":(?:last-|only-|nth-last-|empty|has\()")
"""What selects other elements when a child is added."""
_NAMES = ("box-shadow", "position", "overflow", "display", "border-collapse", *background_frames.NAMES)
_BOXES = frozenset((
    "div", "section", "article", "main", "header", "footer", "nav", "aside", "figure", "p", "ul", "ol", "li", "form",
    "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "a", "span", "button", "dl", "fieldset", "address",
))  # fmt: skip
_IN_LINES = frozenset(("a", "span", "button"))
_BLOCKS = frozenset(("block", "inline-block", "flex", "inline-flex", "list-item", "grid"))
_SIDES = ("top", "right", "bottom", "left")
_BARE = (
    "display:block!important;position:absolute!important;margin:0!important;padding:0!important;float:none!important;"
    "width:auto!important;height:auto!important;min-width:0!important;min-height:0!important;background:none!important;"
    "box-sizing:border-box!important;transform:none!important;max-width:none!important;max-height:none!important"
)


def draw(page: Page, sheets: Sequence[str], warn: Warn, *, media: str) -> None:
    """Put the rings of shadows into their boxes; name the boxes whose shadows are not drawn."""
    if not any(_ASKED.search(each) for each in sheets):
        return
    said = of_page(page, sheets, _NAMES, media=media, merged=in_order)
    counted = selected(page.root, sheets, _LAST, media=media) if any(map(_LAST.search, sheets)) else set()
    closed = None if counted is None else _with_ancestors(counted)
    drawn = undrawn = 0
    for element, own in said.items():
        found = shadows.read(word_of(said, element, "box-shadow"))
        if not found:
            continue
        frame = background_frames.frame(own.items(), TextSizes())
        if closed is None or element in closed or frame is None or drawn >= MOST or not _can_hold(element, said):
            undrawn += 1
            continue
        drawn += 1
        if word_of(said, element, "position") in ("", "static"):
            add_style(element, "position:relative")
        for shadow in reversed(found):
            for ring in shadows.rings(shadow):
                element.append(element.makeelement("fc-run", style=f"{_BARE};{_style(ring, frame)}"))
    warn.tally(KIND, undrawn, ["box-shadow"], part="shadows")


def _with_ancestors(elements: set[Element]) -> set[Element]:
    found: set[Element] = set()
    for each in elements:
        up: Element | None = each
        while up is not None and up not in found:
            found.add(up)
            up = up.getparent()
    return found


def _can_hold(element: Element, said: Declared) -> bool:
    """Whether a box may have children at places around it that are seen."""
    display = word_of(said, element, "display")
    if element.tag not in _BOXES or not (display in _BLOCKS or (not display and element.tag not in _IN_LINES)):
        return False
    if word_of(said, element, "overflow") not in ("", "visible"):
        return False
    if word_of(said, element, "position") in ("", "static"):
        return not any(word_of(said, each, "position") == "absolute" for each in element.iterdescendants())
    return True


def _style(ring: Ring, frame: Frame) -> str:
    # A side that ends inside the box has no border: the ring begins there.
    offsets = (f"{-each - frame.width:.2f}px" for each in ring.sides)
    widths = " ".join(f"{max(each, 0.0):.2f}px" for each in ring.sides)
    red, green, blue = (round(max(0.0, min(each, 1.0)) * 255) for each in ring.colour[:3])
    places = ";".join(f"{side}:{at}!important" for side, at in zip(_SIDES, offsets, strict=True))
    # Inside, the corners are those of the box.
    radius = ""
    if frame.radius or ring.is_blurred:
        top, right, bottom, left = (frame.radius + max(each, 0.0) for each in ring.sides)
        across, down = (left, right, right, left), (top, top, bottom, bottom)
        radius = " / ".join(" ".join(f"{each:.2f}px" for each in axis) for axis in (across, down))
    return (
        f"{places};border:0 solid rgba({red},{green},{blue},{ring.colour.alpha:.4f})!important;"
        f"border-width:{widths}!important;border-radius:{radius or 0}!important"
    )
