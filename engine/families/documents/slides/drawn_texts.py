"""Shape texts as HTML: position in the box, paragraphs, bullets and runs."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides.deck import P, Slide
from engine.families.documents.slides.shapes import Shape
from engine.families.documents.slides.texts import Paragraph, Run
from engine.families.documents.word import text_widths
from engine.families.documents.word.css_classes import Classes, family, natural_line
from engine.families.documents.word.names import A, emu, pt
from engine.families.documents.word.paint import declares_form
from engine.toolkit.shapes.geometry import Form

_PICTURE = 0.8
"""The height of a picture that is a bullet, in heights of the text."""
_LONG = 20
"""The length of a word that may be wider than its box."""
_TURNS = {"vert": 90, "eaVert": 90, "wordArtVert": 90, "mongolianVert": 90, "vert270": 270}
_ALIGN = {"ctr": "center", "r": "right", "just": "justify", "dist": "justify"}


def placed(slide: Slide, shape: Shape, form: Form | None, classes: Classes) -> str:
    """Return the text of a shape, rotated as its body declares (20.1.10.83)."""
    body = next(
        (
            each
            for owner in (shape.element, *shape.above)
            if (each := owner.find(f"{P}txBody/{A}bodyPr")) is not None and each.get("vert")
        ),
        None,
    )
    turn = 0 if body is None else _TURNS.get(body.get("vert") or "", 0)
    box = shape.box
    left, top, right, bottom = (0.0, 0.0, box.width, box.height) if form is None else form.room
    width, height = right - left, bottom - top
    found = _text_of(slide, shape, classes, height if turn else width)
    if not found or (not turn and (width, height) == (box.width, box.height)):
        return found
    if turn:
        left, top = left + (width - height) / 2, top + (height - width) / 2
        width, height = height, width
    place = f"left:{pt(left)};top:{pt(top)};width:{pt(width)};height:{pt(height)}"
    return f'<div class="at" style="{place}{f";transform:rotate({turn}deg)" if turn else ""}">{found}</div>'


def outlined(shape: Shape) -> Element | None:
    """The properties that say the form of a shape: its own, or those of its placeholder."""
    every = (each.find(P + "spPr") for each in (shape.element, *shape.above))
    return next((each for each in every if each is not None and declares_form(each)), None)


def _text_of(slide: Slide, shape: Shape, classes: Classes, room: float) -> str:
    """The text of a shape at its position; empty if there is none. `room` is the width for it, in points."""
    if not any(each.text.strip() for each in shape.paragraphs):
        return ""
    chain = [each.find(f"{P}txBody/{A}bodyPr") for each in (shape.element, *shape.above)]
    bodies = [each for each in chain if each is not None]

    def body_property(name: str, otherwise: str) -> str:
        return next((each.get(name) or "" for each in bodies if each.get(name) is not None), otherwise)

    sides = [("tIns", "45720"), ("rIns", "91440"), ("bIns", "45720"), ("lIns", "91440")]
    padding = " ".join(pt(emu(body_property(name, otherwise))) for name, otherwise in sides)
    anchor = {"ctr": "middle", "b": "bottom"}.get(body_property("anchor", "t"), "top")
    wrap = "white-space:nowrap;" if body_property("wrap", "square") == "none" else ""
    reference = shape.element.find(f"{P}style/{A}fontRef")
    colour = slide.theme.drawn(reference, slide.colours)
    blank = sum(emu(body_property(name, otherwise)) for name, otherwise in sides if name in ("lIns", "rIns"))
    lines = paragraphs_of(shape.paragraphs, classes, colour, math.inf if wrap else room - blank)
    css = f"padding:{padding};vertical-align:{anchor};{wrap}"
    return f'<div class="fill"><div class="in" style="{css}">{lines}</div></div>'


def paragraphs_of(paragraphs: list[Paragraph], classes: Classes, colour: str | None, room: float = math.inf) -> str:
    """The paragraphs of a box; `colour` is the default text colour, and words wider than the `room` are broken."""
    return "".join(_paragraph(each, classes, colour, room, first=not at) for at, each in enumerate(paragraphs))


def _paragraph(paragraph: Paragraph, classes: Classes, colour: str | None, room: float, *, first: bool) -> str:
    formatting, base = paragraph.formatting, paragraph.base
    if first:
        formatting = formatting | {"spcBef": ("pt", 0.0)}  # space above applies only between paragraphs
    # Line height follows the largest text in the line, whatever the paragraph's own size.
    sizes = [each.formatting.get("size", 18.0) for each in paragraph.runs if each.text.strip()]
    css = {"font-size": pt(max(sizes, default=base.get("size", 18.0)))}
    if not paragraph.text.strip():
        return f'<p class="{classes.name(css)}"><br></p>'
    left, indent = formatting.get("marL", 0.0), formatting.get("indent", 0.0)
    css["margin"] = f"{_space(formatting, 'spcBef', base)} 0 {_space(formatting, 'spcAft', base)} {pt(left)}"
    if indent:
        css["text-indent"] = pt(indent)
    if align := _ALIGN.get(formatting.get("align", "")):
        css["text-align"] = align
    kind, height = formatting.get("lnSpc", ("%", 1.0))
    if kind == "pt":
        css["line-height"] = pt(height)
    elif abs(height - 1) > 0.01:
        css["line-height"] = f"{max(height, 0.1) * natural_line(base):.3f}"
    mark = paragraph.bullet or paragraph.numbered
    label = ""
    if mark:
        head = dict(paragraph.runs[0].formatting if paragraph.runs else base)
        head |= {"color": formatting.get("bulletColour") or head.get("color"), "u": False, "font": base.get("font", "")}
        sized, size = formatting.get("bulletSize", ("%", 1.0))
        head["size"] = size if sized == "pt" else head.get("size", 18.0) * size
        shown = _css(head, colour) | {"display": "inline-block", "text-indent": "0", "min-width": pt(max(-indent, 8.0))}
        inside = escape(mark, quote=False)
        if paragraph.picture:
            tall = pt(head["size"] * _PICTURE)
            inside = f'<img src="{paragraph.picture}" alt="{inside}" style="height:{tall};vertical-align:baseline">'
        label = f'<span class="{classes.name(shown, "n")}">{inside}</span>'
    # Only where needed: PlutoPrint would break a word between any two runs.
    words = paragraph.text.split()
    largest = {**base, "size": max(sizes, default=base.get("size", 18.0))}
    wide = not math.isinf(room) and max(text_widths.width(each, largest) for each in words) > 1.05 * (room - left)
    long = " long" if wide or max(map(len, words), default=0) > _LONG else ""
    runs = "".join(_run(each, classes, colour) for each in paragraph.runs)
    return f'<p class="{classes.name(css)}{long}">{label}{runs}</p>'


def _space(formatting: dict[str, Any], name: str, base: dict[str, Any]) -> str:
    kind, length = formatting.get(name, ("pt", 0.0))
    return pt(length if kind == "pt" else length * base.get("size", 18.0) * natural_line(base))


def _css(formatting: dict[str, Any], colour: str | None) -> dict[str, str]:
    css = {"font-size": pt(formatting.get("size", 18.0)), "color": (formatting.get("color") or colour or "#000000")[:7]}
    if formatting.get("font"):
        css["font-family"] = family(str(formatting["font"]))
    if "b" in formatting:  # a cell may be bold
        css["font-weight"] = "bold" if formatting["b"] else "normal"
    if formatting.get("i"):
        css["font-style"] = "italic"
    lines = [name for key, name in (("u", "underline"), ("strike", "line-through")) if formatting.get(key)]
    if lines:
        css["text-decoration"] = " ".join(lines)
    if formatting.get("caps"):
        css["text-transform"] = "uppercase"
    if formatting.get("baseline"):
        css |= {"vertical-align": "super" if formatting["baseline"] > 0 else "sub", "line-height": "0"}
        css["font-size"] = pt(formatting.get("size", 18.0) * 0.66)
    return css


def _run(run: Run, classes: Classes, colour: str | None) -> str:
    if run.formatting.get("font") and run.text.strip():
        classes.letters.setdefault(str(run.formatting["font"]), set()).update(run.text)
    text = run.markup or escape(run.text, quote=False).replace("\n", "<br>")
    text = f'<span class="{classes.name(_css(run.formatting, colour), "s")}">{text}</span>'
    return f'<a href="{escape(run.link)}">{text}</a>' if run.link else text
