"""Apply marked styles to a Word document (ECMA-376, part 1, 17)."""

from __future__ import annotations

import copy
import zipfile
from pathlib import Path

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.style_transfer import margins
from engine.families.documents.style_transfer.marks import MARK, OURS, TAB, Marks
from engine.families.documents.style_transfer.styles import Block, Border, Cell, Grid, Run
from engine.toolkit import archive

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_PART, _NOTES = "word/document.xml", "word/footnotes.xml"
_ORDER = {
    "rPr": "rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof vanish color"
    " spacing w kern position sz szCs highlight u effect bdr shd vertAlign rtl cs lang",
    "pPr": "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs"
    " bidi spacing ind contextualSpacing jc outlineLvl rPr sectPr",
    "tcPr": "tcW gridSpan vMerge tcBorders shd noWrap tcMar textDirection vAlign",
    "tblPr": "tblStyle bidiVisual tblW jc tblCellSpacing tblInd tblBorders shd tblLayout tblCellMar tblLook tblCaption"
    " tblDescription",
}
"""The element order that the schema requires."""
_RANK = {parent: {f"{_W}{name}": at for at, name in enumerate(names.split())} for parent, names in _ORDER.items()}
_CORE = "docProps/core.xml"
_SIDES = ("top", "right", "bottom", "left")
_ROOM = 9_360
"""The text width of pandoc's Letter page in twips."""
_CELL_MARGIN = 108


def apply(path: Path, marks: Marks) -> None:
    """Replace the marks in a document by styles, in place."""
    with zipfile.ZipFile(path) as file:
        parts = {each.filename: file.read(each) for each in file.infolist()}
        entries = {each.filename: each for each in file.infolist()}
    if _NOTES in parts:
        parts[_NOTES] = _written(_read(parts[_NOTES], marks))
    root = _read(parts[_PART], marks, bylined=marks.bylined, titled=marks.titled)
    room = _ROOM
    if marks.paper:
        room = round((marks.paper[0] - marks.paper[3] - marks.paper[5]) * 20)
        _paper(root, marks.paper)
    for table in root.findall(f"{_W}body/{_W}tbl"):
        _fit(table, room)
    for table in root.iter(f"{_W}tbl"):
        _continue(table)
    if marks.usual != Run():
        parts["word/styles.xml"] = _usual(parts["word/styles.xml"], marks.usual)
    margins.add(parts, root, marks.margins, room)
    parts[_CORE] = Marks.removed(parts[_CORE].decode()).encode()
    parts[_PART] = _written(root)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            file.writestr(entries.get(name) or archive.entry(name), part)


def _read(data: bytes, marks: Marks, *, bylined: bool = True, titled: bool = True) -> Element:
    """Apply the marks of a part, which loses authors and a title that only its metadata states."""
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))
    body = root.find(f"{_W}body")
    for style in [] if bylined else body.findall(f"{_W}p/{_W}pPr/{_W}pStyle[@{_W}val='Author']"):
        body.remove(style.getparent().getparent())
    for style in [] if titled else body.findall(f"{_W}p/{_W}pPr/{_W}pStyle[@{_W}val='Title']")[:1]:
        body.remove(style.getparent().getparent())
    for paragraph in list(root.iter(f"{_W}p")):
        _paragraph(paragraph, marks)
    return root


def _written(root: Element) -> bytes:
    # Attributes such as a table's name repeat the text.
    text = OURS.sub("", etree.tostring(root, encoding="unicode"))
    return b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + text.encode()


def _usual(data: bytes, formatting: Run) -> bytes:
    """The styles with the common text style."""
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False))
    for properties in root.iterfind(f"{_W}docDefaults/{_W}rPrDefault/{_W}rPr"):
        _run(properties, formatting)
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return made


