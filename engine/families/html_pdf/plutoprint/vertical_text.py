"""Draw the vertical text of a page (CSS Writing Modes 4), and name what stays horizontal."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence

from engine.families.html_pdf.plutoprint import turned_sides, writing_modes
from engine.families.html_pdf.plutoprint.grid_measure import Draw
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.upright_letters import UprightLetters
from engine.families.html_pdf.plutoprint.vertical_blocks import Blocks
from engine.families.html_pdf.plutoprint.vertical_measures import LAYOUTS, LEVEL
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.warnings import Kind, Warn

_LEFT_OUT = Kind("CSS_UNSUPPORTED", "Vertical texts that are drawn from left to right: {count}.")
_BOLD = frozenset(("b", "strong", "th", "h1", "h2", "h3", "h4", "h5", "h6"))
_WEIGHT = re.compile(r"\bbold|font-weight|font\s*:\s*[5-9]00")


def lower(
    page: Page,
    sheets: Sequence[str],
    draw: Draw,
    warn: Warn,
    *,
    media: str,
    room: tuple[float, float],
    pages: writing_modes.Mode,
    along_lines: bool = False,
) -> dict[str, str]:
    """Turn the vertical boxes of a page, whose `room` is so many CSS pixels high and wide.

    Its `pages` will be rotated if they have a mode; with `along_lines`, the sides that its styles name are those of its
    lines rather than of the paper. Returns the texts that private characters stand for.
    """
    modes = writing_modes.find(page, sheets, media=media, pages=pages)
    if not draw.affords(LAYOUTS * len({each.depth for each in modes.turned})):
        modes.left_out += len(modes.turned)
        modes.turned.clear()
        if not pages:
            warn.tally(_LEFT_OUT, modes.left_out)
            return {}
    whole = {each.element: copy.deepcopy(each.element) for each in modes.turned if _may_be_too_wide(each)}
    letters = UprightLetters()
    letters.set(modes.texts)
    for each, family in modes.mirrored:
        letters.mirror(each, family)
    for turned in modes.turned:
        if turned.around == "lr":
            add_style(turned.element, f"font-family:'Liberation {writing_modes.font(modes, turned.element)}'")
    for each in modes.combined:
        letters.combine(each, writing_modes.font(modes, each))
    for element in (page.root, *modes.around) if pages else modes.around:
        if writing_modes.said_mode(modes, element) is not None:
            add_style(element, f"{LEVEL}!important")
    if not along_lines:
        turned_sides.exchange(page, sheets, modes.around, media=media, whole_pages=bool(modes.page))
    bold = not page.names.isdisjoint(_BOLD) or any(_WEIGHT.search(each) for each in sheets)
    style = page.root.makeelement("style")
    style.text = letters.faces(bold=bold)
    page.root.find("head").insert(0, style)
    too_wide = Blocks(page.root, modes, draw, room, whole.keys()).turn()
    for each in too_wide:
        _restore(page, each, whole[each])
    warn.tally(_LEFT_OUT, modes.left_out + len(too_wide) + letters.left_out)
    return letters.written


def _may_be_too_wide(turned: writing_modes.Turned) -> bool:
    return turned.depth == 1 and not (turned.around or turned.outside)


def _restore(page: Page, element: Element, whole: Element) -> None:
    """Let a box that is wider than its page be as it was."""
    element.text, element[:] = whole.text, list(whole)
    element.set("style", f"{whole.get('style') or ''};{LEVEL}".lstrip(";"))
    page.styled.extend(each for each in element.iterdescendants() if each.get("style"))
