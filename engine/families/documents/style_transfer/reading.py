"""Mark the styles of a Word document that differ from its default text."""

from __future__ import annotations

import itertools
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from lxml import etree

from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.style_transfer import word_styles
from engine.families.documents.style_transfer.marks import OURS, TAB, Marks
from engine.families.documents.style_transfer.styles import NAMED_STYLES, Block, Cell, Grid
from engine.families.documents.word import paragraphs
from engine.families.documents.word.names import W, child, value
from engine.families.documents.word.numbering import Numbering
from engine.families.documents.word.paragraphs import Paragraph
from engine.families.documents.word.sections import sections
from engine.families.documents.word.styles import Styles
from engine.families.documents.word.table_grid import CellFormatting, TableGrid
from engine.families.documents.word.theme import Theme
from engine.toolkit import archive

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_PLACES = {"center": "center", "right": "right", "end": "right"}
_NOTHING = frozenset(
    f"{W}{name}" for name in ("bookmarkStart", "bookmarkEnd", "proofErr", "rPr", "lastRenderedPageBreak")
)
_PLACED = ("sectPr", "framePr", "numPr")
_JOINED = re.compile("caption|source code")
"""Names of styles whose paragraphs pandoc joins with those beside them."""
_HEADING = re.compile(r"heading [1-9]")


def marked(source: Path, target: Path, marks: Marks) -> None:
    """Write the docx `source` to `target` with marks in its text. Raises Unreadable and OverLimit as Package does."""
    with Package(source) as package, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made:
        main = package.main() or ""
        changed = _Document(package, main, marks).written()
        for name in sorted(package.names):
            made.writestr(archive.entry(name), changed[name] if name in changed else package.read(name))


