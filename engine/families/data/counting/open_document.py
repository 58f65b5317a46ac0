"""Count the sheets of OpenDocument spreadsheets from the XML of their content."""

from __future__ import annotations

import html
import re
import zipfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from engine.families.data.counting import ods_looks, rows, sheets
from engine.families.data.counting.looks import Looks
from engine.families.data.counting.marks import has
from engine.families.data.counting.spellings import spelled
from engine.toolkit.census import Census

_TABLE = re.compile(rb"<table:table(?=[\s>])([^<>]*)>")
_ROW_BEGIN = b"<table:table-row"
_ROW = re.compile(_ROW_BEGIN + rb"(?=[\s/>])([^<>]*)>")
_CELL = re.compile(
    rb"<table:(?:covered-)?table-cell\b([^<>]*?)(?:/>|>(.*?)(?:</table:(?:covered-)?table-cell>|\Z))", re.DOTALL
)
_NOTE = re.compile(rb"<office:annotation\b.*?</office:annotation>", re.DOTALL)
_PARAGRAPH = re.compile(rb"<text:p\b[^<>]*?(?:/>|>(.*?)(?:</text:p>|\Z))", re.DOTALL)
_BLANK = re.compile(rb'<text:s\b(?:[^<>]*text:c="(\d+)")?[^<>]*/>|<text:(?:tab|line-break)\b[^<>]*/?>')
_PICTURE = re.compile(rb"<draw:image\b[^<>]*>")
_OBJECT = re.compile(rb"<draw:object\b")
_MARK = re.compile(rb"<[^<>]*>")
_ATTRIBUTE = re.compile(rb"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_KINDS = (
    ("formulas", b"table:formula=", re.compile(rb"table:formula=")),
    ("comments", b"<office:annotation", re.compile(rb"<office:annotation[\s>]")),
    ("links", b"<text:a", re.compile(rb"<text:a\s")),
)
"""How the items of each kind begin, which is looked for first, and how they are told from others."""
_TIME = re.compile(r"PT(\d{1,2})H(\d{1,2})M(\d{1,2}(?:[.,]\d+)?)S", re.ASCII)
_MOST_REPEATED = 1_000_000


def workbook(path: Path) -> Census:
    """Return the census of a workbook's sheets."""
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("content.xml")
        locked = b"encryption-data" in archive.read("META-INF/manifest.xml")
        if locked or info.file_size > sheets.LARGEST:
            return sheets.workbook([("", sheets.too_large())])
        data = archive.read(info)
        book = ods_looks.Book(archive, data)
    starts = list(_TABLE.finditer(data))
    found = []
    for each in starts:
        end = data.find(b"</table:table>", each.end())
        given = _attributes(each[1])
        found.append((given.get("table:name", ""), _sheet(data[each.end() : end], given, book)))
    whole = sheets.workbook(found)
    book.see_rest(Looks(whole))
    return whole


def _sheet(data: bytes, given: dict[str, str], book: ods_looks.Book) -> Census:
    found: list[bytes] = []
    numbers: list[int] = []
    number = 0
    for each in data.split(b"</table:table-row>"):
        tag = None
        for begin in _row_tags(each):  # those before the last are rows without cells
            if begin[1].endswith(b"/"):
                number += _repeated(begin[1], "rows")
            else:
                tag = begin
        if tag is None:
            continue
        times = _repeated(tag[1], "rows")
        if b"<text:p" in each or b"office:value" in each or b"office:date-value" in each:
            row = each[tag.end() :]
            for again in range(min(times, _MOST_REPEATED)):
                numbers.append(number + 1 + again)
                found.append(row)
        number += times
    census = sheets.sheet(found, numbers.__getitem__, _texts, _filled)
    if has(data, b"office:time-value"):
        census.optional.setdefault("values", Counter()).update(each for row in found for each in _times(row))
    for kind, opening, mark in _KINDS:
        if has(data, opening) and (count := len(mark.findall(data))):
            census.add(kind, count)
    if has(data, b"<draw:"):
        charts = len(_OBJECT.findall(data))
        pictures = sum(b"://" not in each for each in _PICTURE.findall(data)) - charts  # each chart has one of itself
        for kind, number in (("charts", charts), ("pictures", pictures)):
            if number > 0:
                census.add(kind, number)
    sample = [each for first, last in rows.windows(len(found)) for each in found[first:last]]
    book.see_sheet(Looks(census, given.get("table:name", "")), given, data, numbers, sample)
    return census


def _row_tags(piece: bytes) -> Iterable[re.Match[bytes]]:
    """The tags of rows in the text up to the end of a row, which is a single one of most."""
    first = piece.find(_ROW_BEGIN)
    if first >= 0 and piece.find(_ROW_BEGIN, first + 1) < 0 and (tag := _ROW.match(piece, first)):
        return (tag,)
    return _ROW.finditer(piece)


def _texts(row: bytes) -> list[str]:
    found: list[str] = []
    for given, content in _CELL.findall(_NOTE.sub(b"", row)):
        text = _text(_attributes(given), content)
        if text:
            found += [text] * min(_repeated(given, "columns"), 20_000)
    return found


def _filled(row: bytes) -> int:
    cells = ((_attributes(given), content) for given, content in _CELL.findall(_NOTE.sub(b"", row)))
    times = (cell for cell, content in cells if "office:time-value" in cell or _text(cell, content))
    return sum(min(int(cell.get("table:number-columns-repeated", "1")), 20_000) for cell in times)


def _times(row: bytes) -> list[str]:
    """Return the times of a row: other formats have times of day, while a time here may also be a duration."""
    found: list[str] = []
    for given, _ in _CELL.findall(row):
        if time := _TIME.fullmatch(_attributes(given).get("office:time-value", "")):
            hours, minutes, seconds = time.groups()
            found += [spelled(f"{hours:0>2}:{minutes:0>2}:{seconds}")] * _repeated(given, "columns")
    return found


def _text(cell: dict[str, str], content: bytes) -> str:
    kind = cell.get("office:value-type") or cell.get("calcext:value-type", "")
    if "calcext:value-type" in cell and cell["calcext:value-type"] == "error":
        return ""
    if kind in ("float", "percentage", "currency"):
        return cell.get("office:value", "")
    if kind == "date":
        return cell.get("office:date-value", "")
    if kind == "boolean":
        return cell.get("office:boolean-value", "")
    if kind == "time":
        return ""  # durations have many spellings; see `_times`
    if kind == "string" and "office:string-value" in cell:
        return cell["office:string-value"]
    paragraphs = [_BLANK.sub(b" ", each) for each in _PARAGRAPH.findall(content)]
    return html.unescape(b"\n".join(_MARK.sub(b"", each) for each in paragraphs).decode("utf-8", "replace"))


def _repeated(tag: bytes, what: str) -> int:
    if b"-repeated" not in tag:
        return 1
    given = _attributes(tag).get(f"table:number-{what}-repeated", "1")
    return int(given) if given.isdigit() else 1


def _attributes(tag: bytes) -> dict[str, str]:
    return {name.decode(): html.unescape((a or b).decode("utf-8", "replace")) for name, a, b in _ATTRIBUTE.findall(tag)}
