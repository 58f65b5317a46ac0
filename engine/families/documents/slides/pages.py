"""Draw slides as PDF pages, with every shape at its place."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from engine.families.documents.ooxml.package import Package
from engine.families.documents.slides import deck as kinds
from engine.families.documents.slides import speaker_notes
from engine.families.documents.slides.deck import Deck, P, Slide
from engine.families.documents.slides.drawn_texts import outlined, paragraphs_of, placed
from engine.families.documents.slides.outline import report
from engine.families.documents.slides.painting import Backgrounds, palette
from engine.families.documents.slides.shapes import Shape, shapes
from engine.families.documents.slides.tables import Cell
from engine.families.documents.slides.vocabulary import SLIDES
from engine.families.documents.word.css_classes import Classes, is_dark
from engine.families.documents.word.names import pt
from engine.families.documents.word.paint import Framed, drawn_box, framed, paint
from engine.families.html_pdf import render
from engine.families.html_pdf.options import PageOptions
from engine.toolkit import vocabulary
from engine.toolkit.failures import InvalidOption
from engine.toolkit.shapes.custom import form_of
from engine.toolkit.shapes.geometry import Form
from engine.toolkit.shapes.groups import Box
from engine.toolkit.warnings import Warn

_BASE = """\
html,body{margin:0;padding:0;font-family:sans-serif;color:#000000}
p{margin:0;white-space:pre-wrap}.long{overflow-wrap:break-word}
.slide{position:relative;overflow:hidden}.slide+.slide{break-before:page}
.at{position:absolute;box-sizing:border-box}.fill{position:relative;display:table;table-layout:fixed;width:100%;height:100%}
.in{display:table-cell}table.grid{border-collapse:collapse;table-layout:fixed;font-size:12pt}
td{padding:3.6pt 7.2pt;vertical-align:top}
a{text-decoration:underline;color:inherit}
.notes{break-before:page;padding:36pt;font-size:12pt;font-family:serif}
"""


def to_pdf(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Draw each slide as a page. Raises Unreadable, OverLimit and InvalidOption."""
    with Package(source) as package:
        deck = Deck(package, drawn=True)
        slides = deck.slides(hidden=options.hidden_slides)
        if not slides and deck.found[kinds.HIDDEN]:
            raise InvalidOption("hiddenSlides", "All slides are hidden. Set hiddenSlides to include them.")
        classes = Classes()
        backgrounds = Backgrounds(deck, classes)
        body = "".join(_slide(deck, each, classes, backgrounds.of(each), options.notes) for each in slides)
        report(deck, warn)
        if not options.notes:
            speaker_notes.report(slides, warn)
        vocabulary.report(SLIDES.unknown(each.root for each in slides), warn)
        render.report_fonts(classes.letters, warn)
        size = f"@page{{size:{pt(deck.width)} {pt(deck.height)};margin:0}}"
    page = f"<!DOCTYPE html><html><head><style>{_BASE}{size}{classes.sheet()}</style></head><body>{body}</body></html>"
    try:
        render.render(page, target, PageOptions(page_ranges=options.pages, fit_to_width=False), warn)
    except InvalidOption as error:
        raise InvalidOption("pages", error.message) from error


def _slide(deck: Deck, slide: Slide, classes: Classes, background: tuple[str, str], notes: bool) -> str:
    """A slide with its background, as `Backgrounds` gives it."""
    inside = []
    shown = slide.root.get("showMasterSp") not in ("0", "false")
    own = shapes(deck, slide)
    for layer in range(len(slide.layers) - 1, 0, -1):
        if not shown or (layer == 2 and slide.layers[1][1].get("showMasterSp") in ("0", "false")):
            continue
        inside += [_shape(deck, slide, each, classes) for each in shapes(deck, slide, layer) if not each.kind]
    inside += [_shape(deck, slide, each, classes) for each in own]
    ground, behind = background
    css = f"width:{pt(deck.width)};height:{pt(deck.height - 0.05)}"
    found = f'<div class="slide {ground}" style="{css}">{behind}{"".join(inside)}</div>'
    spoken = "".join(f"<p>{escape(''.join(each.itertext()), quote=False)}</p>" for each in slide.notes)
    return found + (f'<div class="notes">{spoken}</div>' if notes and spoken else "")


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
        properties = shape.element.find(P + "spPr")
        colours, picture = palette(deck, slide, shape.part), Framed(shape.picture, shape.crop)
        style = shape.element.find(P + "style")
        drawn = framed(properties, style, colours, picture, (box.width, box.height))
        return _picture(shape, css, drawn)
    if shape.drawn is not None:
        drawing = deck.charts.svg(shape.drawn, box.width, box.height, shape.name or shape.chart or "")
        return f'<div class="at" style="{css}">{drawing}</div>'
    if shape.inner:
        return "".join(_shape(deck, slide, each, classes) for each in shape.inner)
    if shape.table:
        return f'<div class="at" style="{css}">{_table(shape, classes)}</div>'
    form = form_of(outlined(shape), box.width, box.height, flipped=box.flipped)
    formatting, drawing = _formatting(deck, slide, shape, form)
    return f'<div class="at" style="{css}{formatting}">{drawing}{placed(slide, shape, form, classes)}</div>'


def _usual_place(deck: Deck, shape: Shape) -> Box:
    """The default position for text without one in its shape, layout or master, as in a new presentation."""
    top, height = (0.04, 0.17) if shape.is_title else (0.24, 0.66)
    return Box(0.05 * deck.width, top * deck.height, 0.9 * deck.width, height * deck.height)


def _picture(shape: Shape, css: str, drawn: str) -> str:
    if any(shape.box.flipped):
        turns = (
            f"rotate({shape.box.turned:g}deg) scale({','.join('-1' if each else '1' for each in shape.box.flipped)})"
        )
        css += f"transform:{turns};"
    left, top, right, bottom = shape.crop
    alternative = escape(shape.name)
    if drawn:
        return f'<div class="at" role="img" aria-label="{alternative}" style="{css}">{drawn}</div>'
    if not any(shape.crop) or left + right > 0.95 or top + bottom > 0.95:
        return f'<img class="at" style="{css}" src="{shape.picture}" alt="{alternative}">'
    width, height = shape.box.width / (1 - left - right), shape.box.height / (1 - top - bottom)
    inner = f"left:{pt(-left * width)};top:{pt(-top * height)};width:{pt(width)};height:{pt(height)}"
    return (
        f'<div class="at" style="{css}overflow:hidden"><img class="at" style="{inner}" src="{shape.picture}" '
        f'alt="{alternative}"></div>'
    )


def _formatting(deck: Deck, slide: Slide, shape: Shape, form: Form | None) -> tuple[str, str]:
    """The background and border of a shape, its placeholder or its style as CSS, or an SVG with both."""
    painted = paint(
        [each.find(P + "spPr") for each in (shape.element, *shape.above)],
        shape.element.find(P + "style"),
        palette(deck, slide, shape.part),
    )
    properties, size = outlined(shape), (shape.box.width, shape.box.height)
    if form is None and properties is not None and (painted.fill or painted.line):
        deck.found[kinds.SHAPE] += 1
    return drawn_box(properties, painted, form, size)


def _table(shape: Shape, classes: Classes) -> str:
    columns = "".join(f'<col style="width:{pt(each)}">' for each in shape.widths)
    title = f"<p><b>{escape(shape.chart, quote=False)}</b></p>" if shape.chart else ""
    rows = []
    for at, row in enumerate(shape.table):
        high = f' style="height:{pt(shape.heights[at])}"' if at < len(shape.heights) and shape.heights[at] else ""
        rows.append(f"<tr{high}>{''.join(_cell(each, _room_of(shape, at, each), classes) for each in row)}</tr>")
    width = pt(shape.box.width)
    return f'{title}<table class="grid" style="width:{width}"><colgroup>{columns}</colgroup>{"".join(rows)}</table>'


def _room_of(shape: Shape, row: int, cell: Cell) -> tuple[float, float]:
    """The width and height inside a cell, as the table declares them."""
    wide = sum(shape.widths[cell.column : cell.column + cell.columns])
    high = sum(shape.heights[row : row + cell.rows])
    top, right, bottom, left = cell.margins
    return max(wide - left - right, 1.0), max(high - top - bottom, 1.0)


def _cell(cell: Cell, room: tuple[float, float], classes: Classes) -> str:
    span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    span += f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    css = {f"border-{side}": line for side, line in cell.edges.items()}
    css |= {"background-color": cell.fill} if cell.fill else {}
    css |= {"padding": " ".join(map(pt, cell.margins))} if cell.margins != Cell([]).margins else {}
    css |= {"vertical-align": cell.anchor} if cell.anchor != "top" else {}
    css |= {"font-weight": "bold"} if cell.bold else {}
    colour = "#ffffff" if is_dark((cell.fill or "#ffffff")[:7]) else None
    text = paragraphs_of(cell.paragraphs, classes, colour)
    if cell.turn:  # around the middle of the cell
        wide, high = room
        place = f"left:{pt((wide - high) / 2)};top:{pt((high - wide) / 2)};width:{pt(high)};height:{pt(wide)}"
        inner = f'<div class="fill"><div class="in" style="vertical-align:{cell.anchor}">{text}</div></div>'
        inner = f'<div class="at" style="{place};transform:rotate({cell.turn}deg)">{inner}</div>'
        text = f'<div style="position:relative;height:{pt(high)}">{inner}</div>'
    return f'<td{span} class="{classes.name(css, "c")}">{text}</td>'
