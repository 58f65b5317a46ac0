"""The parts of an xlsx workbook around its sheets: content types, relationships and styles (ECMA-376)."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from engine.families.data.sheet_layout import Layout
from engine.families.data.writers.cells import FORBIDDEN

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."

_HIDDEN = ' state="hidden"'
_FORMATS = ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss", "hh:mm:ss", "[h]:mm:ss", "yyyy-mm-dd hh:mm:ss.000")
STYLE_DATE, STYLE_MOMENT, STYLE_TIME, STYLE_SPAN, STYLE_FINE, STYLE_HEADER = 1, 2, 3, 4, 5, 6


def parts(names: list[str], layouts: list[Layout], codes: dict[str, int]) -> Iterator[tuple[str, str]]:
    """The parts of a workbook around its sheets."""
    numbers = range(1, len(names) + 1)
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{_TYPE}worksheet+xml"/>'
        for number in numbers
    )
    noted = [number for number, layout in zip(numbers, layouts, strict=True) if layout.notes]
    overrides += "".join(
        f'<Override PartName="/xl/comments{number}.xml" ContentType="{_TYPE}comments+xml"/>' for number in noted
    )
    drawn = '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>'
    yield (
        "[Content_Types].xml",
        f'<Types xmlns="{PACKAGE}content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{drawn if noted else ""}'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}styles+xml"/>{overrides}</Types>',
    )
    yield (
        "_rels/.rels",
        f'<Relationships xmlns="{PACKAGE}relationships">'
        f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    )
    sheets = "".join(
        f'<sheet name="{escape(name)}" sheetId="{number}"{_HIDDEN if layout.hidden else ""} r:id="rId{number}"/>'
        for number, name, layout in zip(numbers, names, layouts, strict=True)
    )
    seen = next((at for at, layout in enumerate(layouts) if not layout.hidden), 0)
    active = f'<bookViews><workbookView activeTab="{seen}" firstSheet="{seen}"/></bookViews>' if seen else ""
    yield (
        "xl/workbook.xml",
        f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{active}<sheets>{sheets}</sheets></workbook>',
    )
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in numbers
    )
    yield (
        "xl/_rels/workbook.xml.rels",
        f'<Relationships xmlns="{PACKAGE}relationships">{relations}'
        f'<Relationship Id="rId{len(names) + 1}" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
    )
    yield "xl/styles.xml", _styles(codes)


def _styles(codes: dict[str, int]) -> str:
    every = (*_FORMATS, *codes)
    formats = "".join(f'<numFmt numFmtId="{164 + at}" formatCode="{_code(code)}"/>' for at, code in enumerate(every))
    brought = "".join(
        f'<xf numFmtId="{164 + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for at in range(len(_FORMATS), len(every))
    )
    dates = "".join(
        f'<xf numFmtId="{164 + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for at in range(len(_FORMATS))
    )
    font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
    return (
        f'<styleSheet xmlns="{MAIN}"><numFmts count="{len(every)}">{formats}</numFmts>'
        f'<fonts count="2"><font>{font}</font><font><b/>{font}</font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="{len(every) + 2}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>{dates}'
        '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' + f"{brought}</cellXfs>"
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    )


def _code(code: str) -> str:
    return escape(FORBIDDEN.sub("", code).replace("\n", " "))
