"""Write the charts of a Word document as pictures or tables, which pandoc reads."""

from __future__ import annotations

import posixpath
import zipfile
from pathlib import Path

from lxml import etree

from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word import charts
from engine.families.documents.word.charts import OfficeCharts
from engine.families.documents.word.names import MC, PIC, WP, A, R, W, emu
from engine.families.documents.word.theme import Theme
from engine.toolkit import archive
from engine.toolkit.charts.model import Chart
from engine.toolkit.charts.tables import Table
from engine.toolkit.warnings import Warn

_HINTS = tuple(f'{each}"'.encode() for each in charts.URIS)
_NOTES = ("footnotes", "endnotes", "comments")
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
_PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture"
_TYPES = "[Content_Types].xml"
_USUAL = 360.0, 216.0
"""The size in points of charts that have none."""


def written(source: Path, target: Path, part: str, warn: Warn, *, pictures: bool) -> bool:
    """Write the docx `source` to `target` with its charts as pictures, or as tables of their data.

    `part` holds the text. Charts that can't be drawn are tables. Returns whether it has any: otherwise nothing is
    written. Raises Unreadable for malformed XML.
    """
    folder = posixpath.dirname(part)
    with Package(source) as package:
        names = [each for each in (part, *(posixpath.join(folder, f"{note}.xml") for note in _NOTES))
                 if each in package.names and any(hint in package.read(each) for hint in _HINTS)]  # fmt: skip
        if not names:
            return False
        theme = package.related(part, "theme")
        writer = _Writer(package, Theme(None if theme is None else package.xml(theme)), pictures=pictures)
        for each in names:
            writer.write(each)
        writer.charts.report(warn)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
            for each in sorted(package.names | writer.changed.keys()):
                copy.writestr(archive.entry(each), writer.changed.get(each) or package.read(each))
    return True


class _Writer:
    """Replaces charts, and collects the parts that change in `changed`."""

    def __init__(self, package: Package, theme: Theme, *, pictures: bool) -> None:
        self._package, self._theme, self._pictures = package, theme, pictures
        self.charts = OfficeCharts(package, size=10.0)
        self.changed: dict[str, bytes] = {}
        self._count = 0

    def write(self, part: str) -> None:
        root = self._package.xml(part)
        related: list[tuple[str, str]] = []
        for data in list(root.iter(A + "graphicData")):
            if (data.get("uri") or "").endswith(charts.URIS) and next(
                data.iterancestors(MC + "Fallback"), None
            ) is None:
                self._replace(part, data, related)
        self.changed[part] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
        if related:
            self._relate(part, related)

    def _replace(self, part: str, data: Element, related: list[tuple[str, str]]) -> None:
        drawing = next(data.iterancestors(W + "drawing"), None)
        if drawing is None:
            return
        found = self.charts.read(part, data, self._theme)
        around = drawing.getparent()
        if around is not None and around.tag == MC + "Choice":  # the other branch says that it can't be shown
            whole = around.getparent()
            whole.getparent().replace(whole, drawing)
        if isinstance(found, Chart) and self._pictures:
            self._picture(data, drawing, found, related)
            return
        if found is not None:
            _insert_table(drawing, self.charts.table(found) if isinstance(found, Chart) else found)
        drawing.getparent().remove(drawing)

    def _picture(self, data: Element, drawing: Element, chart: Chart, related: list[tuple[str, str]]) -> None:
        size = next(drawing.iter(WP + "extent"), None)
        wide, high = (0.0, 0.0) if size is None else (emu(size.get("cx")), emu(size.get("cy")))
        if not (wide and high):
            wide, high = _USUAL
        self._count += 1
        name = f"chart-picture-{self._count}.png"
        id = f"chartPicture{self._count}"
        related.append((id, name))
        self.changed[f"word/media/{name}"] = self.charts.png(chart, wide, high)
        described = next(drawing.iter(WP + "docPr"), None)
        if described is not None and not described.get("descr"):
            described.set("descr", charts.title_of(chart))
        for each in list(data):
            data.remove(each)
        data.set("uri", _PICTURE)
        picture = etree.SubElement(data, PIC + "pic")
        names = etree.SubElement(etree.SubElement(picture, PIC + "nvPicPr"), PIC + "cNvPr", id="0", name=name)
        etree.SubElement(names.getparent(), PIC + "cNvPicPr")
        etree.SubElement(etree.SubElement(picture, PIC + "blipFill"), A + "blip").set(R + "embed", id)
        place = etree.SubElement(etree.SubElement(picture, PIC + "spPr"), A + "xfrm")
        etree.SubElement(place, A + "off", x="0", y="0")
        etree.SubElement(place, A + "ext", cx=str(round(wide * 12_700)), cy=str(round(high * 12_700)))

    def _relate(self, part: str, related: list[tuple[str, str]]) -> None:
        folder, _, file = part.rpartition("/")
        name = f"{folder}/_rels/{file}.rels".lstrip("/")
        root = self._package.xml(name)
        for id, target in related:
            etree.SubElement(root, _RELATION, Id=id, Type=_TYPE, Target=f"/word/media/{target}")
        self.changed[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
        if _TYPES not in self.changed and b'Extension="png"' not in self._package.read(_TYPES):
            types = self._package.xml(_TYPES)
            space = types.tag.rpartition("}")[0] + "}" if "}" in types.tag else ""
            types.insert(0, etree.Element(f"{space}Default", Extension="png", ContentType="image/png"))
            self.changed[_TYPES] = etree.tostring(types, xml_declaration=True, encoding="UTF-8", standalone=True)


def _insert_table(drawing: Element, table: Table) -> None:
    """Insert the data of a chart after the paragraph with it."""
    paragraph = next(drawing.iterancestors(W + "p"), None)
    if paragraph is None or not table.rows:
        return
    made = element("tbl")
    properties = add(made, "tblPr")
    add(properties, "tblW", w=0, type="auto")
    add(properties, "tblLook", firstRow=1, noHBand=1, noVBand=1)
    grid = add(made, "tblGrid")
    for _ in table.rows[0]:
        add(grid, "gridCol", w=2000)
    for at, row in enumerate(table.rows):
        line = add(made, "tr")
        if not at:
            add(add(line, "trPr"), "tblHeader")
        for text in row:
            _write(add(add(line, "tc"), "p"), text, bold=False)
    after = [made]
    if table.title:
        title = element("p")
        _write(title, table.title, bold=True)
        after.insert(0, title)
    if paragraph.getnext() is None or paragraph.getnext().tag == W + "tbl":
        after.append(element("p"))  # a cell ends with a paragraph, and tables beside each other would be one
    for each in reversed(after):
        paragraph.addnext(each)


def _write(paragraph: Element, text: str, *, bold: bool) -> None:
    run = add(paragraph, "r")
    if bold:
        add(add(run, "rPr"), "b")
    add(run, "t").text = text
