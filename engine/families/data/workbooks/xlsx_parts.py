"""Facts about sheets in the parts of Office Open XML workbooks (ECMA-376, part 1, 18)."""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Callable

from engine.families.data import cell_references as places
from engine.families.data.features import Feature
from engine.families.data.workbooks import misread_parts, sheet_bounds
from engine.families.data.workbooks.facts import SheetFacts, Styles, WorkbookFacts, attributes, seen
from engine.families.data.workbooks.format_codes import BUILT_IN
from engine.toolkit import office_links, office_macros
from engine.toolkit.messages import say

_PREFIX = re.compile(rb"<(/?)\w+:(?=\w)")
_SHEET = re.compile(r"<(?:\w+:)?sheet\s[^<>]*>")
_RELATION = re.compile(r"<(?:\w+:)?Relationship\s[^<>]*>")
_FROM_1904 = re.compile(rb"""<(?:\w+:)?workbookPr\b[^<>]*?\sdate1904\s*=\s*["'](?:1|true)""")
_SHEET_KINDS = ("worksheet", "chartsheet", "dialogsheet")
_ODD_KINDS = ("xlMacrosheet", "xlIntlMacrosheet")

_ROW_HIDDEN = re.compile(rb"""<row\b(?=[^<>]*\shidden\s*=\s*["'](?:1|true))[^<>]*?\sr\s*=\s*["'](\d+)""")
_COLUMN = re.compile(rb"<col\s[^<>]*>")
_LINK = re.compile(rb"<hyperlink\s[^<>]*>")
_EMBEDDED = re.compile(rb"""<(?:oleObject|control)\s[^<>]*?\bshapeId\s*=\s*["'](\d+)""")
_MERGED = re.compile(rb"""<mergeCell\b[^<>]*?\sref\s*=\s*["']([A-Z]+\d+:[A-Z]+\d+)""")
_NOTE = re.compile(rb"""<comment\b[^<>]*?\sref\s*=\s*["']([A-Z]+\d+)["'][^<>]*>(.*?)(?:</comment>|\Z)""", re.DOTALL)
_THREADED = re.compile(
    rb"""<threadedComment\b[^<>]*?\sref\s*=\s*["']([A-Z]+\d+)["'][^<>]*>(.*?)(?:</threadedComment>|\Z)""", re.DOTALL
)
_THREADED_TEXT = re.compile(r"<text(?:\s[^<>]*)?>([^<]*)</text>")
_TEXT = re.compile(r"<t(?:\s[^<>]*)?>([^<]*)</t>")
_TRUE = ("1", "true")
_ERROR = re.compile(rb"""<c\b(?=[^<>]*\st=["']e["'])[^<>]*?\sr=["']([A-Z]+\d+)["']""")
_UNCALCULATED = re.compile(
    rb"""<c\b(?![^<>]*\st=["']str)[^<>]*?\sr=["']([A-Z]+\d+)["'][^<>]*>\s*<f\b[^<>]*?(?:/>|>([^<]*)</f>)"""
    rb"""\s*+(?:<v\s*/>|<v>\s*</v>)?+\s*+</c>"""
)
# Search for the rare part first, and find its cell from there.
_LONG_INTEGER = re.compile(rb"<v>(-?\d{16,300})</v>")
_ITS_CELL = re.compile(rb"""<c\b(?![^<>]*\st=["'](?!n))[^<>]*?\sr=["']([A-Z]+)(\d+)["'][^<>]*>""")
# Check all cells at once whether there are any: a pattern is faster to search for than a text.
_READ = re.compile(rb"<(?:\w+:)?rPh\b.*?(?:</(?:\w+:)?(?:si|is)>|\Z)", re.DOTALL)
"""A text with phonetic readings (ISO/IEC 29500-1, 18.4.6), from the first of them to its end."""
_ANY_HIDDEN = re.compile(rb"hidden=")
_ANY_ERROR = re.compile(rb"""t=["']e["']""")
_ANY_FORMULA = re.compile(rb"<f[> /]")
_FORMULA_SHOWN = 60


