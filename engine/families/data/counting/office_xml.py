"""Count the sheets of Excel workbooks from the XML of their parts."""

from __future__ import annotations

import html
import posixpath
import re
import zipfile
from datetime import datetime, timedelta
from itertools import compress
from pathlib import Path

from engine.families.data.counting import date_styles, excel_looks, rich_texts, sheets
from engine.families.data.counting.date_styles import attributes
from engine.families.data.counting.looks import Looks
from engine.families.data.counting.spellings import of_float
from engine.toolkit.census import Census

_TAG = rb"<(?:\w+:)?%s\b([^<>]*?)(?:/>|>(.*?)(?:</(?:\w+:)?%s>|\Z))"
_CELL, _VALUE, _INLINE, _TEXT, _FORMULA = (
    re.compile(_TAG % (name, name), re.DOTALL) for name in (b"c", b"v", b"is", b"t", b"f")
)
_SHEET, _RELATION, _COMMENT, _LINK, _PICTURE, _CHART, _PROPERTIES = (
    re.compile(rb"<(?:\w+:)?" + name + rb"\b([^<>]*)>")
    for name in (b"sheet", b"Relationship", b"(?:threadedC|c)omment", b"hyperlink", b"blip", b"chart", b"workbookPr")
)
_READING = re.compile(rb"<(?:\w+:)?rPh\b.*?</(?:\w+:)?rPh>", re.DOTALL)
_CDATA = re.compile(rb"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ROW_END = re.compile(rb"</(?:\w+:)?row>")
_ITEM_END = re.compile(rb"</(?:\w+:)?si>")
_EMPTY_ITEM = re.compile(rb"<(?:(\w+:)?)si\s*/>")
_ROW = re.compile(rb"<(?:\w+:)?row\b([^<>]*)(?<!/)>")
_CONTENT = re.compile(rb"<(?:\w+:)?(?:v|is)\b")
_ERROR = re.compile(rb"""\bt\s*=\s*["']e["']""")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_FIRST_CERTAIN = 61
"""The serial number after 60, the 29 February 1900 that Excel counts and the calendar lacks."""


def workbook(path: Path) -> Census:
    """Return the census of a workbook's sheets."""
    if not zipfile.is_zipfile(path):  # encrypted
        return sheets.workbook([("", sheets.too_large())])
    with zipfile.ZipFile(path) as archive:
        return _Workbook(archive).census()


class _Workbook:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.names = {each.filename.lstrip("/").lower(): each for each in archive.infolist()}
        self.main = next(
            (target for kind, target in self._related("") if kind.endswith("/officeDocument")), "xl/workbook.xml"
        )
        book = self._part(self.main)
        of_book = attributes((_PROPERTIES.search(book) or [b"", b""])[1])
        self.base = datetime(1904, 1, 1) if of_book.get("date1904") in ("1", "true") else datetime(1899, 12, 30)
        relations = self._related(self.main)
        self.strings = self._strings(next((t for kind, t in relations if kind.endswith("/sharedStrings")), ""))
        styles = self._part(next((t for kind, t in relations if kind.endswith("/styles")), ""))
        self.dates = date_styles.of(styles)
        theme = self._part(next((t for kind, t in relations if kind.endswith("/theme")), ""))
        self.looks = excel_looks.styles(styles, self.dates, theme)
        self.rich = rich_texts.rich_items(self.strings)
        self.book = book

    def census(self) -> Census:
        targets = self._targets(self.main)
        found = []
        for tag in _SHEET.findall(self.book):
            given = attributes(tag)
            target = targets.get(next((value for name, value in given.items() if name.endswith(":id")), ""), ("", ""))
            if target[0].endswith("/worksheet"):
                found.append(self._sheet(target[1], html.unescape(given.get("name", "")), given.get("state", "")))
        whole = sheets.workbook(found)
        excel_looks.see_names(Looks(whole), self.book)
        return whole

    def _sheet(self, name: str, title: str, state: str) -> tuple[str, Census]:
        info = self.names.get(name.lower())
        if info is None or info.file_size > sheets.LARGEST:
            return title, sheets.too_large()
        data = self._part(name)
        found, places = _rows(data)
        census = sheets.sheet(found, lambda index: _number_of(found[index], places[index]), self._texts, self._filled)
        for kind, pattern in (("formulas", _FORMULA), ("links", _LINK)):
            if f"<{'f' if kind == 'formulas' else 'hyperlink'}".encode() in data and (n := len(pattern.findall(data))):
                census.add(kind, n)
        looks = Looks(census, title)
        numbers = (_number_of(found[0], places[0]), _number_of(found[-1], places[-1])) if found else None
        excel_looks.see_sheet(looks, data, self.looks, rows=numbers)
        rich_texts.see_sheet(looks, data, self.rich)
        if state in ("hidden", "veryHidden"):
            looks.add("hidden", place=title)
        commented = set[str]()
        for kind, target in self._related(name):
            if kind.endswith(("/comments", "/threadedComment")):
                commented |= {attributes(each).get("ref", "") for each in _COMMENT.findall(self._part(target))}
            elif kind.endswith("/drawing"):
                self._see(census, "pictures", target, _PICTURE)
                self._see(census, "charts", target, _CHART)
            elif kind.endswith("/table"):
                excel_looks.see_table(looks, self._part(target))
            elif kind.endswith("/pivotTable"):
                looks.add("pivots")
        if commented:
            census.add("comments", len(commented))
        return title, census

    def _see(self, census: Census, kind: str, part: str, pattern: re.Pattern[bytes]) -> None:
        found = pattern.findall(self._part(part))
        if count := len([each for each in found if kind != "pictures" or b":embed=" in each]):
            census.add(kind, count)

    def _texts(self, row: bytes) -> list[str]:
        return [self._text(attributes(found[1]), found[2] or b"") for found in _CELL.finditer(row)]

    def _filled(self, row: bytes) -> int:
        cells = ((attributes(found[1]), found[2] or b"") for found in _CELL.finditer(row))
        return sum(bool(self._is_span(cell, content) or self._text(cell, content)) for cell, content in cells)

    def _is_span(self, cell: dict[str, str], content: bytes) -> bool:
        """Whether a cell is shown as a duration or a time, whose text may be left out of the comparison."""
        timed = self.dates.get(cell.get("s", "0")) in ("span", "time") and cell.get("t", "n") == "n"
        return timed and _VALUE.search(content) is not None

    def _text(self, cell: dict[str, str], content: bytes) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _text_of((_INLINE.search(content) or [b"", b"", b""])[2] or b"")
        found = _VALUE.search(content)
        value = html.unescape((found[2] or b"").decode("utf-8", "replace")) if found else ""
        if kind == "s":
            return _text_of(self.strings[int(value)]) if value.strip().isdigit() else ""
        if kind in ("str", "d"):
            return _unescaped(value)
        if kind == "e":
            return ""
        if kind == "b":
            return "true" if value.strip() in ("1", "true") else "false"
        return self._number(value, self.dates.get(cell.get("s", "0"), ""))

    def _number(self, value: str, shown_as: str) -> str:
        try:
            number = float(value)
        except ValueError:
            return value
        if shown_as == "span" or (shown_as == "time" and 1 <= number < _FIRST_CERTAIN):
            return ""  # durations have many spellings
        if not shown_as or number < 0 or (shown_as == "date" and number < 1 and self.base.year != 1904):
            return of_float(number)
        if shown_as == "time" and number < 1:
            return (datetime(2000, 1, 1) + _span(number)).time().isoformat()
        if self.base.year == 1904:
            return _written(self.base, number)
        if number < _FIRST_CERTAIN:
            written = _written(self.base + timedelta(1), number)
            return written if int(number) < _FIRST_CERTAIN - 1 else f"1900-02-29{written[10:]}"
        return _written(self.base, number)

    def _strings(self, name: str) -> list[bytes]:
        return _ITEM_END.split(_EMPTY_ITEM.sub(rb"<\1si></\1si>", self._part(name)))

    def _related(self, part: str) -> list[tuple[str, str]]:
        return list(self._targets(part).values())

    def _targets(self, part: str) -> dict[str, tuple[str, str]]:
        folder, name = posixpath.split(part)
        found = {}
        for each in _RELATION.findall(self._part(posixpath.join(folder, "_rels", f"{name}.rels"))):
            given = attributes(each)
            target = posixpath.normpath(posixpath.join("/", folder, html.unescape(given.get("Target", ""))))
            if given.get("TargetMode") != "External":
                found[given.get("Id", "")] = (given.get("Type", ""), target.lstrip("/"))
        return found

    def _part(self, name: str) -> bytes:
        info = self.names.get(name.lower())
        if info is None or info.file_size > sheets.LARGEST:
            return b""
        data = self.archive.read(info)
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16").encode()
        return data


def _rows(data: bytes) -> tuple[list[bytes], list[int]]:
    """Return the rows with values other than errors, and the number of each by position."""
    pieces = data.split(b"</row>") if b"</row>" in data else _ROW_END.split(data)
    held = [b"<v>" in each or b"<is" in each or bool(_CONTENT.search(each)) for each in pieces]
    if (b'"e"' in data or b"'e'" in data) and _ERROR.search(data):  # most files have neither, which is found faster
        held = [value and not _has_errors_only(each) for value, each in zip(held, pieces, strict=True)]
    return list(compress(pieces, held)), list(compress(range(1, len(pieces) + 1), held))


def _has_errors_only(row: bytes) -> bool:
    return bool(_ERROR.search(row)) and not any(
        _CONTENT.search(found[2] or b"") and not _ERROR.search(found[1]) for found in _CELL.finditer(row)
    )


def _number_of(row: bytes, otherwise: int) -> int:
    tags = _ROW.findall(row)  # tags before the last are rows without cells
    given = attributes(tags[-1]).get("r", "") if tags else ""
    return int(given) if given.isdigit() else otherwise


def _text_of(item: bytes) -> str:
    """Return the text of a shared or inline string: all its runs, without phonetic readings."""
    if b"<![CDATA[" in item:
        item = _CDATA.sub(lambda found: html.escape(found[1].decode("utf-8", "replace")).encode(), item)
    if b"rPh" in item:
        item = _READING.sub(b"", item)
    return _unescaped(
        html.unescape(b"".join(found[2] or b"" for found in _TEXT.finditer(item)).decode("utf-8", "replace"))
    )


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _span(days: float) -> timedelta:
    return timedelta(milliseconds=round(days * 86_400_000))


def _written(base: datetime, days: float) -> str:
    try:
        return (base + _span(days)).isoformat(" ")
    except OverflowError:
        return of_float(days)
