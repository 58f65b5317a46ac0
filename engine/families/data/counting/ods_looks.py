"""Count the looks and rules of OpenDocument sheets (OpenDocument 1.3, part 3)."""

from __future__ import annotations

import html
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from defusedxml import ElementTree

from engine.families.data import cell_references as places
from engine.families.data.cell_references import Area
from engine.families.data.counting import ods_rows, protections, rich_texts
from engine.families.data.counting.looks import NO_VALUES, Looks, of_cell, of_style
from engine.families.data.counting.marks import has
from engine.families.data.counting.number_styles import is_telling
from engine.families.data.counting.page_setups import Layouts
from engine.families.data.workbooks.ods_layout import INCH, inches

_ATTRIBUTE = re.compile(rb"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_COLUMN = re.compile(rb"<table:table-column\b([^<>]*)>")
_CELL = re.compile(rb"<table:table-cell\b([^<>]*)>")
_STYLED_CELL = re.compile(rb'<table:table-cell table:style-name="([^"]*)"(?:/?>| office:value-type="(\w+)")')
"""A cell with a style, as most programs write it."""
_STYLED_LINE = re.compile(rb"<table:table-(?:row|column)\b[^<>]*\btable:style-name=")
_NUMBERS = (b"float", b"percentage", b"currency", b"date")
_HIDDEN = (b'table:visibility="collapse"', b'table:visibility="filter"')
_SPANNED = re.compile(rb'table:number-(rows|columns)-spanned="(\d+)"')
_FORMATS = re.compile(rb"<calcext:conditional-format\b([^<>]*)>(.*?)</calcext:conditional-format>", re.DOTALL)
_ADDRESSED = re.compile(r"(?:'[^']*+'|(?<![^\s:.'])[^\s:.']*+)\.")
"""The name of the sheet in each part of an address."""
_CONDITION = re.compile(rb"<calcext:(?:condition|color-scale|data-bar|icon-set|date-is)\b")
_VALIDATED = re.compile(rb'table:content-validation-name="([^"]*)"')
_RANGE = re.compile(rb"<table:database-range\b([^<>]*)>")
_NAMED = re.compile(rb"<table:named-(?:range|expression)\b([^<>]*)>")
_PIVOT = re.compile(rb"<table:data-pilot-table\b([^<>]*)>")
_SPLIT = re.compile(rb'config:name="(?:Horizontal|Vertical)SplitMode"[^<>]*>2<')
_DECORATION = frozenset({
    "font-weight", "font-style", "color", "font-size", "font-name", "text-underline-style", "text-line-through-style",
    "text-line-through-type",
})  # fmt: skip
_USUAL = frozenset(
    {"normal", "none", "start", "automatic", "bottom", "0deg", "no-wrap", "transparent", "", "0", "false"}
)


@dataclass
class _Style:
    above: str = ""
    font: dict[str, str] = field(default_factory=dict)
    alignment: dict[str, str] = field(default_factory=dict)
    filled: bool = False
    bordered: bool = False
    code: bool = False


class Book:
    """The styles of a workbook, and what it says of its sheets outside of them."""

    def __init__(self, archive: zipfile.ZipFile, content: bytes) -> None:
        names = archive.namelist()
        self.settings = archive.read("settings.xml") if "settings.xml" in names else b""
        self.content = content
        self._styles: dict[str, _Style] = {}
        self._widths: dict[bytes, float] = {}
        self._pages, self._closed, self._shown = Layouts(), set[bytes](), set[bytes]()
        formats: dict[str, Element] = {}
        parts = [archive.read("styles.xml")] if "styles.xml" in names else []
        begin = content.find(b"<office:body")
        parts.append(content[:begin] + b"</office:document-content>")
        for part in parts:
            for each in ElementTree.fromstring(part).iter():
                self._pages.declare(each)
                if _local(each.tag) == "style":
                    self._declare(each, formats)
                elif _local(each.tag).endswith("-style") and "datastyle" in each.tag:
                    formats[_named(each, "name")] = each
        self.looks = {name.encode(): kinds for name in self._styles if (kinds := self._kinds(name))}

    def _declare(self, style: Element, formats: dict[str, Element]) -> None:
        name, family = _named(style, "name"), _named(style, "family")
        found = _Style(_named(style, "parent-style-name"))
        format = formats.get(_named(style, "data-style-name"))
        found.code = format is not None and is_telling(format)
        for each in style:
            given = {_local(key): value for key, value in each.items()}
            match family, _local(each.tag):
                case "table-column", "table-column-properties":
                    self._widths[name.encode()] = inches(given.get("column-width", "")) * INCH
                case "table", "table-properties":
                    self._closed |= {name.encode()} if given.get("display") == "false" else set()
                case "text", "text-properties":
                    self._shown |= {name.encode()} if rich_texts.is_shown(each) else set()
                case "table-cell", "text-properties":
                    found.font |= {key: value for key, value in given.items() if key in _DECORATION}
                case "table-cell", "paragraph-properties":
                    found.alignment |= {key: given[key] for key in ("text-align",) if key in given}
                case "table-cell", "table-cell-properties":
                    found.filled = given.get("background-color", "").startswith("#")
                    found.bordered = any(
                        value not in ("none", "")
                        for key, value in given.items()
                        if re.fullmatch("border(-(top|left|right|bottom))?", key)
                    )
                    found.alignment |= {
                        key: given[key] for key in ("vertical-align", "wrap-option", "rotation-angle") if key in given
                    }
        if family == "table-cell":
            self._styles[name] = found

    def _kinds(self, name: str) -> frozenset[str]:
        """The kinds of looks of a style that it does not have from the default one."""
        own = self._styles[name]
        font: dict[str, str] = {}
        alignment: dict[str, str] = {}
        usual = self._styles.get("Default", _Style())
        bordered = own.bordered
        code = own.code
        above, seen = name, set[str]()
        while above in self._styles and above not in seen and above != "Default":
            seen.add(above)
            style = self._styles[above]
            font, alignment = style.font | font, style.alignment | alignment
            bordered, code = bordered or style.bordered, code or style.code
            above = style.above
        return of_style(
            font=_unlike(font, usual.font),
            alignment=_unlike(alignment, usual.alignment),
            usual=(frozenset(), frozenset()),
            filled=own.filled,
            bordered=bordered,
            code=code,
        )

    def see_sheet(
        self, looks: Looks, tag: dict[str, str], data: bytes, numbers: Sequence[int], sample: Sequence[bytes]
    ) -> None:
        """Add the looks and rules of a sheet whose rows with values have these numbers, from 1.

        `sample` are some of these rows; what stands right of their values is not taken for a part of the table.
        """
        if tag.get("table:style-name", "").encode() in self._closed:
            looks.add("hidden", place=tag.get("table:name", ""))
        if self.looks:
            self._see_cells(looks, data)
        right = max(map(ods_rows.width, sample), default=1) - 1
        used = Area(numbers[0] - 1, 0, numbers[-1] - 1, right) if numbers else NO_VALUES
        looks.shifted(replace(used, left=min(map(ods_rows.indent, sample), default=0)) if numbers else used)
        self._see_columns(looks, data, used)
        rich_texts.see_table(looks, data, self._shown)
        if any(has(data, each) for each in (*_HIDDEN, b"-spanned=")):
            looks.merged(_see_rows(looks, data, used), used)
        for given, inside in _FORMATS.findall(data) if has(data, b"<calcext:conditional-format") else ():
            looks.add(
                "conditions",
                len(_CONDITION.findall(inside)),
                _ADDRESSED.sub("", _given(given).get("calcext:target-range-address", "")),
            )
        looks.add("setups", self._pages.of_table(tag, data) if numbers else 0, looks.sheet)
        looks.add("protections", tag.get("table:protected") == "true", looks.sheet)
        if has(data, b"content-validation-name"):
            looks.add("validations", len({*_VALIDATED.findall(data)}))

    def see_rest(self, looks: Looks) -> None:
        """Add the filters, names, pivot tables and frozen panes of all sheets, and the protection of the workbook."""
        before = self.content[: self.content.find(b"<table:table ")]
        looks.add("protections", protections.of_open_document(before))
        rest = self.content[self.content.rfind(b"</table:table>") + 1 :]
        for each in map(_given, _RANGE.findall(rest)):
            if each.get("table:display-filter-buttons") == "true":
                looks.add("filters", place=each.get("table:target-range-address", ""))
        for each in map(_given, _NAMED.findall(self.content) if has(self.content, b"<table:named-") else ()):
            looks.add("names", place=each.get("table:name", ""))
        for each in map(_given, _PIVOT.findall(rest)):
            looks.add("pivots", place=each.get("table:name", ""))
        looks.add(
            "panes", sum(bool(_SPLIT.search(each)) for each in self.settings.split(b"</config:config-item-map-entry>"))
        )

    def _see_cells(self, looks: Looks, data: bytes) -> None:
        """Add the cells with looks: of each tag only its style is taken, and whether it has a value or a number."""
        found = Counter(_STYLED_CELL.findall(data))
        seen: Counter[tuple[bytes, bool, bool]] = Counter()
        if found.total() + len(_STYLED_LINE.findall(data)) == data.count(b"table:style-name="):
            for (name, kind), count in found.items():
                seen[name, bool(kind), kind in _NUMBERS] += count
        else:  # there are other cells with styles
            seen.update(map(_seen, _CELL.findall(data)))
        for (name, has_value, is_number), count in seen.items():
            if kinds := self.looks.get(name):
                looks.alike(of_cell(kinds, has_value=has_value, is_number=is_number), count)

    def _see_columns(self, looks: Looks, data: bytes, used: Area) -> None:
        widths: dict[int, float] = {}
        hidden: set[int] = set()
        at = 0
        for tag in _COLUMN.findall(data[: data.find(b"<table:table-row")]):  # the columns of a table come first
            columns = range(at, min(at + ods_rows.times(tag), places.COLUMNS))
            at = columns.stop
            if any(each in tag for each in _HIDDEN):
                hidden.update(columns)
            elif width := self._widths.get(tag.partition(b'table:style-name="')[2].partition(b'"')[0]):
                widths.update(dict.fromkeys(columns, width))
        looks.columns(widths, hidden, used)


def _seen(tag: bytes) -> tuple[bytes, bool, bool]:
    """Return the style of a cell, and whether it has a value or a number."""
    name = tag.partition(b'table:style-name="')[2].partition(b'"')[0]
    return name, b"value-type=" in tag, b"office:value=" in tag or b"office:date-value=" in tag


def _see_rows(looks: Looks, data: bytes, used: Area) -> Iterator[Area]:
    """Add the hidden rows, and yield the merged areas."""
    row, times, column = -1, 1, 0
    for kind, tag, _ in ods_rows.ROW_OR_CELL.findall(data):
        if kind == b"table-row":
            row, times, column = row + times, ods_rows.times(tag), 0
            if any(each in tag for each in _HIDDEN):
                looks.add("hidden", len(range(max(row, used.top), min(row + times, used.bottom + 1))), row + 1)
            continue
        spans = {which: int(count) for which, count in _SPANNED.findall(tag)}
        rows, columns = spans.get(b"rows", 1), spans.get(b"columns", 1)
        if rows > 1 or columns > 1:
            yield Area(row, column, row + rows - 1, column + columns - 1)
        column += ods_rows.times(tag)


def _unlike(given: dict[str, str], usual: dict[str, str]) -> frozenset[tuple[str, str]]:
    usual = {"color": "#000000"} | usual
    return frozenset((key, value) for key, value in given.items() if value not in _USUAL and usual.get(key) != value)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _named(element: Element, name: str) -> str:
    return next((value for key, value in element.items() if _local(key) == name), "")


def _given(tag: bytes) -> dict[str, str]:
    return {name.decode(): html.unescape((a or b).decode("utf-8", "replace")) for name, a, b in _ATTRIBUTE.findall(tag)}