def _paragraph(paragraph: Element, marks: Marks) -> None:
    texts = [each for each in paragraph.iter(f"{_W}t") if each.text and OURS.search(each.text)]
    if not texts:
        return
    formatting: Run | None = None
    of_cells = False
    for run in list(paragraph.iter(f"{_W}r")):
        pieces: list[tuple[Element, Run | None]] = []
        for child in run:
            if child.tag != f"{_W}t" or not child.text:
                if child.tag != f"{_W}rPr":
                    pieces.append((child, formatting))
                continue
            at = 0
            for mark in (*MARK.finditer(child.text), None):
                for number, text in enumerate(child.text[at : mark.start() if mark else None].split(TAB)):
                    if number:
                        pieces.append((etree.Element(f"{_W}tab"), formatting))
                    if text:
                        made = etree.Element(f"{_W}t", {_SPACE: "preserve"})
                        made.text = text
                        pieces.append((made, formatting))
                if mark is None:
                    break
                at = mark.end()
                found = marks.read(mark[0])
                if isinstance(found, Block):
                    _block(_first(paragraph, "pPr"), found)
                elif isinstance(found, Cell):
                    of_cells = True
                    _cell(paragraph, found)
                elif isinstance(found, Grid):
                    of_cells = True
                    _grid(paragraph, found)
                else:
                    formatting = found
        _rewrite(run, pieces)
    if of_cells and not any(True for _ in paragraph.iter(f"{_W}r", f"{_W}hyperlink")):
        _drop(paragraph)


def _rewrite(run: Element, pieces: list[tuple[Element, Run | None]]) -> None:
    """Replace a run by runs with these pieces."""
    properties = run.find(f"{_W}rPr")
    before: Run | None = None
    made: Element | None = None
    for piece, formatting in pieces:
        if made is None or formatting != before:
            made = etree.Element(f"{_W}r")
            if properties is not None:
                made.append(copy.deepcopy(properties))
            if formatting is not None:
                _run(_first(made, "rPr"), formatting)
            run.addprevious(made)  # by its place among the others, each would take as long as there are others
            before = formatting
        made.append(piece)
    run.getparent().remove(run)


def _drop(paragraph: Element) -> None:
    """Remove a paragraph that held only marks, if its cell has another one."""
    cell = paragraph.getparent()
    if cell.tag == f"{_W}tc" and len(cell.findall(f"{_W}p")) > 1:
        cell.remove(paragraph)


def _first(parent: Element, name: str) -> Element:
    """The properties of an element, which come first in it."""
    found = parent.find(f"{_W}{name}")
    if found is None:
        found = etree.Element(f"{_W}{name}")
        parent.insert(0, found)
    return found


def _set(properties: Element, name: str, **values: str | int) -> Element:
    """Set a property at its place, with only these values."""
    return _put(properties, etree.Element(f"{_W}{name}", {f"{_W}{key}": str(each) for key, each in values.items()}))


def _put(properties: Element, made: Element) -> Element:
    """Put a property at its place, instead of one of its name."""
    if (old := properties.find(made.tag)) is not None:
        properties.remove(old)
    rank = _RANK[properties.tag.removeprefix(_W)]
    own = rank.get(made.tag, len(rank))
    at = next((at for at, each in enumerate(properties) if rank.get(each.tag, len(rank)) > own), len(properties))
    properties.insert(at, made)
    return made


def _run(properties: Element, formatting: Run) -> None:
    if formatting.font:
        _set(
            properties,
            "rFonts",
            ascii=formatting.font,
            hAnsi=formatting.font,
            cs=formatting.font,
            eastAsia=formatting.font,
        )
    for names, on in (
        (("b", "bCs"), formatting.bold), (("i", "iCs"), formatting.italic), (("caps",), formatting.capitals),
        (("smallCaps",), formatting.small_capitals), (("strike",), formatting.struck), (("vanish",), formatting.hidden),
        (("outline",), formatting.outlined), (("shadow",), formatting.shadowed),
    ):  # fmt: skip
        for name in names if on is not None else ():
            _set(properties, name, **({} if on else {"val": "0"}))
    if formatting.color:
        _set(properties, "color", val=formatting.color)
    if formatting.spacing:
        _set(properties, "spacing", val=round(formatting.spacing * 20))
    if formatting.size:
        for name in ("sz", "szCs"):
            _set(properties, name, val=round(formatting.size * 2))
    if formatting.underlined is not None:
        _set(properties, "u", val="single" if formatting.underlined else "none")
    if formatting.fill:
        _set(properties, "shd", val="clear", color="auto", fill=formatting.fill)
    if formatting.raised:
        _set(properties, "vertAlign", val=formatting.raised)


