"""Count how sheets are set up for printing: landscape pages, paper, scale, grid, breaks, areas, repeated rows."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element

from engine.families.data.counting.date_styles import attributes
from engine.families.data.counting.marks import has
from engine.families.data.workbooks.ods_layout import inches

_USUAL_PAPERS = (0, 1, 9)
"""None chosen, Letter and A4 (ECMA-376, part 1, 18.3.1.63): which of them depends on where a program is used."""
_USUAL_SIZES = ((8.5, 11.0), (8.27, 11.69))
_TRUE = ("1", "true")
_EXCEL = re.compile(rb"<(?:\w+:)?(pageSetup|pageSetUpPr|printOptions|brk)\b([^<>]*)>")
_PRINTED = ("gridLines", "headings", "horizontalCentered", "verticalCentered")
_OF_NAMES = ("_xlnm.Print_Area", "_xlnm.Print_Titles")
_AREA, _TITLES = 6, 7
"""Names of Excel's own in old workbooks (MS-XLS, 2.5.114)."""


def of_sheet(data: bytes) -> int:
    """The settings of an xlsx sheet, from its XML."""
    count, fitted, scaled = 0, False, False
    for kind, tag in _EXCEL.findall(data):
        given = attributes(tag)
        if kind == b"pageSetup":
            paper = given.get("paperSize", "0")
            count += (given.get("orientation") == "landscape") + (int(paper) not in _USUAL_PAPERS)
            scaled = given.get("scale", "100") != "100"
        elif kind == b"pageSetUpPr":
            fitted = given.get("fitToPage") in _TRUE
        elif kind == b"printOptions":
            count += sum(given.get(each) in _TRUE for each in _PRINTED)
        else:
            count += given.get("man") in _TRUE
    return count + (fitted or scaled)


def is_of_names(name: str) -> bool:
    """Whether a name of Excel's own stands for a print area or for repeated rows and columns (18.2.5)."""
    return name in _OF_NAMES


def of_records(records: Iterable[tuple[int, bytes]]) -> int:
    """The settings of an xls sheet, from its records (MS-XLS, 2.4)."""
    count, fitted, scaled = 0, False, False
    for kind, content in records:
        if kind == 0xA1 and len(content) >= 12:
            paper, scale, *_, flags = struct.unpack_from("<6H", content)
            if not flags & 0x04:  # no printer was chosen, so nothing else is set (2.4.257)
                count += paper not in _USUAL_PAPERS
                count += not flags & 0x42
                scaled = scale not in (0, 100)
        elif kind == 0x81 and len(content) >= 2:
            fitted = bool(content[1] & 1)
        elif kind in (0x2A, 0x2B, 0x84):  # not 0x83: xlwt centres all tables, asked or not
            count += content[:1] == b"\1"
        elif kind in (0x1A, 0x1B) and len(content) >= 2:
            count += int.from_bytes(content[:2], "little")
    return count + (fitted or scaled)


def is_of_built_in_name(content: bytes) -> bool:
    """Whether a record of a name (2.4.150) stands for a print area or for repeated rows and columns."""
    return bool(content[0] & 0x20) and content[3:4] == b"\1" and content[15] in (_AREA, _TITLES)


def of_binary_records(records: Iterable[tuple[int, bytes]]) -> int:
    """The settings of an xlsb sheet, from its records (MS-XLSB, 2.4)."""
    count, fitted, scaled = 0, False, False
    for kind, content in records:
        if kind == 478 and len(content) >= 34:
            paper, scale = struct.unpack_from("<II", content)
            flags = struct.unpack_from("<H", content, 32)[0]
            count += (paper not in _USUAL_PAPERS) + (flags & 0x42 == 0x02)
            scaled = scale not in (0, 100)
        elif kind == 477:
            count += (content[0] & 0x0F).bit_count()
        elif kind == 147:
            fitted = bool(content[1] & 1)
        count += kind == 396
    return count + (fitted or scaled)


def head(content: bytes) -> str:
    """The head or foot of an xls sheet, whose record is a string alone (2.5.294)."""
    return content[3:].decode("utf-16-le" if content[2:3] == b"\1" else "latin-1", "replace")


def binary_heads(content: bytes) -> Iterator[str]:
    """The heads and feet of a sheet of an xlsb file (MS-XLSB, 2.4.80)."""
    at = 2
    while at + 4 <= len(content):
        (count,) = struct.unpack_from("<I", content, at)
        at += 4
        if count != 0xFFFFFFFF:
            yield content[at : at + 2 * count].decode("utf-16-le", "replace")
            at += 2 * count


class Layouts:
    """The pages of the table styles of an OpenDocument workbook (OpenDocument 1.3, part 3, 16.5 and 16.9)."""

    def __init__(self) -> None:
        self._settings: dict[str, int] = {}
        self._layouts: dict[str, str] = {}
        self._masters: dict[str, str] = {}
        self._breaks: set[str] = set()

    def declare(self, element: Element) -> None:
        """Take note of a page layout, of a master page, or of a style that has one or that begins a page."""
        kind, given = element.tag.rpartition("}")[2], _plain(element.attrib)
        name = given.get("name", "")
        if kind == "page-layout":
            self._settings[name] = sum(_of_layout(_plain(each.attrib)) for each in element)
        elif kind == "master-page":
            self._layouts[name] = given.get("page-layout-name", "")
        elif kind == "style" and given.get("family") == "table":
            self._masters[name] = given.get("master-page-name", "")
        elif kind == "style" and any(_plain(each.attrib).get("break-before") == "page" for each in element):
            self._breaks.add(name)

    def of_table(self, tag: Mapping[str, str], data: bytes) -> int:
        """The settings of a table, from the attributes of its tag and the XML of its rows."""
        layout = self._layouts.get(self._masters.get(tag.get("table:style-name", ""), ""), "")
        titles = has(data, b"<table:table-header-")  # of rows or columns
        breaks = sum(data.count(f'table:style-name="{each}"'.encode()) for each in self._breaks)
        return self._settings.get(layout, 0) + ("table:print-ranges" in tag) + titles + breaks


def _of_layout(given: Mapping[str, str]) -> int:
    """The settings of the properties of a page layout."""
    scaled = given.get("scale-to", "100%") != "100%" or any(
        given.get(each, "0") != "0" for each in ("scale-to-pages", "scale-to-X", "scale-to-Y")
    )
    sides = sorted(inches(given.get(each, "")) for each in ("page-width", "page-height"))
    usual = not sides[0] or any(abs(sides[0] - a) < 0.05 and abs(sides[1] - b) < 0.05 for a, b in _USUAL_SIZES)
    printed = given.get("print", "").split()
    return (
        (given.get("print-orientation") == "landscape")
        + scaled
        + (not usual)
        + (given.get("table-centering", "none") != "none")
        + ("grid" in printed)
        + ("headers" in printed)
    )


def _plain(given: Mapping[str, str]) -> dict[str, str]:
    return {key.rpartition("}")[2]: value for key, value in given.items()}
