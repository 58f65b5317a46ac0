"""The page setup of an xlsx sheet, its print area and its repeated rows and columns (ECMA-376, part 1, 18.3.1)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.families.data.printed.looks import Looks
from engine.families.data.printed.papers import LETTER, MM, paper
from engine.toolkit.xml_elements import child, children, is_on, number

_LENGTH = re.compile(r"(\d{1,6}(?:\.\d+)?)(mm|cm|in|pt|pc|pi)")
_UNITS = {"mm": MM, "cm": 10 * MM, "in": 72.0, "pt": 1.0, "pc": 12.0, "pi": 12.0}
_REFERENCE = re.compile(r"(?:'(?:[^']|'')*+'?+|[^',!]++)?+!([$A-Za-z0-9:]++)|'(?:[^']|'')*+'?+|[^',!]++|[,!]")
"""A place on a sheet, or what is between two places, which has no group."""
_MOST_AREAS, _LONGEST = 200, 4_000
TAGS = ("sheetPr", "printOptions", "pageMargins", "pageSetup", "headerFooter", "rowBreaks", "colBreaks")


def see(looks: Looks, name: str, element: Any) -> None:
    """Take one of the elements of `TAGS` into the setup of a sheet."""
    setup = looks.setup
    if name == "sheetPr":
        page = child(element, "pageSetUpPr")
        if page is not None and is_on(page.get("fitToPage")):
            looks.setup = replace(setup, fit=(1, 1))
    elif name == "printOptions":
        looks.setup = replace(
            setup,
            centred=(is_on(element.get("horizontalCentered")), is_on(element.get("verticalCentered"))),
            gridlines=is_on(element.get("gridLines")),
            headings=is_on(element.get("headings")),
        )
    elif name == "pageMargins":
        top, right, bottom, left, head, foot = (
            min(max(number(element.get(each), otherwise) * 72, 0.0), 3600.0)
            for each, otherwise in (
                ("top", 0.75), ("right", 0.7), ("bottom", 0.75), ("left", 0.7), ("header", 0.3), ("footer", 0.3)
            )
        )  # fmt: skip
        looks.setup = replace(setup, margins=(top, right, bottom, left), head_margin=head, foot_margin=foot)
    elif name == "pageSetup":
        looks.setup = _page(looks, element)
    elif name == "headerFooter":
        heads = {each: child(element, each) for each in _HEADS}
        texts = {each: "" if found is None else (found.text or "")[:_LONGEST_HEAD] for each, found in heads.items()}
        looks.setup = replace(
            setup,
            heads=(texts["oddHeader"], texts["evenHeader"], texts["firstHeader"]),
            feet=(texts["oddFooter"], texts["evenFooter"], texts["firstFooter"]),
            same_even=not is_on(element.get("differentOddEven")),
            same_first=not is_on(element.get("differentFirst")),
            head_scales=is_on(element.get("scaleWithDoc"), True),
            head_aligns=is_on(element.get("alignWithMargins"), True),
        )
    else:
        breaks = looks.row_breaks if name == "rowBreaks" else looks.column_breaks
        breaks.update(int(number(each.get("id"))) for each in children(element, "brk") if number(each.get("id")) > 0)


_LONGEST_HEAD = 2_000  # programs allow 255 characters
_HEADS = ("oddHeader", "evenHeader", "firstHeader", "oddFooter", "evenFooter", "firstFooter")


def _page(looks: Looks, element: Any) -> Any:
    setup = looks.setup
    size = paper(int(number(element.get("paperSize"), 1)))
    own = [_LENGTH.fullmatch(element.get(each) or "") for each in ("paperWidth", "paperHeight")]
    if own[0] and own[1]:
        width, height = (float(each[1]) * _UNITS[each[2]] for each in own if each)
        size = (width, height) if 28 < width < 14_400 and 28 < height < 14_400 else size
    scale = number(element.get("scale"), 100) / 100
    fit = None
    if setup.fit is not None:
        wide, high = (int(number(element.get(each), 1)) for each in ("fitToWidth", "fitToHeight"))
        fit = (max(wide, 0), max(high, 0))
    numbered = is_on(element.get("useFirstPageNumber"))
    return replace(
        setup,
        paper=size or LETTER,
        landscape=element.get("orientation") == "landscape",
        scale=min(max(scale, 0.1), 4.0) if scale > 0 else 1.0,
        fit=fit,
        over_first=element.get("pageOrder") == "overThenDown",
        grey=is_on(element.get("blackAndWhite")),
        first_number=int(number(element.get("firstPageNumber"), 1)) if numbered else None,
    )


def names(book: Any) -> dict[tuple[str, int], str]:
    """The references of the built-in names of a workbook (18.2.5), by name and number of the sheet."""
    found = {}
    for each in children(child(book, "definedNames"), "definedName"):
        name = (each.get("name") or "").lower()
        if name in ("_xlnm.print_area", "_xlnm.print_titles") and each.get("localSheetId") is not None:
            found[name.removeprefix("_xlnm."), int(number(each.get("localSheetId"), -1))] = each.text or ""
    return found


def _references(text: str) -> list[str]:
    return list(filter(None, _REFERENCE.findall(text[:_LONGEST])))


def see_names(looks: Looks, area: str, titles: str) -> None:
    """Take the print area and the repeated rows and columns of a sheet."""
    looks.areas = tuple(found for each in _references(area)[:_MOST_AREAS] if (found := places.area(each)))
    for each in _references(titles):
        found = places.area(each)
        if found is None:
            continue
        whole = Area()
        if found.left == whole.left and found.right == whole.right:
            looks.title_rows = (found.top, found.bottom)
        elif found.top == whole.top and found.bottom == whole.bottom:
            looks.title_columns = (found.left, found.right)