@dataclass
class _Document:
    package: Package
    main: str
    marks: Marks

    def __post_init__(self) -> None:
        theme = Theme(self._part("theme"))
        self._styles = Styles(self._part("styles"), theme)
        self._numbering = Numbering(self._part("numbering"), theme)
        usual = self._styles.paragraph(self._styles.default("paragraph"))
        self._default_text = self._styles.text | usual[1]
        self._usual = word_styles.run_formatting(self._default_text)
        self._breaks = False
        self._turned: set[Element] = set()
        """The sections whose next one begins a page."""
        self._cells: dict[Element, CellFormatting] = {}
        self._looks: dict[Element, Cell] = {}
        self._grids: dict[Element, Grid] = {}
        """Those of tables, by their first cell."""
        self._begun: set[Element] = set()
        self._blank: set[Element] = set()

    def _part(self, kind: str) -> Element | None:
        name = self.package.related(self.main, kind)
        return None if name is None else self.package.xml(name)

    def written(self) -> dict[str, bytes]:
        """The parts that have marks."""
        self.marks.usual = word_styles.usual_formatting(self._default_text)
        names = [
            self.main,
            *filter(None, (self.package.related(self.main, each) for each in ("footnotes", "endnotes"))),
        ]
        found = {}
        for name in names:
            root = self.package.xml(name)
            if name == self.main:
                self._paper(root)
                self._turned = {
                    each
                    for each, after in itertools.pairwise(root.iter(f"{W}sectPr"))
                    if value(child(after, "type")) != "continuous"
                }
            for each in root.iter(f"{W}t"):
                each.text = OURS.sub("\ufffd", each.text or "")
            self._tables(root)
            self._blank = self._spacing(root) if name == self.main else set()
            for each in list(root.iter(f"{W}p")):
                for tab in list(each.iterfind(f".//{W}r/{W}tab")):
                    tab.tag, tab.text = f"{W}t", TAB
                self._paragraph(each, alone=name != self.main)
            self._breaks = False
            found[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
        return found

    def _paper(self, root: Element) -> None:
        body = child(root, "body")
        if body is None or next(root.iter(f"{W}sectPr"), None) is None:
            return
        self.marks.set_paper(sections(body, {})[0].paper)

    def _tables(self, root: Element) -> None:
        """Collect the styles of cells."""
        for skipped in list(root.iter(f"{W}gridBefore")):
            skipped.getparent().remove(skipped)  # it became a separate cell
        for table in root.iter(f"{W}tbl"):
            grid = TableGrid(self._styles, table)
            for cell in itertools.chain.from_iterable(grid.cells):
                if cell.element is not None:
                    self._cells[cell.element] = made = grid.formatting(cell)
                    self._looks[cell.element] = word_styles.cell_formatting(
                        made, rows=cell.rows, height=grid.height(cell)
                    )
            if (
                next(table.iterancestors(f"{W}tbl"), None) is None
                and (first := next(table.iter(f"{W}tc"), None)) is not None
            ):
                self._grids[first] = Grid(align=_PLACES.get(value(child(grid.properties, "jc")) or ""))

    def _paragraph(self, element: Element, *, alone: bool) -> None:
        cell = self._cells.get(next(element.iterancestors(f"{W}tc"), None))
        table = None if cell is None else (cell.block, cell.text)
        read = paragraphs.read(element, self._styles, self._numbering, table)
        runs = [each for each in element.iter(f"{W}r") if next(each.iterancestors(f"{W}p")) is element]
        name = self._styles.name(read.style)
        texts = [(run, each) for run in runs for each in run if each.tag == f"{W}t" and (each.text or "").strip()]
        begins, ends = _breaks(runs, texts[0][1] if texts else None)
        ends = ends or child(child(element, "pPr"), "sectPr") in self._turned
        self._breaks |= begins
        pictures = [each for each in runs if any(c.tag in (f"{W}drawing", f"{W}pict", f"{W}object") for c in each)]
        if texts or pictures:
            titled = name in NAMED_STYLES
            before = self._before(read, alone=alone, titled=titled)
            heading = titled or (_HEADING.fullmatch(name) is not None and bool(self._styles.chain(read.style)))
            for run, text in texts:
                effective = self._styles.run(run, read.text)
                formatting = word_styles.marked_formatting(effective, self._usual, heading=heading)
                text.text, before = before + self.marks.around(text.text, formatting), ""
                text.set(_SPACE, "preserve")
            if before and not self._captioned(element):
                made = etree.Element(f"{W}r")
                etree.SubElement(made, f"{W}t").text = before
                pictures[0].addprevious(made)
        elif _fills_cell(element) and (before := self._before(read, alone=alone)):
            made = etree.SubElement(element, f"{W}r")
            etree.SubElement(made, f"{W}t").text = before
        elif element in self._blank:
            made = etree.SubElement(etree.SubElement(element, f"{W}r"), f"{W}t")
            made.text = self._before(read, alone=False) or self.marks.mark_for(Block())
        self._breaks |= ends

    def _spacing(self, root: Element) -> set[Element]:
        """The paragraphs without text that make space: those between others, but not within a list or before a title.

        There they would cut the list in two, or make text of the title.
        """
        body = child(root, "body")
        found: set[Element] = set()
        waiting: list[Element] = []
        above: Element | None = None
        for each in () if body is None else body.iterchildren(f"{W}p", f"{W}tbl", f"{W}sdt"):
            if _is_blank(each):
                waiting.append(each)
                continue
            if waiting and above is not None and self._may_part(above, each):
                found.update(waiting)
            waiting, above = [], each
        return found

    def _may_part(self, above: Element, below: Element) -> bool:
        kinds = [
            paragraphs.read(each, self._styles, self._numbering) if each.tag == f"{W}p" else None
            for each in (above, below)
        ]
        names = ["" if each is None else self._styles.name(each.style) for each in kinds]
        listed = [each is not None and bool(each.block.get("numId")) for each in kinds]
        return names[1] not in NAMED_STYLES and not all(listed) and not any(map(_JOINED.search, names))

    def _captioned(self, element: Element) -> bool:
        """Whether a paragraph is next to a caption: pandoc takes a lone picture for a figure."""
        beside = (each for each in (element.getprevious(), element.getnext()) if each is not None)
        return any("caption" in self._styles.name(value(child(child(each, "pPr"), "pStyle")) or "") for each in beside)

    def _before(self, paragraph: Paragraph, *, alone: bool, titled: bool = False) -> str:
        """The marks of a paragraph, and of the cell that it begins.

        A `titled` paragraph states its alignment, as titles are centred by default elsewhere.
        """
        cell = next(paragraph.element.iterancestors(f"{W}tc"), None)
        found = ""
        if cell in self._cells and cell not in self._begun:
            self._begun.add(cell)
            found = self.marks.before(self._grids.get(cell, Grid())) + self.marks.before(self._looks[cell])
        packed = cell is not None or bool(paragraph.block.get("numId")) or alone
        block = word_styles.block_formatting(paragraph.block, packed=packed)
        block = replace(block, align=block.align or "left") if titled else block
        if self._breaks and cell is None and not alone:
            block, self._breaks = replace(block, new_page=True), False
        return found + self.marks.before(block)


def _fills_cell(paragraph: Element) -> bool:
    """Whether a paragraph is blank and the only one in its cell."""
    cell = paragraph.getparent()
    return cell is not None and cell.tag == f"{W}tc" and not any(
        (each.text or "").strip() if each.tag == f"{W}t" else each is not paragraph
        for each in cell.iter(f"{W}t", f"{W}p", f"{W}drawing", f"{W}pict", f"{W}object", f"{W}tbl")
    )  # fmt: skip


def _is_blank(element: Element) -> bool:
    """Whether a paragraph has nothing that shows but its borders and background, and ends no section."""
    if element.tag != f"{W}p" or any(child(child(element, "pPr"), each) is not None for each in _PLACED):
        return False
    inside = itertools.chain.from_iterable([each, *each] if each.tag == f"{W}r" else [each] for each in element)
    return all(each.tag in (f"{W}pPr", f"{W}r") or each.tag in _NOTHING for each in inside)


def _breaks(runs: Iterable[Element], first: Element | None) -> tuple[bool, bool]:
    """Whether there is a page break before the first text of a paragraph, and one after it."""
    before = after = False
    seen = first is None
    for run in runs:
        for each in run:
            if each is first:
                seen = True
            elif each.tag == f"{W}br" and each.get(W + "type") == "page":
                before, after = before or not seen, after or seen
    return before, after
