"""Convert text and paragraph properties to CSS, with one class for equal declarations."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TypeAlias

from engine.families.documents.word.names import pt
from engine.families.documents.word.properties import Properties
from engine.toolkit import font_twins, symbols

Css: TypeAlias = dict[str, str]

_DESCENT = 0.217
"""The descent of a font below the baseline, in font sizes."""
_SERIF = re.compile(
    r"times|cambria|georgia|garamond|palatino|antiqua|bookman|century|minion|serif|roman|caladea|constantia|didot|song"
    r"|mincho|baskerville|rockwell|perpetua|goudy", re.IGNORECASE,
)  # fmt: skip
USUAL_FONT = "Times New Roman"
_MONO = re.compile(r"courier|consol|mono|typewriter|menlo|fixed|code", re.IGNORECASE)
_BUNDLED = {"serif": "Liberation Serif", "sans-serif": "Liberation Sans", "monospace": "Liberation Mono"}
_INHERITED = ("font-family", "font-size", "font-weight", "font-style", "color", "text-transform", "font-variant",
              "letter-spacing", "font-kerning")  # fmt: skip
_NORMAL = {
    "font-weight": "normal", "font-style": "normal", "text-transform": "none", "font-variant": "normal",
    "letter-spacing": "normal", "font-kerning": "none", "color": "#000000", "font-family": "serif", "font-size": "10pt",
}  # fmt: skip
UNDERLINES = {
    "double": "double", "dotted": "dotted", "dottedHeavy": "dotted", "dash": "dashed", "dashedHeavy": "dashed",
    "dashLong": "dashed", "dashLongHeavy": "dashed", "dotDash": "dashed", "dashDotHeavy": "dashed",
    "dotDotDash": "dashed", "dashDotDotHeavy": "dashed", "wave": "wavy", "wavyHeavy": "wavy", "wavyDouble": "wavy",
}  # fmt: skip
"""CSS values for kinds of underline other than a single line."""
_ALIGN = {
    "center": "center", "right": "right", "end": "right", "both": "justify", "distribute": "justify",
    "left": "left", "start": "left", "highKashida": "justify", "lowKashida": "justify", "mediumKashida": "justify",
    "thaiDistribute": "justify",
}  # fmt: skip


@lru_cache(maxsize=1000)
def bundled(font: str) -> str:
    """The bundled font that is drawn for a font, unless the operator has it."""
    return font_twins.stand_in(font) or _BUNDLED[generic(font)]


def natural_line(text: Properties) -> float:
    """The natural line height of the font of a text, in font sizes."""
    return font_twins.line_height(bundled(str(text.get("font", USUAL_FONT))))


class Classes:
    """Builds a style sheet: equal declarations share a class."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self.letters: dict[str, set[str]] = {}
        """The characters set in each font, by those who note them here."""

    def name(self, css: Css, letter: str = "p") -> str:
        """The class for some declarations; empty if there are none."""
        return self.named(";".join(f"{name}:{value}" for name, value in css.items()), letter)

    def named(self, text: str, letter: str = "p") -> str:
        """The same for declarations as they are written."""
        if not text:
            return ""
        return self._names.setdefault(text, f"{letter}{len(self._names) + 1}")

    def sheet(self) -> str:
        return "\n".join(f".{name}{{{text}}}" for text, name in self._names.items())


def family(font: str) -> str:
    """A font family with its fallbacks."""
    clean = re.sub(r"[^\w .()&+-]", "", font)[:100].strip()
    if not clean or symbols.is_symbolic(clean):
        return "sans-serif"
    return f"'{clean}',{generic(clean)}"


def generic(font: str) -> str:
    """The generic family of CSS that a font is most like."""
    return "monospace" if _MONO.search(font) else "serif" if _SERIF.search(font) else "sans-serif"


def base(text: Properties, *, dark: bool = False) -> Css:
    """The CSS common to a paragraph's text, as far as CSS inherits it."""
    size = text.get("size", 10.0)
    # Only from a size on that is said (17.3.2.19).
    kerned = 0 < text.get("kern", 0.0) <= size
    if text.get("vertAlign") in ("superscript", "subscript"):
        size *= 0.65
    colour = text.get("color", "auto")
    if colour == "auto":
        colour = "#ffffff" if dark or is_dark(text.get("shd")) or is_dark(text.get("highlight")) else "#000000"
    return {
        "font-family": family(text.get("font", USUAL_FONT)),
        "font-size": pt(size),
        "font-weight": "bold" if text.get("b") else "normal",
        "font-style": "italic" if text.get("i") else "normal",
        "color": colour,
        "text-transform": "uppercase" if text.get("caps") else "none",
        "font-variant": "small-caps" if text.get("smallCaps") and not text.get("caps") else "normal",
        "letter-spacing": pt(text["spacing"]) if text.get("spacing") else "normal",
        "font-kerning": "auto" if kerned else "none",
    }