def inspector(facts: WorkbookFacts) -> Callable[[str, bytes], None]:
    """A function that inspects each part of the file by name and content."""

    def inspect(name: str, data: bytes) -> None:
        # Excel ignores the case of part names, and some programs write backslashes.
        name = name.replace("\\", "/").lower()
        facts.outside += office_links.external_addresses(name, data)
        facts.macros += office_macros.is_macro(name)
        if b"rPh" in data:
            facts.readings += len(_READ.findall(data))
        if name.endswith(".rels"):
            _relations(name, data, facts)
        elif name == "xl/workbook.xml":
            facts.from_1904 = _FROM_1904.search(data) is not None
            for tag in _SHEET.findall(data.decode("utf-8", "replace")):
                found = attributes(tag)
                relation = next((value for key, value in found.items() if key.endswith(":id")), "")
                facts.names[found.get("name", "")] = relation
        elif name == "xl/styles.xml":
            facts.styles = styles(data)
        elif b"<sst" in data[:1000] or b":sst" in data[:1000]:
            facts.parts[name] = SheetFacts(misread=misread_parts.has_blanks(data))
        elif b"<sheetData" in data or b":sheetData" in data:
            facts.parts[name] = _sheet(data)
        elif name.startswith("xl/drawings/"):
            facts.parts[name] = _drawing(data)
        elif b"comment" in data[:3000]:
            facts.parts[name] = part = SheetFacts()
            for place, note in _NOTE.findall(_plain(data)):
                part.see(Feature.NOTE, place.decode())
                texts = _TEXT.findall(note.decode("utf-8", "replace"))
                part.notes[places.at(place.decode())] = html.unescape("".join(texts))
            for place, said in _THREADED.findall(_plain(data)):
                texts = _THREADED_TEXT.findall(said.decode("utf-8", "replace"))
                part.threads.setdefault(places.at(place.decode()), []).append(html.unescape("".join(texts)))

    return inspect


def _relations(name: str, data: bytes, facts: WorkbookFacts) -> None:
    folder, file = posixpath.split(name)
    base = posixpath.dirname(folder)
    source = posixpath.join(base, file.removesuffix(".rels"))
    for tag in _RELATION.findall(data.decode("utf-8", "replace")):
        found = attributes(tag)
        kind = found.get("Type", "").rpartition("/")[2]
        target = found.get("Target", "").replace("\\", "/")
        target = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(base, target))
        target = target.lower()
        if source == "xl/workbook.xml" or source == "xl/workbook.bin":
            facts.targets[found.get("Id", "")] = target
            if kind in _ODD_KINDS or (kind not in _SHEET_KINDS and "sheets/" in target and "worksheets/" not in target):
                facts.odd.append(found.get("Id", ""))
        elif found.get("TargetMode") == "External":
            facts.addresses.setdefault(source, {})[found.get("Id", "")] = found.get("Target", "")
        else:
            facts.related.setdefault(source, []).append(target)


def plain_sheet(data: bytes) -> bytes:
    """The XML of a sheet without namespace prefixes, and with the reference of each cell."""
    return sheet_bounds.placed(_PREFIX.sub(rb"<\1", data) if sheet_bounds.PREFIXED.search(data) else data)


def place_of_number(data: bytes, at: int) -> places.Place | None:
    """The row and column of the cell of a plain sheet around this byte; None if its value is no number."""
    cell = _ITS_CELL.match(data, data.rfind(b"<c ", 0, at))
    return (int(cell[2]) - 1, places.column(cell[1].decode())) if cell else None


def _plain(data: bytes) -> bytes:
    """The elements without namespace prefixes."""
    return _PREFIX.sub(rb"<\1", data) if b":c" in data or b":r" in data else data


