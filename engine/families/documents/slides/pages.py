"""Draw slides as PDF pages, with every shape at its place."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.slides import deck as kinds
from engine.families.documents.slides import speaker_notes, table_styles
from engine.families.documents.slides.deck import Deck, P, Slide, number
from engine.families.documents.slides.drawn_texts import paragraphs_of, placed
from engine.families.documents.slides.outline import report
from engine.families.documents.slides.shapes import Box, Shape, picture, shapes
from engine.families.documents.slides.tables import Cell
from engine.families.documents.slides.vocabulary import SLIDES
from engine.families.documents.word import lines, outlines
from engine.families.documents.word.css_classes import Classes, is_dark
from engine.families.documents.word.names import A, R, emu, pt
from engine.families.html_pdf import render
from engine.families.html_pdf.options import PageOptions
from engine.toolkit import vocabulary
from engine.toolkit.failures import InvalidOption
from engine.toolkit.warnings import Warn

_BASE = """\
html,body{margin:0;padding:0;font-family:sans-serif;color:#000000}
p{margin:0;white-space:pre-wrap}.long{overflow-wrap:break-word}
.slide{position:relative;overflow:hidden}.slide+.slide{break-before:page}
.at{position:absolute;box-sizing:border-box}.fill{position:relative;display:table;table-layout:fixed;width:100%;height:100%}
.in{display:table-cell}table.grid{border-collapse:collapse;table-layout:fixed;font-size:12pt}
.grid td{padding:3.6pt 7.2pt;vertical-align:top}
a{text-decoration:underline;color:inherit}
.notes{break-before:page;padding:36pt;font-size:12pt;font-family:serif}
"""
_BOXES = (
    "rect",
    "ellipse",
    "roundRect",
    "line",
    "straightConnector1",
    "flowChartProcess",
    "snip1Rect",
    "round2SameRect",
)


_FONT = re.compile("font-family:'([^']+)'")


def to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Draw each slide as a page. Raises Unreadable, OverLimit and InvalidOption."""
    with Package(source) as package:
        deck = Deck(package)
        slides = deck.slides(hidden=options.hidden_slides)
        if not slides and deck.found[kinds.HIDDEN]:
            raise InvalidOption("hiddenSlides", "All slides are hidden. Set hiddenSlides to include them.")
        classes = Classes()
        body = "".join(_slide(deck, each, classes, options.notes) for each in slides)
        report(deck, warn)
        if not options.notes:
            speaker_notes.report(slides, warn)
        vocabulary.report(SLIDES.unknown(each.root for each in slides), warn)
        render.report_fonts(_FONT.findall(classes.sheet()), warn)
        size = f"@page{{size:{pt(deck.width)} {pt(deck.height)};margin:0}}"
    page = f"<!DOCTYPE html><html><head><style>{_BASE}{size}{classes.sheet()}</style></head><body>{body}</body></html>"
    try:
        render.render(page, target, PageOptions(page_ranges=options.pages, fit_to_width=False), warn)
    except InvalidOption as error:
        raise InvalidOption("pages", error.message) from error


def _slide(deck: Deck, slide: Slide, classes: Classes, notes: bool) -> str:
    inside = []
    shown = slide.root.get("showMasterSp") not in ("0", "false")
    own = shapes(deck, slide)
    for layer in range(len(slide.layers) - 1, 0, -1):
        if not shown or (layer == 2 and slide.layers[1][1].get("showMasterSp") in ("0", "false")):
            continue
        inside += [_shape(deck, slide, each, classes) for each in shapes(deck, slide, layer) if not each.kind]
    inside += [_shape(deck, slide, each, classes) for each in own]
    css = f"width:{pt(deck.width)};height:{pt(deck.height - 0.05)};{_background(deck, slide)}"
    found = f'<div class="slide" style="{css}">{"".join(inside)}</div>'
    spoken = "".join(f"<p>{escape(''.join(each.itertext()), quote=False)}</p>" for each in slide.notes)
    return found + (f'<div class="notes">{spoken}</div>' if notes and spoken else "")


def _background(deck: Deck, slide: Slide) -> str:
    for part, root in slide.layers:
        ground = root.find(f"{P}cSld/{P}bg")
        if ground is None:
            continue
        properties, reference = ground.find(P + "bgPr"), ground.find(P + "bgRef")
        if reference is not None:
            colour = slide.theme.drawn(reference, slide.colours)
            return f"background-color:{colour};" if colour else ""
        if properties is not None:
            return _fill(deck, slide, part, properties)
    return ""


def _fill(deck: Deck, slide: Slide, part: str, properties: Element) -> str:
    """The background set by `solidFill`, `gradFill` or `blipFill`."""
    colour = slide.theme.drawn(properties.find(A + "solidFill"), slide.colours)
    if colour:
        return f"background-color:{colour};"
    gradient = properties.find(A + "gradFill")
    if gradient is not None:
        stops = []
        for each in gradient.iterfind(f"{A}gsLst/{A}gs"):
            place, at = number(each, "pos") or 0, slide.theme.drawn(each, slide.colours)
            if at:
                stops.append((place / 1000, at))
        line = gradient.find(A + "lin")
        if len(stops) > 1:
            angle = (number(line, "ang") or 0) / 60_000 + 90 if line is not None else 180
            colours = ",".join(f"{at} {place:g}%" for place, at in sorted(stops))
            return f"background:linear-gradient({angle:g}deg,{colours});"
    blip = properties.find(f"{A}blipFill/{A}blip")
    if blip is not None and (uri := picture(deck, part, blip.get(R + "embed"))):
        tiled = properties.find(f"{A}blipFill/{A}tile") is not None
        return f"background-image:url({uri});{'' if tiled else 'background-size:100% 100%;'}"
    return ""


def _shape(deck: Deck, slide: Slide, shape: Shape, classes: Classes) -> str:
    if not (shape.box.width or shape.box.height):
        if shape.picture or shape.table or not any(each.text.strip() for each in shape.paragraphs):
            return ""
        shape.box = _usual_place(deck, shape)
    box = shape.box
    css = f"left:{pt(box.x)};top:{pt(box.y)};width:{pt(box.width)};height:{pt(box.height)};"
    if box.turned:
        css += f"transform:rotate({box.turned:g}deg);"
    if shape.picture:
        return _picture(shape, css)
    if shape.drawn is not None:
        drawing = deck.charts.svg(shape.drawn, box.width, box.height, shape.name or shape.chart or "")
        return f'<div class="at" style="{css}">{drawing}</div>'
    if shape.table:
        return f'<div class="at" style="{css}">{_table(slide, shape, classes)}</div>'
    properties, style = shape.element.find(P + "spPr"), shape.element.find(P + "style")
    size = box.width, box.height
    if drawn := lines.drawn(
        properties, style, size, lambda each: slide.theme.drawn(each, slide.colours), flipped=box.flipped
    ):
        return f'<div class="at" style="{css}">{drawn}</div>'
    formatting, drawing = _formatting(deck, slide, shape)
    return f'<div class="at" style="{css}{formatting}">{drawing}{placed(slide, shape, classes)}</div>'


def _usual_place(deck: Deck, shape: Shape) -> Box:
    """The default position for text without one in its shape, layout or master, as in a new presentation."""
    top, height = (0.04, 0.17) if shape.is_title else (0.24, 0.66)
    return Box(0.05 * deck.width, top * deck.height, 0.9 * deck.width, height * deck.height)


def _picture(shape: Shape, css: str) -> str:
    if any(shape.box.flipped):
        turns = (
            f"rotate({shape.box.turned:g}deg) scale({','.join('-1' if each else '1' for each in shape.box.flipped)})"
        )
        css += f"transform:{turns};"
    left, top, right, bottom = shape.crop
    alternative = escape(shape.name)
    if not any(shape.crop) or left + right > 0.95 or top + bottom > 0.95:
        return f'<img class="at" style="{css}" src="{shape.picture}" alt="{alternative}">'
    width, height = shape.box.width / (1 - left - right), shape.box.height / (1 - top - bottom)
    inner = f"left:{pt(-left * width)};top:{pt(-top * height)};width:{pt(width)};height:{pt(height)}"
    return (
        f'<div class="at" style="{css}overflow:hidden"><img class="at" style="{inner}" src="{shape.picture}" '
        f'alt="{alternative}"></div>'
    )


def _formatting(deck: Deck, slide: Slide, shape: Shape) -> tuple[str, str]:
    """The background and border of a shape, its placeholder or its style, or an SVG with both."""
    css = ""
    geometry = None
    for each in (shape.element, *shape.above):
        properties = each.find(P + "spPr")
        if properties is None:
            continue
        geometry = geometry if geometry is not None else properties.find(A + "prstGeom")
        if not css and properties.find(A + "noFill") is None:
            css = _fill(deck, slide, shape.part, properties)
    style = shape.element.find(P + "style")
    own = shape.element.find(P + "spPr")
    if not css and style is not None and (own is None or own.find(A + "noFill") is None):
        reference = style.find(A + "fillRef")
        colour = slide.theme.drawn(reference, slide.colours)
        if colour and reference is not None and reference.get("idx") != "0" and shape.element.tag != P + "cxnSp":
            css = f"background-color:{colour};"
    line = None if own is None else own.find(A + "ln")
    colour = None if line is None else slide.theme.drawn(line.find(A + "solidFill"), slide.colours)
    if colour is None and style is not None and (line is None or line.find(A + "noFill") is None):
        reference = style.find(A + "lnRef")
        if reference is not None and reference.get("idx") != "0":
            colour = slide.theme.drawn(reference, slide.colours)
    kind = "" if geometry is None else geometry.get("prst") or ""
    thick = max(emu(line.get("w")) if line is not None and line.get("w") else 0.75, 0.25)
    size = shape.box.width, shape.box.height
    outline = outlines.path(own, *size, flipped=shape.box.flipped) if css or colour else None
    if outline and "url(" not in css:
        return "", outlines.svg(outline, *size, ground=css, edge=colour or "", thick=thick)
    if colour:
        slim = min(shape.box.width, shape.box.height) < 0.5
        side = ("border-top" if shape.box.width >= shape.box.height else "border-left") if slim else "border"
        css += f"{side}:{pt(thick)} solid {colour};"
    if kind == "ellipse":
        css += "border-radius:50%;"
    elif kind == "roundRect":
        css += f"border-radius:{pt(min(shape.box.width, shape.box.height) * 0.16667)};"
    elif css and kind not in _BOXES and shape.element.tag == P + "sp":
        deck.found[kinds.SHAPE] += 1
    return css, ""


def _table(slide: Slide, shape: Shape, classes: Classes) -> str:
    columns = "".join(f'<col style="width:{pt(each)}">' for each in shape.widths)
    title = f"<p><b>{escape(shape.chart, quote=False)}</b></p>" if shape.chart else ""
    style = table_styles.style(shape.style) if shape.chart is None else table_styles.style("a chart's")
    name = style.accent or ("accent1" if not style.known and shape.chart is None else None)
    accent = None if name is None else slide.theme.colour(slide.colours.get(name, name))
    rows = []
    for at, row in enumerate(shape.table):
        head = shape.headed and at == 0 and shape.chart is None
        ground = None
        if accent and (head or style.accent):
            dark = shape.banded and (at - shape.headed) % 2 == 0
            ground = f"#{accent if head else table_styles.tinted(accent, 0.4 if dark else 0.2)}"
        high = f' style="height:{pt(shape.heights[at])}"' if at < len(shape.heights) and shape.heights[at] else ""
        cells = "".join(_cell(each, classes, ground, style.line, head=head) for each in row)
        rows.append(f"<tr{high}>{cells}</tr>")
    width = pt(shape.box.width)
    return f'{title}<table class="grid" style="width:{width}"><colgroup>{columns}</colgroup>{"".join(rows)}</table>'


def _cell(cell: Cell, classes: Classes, ground: str | None, line: str, *, head: bool) -> str:
    span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    span += f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    fill = cell.fill or ground
    css = {f"border-{side}": cell.edges.get(side, line) for side in ("top", "right", "bottom", "left")}
    css |= {"background-color": fill[:7]} if fill else {}
    css |= {"padding": " ".join(map(pt, cell.margins))} if cell.margins else {}
    css |= {"vertical-align": cell.anchor} if cell.anchor != "top" else {}
    css |= {"font-weight": "bold"} if head and ground else {}
    colour = "#ffffff" if is_dark((fill or "#ffffff")[:7]) or (head and ground and not cell.fill) else None
    return f'<td{span} class="{classes.name(css, "c")}">{paragraphs_of(cell.paragraphs, classes, colour)}</td>'
