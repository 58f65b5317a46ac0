"""Shape texts as HTML: position in the box, paragraphs, bullets and runs."""

from __future__ import annotations

from html import escape
from typing import Any

from engine.families.documents.slides.deck import P, Slide
from engine.families.documents.slides.shapes import Shape
from engine.families.documents.slides.texts import Paragraph, Run
from engine.families.documents.word.css_classes import LINE, Classes, family
from engine.families.documents.word.names import A, emu, pt

_LONG = 20
"""The length of a word that may be wider than its box."""
_ALIGN = {"ctr": "center", "r": "right", "just": "justify", "dist": "justify"}


def text_of(slide: Slide, shape: Shape, classes: Classes) -> str:
    """The text of a shape at its position; empty if there is none."""
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
    lines = paragraphs_of(shape.paragraphs, classes, colour)
    css = f"padding:{padding};vertical-align:{anchor};{wrap}"
    return f'<div class="fill"><div class="in" style="{css}">{lines}</div></div>'


def paragraphs_of(paragraphs: list[Paragraph], classes: Classes, colour: str | None) -> str:
    """The paragraphs of a box; `colour` is the default text colour."""
    return "".join(_paragraph(each, classes, colour, first=not at) for at, each in enumerate(paragraphs))


def _paragraph(paragraph: Paragraph, classes: Classes, colour: str | None, *, first: bool) -> str:
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
        css["line-height"] = f"{max(height, 0.1) * LINE:.3f}"
    mark = paragraph.bullet or paragraph.numbered
    label = ""
    if mark:
        head = dict(paragraph.runs[0].formatting if paragraph.runs else base)
        head |= {"color": formatting.get("bulletColour") or head.get("color"), "u": False, "font": base.get("font", "")}
        shown = _css(head, colour) | {"display": "inline-block", "text-indent": "0", "min-width": pt(max(-indent, 8.0))}
        label = f'<span class="{classes.name(shown, "n")}">{escape(mark, quote=False)}</span>'
    # Only where needed: PlutoPrint would break a word between any two runs.
    long = " long" if max(map(len, paragraph.text.split()), default=0) > _LONG else ""
    runs = "".join(_run(each, classes, colour) for each in paragraph.runs)
    return f'<p class="{classes.name(css)}{long}">{label}{runs}</p>'


def _space(formatting: dict[str, Any], name: str, base: dict[str, Any]) -> str:
    kind, length = formatting.get(name, ("pt", 0.0))
    return pt(length if kind == "pt" else length * base.get("size", 18.0) * LINE)


def _css(formatting: dict[str, Any], colour: str | None) -> dict[str, str]:
    css = {"font-size": pt(formatting.get("size", 18.0)), "color": (formatting.get("color") or colour or "#000000")[:7]}
    if formatting.get("font"):
        css["font-family"] = family(str(formatting["font"]))
    if formatting.get("b"):
        css["font-weight"] = "bold"
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
    text = run.markup or escape(run.text, quote=False).replace("\n", "<br>")
    text = f'<span class="{classes.name(_css(run.formatting, colour), "s")}">{text}</span>'
    return f'<a href="{escape(run.link)}">{text}</a>' if run.link else text