def _sheet(data: bytes) -> SheetFacts:
    prefixed = sheet_bounds.PREFIXED.search(data) is not None
    part = SheetFacts(cells=sheet_bounds.xlsx_cells(data, prefixed=prefixed))
    if part.cells > sheet_bounds.MAX_SHEET_CELLS:
        return part  # too many cells: it is refused before it is read
    if prefixed:
        data = _PREFIX.sub(rb"<\1", data)
    if any(each.search(data) for each in (_ANY_HIDDEN, _ANY_ERROR, _ANY_FORMULA, _LONG_INTEGER)):
        data = sheet_bounds.placed(data)
    head, tail = data[: data.find(b"<sheetData")], data[data.rfind(b"</sheetData>") :]
    for tag in _COLUMN.findall(head):
        found = attributes(tag.decode("utf-8", "replace"))
        columns = range(max(0, int(found.get("min", 1)) - 1), min(int(found.get("max", 1)), places.COLUMNS))
        if found.get("hidden") in _TRUE:
            part.hide_columns(columns)
        elif found.get("customWidth") in _TRUE:
            part.widen(columns, float(found.get("width", 0)))
    if _ANY_HIDDEN.search(data):
        for row in _ROW_HIDDEN.findall(data):
            part.see(Feature.HIDDEN_ROW, say("row {row}", row=int(row)))
            part.hidden_rows.add(int(row) - 1)
    for tag in _LINK.findall(tail):
        found = attributes(tag.decode("utf-8", "replace"))
        place = found.get("ref", "").partition(":")[0]
        part.see(Feature.LINK, place)
        target = next((value for key, value in found.items() if key.endswith(":id")), "")
        if area := places.area(place):
            part.links[area.top, area.left] = target or f"#{found.get('location', '')}"
    if b"<drawing " not in tail:  # which would show them as shapes
        part.see(Feature.SHAPE, count=len({*_EMBEDDED.findall(tail)}))
    for place in _MERGED.findall(tail):
        if merged := places.area(place.decode()):
            part.merged.append(merged)
            part.see(Feature.MERGED, place.decode())
    for place in misread_parts.ENDLESS.findall(tail):
        part.see(Feature.MERGED, place.decode())
    part.misread = misread_parts.is_misread(data)
    part.long = misread_parts.has_long_numbers(data)
    if _ANY_ERROR.search(data):
        part.errors = seen(place.decode() for place in _ERROR.findall(data))
    _formulas(data, part)
    for match in _LONG_INTEGER.finditer(data):
        digits = int(match[1])
        if int(float(digits)) != digits and (cell := place_of_number(data, match.start())):
            part.exact[cell] = digits
    return part


def _formulas(data: bytes, part: SheetFacts) -> None:
    if not _ANY_FORMULA.search(data):
        return
    formulas = data.count(b"<f>") + data.count(b"<f ") + data.count(b"<f/>")
    for match in _UNCALCULATED.finditer(data):
        formula = html.unescape(match[2].decode("utf-8", "replace")) if match[2] else ""
        shown = formula if len(formula) <= _FORMULA_SHOWN else formula[: _FORMULA_SHOWN - 1] + "…"
        part.uncalculated.add(f"{match[1].decode()}{shown and ' ='}{shown}")
    part.see(Feature.FORMULA, count=formulas - part.uncalculated.count)


def _drawing(data: bytes) -> SheetFacts:
    part = SheetFacts()
    plain = _PREFIX.sub(rb"<\1", data)
    charts = len(re.findall(rb"<chart\s", plain))
    frames = plain.count(b"<graphicFrame ") + plain.count(b"<graphicFrame>")
    part.see(Feature.CHART, count=charts)
    part.see(Feature.PICTURE, count=plain.count(b"<pic>") + plain.count(b"<pic "))
    shapes = sum(plain.count(b"<%s%s" % (tag, end)) for tag in (b"sp", b"cxnSp") for end in (b" ", b">"))
    part.see(Feature.SHAPE, count=shapes + max(0, frames - charts))
    return part


_NUMBER_FORMAT = re.compile(r"<numFmt\s[^<>]*>")
_FORMATS_OF_CELLS = re.compile(r"<cellXfs\b.*?(?:</cellXfs>|\Z)", re.DOTALL)
_FILLS = re.compile(r"<fills\b.*?(?:</fills>|\Z)", re.DOTALL)
_FILL = re.compile(r"<fill>.*?(?:</fill>|\Z)|<fill\s*/>", re.DOTALL)
_EXTENDED = re.compile(r"<xf\b[^<>]*>")
_NO_FILL = ('patternType="none"', 'patternType="gray125"')


def styles(data: bytes) -> Styles:
    """The styles of a workbook (18.8) in order."""
    text = _PREFIX.sub(rb"<\1", data).decode("utf-8", "replace")
    codes = dict(BUILT_IN)
    for tag in _NUMBER_FORMAT.findall(text):
        found = attributes(tag)
        codes[found.get("numFmtId", "")] = found.get("formatCode", "")
    fills = [
        ("patternType=" in fill and not any(none in fill for none in _NO_FILL)) or "<gradientFill" in fill
        for section in _FILLS.findall(text)
        for fill in _FILL.findall(section)
    ]
    formats, filled = [], set()
    for section in _FORMATS_OF_CELLS.findall(text)[:1]:
        for at, tag in enumerate(_EXTENDED.findall(section)):
            found = attributes(tag)
            formats.append(codes.get(found.get("numFmtId", "0"), "General"))
            fill = found.get("fillId", "0")
            if fill.isdecimal() and int(fill) < len(fills) and fills[int(fill)]:
                filled.add(at)
    return Styles(tuple(formats), frozenset(filled))
