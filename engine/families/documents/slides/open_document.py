"""A presentation of OpenDocument (ISO/IEC 26300, part 3, 3.5) as one of Office Open XML, with its texts and tables."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from lxml import etree

from engine.families.documents.odf import forms, opening, paint, places
from engine.families.documents.odf.forms import Form
from engine.families.documents.odf.geometries import Drawn
from engine.families.documents.odf.names import (
    DC,
    DRAW,
    FO,
    OFFICE,
    STYLE,
    SVG,
    TABLE,
    TEXT,
    XLINK,
    count,
    edge,
    twips,
)
from engine.families.documents.odf.paint import Painter
from engine.families.documents.odf.places import Place
from engine.families.documents.odf.properties import Properties
from engine.families.documents.odf.styles import Scope, Styles
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.ooxml.packing import Parts
from engine.families.documents.slides import open_texts
from engine.families.documents.slides.deck import COMMENT, MEDIA, OBJECT, PICTURE, P
from engine.families.documents.slides.deck import SHAPE as BOXED
from engine.families.documents.slides.pictures import kind_of
from engine.families.documents.word.names import A, R
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_ANIMATION = "{urn:oasis:names:tc:opendocument:xmlns:animation:1.0}"
_EFFECTS = tuple(
    f"{_ANIMATION}{name}"
    for name in ("animate", "set", "transitionFilter", "animateMotion", "animateTransform", "animateColor")
)
_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_MAIN = "ppt/presentation.xml"
_EMU = 635
_MOST_SLIDES, _DEEPEST, _MOST_CELLS = 5_000, 30, 200
_TITLES = frozenset({"title"})
_BODIES = {"outline": "body", "subtitle": "subTitle"}
_FURNITURE = {"page-number": "sldNum", "footer": "ftr", "date-time": "dt", "header": "hdr"}
_TEXTED = frozenset(
    DRAW + name
    for name in (
        "custom-shape", "rect", "ellipse", "circle", "path", "polygon", "regular-polygon", "polyline", "caption",
    )
)  # fmt: skip
_LINES = frozenset(DRAW + name for name in ("line", "connector", "measure"))
_BOX = Form("rect")
_PLAIN = {DRAW + "fill": "none", DRAW + "stroke": "none"}
_USUAL = {DRAW + "fill": "solid", DRAW + "stroke": "solid", DRAW + "fill-color": "#729fcf",
          SVG + "stroke-color": "#3465a4"}  # fmt: skip
"""How LibreOffice paints a shape without a style."""
_BORDER = FO + "border"
_ANCHORS = {"middle": "ctr", "bottom": "b"}


def to_pptx(source: Path, target: Path, warn: Warn) -> None:
    """Write a presentation as pptx.

    Raises Unreadable for a file that is damaged, protected or of another kind, OverLimit for one with too many slides.
    """
    with Package(source) as file:
        other = Unreadable("The file is an archive, but not an OpenDocument presentation.", reason="format")
        content, body = opening.content(file, "presentation", warn, no_content=other, other=other)
        made = _Presentation(file, content, body)
        made.read()
        for kind, number in made.found.items():
            warn.tally(kind, number)
    made.parts.write(target)


class _Presentation:
    def __init__(self, file: Package, content: Element, body: Element) -> None:
        self._file, self._body = file, body
        self.parts = Parts()
        self.found: Counter[Kind] = Counter()
        self._root = file.xml("styles.xml") if "styles.xml" in file.names else None
        common = Styles(self._root, content, relative_tabs=True)
        self._scopes = {"content": Scope(common, content, "c"), "styles": Scope(common, self._root, "s")}
        self._pages = _named(self._root, f"{OFFICE}master-styles/{STYLE}master-page")
        self._layouts: dict[str, str] = {}
        self._media: dict[str, str] = {}
        self.named = paint.named(self._root, content)
        self.templates = {
            each.get(TEXT + "style-name") or each.get(TABLE + "name") or "": {
                part.tag.removeprefix(TABLE): part.get(TEXT + "style-name") or part.get(TABLE + "style-name") or ""
                for part in each.iterfind("*")
            }
            for each in (() if self._root is None else self._root.iter(TABLE + "table-template"))
        }
        self._lists = open_texts.lists(content, self._root)
        self._declared = {
            (kind, each.get(_PRESENTATION + "name") or ""): each.text or ""
            for kind in ("footer", "date-time")
            for each in body.iterfind(f"{_PRESENTATION}{kind}-decl")
        }

    def read(self) -> None:
        pages = self._body.findall(DRAW + "page")
        if len(pages) > _MOST_SLIDES:
            raise OverLimit(
                "limit", say("The presentation has more than {max_slides} slides.", max_slides=_MOST_SLIDES)
            )
        root = etree.Element(P + "presentation")
        held = etree.SubElement(root, P + "sldIdLst")
        size = etree.SubElement(root, P + "sldSz")
        for name, length in zip(("cx", "cy"), self._size(pages), strict=True):
            size.set(name, str(length * _EMU))
        for number, page in enumerate(pages, start=1):
            name = f"ppt/slides/slide{number}.xml"
            self.parts.put(name, self._slide(page, name, number), "presentationml.slide")
            each = etree.SubElement(held, P + "sldId")
            each.set("id", str(255 + number))
            each.set(R + "id", self.parts.relate(_MAIN, "slide", name))
        self.parts.put(_MAIN, root, "presentationml.presentation.main")
        self.parts.relate("", "officeDocument", _MAIN)
        self._name()

    def _name(self) -> None:
        meta = self._file.xml("meta.xml").find(OFFICE + "meta") if "meta.xml" in self._file.names else None
        if meta is not None:
            author = meta.findtext(_META + "initial-creator") or meta.findtext(DC + "creator") or ""
            self.parts.core(meta.findtext(DC + "title") or "", author)

    def _size(self, pages: list[Element]) -> tuple[int, int]:
        master = self._pages.get(pages[0].get(DRAW + "master-page-name") or "") if pages else None
        layouts = _named(self._root, f"{OFFICE}automatic-styles/{STYLE}page-layout")
        layout = None if master is None else layouts.get(master.get(STYLE + "page-layout-name") or "")
        found = None if layout is None else layout.find(STYLE + "page-layout-properties")
        wide, high = (None if found is None else twips(found.get(FO + name)) for name in ("page-width", "page-height"))
        return max(wide or 15_874, 720), max(high or 8_930, 720)

    def _slide(self, page: Element, name: str, number: int) -> Element:
        root, tree = _root("sld")
        scope = self._scopes["content"]
        looks = scope.resolved("drawing-page", page.get(DRAW + "style-name") or "", "drawing-page")
        if looks.get(_PRESENTATION + "visibility") == "hidden":
            root.set("show", "0")
        if looks.get(_PRESENTATION + "background-objects-visible") == "false":
            root.set("showMasterSp", "0")
        self._background(root, looks, name)
        shapes = _Shapes(self, name, scope, number)
        shapes.write(tree, page, 0)
        self.found[COMMENT] += sum(1 for _ in page.iterfind(OFFICE + "annotation"))
        self.found[OBJECT] += shapes.objects
        if any(True for _ in page.iter(*_EFFECTS)):
            etree.SubElement(root, P + "timing")
        for each in page.iter(DRAW + "plugin"):
            self.found[MEDIA] += each is not None
        master = page.get(DRAW + "master-page-name") or ""
        if master in self._pages:
            self.parts.relate(name, "slideLayout", self._layout(master))
            self._furnish(tree, page, looks, self._pages[master], number)
        notes = page.find(_PRESENTATION + "notes")
        if notes is not None:
            self._notes(notes, name, number)
        return root

    def _furnish(self, tree: Element, page: Element, looks: Properties, master: Element, number: int) -> None:
        """Write the footer, the date and the number of a slide where its master has them."""
        texts = {
            kind: self._declared.get((kind, page.get(f"{_PRESENTATION}use-{kind}-name") or ""), "")
            for kind in ("footer", "date-time")
        } | {"page-number": str(number)}
        for frame in master.iterfind(DRAW + "frame"):
            kind = frame.get(_PRESENTATION + "class") or ""
            if texts.get(kind) and looks.get(f"{_PRESENTATION}display-{kind}") == "true":
                made = etree.SubElement(tree, P + "sp")
                names = etree.SubElement(made, P + "nvSpPr")
                etree.SubElement(names, P + "cNvPr").set("name", kind)
                etree.SubElement(etree.SubElement(names, P + "nvPr"), P + "ph").set("type", _FURNITURE[kind])
                _at(etree.SubElement(made, P + "spPr"), places.of(frame))
                shown = etree.Element(DRAW + "text-box")
                etree.SubElement(shown, TEXT + "p").text = texts[kind]
                family, style = _style_of(frame)
                self.text(made, P + "txBody", shown, "", self._scopes["styles"], family, style, number)

    def _layout(self, master: str) -> str:
        if master not in self._layouts:
            name = self._layouts[master] = f"ppt/slideLayouts/slideLayout{len(self._layouts) + 1}.xml"
            root, tree = _root("sldLayout")
            page, scope = self._pages[master], self._scopes["styles"]
            looks = scope.resolved("drawing-page", page.get(DRAW + "style-name") or "", "drawing-page")
            self._background(root, looks, name)
            shapes = _Shapes(self, name, scope, 0)
            shapes.write(tree, page, 0, master=True)
            self.parts.put(name, root, "presentationml.slideLayout")
        return self._layouts[master]

    def _background(self, root: Element, looks: Properties, part: str) -> None:
        if looks.get(DRAW + "fill", "none") != "none":
            behind = etree.Element(P + "bg")
            pictures = partial(self.media, part=part)
            Painter(self.named, pictures).fill(etree.SubElement(behind, P + "bgPr"), looks)
            root[0].insert(0, behind)

    def _notes(self, notes: Element, slide: str, number: int) -> None:
        name = f"ppt/notesSlides/notesSlide{number}.xml"
        root, tree = _root("notes")
        for frame in notes.iter(DRAW + "frame"):
            box = frame.find(DRAW + "text-box")
            if frame.get(_PRESENTATION + "class") != "notes" or box is None or not "".join(box.itertext()).strip():
                continue
            made = etree.SubElement(tree, P + "sp")
            names = etree.SubElement(made, P + "nvSpPr")
            etree.SubElement(etree.SubElement(names, P + "nvPr"), P + "ph").set("type", "body")
            self.text(made, P + "txBody", box, name, self._scopes["content"], "", "", number)
        if len(tree):
            self.parts.put(name, root, "presentationml.notesSlide")
            self.parts.relate(slide, "notesSlide", name)

    def text(
        self,
        made: Element,
        tag: str,
        source: Element,
        part: str,
        scope: Scope,
        family: str,
        style: str,
        number: int,
        below: str = "",
    ) -> Element:
        """Append the text of a shape or cell, and return its properties."""
        body = etree.SubElement(made, tag)
        inside = etree.SubElement(body, A + "bodyPr")
        etree.SubElement(body, A + "lstStyle")

        def link(address: str) -> str:
            return self.parts.relate(part, "hyperlink", address, external=True)

        looks = open_texts.Looks(scope, self._lists, family, style, below)
        open_texts.Writer(looks, link, number).blocks(body, source)
        if body.find(A + "p") is None:
            etree.SubElement(body, A + "p")
        return inside

    def image(self, frame: Element, part: str) -> str | None:
        """The relationship to the first bitmap of a frame, else its first picture; None, and counted, without one."""
        held = [each.get(XLINK + "href") or "" for each in frame.iterfind(DRAW + "image")]
        names = [name for name in map(posixpath.normpath, held) if name in self._file.names]
        if not names:
            self.found[PICTURE] += not any("://" in each for each in held)
            return None
        return self.media(next((each for each in names if kind_of(self._file.read(each))), names[0]), part)

    def media(self, address: str, part: str) -> str | None:
        """The relationship to a picture of the file; None, and counted, if it is missing."""
        name = posixpath.normpath(address)
        if name not in self._file.names:
            self.found[PICTURE] += 1
            return None
        if name not in self._media:
            data = self._file.read(name)
            self._media[name] = self.parts.picture("ppt", data, kind_of(data) or "bin")
        return self.parts.relate(part, "image", self._media[name])


class _Shapes:
    """Writes the shapes of one slide or master."""

    def __init__(self, all_: _Presentation, part: str, scope: Scope, number: int) -> None:
        self._all, self._part, self._scope, self._number = all_, part, scope, number
        self._count = 1
        self.objects = 0

    def write(self, tree: Element, source: Element, depth: int, *, master: bool = False) -> None:
        """Write the shapes that an element holds, groups expanded."""
        for each in source:
            kind = each.get(_PRESENTATION + "class") or "" if isinstance(each.tag, str) else ""
            if master and kind and kind != "graphic":
                continue
            if each.get(_PRESENTATION + "placeholder") == "true" if isinstance(each.tag, str) else True:
                continue
            if each.tag in (DRAW + "g", DRAW + "a") and depth < _DEEPEST:
                self.write(tree, each, depth + 1, master=master)
            elif each.tag == DRAW + "frame":
                self._frame(tree, each, kind)
            elif each.tag in _TEXTED or each.tag in _LINES:
                self._shape(tree, each, each, kind)

    def _frame(self, tree: Element, frame: Element, kind: str) -> None:
        box, table = frame.find(DRAW + "text-box"), frame.find(TABLE + "table")
        if table is not None:
            self._table(tree, frame, table)
        elif box is not None:
            self._shape(tree, frame, box, kind)
        elif frame.find(DRAW + "image") is not None:
            self.objects += frame.find(DRAW + "object") is not None or frame.find(DRAW + "object-ole") is not None
            relation = self._all.image(frame, self._part)
            if relation is not None:
                self._picture(tree, frame, relation)
        elif frame.find(DRAW + "object") is not None or frame.find(DRAW + "object-ole") is not None:
            self.objects += 1

    def _named(self, tree: Element, tag: str, kind: str, source: Element) -> Element:
        self._count += 1
        made = etree.SubElement(tree, P + tag)
        names = etree.SubElement(made, f"{P}nv{kind}Pr")
        described = etree.SubElement(names, P + "cNvPr")
        described.set("id", str(self._count))
        described.set("name", f"Shape {self._count}")
        if said := " ".join((source.findtext(SVG + "desc") or source.findtext(SVG + "title") or "").split()):
            described.set("descr", said[:500])
        etree.SubElement(names, f"{P}cNv{kind}Pr")
        etree.SubElement(names, P + "nvPr")
        return made

    def _picture(self, tree: Element, frame: Element, relation: str) -> None:
        made = self._named(tree, "pic", "Pic", frame)
        fill = etree.SubElement(made, P + "blipFill")
        etree.SubElement(fill, A + "blip").set(R + "embed", relation)
        etree.SubElement(etree.SubElement(fill, A + "stretch"), A + "fillRect")
        _at(etree.SubElement(made, P + "spPr"), places.of(frame))

    def _shape(self, tree: Element, shape: Element, text: Element, kind: str) -> None:
        family, style = _style_of(shape)
        looks = self._scope.resolved(family, style, "graphic")
        made = self._named(tree, "sp", "Sp", shape)
        role = "title" if kind in _TITLES else _BODIES.get(kind) or _FURNITURE.get(kind)
        if role:
            etree.SubElement(made.find(f"{P}nvSpPr/{P}nvPr"), P + "ph").set("type", role)
        drawn = etree.SubElement(made, P + "spPr")
        form: Form | Drawn | None
        ends = places.ends_of(shape) if shape.tag in _LINES else None
        if ends is not None:
            form, (x, y, wide, high) = forms.of_line(shape, ends, looks)
            _at(drawn, Place(round(x), round(y), round(wide), round(high)))
        else:
            place = places.of(shape)
            _at(drawn, place)
            form = forms.of(shape, place.wide, place.high)
        (form or _BOX).write(drawn)
        self._all.found[BOXED] += form is None
        painter = Painter(self._all.named, partial(self._all.media, part=self._part))
        if kind or shape.tag == DRAW + "frame":
            looks = {**_PLAIN, **looks, **({DRAW + "stroke": "none"} if kind else {})}
        else:
            looks = {**_USUAL, **self._scope.usual("graphic"), **looks}
        if shape.tag in _LINES:
            looks = {**looks, DRAW + "fill": "none"}
        painter.fill(drawn, looks)
        painter.line(drawn, looks)
        painter.shadow(drawn, looks)
        inside = self._all.text(made, P + "txBody", text, self._part, self._scope, family, style, self._number)
        inside.set("anchor", _ANCHORS.get(looks.get(DRAW + "textarea-vertical-align", ""), "t"))
        for name, side in (("lIns", "left"), ("rIns", "right"), ("tIns", "top"), ("bIns", "bottom")):
            if (gap := twips(looks.get(f"{FO}padding-{side}", looks.get(FO + "padding")))) is not None:
                inside.set(name, str(max(gap, 0) * _EMU))

    def _table(self, tree: Element, frame: Element, table: Element) -> None:
        made = self._named(tree, "graphicFrame", "GraphicFrame", frame)
        _at(made, places.of(frame), P + "xfrm")
        data = etree.SubElement(etree.SubElement(made, A + "graphic"), A + "graphicData")
        data.set("uri", "http://schemas.openxmlformats.org/drawingml/2006/table")
        written = etree.SubElement(data, A + "tbl")
        properties = etree.SubElement(written, A + "tblPr")
        if table.get(TABLE + "use-first-row-styles") == "true" or table.find(TABLE + "table-header-rows") is not None:
            properties.set("firstRow", "1")
        grid = etree.SubElement(written, A + "tblGrid")
        for column in table.iter(TABLE + "table-column"):
            name = column.get(TABLE + "style-name") or ""
            width = twips(self._scope.resolved("table-column", name, "table-column").get(STYLE + "column-width"))
            for _ in range(count(column.get(TABLE + "number-columns-repeated"), most=_MOST_CELLS)):
                etree.SubElement(grid, A + "gridCol").set("w", str((width or 1_440) * _EMU))
        template = self._all.templates.get(table.get(TABLE + "template-name") or "", {})
        rows = [each for each in table.iter(TABLE + "table-row") if next(each.iterancestors(TABLE + "table")) is table]
        for down, row in enumerate(rows):
            line = etree.SubElement(written, A + "tr")
            looks = self._scope.resolved("table-row", row.get(TABLE + "style-name") or "", "table-row")
            high = twips(looks.get(STYLE + "row-height")) or twips(looks.get(STYLE + "min-row-height")) or 0
            line.set("h", str(high * _EMU))
            usual = row.get(TABLE + "default-cell-style-name") or ""
            for cell in row:
                if cell.tag not in (TABLE + "table-cell", TABLE + "covered-table-cell"):
                    continue
                for _ in range(count(cell.get(TABLE + "number-columns-repeated"), most=_MOST_CELLS)):
                    part = _part_of(table, (down, len(line)), (len(rows), len(grid)))
                    below = next((template[each] for each in part if each in template), "")
                    self._cell(line, cell, cell.get(TABLE + "style-name") or usual, below)

    def _cell(self, line: Element, cell: Element, style: str, below: str) -> None:
        made = etree.SubElement(line, A + "tc")
        if cell.tag == TABLE + "covered-table-cell":
            made.set("hMerge", "1")
        for name, span in (("gridSpan", "columns"), ("rowSpan", "rows")):
            number = count(cell.get(f"{TABLE}number-{span}-spanned"), most=_MOST_CELLS)
            if number > 1:
                made.set(name, str(number))
        self._all.text(made, A + "txBody", cell, self._part, self._scope, "table-cell", style, self._number, below)
        looks: dict[str, str] = {}
        for each in (below, style):
            for kind in ("graphic", "paragraph", "table-cell"):
                found = self._scope.resolved("table-cell", each, kind)
                # A border of all sides is said again by those of single ones.
                if _BORDER in found:
                    looks = {key: value for key, value in looks.items() if not key.startswith(_BORDER)}
                looks |= found
        properties = etree.SubElement(made, A + "tcPr")
        properties.set("anchor", _ANCHORS.get(looks.get(DRAW + "textarea-vertical-align", ""), "t"))
        for name, side in (("lnL", "left"), ("lnR", "right"), ("lnT", "top"), ("lnB", "bottom")):
            frame = edge(looks.get(f"{_BORDER}-{side}", looks.get(_BORDER)))
            if frame is not None and frame["val"] != "none":
                drawn = etree.SubElement(properties, A + name)
                drawn.set("w", str(round(float(frame["sz"]) / 8 * 12_700)))
                _solid(drawn, known if len(known := str(frame.get("color"))) == 6 else "000000")
        for name, side in (("marL", "left"), ("marR", "right"), ("marT", "top"), ("marB", "bottom")):
            if (gap := twips(looks.get(f"{FO}padding-{side}", looks.get(FO + "padding")))) is not None:
                properties.set(name, str(max(gap, 0) * _EMU))
        if FO + "background-color" in looks and DRAW + "fill" not in looks:
            looks |= {DRAW + "fill": "solid", DRAW + "fill-color": looks[FO + "background-color"]}
        fill = {DRAW + "fill": "solid" if DRAW + "fill-color" in looks else "none", **looks}
        Painter(self._all.named, partial(self._all.media, part=self._part)).fill(properties, fill)


def _part_of(table: Element, place: tuple[int, int], size: tuple[int, int]) -> Iterator[str]:
    """The parts of a table template that a cell may have its style from, the most special first (16.20)."""
    (down, across), (rows, columns) = place, size
    for name, applies in (
        ("first-row", down == 0), ("last-row", down == rows - 1), ("first-column", across == 0),
        ("last-column", across == columns - 1), ("odd-rows", down % 2 == 1), ("even-rows", down % 2 == 0),
        ("odd-columns", across % 2 == 1), ("even-columns", across % 2 == 0),
    ):  # fmt: skip
        kind = f"banding-{name.partition('-')[2]}" if name.startswith(("odd", "even")) else name
        if applies and table.get(f"{TABLE}use-{kind}-styles") == "true":
            yield name
    yield "body"


def _style_of(shape: Element) -> tuple[str, str]:
    if name := shape.get(_PRESENTATION + "style-name"):
        return "presentation", name
    return "graphic", shape.get(DRAW + "style-name") or ""


def _named(root: Element | None, path: str) -> dict[str, Element]:
    return {} if root is None else {each.get(STYLE + "name") or "": each for each in root.iterfind(path)}


def _root(name: str) -> tuple[Element, Element]:
    root = etree.Element(P + name, nsmap={"p": P[1:-1], "a": A[1:-1], "r": R[1:-1]})
    return root, etree.SubElement(etree.SubElement(root, P + "cSld"), P + "spTree")


def _solid(parent: Element, value: str) -> None:
    etree.SubElement(etree.SubElement(parent, A + "solidFill"), A + "srgbClr").set("val", value.upper())


def _at(parent: Element, at: Place, tag: str = A + "xfrm") -> None:
    place = etree.SubElement(parent, tag)
    if at.turned:
        place.set("rot", at.turn)
    for flip in at.flips:
        place.set(flip, "1")
    for name, lengths in (("off", {"x": at.x, "y": at.y}), ("ext", {"cx": at.wide, "cy": at.high})):
        element = etree.SubElement(place, A + name)
        for side, length in lengths.items():
            element.set(side, str(length * _EMU))
