"""The shapes of a slide with their positions, and groups expanded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides import deck as kinds
from engine.families.documents.slides import table_styles, tables
from engine.families.documents.slides.deck import Deck, P, Slide
from engine.families.documents.slides.pictures import blip_picture, picture
from engine.families.documents.slides.texts import Paragraph, Styles, paragraphs
from engine.families.documents.word import charts
from engine.families.documents.word.alternatives import is_known
from engine.families.documents.word.names import MC, A, R, integer
from engine.toolkit.charts import tables as chart_tables
from engine.toolkit.charts.model import Chart
from engine.toolkit.shapes.groups import Box, Room

_PREVIEW = re.compile(rb'<v:imagedata\b[^<>]*? o:relid="([^"<>]{1,100})"')
_DEEPEST = 30
_DRAWN = (P + "sp", P + "pic", P + "graphicFrame", P + "cxnSp")
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("sldNum", "dt", "ftr", "hdr")


@dataclass
class Shape:
    """One shape; `table` holds the rows of a table or of a chart's data, `picture` is a `data:` URI."""

    element: Element
    part: str
    box: Box
    kind: str = ""
    name: str = ""
    paragraphs: list[Paragraph] = field(default_factory=list)
    picture: str | None = None
    table: list[list[tables.Cell]] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    above: list[Element] = field(default_factory=list)
    headed: bool = False
    chart: str | None = None
    """The chart title, if it is a chart."""
    drawn: Chart | None = None
    """The chart itself, if its kind can be drawn."""
    inner: list[Shape] = field(default_factory=list)
    """The shapes of a diagram that is drawn, at their places on the slide."""
    markup: str = ""
    """The drawing of a chart, on a page for browsers."""
    crop: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    @property
    def is_title(self) -> bool:
        return self.kind in _TITLES

    @property
    def is_furniture(self) -> bool:
        """Whether it is page furniture: the date, the slide number or the footer."""
        return self.kind in _FURNITURE


def shapes(deck: Deck, slide: Slide, layer: int = 0) -> list[Shape]:
    """The shapes of the slide, or of its layout (1) or master (2), in drawing order."""
    part, root = slide.layers[layer]
    tree = root.find(f"{P}cSld/{P}spTree")
    return [] if tree is None else list(_tree(deck, slide, part, tree, Room(), 0))


def _tree(deck: Deck, slide: Slide, part: str, tree: Iterable[Element], room: Room, depth: int) -> Iterator[Shape]:
    if depth > _DEEPEST:
        deck.found[kinds.DEEP] += sum(1 for each in tree for _ in each.iter(*_DRAWN))
        return
    for each in tree:
        if each.tag == MC + "AlternateContent":
            choice, fallback = each.find(MC + "Choice"), each.find(MC + "Fallback")
            picked = choice if choice is not None and is_known(choice.get("Requires") or "") else fallback
            if picked is not None:
                yield from _tree(deck, slide, part, picked, room, depth + 1)
        elif each.tag == P + "grpSp":
            yield from _tree(deck, slide, part, each, room.within(each), depth + 1)
        elif each.tag in _DRAWN and _described(each).get("hidden") not in ("1", "true"):
            yield _shape(deck, slide, part, each, room)


def _described(element: Element) -> Element:
    found = next(
        (each.find(P + "cNvPr") for each in element if each.tag.endswith("Pr") and each.find(P + "cNvPr") is not None),
        None,
    )
    return found if found is not None else element


def _shape(deck: Deck, slide: Slide, part: str, element: Element, room: Room) -> Shape:
    place = element.find(f"*/{P}nvPr/{P}ph")
    kind = "" if place is None else place.get("type") or "obj"
    above = [] if place is None or part != slide.part else _above(slide, place)
    shape = Shape(element, part, _box(element, above, room), kind, _described(element).get("descr") or "", above=above)
    if element.tag == P + "pic":
        blip = element.find(f"{P}blipFill/{A}blip")
        colours = partial(slide.theme.drawn, mapping=slide.colours)
        shape.picture = picture(deck, part, None) if blip is None else blip_picture(deck, part, blip, colours)
        cut = element.find(f"{P}blipFill/{A}srcRect")
        if cut is not None:
            left, top, right, bottom = ((integer((cut.get(side) or "0").rstrip("%")) or 0) / 100_000 for side in "ltrb")
            shape.crop = (left, top, right, bottom)
    elif element.tag == P + "graphicFrame":
        _frame(deck, slide, part, shape)
    body = element.find(P + "txBody")
    if body is not None:
        styles = Styles(deck, slide, kind if place is not None else None, above, element)
        shape.paragraphs = paragraphs(deck, slide, part, body, styles)
    return shape