def _block(properties: Element, formatting: Block) -> None:
    if formatting.style:
        _set(properties, "pStyle", val=formatting.style.title())
    if formatting.kept:
        _set(properties, "keepNext")
    if formatting.new_page:
        _set(properties, "pageBreakBefore")
    if any(formatting.borders):
        _lines(_set(properties, "pBdr"), formatting.borders, space=4)
    if formatting.fill:
        _set(properties, "shd", val="clear", color="auto", fill=formatting.fill)
    spacing: dict[str, str | int] = {}
    if formatting.before is not None:
        spacing["before"] = max(round(formatting.before * 20), 0)
    if formatting.after is not None:
        spacing["after"] = max(round(formatting.after * 20), 0)
    if formatting.line:
        exact = formatting.line < 0
        spacing |= {
            "line": round(-formatting.line * 20 if exact else formatting.line * 240),
            "lineRule": ("auto", "atLeast")[exact],
        }
    if spacing:
        _set(properties, "spacing", **spacing)
    if formatting.stops:
        _set(properties, "tabs")
        for place, kind, leader in sorted(formatting.stops):
            said_of = {"val": kind, "pos": str(round(place * 20))} | ({} if leader == "none" else {"leader": leader})
            etree.SubElement(properties.find(f"{_W}tabs"), f"{_W}tab", {f"{_W}{key}": v for key, v in said_of.items()})
    if formatting.indent or formatting.first or formatting.end:
        indent: dict[str, str | int] = {"left": round(formatting.indent * 20)} if formatting.indent else {}
        indent |= {"right": round(formatting.end * 20)} if formatting.end else {}
        _set(
            properties,
            "ind",
            **indent,
            **{"firstLine" if formatting.first >= 0 else "hanging": round(abs(formatting.first) * 20)},
        )
    if formatting.align:
        _set(properties, "jc", val=formatting.align)


def _cell(paragraph: Element, formatting: Cell) -> None:
    cell = _parent(paragraph, "tc")
    if cell is None:
        return
    properties = _first(cell, "tcPr")
    if formatting.width:
        _set(properties, "tcW", **_width(formatting.width))
    if formatting.borders:
        _lines(_set(properties, "tcBorders"), formatting.borders)
    if formatting.fill:
        _set(properties, "shd", val="clear", color="auto", fill=formatting.fill)
    if formatting.padding:
        around = _set(properties, "tcMar")
        for at in (0, 3, 2, 1):
            etree.SubElement(
                around, f"{_W}{_SIDES[at]}", {f"{_W}w": str(round(formatting.padding[at] * 20)), f"{_W}type": "dxa"}
            )
    if formatting.align:
        _set(properties, "vAlign", val="center" if formatting.align == "middle" else formatting.align)
    if formatting.height:
        row = _first(cell.getparent(), "trPr")
        if row.find(f"{_W}trHeight") is None:
            etree.SubElement(row, f"{_W}trHeight", {f"{_W}val": str(round(formatting.height * 20))})


def _continue(table: Element) -> None:
    """Give the cells that continue one above its borders and background, as Word draws those of each row."""
    begun: dict[int, Element] = {}
    for row in table.findall(f"{_W}tr"):
        at = 0
        for cell in row.findall(f"{_W}tc"):
            properties = _first(cell, "tcPr")
            merge = properties.find(f"{_W}vMerge")
            if merge is not None and merge.get(f"{_W}val") == "restart":
                begun[at] = properties
            elif merge is not None and at in begun:
                for name in ("tcBorders", "shd"):
                    if (look := begun[at].find(f"{_W}{name}")) is not None:
                        _put(properties, copy.deepcopy(look))
            span = properties.find(f"{_W}gridSpan")
            at += int(span.get(f"{_W}val", "1")) if span is not None else 1


