"""Mark the styles of an OpenDocument text that differ from its default text."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

from lxml import etree

from engine.families.documents.odf.names import FO, OFFICE, STYLE, TABLE, TEXT, count, twips
from engine.families.documents.odf.sheets import Masters
from engine.families.documents.odf.styles import Scope, Styles, link_style
from engine.families.documents.odf.tables import column_widths, write_cell
from engine.families.documents.ooxml.made import Made, element
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.style_transfer import word_styles
from engine.families.documents.style_transfer.marks import OURS, TAB, Marks
from engine.families.documents.style_transfer.styles import NAMED_STYLES, Block, Grid
from engine.families.documents.word import properties
from engine.families.documents.word.properties import Properties
from engine.families.documents.word.sections import sections
from engine.families.documents.word.styles import Styles as WordStyles
from engine.families.documents.word.styles import merged
from engine.families.documents.word.table_grid import TableGrid
from engine.families.documents.word.theme import Theme
from engine.toolkit import archive

_PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
_INSIDE = (f"{TEXT}span", f"{TEXT}a", f"{TEXT}ruby", f"{TEXT}ruby-base", f"{TEXT}meta")
_APART = (f"{TEXT}tracked-changes", f"{OFFICE}annotation")
_PLACES = ("center", "right")
_NOTHING = (f"{TEXT}soft-page-break", f"{TEXT}bookmark", f"{TEXT}bookmark-start", f"{TEXT}bookmark-end")
_MOST_ROWS = 100_000
_PACKED = (f"{TABLE}table-cell", f"{TEXT}list-item", f"{TEXT}note-body")


def marked(source: Path, target: Path, marks: Marks) -> None:
    """Write the odt `source` to `target` with marks in its text. Raises Unreadable and OverLimit as Package does."""
    with Package(source) as package, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made:
        content = package.xml("content.xml")
        styles = package.xml("styles.xml") if "styles.xml" in package.names else None
        _Document(content, styles, marks).write()
        for name in sorted(package.names):
            is_content = name == "content.xml"
            made.writestr(archive.entry(name), etree.tostring(content) if is_content else package.read(name))


class _Document:
    def __init__(self, content: Element, styles: Element | None, marks: Marks) -> None:
        self._marks = marks
        self._scope = Scope(Styles(styles, content, relative_tabs=True), content, "c")
        self._body = content.find(f"{OFFICE}body/{OFFICE}text")
        self._theme = Theme(None)
        self._paragraphs = [
            each for each in self._body.iter(*_PARAGRAPHS) if next(each.iterancestors(*_APART), None) is None
        ]
        names = {each.get(f"{TEXT}style-name") or "" for each in self._paragraphs}
        self._ids = {name: self._scope.paragraph(name) for name in sorted({*names, "Standard"})}
        self._styles = WordStyles(self._scope.common.written, self._theme)
        self._usual = word_styles.run_formatting(self._text("Standard"))
        self._cells: set[Element] = set()
        self._tables: set[Element] = set()
        self._breaks = False
        masters = Masters(styles, Made(), lambda *_: None)
        page = element("body")
        page.append(masters.section(masters.find("Standard"), kind="nextPage", number=None))
        self._paper = sections(page, {})[0].paper

    def _text(self, style: str) -> Properties:
        return self._styles.text | self._styles.paragraph(self._ids[style])[1]

    def write(self) -> None:
        """Insert the marks."""
        self._marks.set_paper(self._paper)
        self._marks.usual = word_styles.usual_formatting(self._text("Standard"))
        for each in self._body.iter():
            for name in ("text", "tail"):
                if text := getattr(each, name):
                    setattr(each, name, OURS.sub("\ufffd", text))
        for at, each in enumerate(self._paragraphs):
            self._paragraph(each, first=at == 0)

    def _paragraph(self, paragraph: Element, *, first: bool) -> None:
        style = paragraph.get(f"{TEXT}style-name") or ""
        before = self._before(paragraph, style, first=first)
        heading = paragraph.tag == f"{TEXT}h" or bool(self._named(paragraph, style))
        usual = self._text(style)
        size = self._scope.size(style)
        begun = False

        def marked_text(text: str | None, spans: tuple[str, ...]) -> str | None:
            nonlocal before, begun
            core = (text or "").strip()
            if not text or not core:
                return text
            core, begun = text if begun else text.lstrip(), True  # the width of a space depends on its run
            own = usual | properties.run(self._scope.run(spans, size), self._theme) if spans else usual
            formatting = word_styles.marked_formatting(own, self._usual, heading=heading)
            shown, before = before + self._marks.around(core, formatting), ""
            return text.replace(core, shown, 1)

        def inside(parent: Element, spans: tuple[str, ...]) -> None:
            parent.text = marked_text(parent.text, spans)
            for each in parent:
                if each.tag == f"{TEXT}tab":
                    each.tag = f"{TEXT}span"
                    each.text = marked_text(TAB, spans)
                elif each.tag in _INSIDE:
                    name = link_style(each) if each.tag == f"{TEXT}a" else each.get(f"{TEXT}style-name")
                    inside(each, (*spans, name) if name else spans)
                each.tail = marked_text(each.tail, spans)

        inside(paragraph, ())
        if not begun and _fills_cell(paragraph):
            paragraph.text = before + (paragraph.text or "")
        elif _is_blank(paragraph) and not first:
            paragraph.text = before or self._marks.mark_for(Block())
        own = self._scope.resolved("paragraph", style, "paragraph")
        self._breaks |= own.get(f"{FO}break-after") == "page"

    def _before(self, paragraph: Element, style: str, *, first: bool) -> str:
        """The marks of a paragraph, and of the cell that it begins."""
        around = next(paragraph.iterancestors(*_PACKED), None)
        found = ""
        if around is not None and around.tag == f"{TABLE}table-cell" and around not in self._cells:
            self._cells.add(around)
            found = self._grid(next(around.iterancestors(f"{TABLE}table"), None))
            style_of_cell = self._scope.resolved("table-cell", around.get(f"{TABLE}style-name") or "", "table-cell")
            made, row, table = element("tc"), element("tr"), element("tbl")
            write_cell(made, style_of_cell, None, 1, 1)
            row.append(made)
            table.append(row)
            grid = TableGrid(self._styles, table)
            rows = count(around.get(f"{TABLE}number-rows-spanned"), most=_MOST_ROWS)
            look = word_styles.cell_formatting(
                grid.formatting(grid.cells[0][0]), rows=rows, height=self._height(around.getparent())
            )
            found += self._marks.before(look)
        block = merged(self._styles.block, self._styles.paragraph(self._ids[style])[0])
        formatting = word_styles.block_formatting(block, packed=around is not None)
        if around is not None and around.tag == f"{TEXT}list-item":
            formatting = replace(formatting, indent=0.0, first=max(formatting.first, 0.0))
        own = self._scope.own("paragraph", style)
        turned = own is not None and bool(own.get(f"{STYLE}master-page-name")) and not first
        if (self._breaks or turned) and around is None:
            formatting, self._breaks = replace(formatting, new_page=True), False
        if named := self._named(paragraph, style):
            formatting = word_styles.titled_formatting(formatting, named)
        return found + self._marks.before(formatting)

    def _grid(self, table: Element | None) -> str:
        """The mark of a table that a cell begins; one inside another table has the widths that pandoc gives it."""
        if table is None or table in self._tables:
            return ""
        self._tables.add(table)
        if next(table.iterancestors(f"{TABLE}table"), None) is not None:
            return ""
        widths = column_widths(table, self._scope, round(self._paper.room * 20))
        style = self._scope.resolved("table", table.get(f"{TABLE}style-name") or "", "table")
        place = style.get(f"{TABLE}align")
        return self._marks.before(
            Grid(columns=tuple(each / 20 for each in widths), align=place if place in _PLACES else None)
        )

    def _height(self, row: Element) -> float | None:
        """The least height of a row, in points, if it is set."""
        style = self._scope.resolved("table-row", row.get(f"{TABLE}style-name") or "", "table-row")
        length = twips(style.get(f"{STYLE}row-height", style.get(f"{STYLE}min-row-height")))
        return length / 20 if length and length > 0 else None

    def _named(self, paragraph: Element, style: str) -> str:
        """The named style of a paragraph, such as a title, if it has one."""
        if paragraph.tag != f"{TEXT}p" or next(paragraph.iterancestors(*_PACKED), None) is not None:
            return ""
        common = (each for each in reversed(self._scope.chain("paragraph", style)) if not self._scope.is_own(each))
        style = next((each.get(f"{STYLE}display-name") or each.get(f"{STYLE}name") or "" for each in common), "")
        return style.lower() if style.lower() in NAMED_STYLES else ""


def _is_blank(paragraph: Element) -> bool:
    """Whether a paragraph of the body has nothing, and something follows."""
    parent = paragraph.getparent()
    return (
        parent.tag in (f"{OFFICE}text", f"{TEXT}section")
        and paragraph.tag == f"{TEXT}p"
        and not (paragraph.text or "").strip()
        and all(each.tag in _NOTHING and not (each.tail or "").strip() for each in paragraph)
        and paragraph.getnext() is not None
    )


def _fills_cell(paragraph: Element) -> bool:
    """Whether a paragraph without text is all that its cell has, so that only its mark tells the cell's style."""
    cell = paragraph.getparent()
    return cell is not None and cell.tag == f"{TABLE}table-cell" and len(cell) == 1 and not len(paragraph)