def _above(slide: Slide, place: Element) -> list[Element]:
    """The placeholders of the layout and master that a slide's placeholder inherits from."""
    found: list[Element] = []
    kind, index = place.get("type") or "obj", place.get("idx")
    for _, root in slide.layers[1:]:
        best = None
        for each in root.iterfind(f"{P}cSld/{P}spTree/{P}sp"):
            other = each.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
            if other is None:
                continue
            other_kind = other.get("type") or "obj"
            if index is not None and other.get("idx") == index and not found:
                best = each
                break
            same = (
                other_kind == kind
                or {other_kind, kind} <= set(_TITLES)
                or {other_kind, kind} <= {"body", "obj", "subTitle", "tbl", "chart", "pic"}
            )
            if best is None and same:
                best = each
        if best is not None:
            found.append(best)
    return found


def _box(element: Element, above: list[Element], room: Room) -> Box:
    for each in (element, *above):
        place = each.find(f"{P}spPr/{A}xfrm")
        place = place if place is not None else each.find(P + "xfrm")
        if found := (room if each is element else Room()).box(place):
            return found
    return Box()


def _frame(deck: Deck, slide: Slide, part: str, shape: Shape) -> None:
    data = shape.element.find(f"{A}graphic/{A}graphicData")
    if data is None:
        return
    table = data.find(A + "tbl")
    if table is not None:
        made = tables.read(deck, slide, part, table)
        shape.table, shape.widths, shape.heights = made.rows, made.widths, made.heights
        shape.headed = made.headed
    elif (data.get("uri") or "").endswith(charts.URIS):
        found = deck.charts.read(part, data, slide.theme, slide.colours)
        if found is not None:
            shape.drawn = found if isinstance(found, Chart) else None
            own = chart_tables.of_chart(found) if isinstance(found, Chart) else found
            shape.chart, shape.headed = own.title, True
            colours = (f"#{slide.theme.colour(slide.colours.get(each, each))}" for each in ("tx1", "bg1"))
            colour, behind = colours
            line = f"0.75pt solid {table_styles.between(colour, behind)}"
            shape.table = [[tables.plain(each, colour, line) for each in row] for row in own.rows]
    elif (data.get("uri") or "").endswith("/diagram"):
        if deck.drawn and (drawn := deck.diagrams.drawing(part, data, P)) is not None:
            shape.inner = _diagram(deck, slide, *drawn, shape.box)
            return
        deck.found[kinds.DIAGRAM] += 1
        styles = Styles(deck, slide, None, [], None)
        for level, body in deck.diagrams.bodies(part, data):
            for each in paragraphs(deck, slide, part, body, styles):
                if each.text.strip():
                    each.level, each.bullet = min(level, 8), "\u2022"
                    # White on a coloured shape would otherwise be white on white.
                    each.runs = [
                        replace(run, formatting={**run.formatting, "color": each.base.get("color")})
                        for run in each.runs
                    ]
                    each.formatting = each.formatting | {"marL": 14.0 * (1 + each.level), "indent": -14.0, "align": "l"}
                    shape.paragraphs.append(each)
    else:
        deck.found[kinds.OBJECT] += 1
        blip = data.find(f".//{P}pic/{P}blipFill/{A}blip")
        if blip is not None:
            shape.picture = picture(deck, part, blip.get(R + "embed"))
        elif (old := next(data.iter(P + "oleObj"), None)) is not None and old.get("spid"):
            shape.picture = _preview(deck, part, old.get("spid") or "")


def _diagram(deck: Deck, slide: Slide, part: str, drawn: list[Element], box: Box) -> list[Shape]:
    """The shapes that were drawn for a diagram, whose coordinates begin at the corner of its frame."""
    found = list(_tree(deck, slide, part, drawn, Room(), 0))
    for each in found:
        each.box = replace(each.box, x=each.box.x + box.x, y=each.box.y + box.y)
    return found


def _preview(deck: Deck, part: str, id: str) -> str | None:
    """The preview picture of an embedded object in files before 2010: in a VML drawing of the slide."""
    drawing = deck.package.related(part, "vmlDrawing")
    if drawing is None:
        return None
    shape = deck.package.read(drawing).partition(f'id="{id}"'.encode())[2].partition(b"</v:shape>")[0]
    found = _PREVIEW.search(shape)
    return picture(deck, drawing, found[1].decode()) if found else None
