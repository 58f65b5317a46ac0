"""Write the drawing of a chart as SVG."""

from __future__ import annotations

import re
from html import escape

from engine.toolkit.charts.figures import Drawing, Outline, Step, Words
from engine.toolkit.charts.model import Paint, Stroke

_FONTS = "Arial, 'Liberation Sans', sans-serif"
_NO_NAME = re.compile(r"[^\w .()&+-]")


def svg(drawing: Drawing, *, label: str, style: str = "", inline: bool = True, font: str = "") -> str:
    """A drawing as an SVG element with a description of it; without `inline` it is a document of its own."""
    described = f"<title>{escape(label, quote=False)}</title>" if label else ""
    named = "" if inline else ' xmlns="http://www.w3.org/2000/svg"'
    look = f' style="overflow:visible;{style}"'
    unit = "pt"
    name = _NO_NAME.sub("", font)[:100].strip()
    family = f"'{name}', {_FONTS}" if name else _FONTS
    size = f'width="{_n(drawing.width)}{unit}" height="{_n(drawing.height)}{unit}"'
    box = f'viewBox="0 0 {_n(drawing.width)} {_n(drawing.height)}"'
    inside = "".join(_outline(each) if isinstance(each, Outline) else _words(each) for each in drawing.items)
    return f'<svg{named} class="chart" role="img"{look} {size} {box} font-family="{family}">{described}{inside}</svg>'


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".") if abs(number) < 1e7 else "0"


def _path(steps: tuple[Step, ...]) -> str:
    return "".join(letter + " ".join(map(_n, numbers)) for letter, numbers in steps)


def _painted(name: str, paint: Paint | None) -> str:
    if paint is None:
        return f' {name}="none"' if name == "fill" else ""
    clear = f' {name}-opacity="{paint.opacity:.3g}"' if paint.opacity < 1 else ""
    return f' {name}="{paint.colour}"{clear}'


def _edge(edge: Stroke | None) -> str:
    if edge is None:
        return ""
    dashes = f' stroke-dasharray="{" ".join(map(_n, edge.dashes))}"' if edge.dashes else ""
    return f'{_painted("stroke", edge.paint)} stroke-width="{_n(edge.width)}" stroke-linejoin="round"{dashes}'


def _outline(each: Outline) -> str:
    return f'<path d="{_path(each.steps)}"{_painted("fill", each.fill)}{_edge(each.edge)}/>'


def _words(each: Words) -> str:
    look = each.lettering
    x, y = map(_n, each.at)
    turn = f' transform="rotate({_n(each.turn)} {x} {y})"' if each.turn else ""
    anchor = f' text-anchor="{each.anchor}"' if each.anchor != "start" else ""
    bold = ' font-weight="bold"' if look.bold else ""
    italic = ' font-style="italic"' if look.italic else ""
    fill = _painted("fill", look.paint)
    text = escape(each.text, quote=False)
    return f'<text x="{x}" y="{y}" font-size="{_n(look.size)}"{anchor}{bold}{italic}{fill}{turn}>{text}</text>'
