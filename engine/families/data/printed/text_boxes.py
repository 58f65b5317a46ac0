"""Boxes with text on a sheet (ECMA-376, part 1, 20.5.2.29)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.families.data.printed.lines import Line, Missing, lines
from engine.families.data.printed.looks import Font, Run
from engine.families.data.printed.texts import Pen
from engine.families.data.printed.xlsx_colours import Colours, parts
from engine.toolkit.xml_elements import child, children, is_on, local, number

_EMU = 12_700.0
_ACROSS = {"ctr": "center", "r": "right"}
_BOXES = ("rect", "roundRect", "flowChartProcess", "flowChartAlternateProcess")
_USUAL = Font("Calibri", 11.0)


@dataclass(frozen=True)
class TextBox:
    """A box: its fill and line, its paragraphs with their alignment, its insets and where in it they are."""

    fill: str | None
    line: str | None
    thick: float
    paragraphs: tuple[tuple[str, tuple[Run, ...]], ...]
    insets: tuple[float, float, float, float]
    down: str

    @property
    def text(self) -> str:
        return " ".join("".join(run.text for run in runs) for _, runs in self.paragraphs)


def read(shape: Any, colours: Colours) -> tuple[TextBox | None, bool]:
    """The box of a shape, None if it shows nothing, and whether it has another form, of which the text is drawn."""
    properties, style = child(shape, "spPr"), child(shape, "style")
    geometry = child(properties, "prstGeom")
    plain = geometry is not None and (geometry.get("prst") or "") in _BOXES
    fill = line = None
    text_colour = "000000"
    thick = 0.75
    if plain:
        fill = colours.drawn(child(properties, "solidFill"))
        edge = child(properties, "ln")
        line = colours.drawn(child(edge, "solidFill"))
        thick = number(None if edge is None else edge.get("w"), 9525) / _EMU
        if fill is None and child(properties, "noFill") is None:
            fill = _of_style(style, "fillRef", colours)
        if line is None and child(edge, "noFill") is None:
            line = _of_style(style, "lnRef", colours)
        if fill is not None:
            text_colour = colours.drawn(child(style, "fontRef")) or text_colour
    body = child(shape, "txBody")
    layout = child(body, "bodyPr")
    usual = replace(_USUAL, colour=text_colour)
    paragraphs = tuple(_paragraph(each, usual, colours) for each in children(body, "p"))
    box = TextBox(
        fill, line, min(max(thick, 0.25), 20.0), paragraphs,
        tuple(number(None if layout is None else layout.get(name), usual) / _EMU  # type: ignore[arg-type]
              for name, usual in (("lIns", 91440), ("tIns", 45720), ("rIns", 91440), ("bIns", 45720))),
        (layout.get("anchor") if layout is not None else None) or "t",
    )  # fmt: skip
    shown = bool(box.text.strip() or fill or line)
    return box if shown else None, not plain


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


def draw(canvas: Any, box: TextBox, place: tuple[float, float, float, float], missing: Missing) -> None:
    """Draw a box at its left, bottom, width and height; what does not fit is cut off."""
    x, y, wide, high = place
    canvas.saveState()
    if box.fill:
        canvas.setFillColorRGB(*parts(box.fill))
    if box.line:
        canvas.setStrokeColorRGB(*parts(box.line))
        canvas.setLineWidth(box.thick)
        canvas.setDash([], 0)
    if box.fill or box.line:
        canvas.rect(x, y, wide, high, stroke=int(bool(box.line)), fill=int(bool(box.fill)))
    path = canvas.beginPath()
    path.rect(x, y, wide, high)
    canvas.clipPath(path, stroke=0, fill=0)
    left, top, right, bottom = box.insets
    room = max(wide - left - right, 1.0)
    found: list[tuple[str, Line]] = []
    for across, runs in box.paragraphs:
        font = next((each.font for each in runs if each.font), _USUAL)
        found += [(across, each) for each in lines(runs or (Run(""),), font, room, missing)]
    total = sum(line.height for _, line in found)
    start = {"ctr": (high - total) / 2, "b": high - bottom - total}.get(box.down, top)
    at = y + high - max(start, 0.0)
    pen = Pen(canvas, grey=False)
    pen.open()
    for across, line in found:
        at -= line.ascent
        spare = room - line.width
        pen.line(line, x + left + {"center": spare / 2, "right": spare}.get(across, 0.0), at)
        at -= line.descent
    pen.close()
    canvas.restoreState()