def _fit(table: Element, room: int) -> None:
    """Set column widths in twips from the first row, distributing the rest.

    A nested table is no wider than its cell; one without widths is left as it is.
    """
    columns = table.findall(f"{_W}tblGrid/{_W}gridCol")
    widths = [int(each.get(f"{_W}w", "0")) for each in columns]
    declared = _declared_widths(table, room, len(columns))
    if any(declared):
        left, others = room - sum(declared), declared.count(0)
        widths = [each or max(left // others, 300) for each in declared]
    if sum(widths) > room and (any(declared) or _parent(table, "tc") is not None):
        widths = [max(each * room // sum(widths), 1) for each in widths]
    for column, width in zip(columns, widths, strict=True):
        column.set(f"{_W}w", str(width))
    for row in table.findall(f"{_W}tr"):
        at = 0
        for cell in row.findall(f"{_W}tc"):
            span = cell.find(f"{_W}tcPr/{_W}gridSpan")
            across = int(span.get(f"{_W}val", "1")) if span is not None else 1
            inside = max(sum(widths[at : at + across]) - 2 * _CELL_MARGIN, 300)
            for inner in cell.findall(f"{_W}tbl"):
                _fit(inner, inside)
            at += across


def _declared_widths(table: Element, room: int, columns: int) -> list[int]:
    """The widths set in the first row, 0 if unset."""
    row = table.find(f"{_W}tr")
    cells = row.findall(f"{_W}tc") if row is not None else []
    if len(cells) != columns:
        return [0] * columns
    found = []
    for cell in cells:
        width = cell.find(f"{_W}tcPr/{_W}tcW")
        value = int(width.get(f"{_W}w", "0")) if width is not None else 0
        found.append(value * room // 5_000 if width is not None and width.get(f"{_W}type") == "pct" else value)
    return found


def _parent(element: Element, name: str) -> Element | None:
    return next(element.iterancestors(f"{_W}{name}"), None)


def _grid(paragraph: Element, formatting: Grid) -> None:
    table = _parent(paragraph, "tbl")
    if table is None:
        return
    properties = _first(table, "tblPr")
    if formatting.width:
        _set(properties, "tblW", **_width(formatting.width))
    if formatting.align:
        _set(properties, "jc", val=formatting.align)
    if formatting.borders:
        _lines(_set(properties, "tblBorders"), formatting.borders)
    columns = table.findall(f"{_W}tblGrid/{_W}gridCol")
    if formatting.columns and len(columns) == len(formatting.columns):
        for column, width in zip(columns, formatting.columns, strict=True):
            column.set(f"{_W}w", str(round(width * 20)))
        _set(properties, "tblW", **_width(sum(formatting.columns)))
        _set(properties, "tblLayout", type="fixed")


def _width(width: float) -> dict[str, str | int]:
    return {"w": round(-width * 5_000), "type": "pct"} if width < 0 else {"w": round(width * 20), "type": "dxa"}


def _lines(parent: Element, borders: tuple[Border | None, ...], *, space: int = 0) -> None:
    found = dict(zip(_SIDES, borders, strict=True))
    for side in ("top", "left", "bottom", "right"):
        line = found[side]
        attributes = (
            {"val": line[0], "sz": str(line[1]), "space": str(space), "color": line[2]} if line else {"val": "nil"}
        )
        etree.SubElement(parent, f"{_W}{side}", {f"{_W}{key}": value for key, value in attributes.items()})


def _paper(root: Element, paper: tuple[float, ...]) -> None:
    """Set the page size and margins, keeping other section properties."""
    width, height, top, right, bottom, left = (str(round(each * 20)) for each in paper)
    for section in root.iter(f"{_W}sectPr"):
        for name, attributes in (
            ("pgSz", {"w": width, "h": height} | ({"orient": "landscape"} if paper[0] > paper[1] else {})),
            ("pgMar", {"top": top, "right": right, "bottom": bottom, "left": left, "header": "720", "footer": "720",
                       "gutter": "0"}),
        ):  # fmt: skip
            if (old := section.find(f"{_W}{name}")) is not None:
                section.remove(old)
            made = etree.Element(f"{_W}{name}", {f"{_W}{key}": value for key, value in attributes.items()})
            before = [each for each in section if each.tag in _BEFORE_PAPER[name]]
            section.insert(len(before), made)


_FIRST_OF_SECTION = {
    f"{_W}{name}" for name in ("headerReference", "footerReference", "footnotePr", "endnotePr", "type")
}
_BEFORE_PAPER = {"pgSz": _FIRST_OF_SECTION, "pgMar": _FIRST_OF_SECTION | {f"{_W}pgSz"}}
