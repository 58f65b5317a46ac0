"""Exchange the sides of boxes within turned ones, whose top is at another side of the page (CSS Writing Modes 4, 6)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.families.html_pdf.plutoprint.declared import in_order, of_page
from engine.families.html_pdf.plutoprint.inline_styles import add_style
from engine.families.html_pdf.plutoprint.writing_modes import Mode
from engine.families.html_pdf.source.cleaning import Element, Page

_SIDES = ("top", "right", "bottom", "left")
_CORNERS = ("top-left", "top-right", "bottom-right", "bottom-left")
_INSIDE: dict[Mode, tuple[int, int, int, int]] = {"rl": (3, 0, 1, 2), "down": (3, 0, 1, 2), "up": (1, 2, 3, 0),
                                                  "lr": (3, 2, 1, 0)}  # fmt: skip
"""The side within a turned box for each side of the page, by their places in `_SIDES`."""
_AXES = {
    name.format(one): name.format(other)
    for name in ("{}", "min-{}", "max-{}")
    for one, other in (("width", "height"), ("height", "width"))
}
_FOUR = ("margin", "padding", "inset", "border-width", "border-style", "border-color")
_LOGICAL = (
    *(
        f"{name}-{axis}{end}"
        for name in ("margin", "padding", "border", "inset")
        for axis in ("block", "inline")
        for end in ("", "-start", "-end")
    ),
    *(f"{bound}{axis}-size" for bound in ("", "min-", "max-") for axis in ("block", "inline")),
)
"""Names whose sides are those within a turned box as they are."""
_OF_SIDE = re.compile(r"(margin-|padding-|border-|)(top|right|bottom|left)(-width|-style|-color|)")
_OF_CORNER = re.compile(r"border-(top-left|top-right|bottom-right|bottom-left)-radius")
_NAMES = (
    *_AXES, *_FOUR, *_LOGICAL, *_SIDES, "border", "border-radius",
    *(f"{each}-{side}" for each in ("margin", "padding", "border") for side in _SIDES),
    *(f"border-{side}-{each}" for side in _SIDES for each in ("width", "style", "color")),
    *(f"border-{each}-radius" for each in _CORNERS),
)  # fmt: skip
_PIECE = re.compile(r"(?:[^\s()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*+\))*+\))++")
_LINES = {"h1": ".67em", "h2": ".83em", "h3": "1em", "h4": "1.33em", "h5": "1.67em", "h6": "2.33em", "hr": ".5em"}
_APART = frozenset(("p", "ul", "ol", "dl", "pre", "blockquote", "figure", "menu", "dir"))
_INDENTED = frozenset(("blockquote", "figure"))
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_SCREEN_UNIT = re.compile(r"(?<=[\d.])v(w|h)\b", re.IGNORECASE)


def exchange(
    page: Page, sheets: Sequence[str], around: Mapping[Element, Mode], *, media: str, whole_pages: bool
) -> None:
    """Let the sides that are declared for these elements be those of the page, `around` which text has these modes.

    On `whole_pages` that are turned, the page's width is its height as well.
    """
    said = of_page(page, sheets, _NAMES, media=media, merged=in_order)
    for element, mode in around.items():
        values = said.get(element)
        if values and mode in _INSIDE:
            style = ";".join(_exchanged(element, values, _INSIDE[mode]))
            if whole_pages:
                style = _SCREEN_UNIT.sub(lambda unit: "vh" if unit[1].lower() == "w" else "vw", style)
            if style:
                add_style(element, style)


def _exchanged(element: Element, values: Mapping[str, str], inside: Sequence[int]) -> list[str]:
    """The declarations in their order, with other sides, after those that take back what is declared now."""
    resets: list[tuple[str, str, str]] = []
    now: list[tuple[str, str, str]] = []
    turned: list[tuple[str, str, str]] = []
    for name, value in values.items():
        plain, important = _parted(value)
        other, given = _other(name, plain, inside)
        if other != name:
            resets.append((name, _initial(element, name), important))
        now.append((name, plain, important))
        turned.append((other, given, important))
    if turned == now:
        return []
    return [f"{name}:{value}{important}" for name, value, important in (*resets, *turned)]


def _parted(value: str) -> tuple[str, str]:
    if value.lower().endswith("!important"):
        return value[: -len("!important")].strip(), "!important"
    return value, ""


def _other(name: str, value: str, inside: Sequence[int]) -> tuple[str, str]:
    """The name and value of a declaration within a turned box."""
    if name in _AXES:
        return _AXES[name], value
    if (side := _OF_SIDE.fullmatch(name)) is not None:
        return f"{side[1]}{_SIDES[inside[_SIDES.index(side[2])]]}{side[3]}", value
    if (corner := _OF_CORNER.fullmatch(name)) is not None:
        return f"border-{_corner(corner[1], inside)}-radius", value
    if name in _FOUR:
        given = _four(_PIECE.findall(value))
        if given is None or len(set(given)) == 1:
            return name, value
        turned = [""] * 4
        for at, each in enumerate(given):
            turned[inside[at]] = each
        return name, " ".join(turned)
    if name == "border-radius" and "/" not in value:
        given = _four(_PIECE.findall(value))
        if given is not None and len(set(given)) > 1:
            places = [_CORNERS.index(_corner(each, inside)) for each in _CORNERS]
            return name, " ".join(given[places.index(at)] for at in range(4))
    return name, value


def _corner(name: str, inside: Sequence[int]) -> str:
    sides = {_SIDES[inside[_SIDES.index(each)]] for each in name.split("-")}
    return next(each for each in _CORNERS if set(each.split("-")) == sides)


def _four(given: Sequence[str]) -> list[str] | None:
    if not 1 <= len(given) <= 4:
        return None
    return [given[at] for at in ((0, 0, 0, 0), (0, 1, 0, 1), (0, 1, 2, 1), (0, 1, 2, 3))[len(given) - 1]]


def _initial(element: Element, name: str) -> str:
    """What a browser gives a side for which nothing is declared (HTML, 15.3)."""
    tag = element.tag
    if name in ("margin-top", "margin-bottom"):
        return _LINES.get(tag, "1em" if tag in _APART else "0")
    if name == "margin-left" and (tag in _INDENTED or tag == "dd"):
        return "40px"
    if name == "margin-right" and tag in _INDENTED:
        return "40px"
    if name == "padding-left" and tag in _LISTS:
        return "40px"
    if name.startswith("padding-") and tag in ("td", "th"):
        return "1px"
    if name.startswith(("margin", "padding", "min-")) or name.endswith("radius"):
        return "0"
    if name.startswith("max-") or name.endswith("-style"):
        return "none"
    if name.startswith("border"):
        return "currentcolor" if name.endswith("-color") else "medium" if name.endswith("-width") else "none"
    return "auto"
