"""The looks of a Word document's text as marks in it, which tell of what differs from the document's usual text."""

from __future__ import annotations

import itertools
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from lxml import etree

from conversions.families.documents.dressing.looks import TOLD_APART, Block, Cell, Run
from conversions.families.documents.dressing.marks import END_OF_RUN, OURS, TAB, Marks
from conversions.families.documents.dressing.word_looks import (
    block_look,
    cell_look,
    headed_look,
    run_look,
    usual_look,
    without,
)
from conversions.families.documents.ooxml.package import Element, Package
from conversions.families.documents.word import paragraphs
from conversions.families.documents.word.names import W, child, value
from conversions.families.documents.word.numbering import Numbering
from conversions.families.documents.word.paragraphs import Paragraph
from conversions.families.documents.word.sections import sections
from conversions.families.documents.word.styles import Styles
from conversions.families.documents.word.table_grid import CellLook, TableGrid
from conversions.families.documents.word.theme import Theme
from conversions.toolkit import archive

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
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
        self._said = self._styles.text | usual[1]
        self._usual = run_look(self._said)
        self._breaks = False
        self._cells: dict[Element, CellLook] = {}
        self._begun: set[Element] = set()

    def _part(self, kind: str) -> Element | None:
        name = self.package.related(self.main, kind)
        return None if name is None else self.package.xml(name)

    def written(self) -> dict[str, bytes]:
        """The parts that have marks."""
        self.marks.usual = usual_look(self._said)
        names = [
            self.main,
            *filter(None, (self.package.related(self.main, each) for each in ("footnotes", "endnotes"))),
        ]
        found = {}
        for name in names:
            root = self.package.xml(name)
            if name == self.main:
                self._paper(root)
            for each in root.iter(f"{W}t"):
                each.text = OURS.sub("\ufffd", each.text or "")
            self._tables(root)
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
        paper = sections(body, {})[0].paper
        self.marks.paper = (paper.width, paper.height, paper.top, paper.right, paper.bottom, paper.left)

    def _tables(self, root: Element) -> None:
        """Find out how the cells look."""
        for skipped in list(root.iter(f"{W}gridBefore")):
            skipped.getparent().remove(skipped)  # it has become a cell of its own
        for table in root.iter(f"{W}tbl"):
            grid = TableGrid(self._styles, table)
            for cell in itertools.chain.from_iterable(grid.cells):
                if cell.element is not None:
                    self._cells[cell.element] = grid.look(cell)

    def _paragraph(self, element: Element, *, alone: bool) -> None:
        cell = self._cells.get(next(element.iterancestors(f"{W}tc"), None))
        table = None if cell is None else (cell.block, cell.text)
        read = paragraphs.read(element, self._styles, self._numbering, table)
        runs = [each for each in element.iter(f"{W}r") if next(each.iterancestors(f"{W}p")) is element]
        name = self._styles.name(read.style)
        texts = [(run, each) for run in runs for each in run if each.tag == f"{W}t" and (each.text or "").strip()]
        begins, ends = _breaks(element, runs, texts[0][1] if texts else None)
        self._breaks |= begins
        pictures = [each for each in runs if any(c.tag in (f"{W}drawing", f"{W}pict", f"{W}object") for c in each)]
        if texts or pictures:
            titled = name in TOLD_APART
            before = self._before(read, alone=alone, titled=titled)
            heading = titled or (_HEADING.fullmatch(name) is not None and bool(self._styles.chain(read.style)))
            for run, text in texts:
                said = self._styles.run(run, read.text)
                look = headed_look(said) if heading else without(run_look(said), self._usual)
                shown = f"{self.marks.of(look)}{text.text}{END_OF_RUN}" if look != Run() else text.text
                text.text, before = before + shown, ""
                text.set(_SPACE, "preserve")
            if before and not self._captioned(element):
                made = etree.Element(f"{W}r")
                etree.SubElement(made, f"{W}t").text = before
                pictures[0].addprevious(made)
        elif _fills_cell(element) and (before := self._before(read, alone=alone)):
            made = etree.SubElement(element, f"{W}r")
            etree.SubElement(made, f"{W}t").text = before
        self._breaks |= ends

    def _captioned(self, element: Element) -> bool:
        """Whether a caption is next to a paragraph, which a reader takes for a figure if it is a picture alone."""
        beside = (each for each in (element.getprevious(), element.getnext()) if each is not None)
        return any("caption" in self._styles.name(value(child(child(each, "pPr"), "pStyle")) or "") for each in beside)

    def _before(self, paragraph: Paragraph, *, alone: bool, titled: bool = False) -> str:
        """The marks of a paragraph, and of the cell that it is the first one of.

        One that is `titled` says where it stands, as elsewhere titles are in the middle.
        """
        cell = next(paragraph.element.iterancestors(f"{W}tc"), None)
        found = ""
        if cell in self._cells and cell not in self._begun:
            self._begun.add(cell)
            look = cell_look(self._cells[cell])
            found = self.marks.of(look) if look != Cell() else ""
        packed = cell is not None or bool(paragraph.block.get("numId")) or alone
        block = block_look(paragraph.block, packed=packed)
        block = replace(block, align=block.align or "left") if titled else block
        if self._breaks and cell is None and not alone:
            block, self._breaks = replace(block, new_page=True), False
        return found + (self.marks.of(block) if block != Block() else "")


def _fills_cell(paragraph: Element) -> bool:
    """Whether a paragraph is all that is in a cell, and is blank."""
    cell = paragraph.getparent()
    return cell is not None and cell.tag == f"{W}tc" and not any(
        (each.text or "").strip() if each.tag == f"{W}t" else each is not paragraph
        for each in cell.iter(f"{W}t", f"{W}p", f"{W}drawing", f"{W}pict", f"{W}object", f"{W}tbl")
    )  # fmt: skip


def _breaks(paragraph: Element, runs: Iterable[Element], first: Element | None) -> tuple[bool, bool]:
    """Whether a page ends before the first text of a paragraph, and whether one ends behind it."""
    before = after = False
    seen = first is None
    for run in runs:
        for each in run:
            if each is first:
                seen = True
            elif each.tag == f"{W}br" and each.get(W + "type") == "page":
                before, after = before or not seen, after or seen
    section = child(child(paragraph, "pPr"), "sectPr")
    if section is not None and (value(child(section, "type")) or "nextPage") != "continuous":
        after = True
    return before, after