def non_default(css: Css) -> Css:
    """The declarations that differ from an unstyled page."""
    return {name: value for name, value in css.items() if _NORMAL.get(name) != value}


def run(text: Properties, around: Css, *, dark: bool = False) -> Css:
    """The CSS of a run beyond that of its paragraph."""
    own = base(text, dark=dark)
    css = {name: own[name] for name in _INHERITED if own[name] != around.get(name, _NORMAL[name])}
    lines = []
    if text.get("u", "none") != "none":
        lines.append("underline")
    if text.get("strike") or text.get("dstrike"):
        lines.append("line-through")
    if lines:
        if lines[0] == "underline" and (style := UNDERLINES.get(text["u"])):
            lines.append(style)
        if lines[0] == "underline" and "line-through" not in lines and text.get("uColor"):
            lines.append(text["uColor"])
        css["text-decoration"] = " ".join(lines)
    ground = text.get("highlight") or text.get("shd")
    if ground and ground != "transparent":
        css["background-color"] = ground
    if text.get("vertAlign") == "superscript":
        css |= {"vertical-align": "super", "line-height": "0"}
    elif text.get("vertAlign") == "subscript":
        css |= {"vertical-align": "sub", "line-height": "0"}
    elif text.get("position"):
        css["vertical-align"] = pt(text["position"])
    if text.get("bdr", "none") != "none":
        css["border"] = text["bdr"]
    return css


def paragraph(block: Properties, text: Properties, *, above: bool, below: bool, pitch: float = 0.0) -> Css:
    """The CSS of a paragraph; `above` and `below` are whether a neighbour shares its frame.

    `pitch` is the distance of the lines of a grid that its lines are on, in points; 0 without one.
    """
    css: Css = {}
    left, right, first = block.get("left", 0.0), block.get("right", 0.0), block.get("first", 0.0)
    edges = block.get("borders", {})
    padding = {}
    for side in ("top", "right", "bottom", "left"):
        edge, space = edges.get(side, ("none", 0.0))
        if edge == "none" or (side == "top" and above) or (side == "bottom" and below):
            continue
        css[f"border-{side}"] = edge
        padding[side] = space
    if above and "between" in edges and edges["between"][0] != "none":
        css["border-top"] = edges["between"][0]
    for side, space in padding.items():
        if space:
            css[f"padding-{side}"] = pt(space)
    left -= padding.get("left", 0.0)
    right -= padding.get("right", 0.0)
    before = 0.0 if above and edges else block.get("before", 0.0)
    after = 0.0 if below and edges else block.get("after", 0.0)
    css["margin"] = " ".join(pt(each) if each else "0" for each in (before, right, after, left))
    if first:
        css["text-indent"] = pt(first)
    align = _ALIGN.get(block.get("jc", ""), "")
    if block.get("bidi"):
        css["direction"] = "rtl"
        align = {"left": "right", "right": "left"}.get(align, align) or "right"
    if align and align != "left":
        css["text-align"] = align
    if height := line_height(block, text, pitch):
        css["line-height"] = height
    if block.get("shd", "transparent") != "transparent":
        css["background-color"] = block["shd"]
    if block.get("keepNext"):
        css["break-after"] = "avoid"
    if block.get("keepLines"):
        css["break-inside"] = "avoid"
    if block.get("widowControl") is False:
        css |= {"orphans": "1", "widows": "1"}
    if block.get("pageBreakBefore"):
        css["break-before"] = "page"
    return css


def line_height(block: Properties, text: Properties, pitch: float = 0.0) -> str:
    rule, height = block.get("line", ("auto", 1.0))
    if rule == "auto" and pitch:
        size = text.get("size", 10.0)
        return f"{math.ceil(size * natural_line(text) / pitch - 0.01) * pitch * height / size:.4f}"
    if rule == "auto":
        # Also set for one line: PlutoPrint rounds a font's natural line height to whole pixels.
        return f"{height * natural_line(text):.3f}"
    if rule == "atLeast":
        return "" if text.get("size", 10.0) * natural_line(text) >= height else pt(height)
    return pt(height)


def high_line(block: Properties, text: Properties, pitch: float = 0.0) -> float:
    """The height of a line, in points."""
    size = float(text.get("size", 10.0))
    height = line_height(block, text, pitch)
    if height.endswith("pt"):
        return float(height.removesuffix("pt"))
    return (float(height) if height else natural_line(text)) * size


def descent(block: Properties, text: Properties) -> float:
    """The descent of a line below its baseline, in points."""
    size: float = text.get("size", 10.0)
    rule, height = block.get("line", ("auto", 1.0))
    natural = natural_line(text) * size
    high: float
    high = height * natural if rule == "auto" else max(height, natural) if rule == "atLeast" else height
    return max((high - natural) / 2 + _DESCENT * size, 0.0)


def is_dark(colour: str | None) -> bool:
    """Whether black text would be illegible on a colour."""
    if not colour or not colour.startswith("#"):
        return False
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 60
