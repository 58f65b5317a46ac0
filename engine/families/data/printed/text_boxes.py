"""Shapes and boxes with text on a sheet (ECMA-376, part 1, 20.5.2.29)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.families.data.printed.lines import Line, Missing, lines
from engine.families.data.printed.looks import Font, Run
from engine.families.data.printed.texts import Pen
from engine.families.data.printed.xlsx_colours import Colours, parts
from engine.toolkit.shapes import lines as drawn_lines
from engine.toolkit.shapes.custom import form_of
from engine.toolkit.shapes.geometry import SHADES, Form, Outline
from engine.toolkit.xml_elements import child, children, is_on, local, number

_EMU = 12_700.0
_ACROSS = {"ctr": "center", "r": "right"}
_ANY = 100.0
_USUAL = Font("Calibri", 11.0)


@dataclass(frozen=True)
class TextBox:
    """A shape: its properties, which say its form, how it is turned over, its fill and line, its paragraphs with their
    alignment, its insets and where in it they are."""

    properties: Any
    flipped: tuple[bool, bool]
    fill: str | None
    line: drawn_lines.Line | None
    paragraphs: tuple[tuple[str, tuple[Run, ...]], ...]
    insets: tuple[float, float, float, float]
    down: str

    @property
    def text(self) -> str:
        return " ".join("".join(run.text for run in runs) for _, runs in self.paragraphs)


def read(shape: Any, colours: Colours, flipped: tuple[bool, bool]) -> tuple[TextBox | None, bool]:
    """A shape, None if it shows nothing, and whether its form is known; of others only the text is drawn."""
    properties, style = child(shape, "spPr"), child(shape, "style")
    known = form_of(properties, _ANY, _ANY) is not None
    fill = line = None
    if known:
        fill = colours.drawn(child(properties, "solidFill"))
        if fill is None and child(properties, "noFill") is None:
            fill = colours.drawn(child(properties, "gradFill", "gsLst", "gs")) or _of_style(style, "fillRef", colours)
        line = drawn_lines.line_of(
            properties, style, lambda each: f"#{found}" if (found := colours.drawn(each)) else None
        )
    text_colour = colours.drawn(child(style, "fontRef")) if fill is not None else None
    body = child(shape, "txBody")
    layout = child(body, "bodyPr")
    usual = replace(_USUAL, colour=text_colour or "000000")
    paragraphs = tuple(_paragraph(each, usual, colours) for each in children(body, "p"))
    box = TextBox(
        properties if known else None, flipped, fill, line, paragraphs,
        tuple(number(None if layout is None else layout.get(name), usual) / _EMU  # type: ignore[arg-type]
              for name, usual in (("lIns", 91440), ("tIns", 45720), ("rIns", 91440), ("bIns", 45720))),
        (layout.get("anchor") if layout is not None else None) or "t",
    )  # fmt: skip
    shown = bool(box.text.strip() or fill or line)
    return box if shown else None, known


def _css(colours: Colours, element: Any) -> str | None:
    found = colours.drawn(element)
    return f"#{found}" if found else None


def _of_style(style: Any, name: str, colours: Colours) -> str | None:
    reference = child(style, name)
    return None if reference is None or reference.get("idx") in (None, "0") else colours.drawn(reference)


def _paragraph(element: Any, usual: Font, colours: Colours) -> tuple[str, tuple[Run, ...]]:
    given = child(element, "pPr")
    across = _ACROSS.get((given.get("algn") if given is not None else None) or "", "left")
    runs = []
    for each in children(element, "r", "fld", "br"):
        if local(each) == "br":
            runs.append(Run("\n", usual))
            continue
        own, text = child(each, "rPr"), child(each, "t")
        font = usual
        if own is not None:
            latin = child(own, "latin")
            face = "" if latin is None else latin.get("typeface") or ""
            font = Font(
                usual.name if not face or face.startswith("+") else face,
                min(max(number(own.get("sz"), 1100) / 100, 1.0), 400.0),
                is_on(own.get("b")),
                is_on(own.get("i")),
                "" if own.get("u") in (None, "none") else "single",
                colour=colours.drawn(child(own, "solidFill")) or usual.colour,
            )
        runs.append(Run("" if text is None else text.text or "", font))
    return across, tuple(runs)


def draw(canvas: Any, box: TextBox, place: tuple[float, float, float, float], turn: float, missing: Missing) -> None:
    """Draw a shape at its left, bottom, width and height, turned clockwise; text that does not fit is cut off."""
    x, y, wide, high = place
    canvas.saveState()
    canvas.translate(x + wide / 2, y + high / 2)
    canvas.rotate(-turn)
    canvas.translate(-wide / 2, -high / 2)
    form = form_of(box.properties, wide, high, flipped=box.flipped) or Form((), (0.0, 0.0, wide, high))
    _painted(canvas, box, form, high)
    path = canvas.beginPath()
    path.rect(0, 0, wide, high)
    canvas.clipPath(path, stroke=0, fill=0)
    left, top, right, bottom = box.insets
    edges = form.room
    left, top, right, bottom = left + edges[0], top + edges[1], right + wide - edges[2], bottom + high - edges[3]
    room = max(wide - left - right, 1.0)
    found: list[tuple[str, Line]] = []
    for across, runs in box.paragraphs:
        font = next((each.font for each in runs if each.font), _USUAL)
        found += [(across, each) for each in lines(runs or (Run(""),), font, room, missing)]
    total = sum(line.height for _, line in found)
    start = {"ctr": top + (high - top - bottom - total) / 2, "b": high - bottom - total}.get(box.down, top)
    at = high - max(start, 0.0)
    pen = Pen(canvas, grey=False)
    pen.open()
    for across, line in found:
        at -= line.ascent
        spare = room - line.width
        pen.line(line, left + {"center": spare / 2, "right": spare}.get(across, 0.0), at)
        at -= line.descent
    pen.close()
    canvas.restoreState()


def _painted(canvas: Any, box: TextBox, form: Form, high: float) -> None:
    """Draw the paths of a form."""
    for each in form.outlines:
        stroke = box.line if each.stroked else None
        _outline(canvas, _path(canvas, each, high), fill=box.fill if each.fill != "none" else None, line=stroke)
        if box.fill and (shade := SHADES.get(each.fill)):
            canvas.saveState()
            canvas.setFillGray(shade[0], alpha=shade[1])
            canvas.drawPath(_path(canvas, each, high), stroke=0, fill=1)
            canvas.restoreState()
        if stroke is not None:
            solid = replace(stroke, dashes=())
            for head in drawn_lines.heads(stroke, each):
                colour, line = (None, solid) if head.stroked else (stroke.colour[1:], None)
                _outline(canvas, _path(canvas, head, high), fill=colour, line=line)


def _outline(canvas: Any, path: Any, *, fill: str | None, line: drawn_lines.Line | None) -> None:
    if fill:
        canvas.setFillColorRGB(*parts(fill))
    if line:
        canvas.setStrokeColorRGB(*parts(line.colour[1:]))
        canvas.setLineWidth(line.thick)
        canvas.setDash([each * line.thick for each in line.dashes], 0)
    if fill or line:
        canvas.drawPath(path, stroke=int(bool(line)), fill=int(bool(fill)))


def _path(canvas: Any, outline: Outline, high: float) -> Any:
    path = canvas.beginPath()
    for kind, points in outline.steps:
        turned = [high - each if at % 2 else each for at, each in enumerate(points)]
        {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}[kind](*turned)
    return path
