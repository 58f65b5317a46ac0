"""Count the cells of the XML workbooks of Excel 2002 and 2003; their styles, settings and properties are no values."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from defusedxml import ElementTree

from engine.families.data.counting import rows, sheets
from engine.families.data.workbooks.facts import BESIDE_SHEETS
from engine.toolkit.census import Census

_SPACE = "{urn:schemas-microsoft-com:office:spreadsheet}"
_DATA = f"{_SPACE}Data"
_ROOT = _SPACE.strip("{}").encode()
_HEAD = 4_096
"""Bytes in which a document says what it is."""


def may_be(path: Path) -> bool:
    """Return whether a document may be such a workbook, from its beginning."""
    with path.open("rb") as file:
        return _ROOT in file.read(_HEAD)


def workbook(path: Path) -> Census | None:
    """Return the census of a workbook, of which each sheet is a part and the rest another; None for any other file."""
    root = ElementTree.parse(path).getroot()
    if root is None or root.tag != f"{_SPACE}Workbook":
        return None
    beside = rows.Values()
    whole = sheets.workbook(
        (each.get(f"{_SPACE}Name", ""), _sheet(each, beside)) for each in root.iter(f"{_SPACE}Worksheet")
    )
    for element in root.iter():
        beside.texts(element.attrib.values())
        if element.tag != _DATA and (text := (element.text or "").strip()):
            beside.text(text)
    whole.parts[BESIDE_SHEETS] = rest = Census()
    beside.into(rest)
    return whole


def _sheet(sheet: Element, beside: rows.Values) -> Census:
    found = [texts for row in sheet.iterfind(f"{_SPACE}Table/{_SPACE}Row") if any(texts := _row(row, beside))]
    count = max(0, len(found) - 1)
    blocks = [found[first + 1 : last + 1] for first, last in rows.windows(count)]
    return rows.table(count, blocks, header=found[0] if found else ())


def _row(row: Element, beside: rows.Values) -> list[str]:
    """The texts of a row's cells; days and times, which a table spells in another way, are `beside` them."""
    found = []
    for data in row.iterfind(f"{_SPACE}Cell/{_DATA}"):
        text = "".join(data.itertext())
        is_moment = data.get(f"{_SPACE}Type") == "DateTime"
        found += [] if is_moment else [text]
        beside.texts([text] if is_moment else [])
    return found
