"""Count the looks and rules of xlsx sheets (ECMA-376, part 1, 18)."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Mapping, Sequence
from xml.etree.ElementTree import Element

from defusedxml import ElementTree

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.families.data.counting import excel_cells, page_setups, protections
from engine.families.data.counting.date_styles import attributes
from engine.families.data.counting.looks import NO_VALUES, Looks, is_telling, of_style
from engine.families.data.counting.marks import has
from engine.families.data.counting.text_colours import TEXT_IS_BLACK

_MERGED, _COLUMN, _ROW, _FILTER, _PANE, _NAME = (
    re.compile(rb"<(?:\w+:)?" + name + rb"\b([^<>]*)>")
    for name in (
        b"mergeCell",
        b"col",
        b"row",
        b"autoFilter",
        b"pane",
        b"definedName",
    )
)
_RULES = (
    (
        "conditions",
        re.compile(rb"<(?:\w+:)?conditionalFormatting\b([^<>]*)>(.*?)</(?:\w+:)?conditionalFormatting>", re.DOTALL),
        b"cfRule",
    ),
    (
        "validations",
        re.compile(rb"<(?:\w+:)?dataValidation\b([^<>]*?)(?:/>|>(.*?)</(?:\w+:)?dataValidation>)", re.DOTALL),
        b"",
    ),
)
_HEAD = re.compile(rb"<(?:\w+:)?(?:odd|even|first)(?:Header|Footer)\b[^<>]*>([^<]*)<")
_FORMULA_OF_PLACE = re.compile(rb"<(?:\w+:)?sqref>([^<]*)<")
_COLUMN_WITH_VALUE = re.compile(rb'\sr="([A-Z]{1,3})\d+"[^<>]*[^/<>]>\s*<(?:\w+:)?(?:v|is)\b')
_PLACED = re.compile(rb'<(?:\w+:)?c\b[^<>]*\sr="')
_IN_FIRST_COLUMN = re.compile(rb'\sr="A\d+"[^<>]*[^/<>]>\s*<(?:\w+:)?(?:v|is)\b')
_TRUE = ("1", "true")
_UNSEEN_IN_FONTS = frozenset({"family", "scheme", "charset"})
_Font = frozenset[tuple[str, tuple[tuple[str, str], ...]]]
_NOT_FILLED = (None, "none", "gray125")
_PLAIN_NUMBERS = ("0", "49")
"""General and text, which are no formats of numbers."""


_BLACK = (("rgb", "FF000000"), ("auto", "1"), ("indexed", "8"), ("indexed", "64"))
"""Ways to say black (18.8.27, 18.8.3); the colour 1 of a theme is that of its text."""


def styles(data: bytes, dates: Mapping[str, str], theme: bytes) -> dict[bytes, frozenset[str]]:
    """The kinds of looks of each cell style that has any; formats of `dates` are seen in the values."""
    if not data:
        return {}
    root = ElementTree.fromstring(data)
    tables = {_local(each): list(each) for each in root}
    black = (*_BLACK, ("theme", "1")) if not theme or TEXT_IS_BLACK.search(theme) else _BLACK
    fonts = [_font(each, black) for each in tables.get("fonts", ())]
    fonts = [_sized(each, fonts[0]) for each in fonts]
    filled = [_is_filled(each) for each in tables.get("fills", ())]
    bordered = [any(side.get("style", "none") != "none" for side in each) for each in tables.get("borders", ())]
    general = {
        each.get("numFmtId")
        for each in tables.get("numFmts", ())
        if each.get("formatCode", "").lower() in ("general", "@", "")
    }
    found: dict[bytes, frozenset[str]] = {}
    usual = None
    for at, xf in enumerate(tables.get("cellXfs", ())):
        font = _item(fonts, xf.get("fontId"))
        alignment = frozenset(
            pair
            for each in xf
            if _local(each) == "alignment"
            for pair in each.items()
            if pair[1] not in ("0", "general", "false", "bottom")
        )
        usual = usual or (font, alignment)
        number = xf.get("numFmtId", "0")
        kinds = of_style(
            font=font,
            alignment=alignment,
            usual=usual,
            filled=bool(_item(filled, xf.get("fillId"))),
            bordered=bool(_item(bordered, xf.get("borderId"))),
            code=number not in _PLAIN_NUMBERS and number not in general and str(at) not in dates,
        )
        if kinds:
            found[str(at).encode()] = kinds
    return found


def see_sheet(looks: Looks, data: bytes, known: Mapping[bytes, frozenset[str]], rows: tuple[int, int] | None) -> None:
    """Add the looks and rules of a sheet, whose first and last row with values are `rows`, from 1; None without any."""
    begin, end = data.find(b"<sheetData"), data.rfind(b"sheetData>")
    head, tail = (data[:begin], data[end:]) if 0 <= begin < end else (data, data)
    if known:
        excel_cells.see(looks, data, known)
    used = Area(top=rows[0] - 1, bottom=rows[1] - 1) if rows else NO_VALUES
    columns, merged = _COLUMN.findall(head), _MERGED.findall(tail)
    if rows and (columns or merged or (_PLACED.search(data) and not _IN_FIRST_COLUMN.search(data))):
        letters = [places.column(each.decode()) for each in {*_COLUMN_WITH_VALUE.findall(data)}]
        if letters:
            used = Area(used.top, min(letters), used.bottom, max(letters))
    looks.shifted(used)
    looks.merged((places.area(attributes(each).get("ref", "")) for each in merged), used)
    _see_columns(looks, columns, used)
    if has(data, b"hidden="):
        for each in map(attributes, _ROW.findall(data)):
            number = each.get("r", "")
            if each.get("hidden") in _TRUE and (not number or used.top < int(number) <= used.bottom + 1):
                looks.add("hidden", place=number)
    for kind, pattern, inside in _RULES:
        for tag, content in pattern.findall(tail):
            place = attributes(tag).get("sqref") or (_FORMULA_OF_PLACE.search(content) or [b"", b""])[1].decode(
                "utf-8", "replace"
            )
            looks.add(kind, len(re.findall(rb"<(?:\w+:)?%s\b" % inside, content)) if inside else 1, place)
    for each in _FILTER.findall(tail):
        looks.add("filters", place=attributes(each).get("ref", ""))
    for each in _PANE.findall(head):
        if attributes(each).get("state", "").startswith("frozen"):
            looks.add("panes", place=attributes(each).get("topLeftCell", ""))
    for each in _HEAD.findall(tail):
        if is_telling(html.unescape(each.decode("utf-8", "replace"))):
            looks.add("heads")
    looks.add("protections", protections.of_excel(tail), looks.sheet)
    if rows:
        looks.add("setups", page_setups.of_sheet(head + tail if head is not tail else data), looks.sheet)


def see_names(looks: Looks, book: bytes) -> None:
    """Add the names of areas that people gave, and the protection of the workbook."""
    looks.add("protections", protections.of_excel(book))
    for each in map(attributes, _NAME.findall(book)):
        looks.add("setups", page_setups.is_of_names(each.get("name", "")))
        hidden = each.get("hidden") in _TRUE or each.get("vbProcedure") in _TRUE
        if not each.get("name", "").startswith("_xlnm") and not hidden:
            looks.add("names", place=each.get("name", ""))


def see_table(looks: Looks, table: bytes) -> None:
    """Add the filter of a table (18.5.1.2), which has a part of its own."""
    for each in _FILTER.findall(table):
        looks.add("filters", place=attributes(each).get("ref", ""))


def _see_columns(looks: Looks, tags: list[bytes], used: Area) -> None:
    widths: dict[int, float] = {}
    hidden: set[int] = set()
    for each in map(attributes, tags):
        columns = range(int(each.get("min", 1)) - 1, min(int(each.get("max", 1)), places.COLUMNS))
        if each.get("hidden") in _TRUE:
            hidden.update(columns)
        elif each.get("customWidth") in _TRUE:
            widths.update(dict.fromkeys(columns, float(each.get("width", 0))))
    looks.columns(widths, hidden, used)


def _font(font: Element, black: Collection[tuple[str, str]]) -> _Font:
    """What shows of a font; black, the usual colour, has many spellings and is left out."""
    return frozenset(
        (_local(each), _amount(each))
        for each in font
        if _local(each) not in _UNSEEN_IN_FONTS
        and not (_local(each) == "color" and [*each.items()] and all(pair in black for pair in each.items()))
    )


def _amount(element: Element) -> tuple[tuple[str, str], ...]:
    """The attributes of an element, with numbers spelled alike: 10.0 is 10."""
    return tuple(sorted((name, value.removesuffix(".0")) for name, value in element.items()))


def _sized(font: _Font, usual: _Font) -> _Font:
    """A font that does not say its size has the usual one, as Google Sheets relies on."""
    if any(name == "sz" for name, _ in font):
        return font
    return font | {pair for pair in usual if pair[0] == "sz"}


def _is_filled(fill: Element) -> bool:
    return any(_local(each) == "gradientFill" or each.get("patternType") not in _NOT_FILLED for each in fill)


def _item(items: Sequence[object], index: str | None) -> object:
    at = int(index) if index and index.isdecimal() else 0
    return items[at] if at < len(items) else None


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]
