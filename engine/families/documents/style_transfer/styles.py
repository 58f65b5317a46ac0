"""Styles of text, paragraphs and cells, as far as word processors can express them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tinycss2.color3 import RGBA, parse_color

from engine.families.html_pdf.styles import Declared, growth, is_seen, points, usually
from engine.toolkit.messages import say

Border = tuple[str, int, str]
"""A border: its style (ECMA-376, part 1, 17.18.2), width in eighths of a point, and colour."""
AUTO = "auto"
NAMED_STYLES = ("title", "subtitle", "author", "date", "abstract")
"""Paragraph styles for document metadata, as word processors and pandoc name them."""
Stop = tuple[float, str, str]
"""A tab stop: points from the margin, alignment (17.18.84) and leader (17.18.72)."""

_SIDES = ("top", "right", "bottom", "left")
_USUAL = 12.0
"""The default text size in points (CSS 2.1, 15.7: medium)."""
_HEADED = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_GROWN = growth()
_BOLD = usually("font-weight", "bold")
_ITALIC = usually("font-style", "italic")
_MONOSPACED = usually("font-family", "monospace")
"""Elements that Word has a style for."""
_NAMED_SIZES = {
    "xx-small": 6.75, "x-small": 7.5, "small": 9.75, "medium": 12.0, "large": 13.5, "x-large": 18.0, "xx-large": 24.0,
    "xxx-large": 36.0,
}  # fmt: skip
_GENERIC = {
    "sans-serif": "Arial", "serif": "Times New Roman", "monospace": "Courier New", "system-ui": "Arial",
    "ui-sans-serif": "Arial", "ui-serif": "Times New Roman", "ui-monospace": "Courier New", "cursive": "",
    "fantasy": "", "-apple-system": "Arial", "blinkmacsystemfont": "Arial", "inherit": "", "initial": "",
}  # fmt: skip
_LINES = {"solid": "single", "dashed": "dashed", "dotted": "dotted", "double": "double", "groove": "single",
          "ridge": "single", "inset": "single", "outset": "single"}  # fmt: skip
_ALIGNED = {"left": "left", "right": "right", "center": "center", "justify": "both", "start": "left", "end": "right"}
_ALWAYS = ("always", "page", "left", "right")
_FONT = re.compile(
    r"((?:[a-z-]+\s+|[1-9]00\s+)*)([\d.]+(?:px|pt|r?em|ex|%|mm|cm|in|pc)|(?:xx?-|xxx-)?(?:small|large)|medium)"
    r"(?:\s*+/\s*+([\w.%]++))?+\s++(.+)",
    re.IGNORECASE,
)
_COLOR = re.compile(r"#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\([^()]*\)|(?<![\w(#-])[a-z]+(?![\w(-])", re.IGNORECASE)
_SILENT = frozenset((
    "box-sizing", "border-collapse", "border-spacing", "overflow", "overflow-x", "overflow-y", "overflow-wrap",
    "word-wrap", "word-break", "white-space", "content", "clear", "list-style",
    "list-style-type", "table-layout", "outline", "font-variant-ligatures", "font-feature-settings", "hyphens",
    "page-break-inside", "break-inside", "counter-reset", "counter-increment",
    "direction", "tab-size", "text-overflow", "text-decoration-color", "text-decoration-style", "z-index", "quotes",
    "justify-content", "align-items", "align-content", "align-self", "flex", "flex-wrap", "flex-direction", "flex-flow",
    "flex-grow", "flex-shrink", "flex-basis", "order", "row-gap", "column-gap", "top", "right", "bottom", "left",
    "grid-template-columns", "grid-template-rows", "grid-template-areas", "grid-template", "grid-area", "grid-column",
    "grid-row", "grid-auto-flow", "grid-auto-rows", "grid-auto-columns", "justify-items", "place-items", "grid-gap",
    "inset", "unicode-bidi", "empty-cells", "gap", "object-fit",
))  # fmt: skip
"""Properties that Word implies, that only matter on screen, or that go with `display` or `position`."""


@dataclass(frozen=True)
class Run:
    """A run style; None inherits from the paragraph. Sizes are points; the colour `AUTO` is that of plain text."""

    font: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    capitals: bool | None = None
    small_capitals: bool | None = None
    struck: bool | None = None
    hidden: bool | None = None
    color: str | None = None
    spacing: float | None = None
    size: float | None = None
    underlined: bool | None = None
    fill: str | None = None
    raised: str | None = None
    outlined: bool | None = None
    shadowed: bool | None = None

    def lettering(self) -> Iterator[tuple[str, str]]:
        """Weight, slant and capitals in the terms that CSS and XSL (for OpenDocument) share."""
        for name, on, yes, no in (
            ("font-weight", self.bold, "bold", "normal"), ("font-style", self.italic, "italic", "normal"),
            ("text-transform", self.capitals, "uppercase", "none"),
            ("font-variant", self.small_capitals, "small-caps", "normal"),
        ):  # fmt: skip
            if on is not None:
                yield name, yes if on else no


@dataclass(frozen=True)
class Block:
    """A paragraph style. Lengths are points; `line` is a factor, or points if negative. A `kept` one stays on the page
    of the next paragraph."""

    new_page: bool = False
    kept: bool = False
    borders: tuple[Border | None, ...] = ()
    fill: str | None = None
    before: float | None = None
    after: float | None = None
    line: float | None = None
    indent: float = 0.0
    end: float = 0.0
    first: float = 0.0
    align: str | None = None
    stops: tuple[Stop, ...] = ()
    style: str = ""
    """The one of `NAMED_STYLES` to apply, if the output has it."""


@dataclass(frozen=True)
class Cell:
    """A cell style; `width` is points, or a share of the table if negative, `height` the least one of its row."""

    width: float | None = None
    borders: tuple[Border | None, ...] = ()
    fill: str | None = None
    padding: tuple[float, ...] = ()
    align: str | None = None
    rows: int = 1
    height: float | None = None


@dataclass(frozen=True)
class Grid:
    """A table style; `width` as that of a cell, `columns` the widths of all columns in points, if known."""

    width: float | None = None
    align: str | None = None
    borders: tuple[Border | None, ...] = ()
    columns: tuple[float, ...] = ()


@dataclass(frozen=True)
class ElementStyle:
    """The declarations of one element, with shorthands expanded."""

    values: Declared = field(default_factory=dict)
    lost: frozenset[str] = frozenset()

    def get(self, name: str) -> str | None:
        return self.values.get(name)

    def length(self, name: str, size: float, root: float, whole: float = 0.0) -> float | None:
        """A length in points, for text of `size` on a page with text of `root`."""
        value = self.values.get(name, "")
        unit, reference = ("rem", root) if value.endswith("rem") else ("em", size)
        if value.endswith(unit):
            factor = points(value.removesuffix(unit) + "pt", 0.0)
            return None if factor is None else factor * reference
        return points(value, whole)

    def breaks(self, where: str) -> bool:
        """Whether there is a page break `before` or `after` it."""
        return any(self.values.get(name + where) in _ALWAYS for name in ("page-break-", "break-"))

    @functools.cached_property
    def borders(self) -> tuple[Border | None, ...]:
        """The top, right, bottom and left borders; empty if none is set."""
        if not any(f"border-{side}-style" in self.values for side in _SIDES):
            return ()
        return tuple(map(self._border, _SIDES))

    def _border(self, side: str) -> Border | None:
        kind = _LINES.get(self.values.get(f"border-{side}-style", "none"))
        value = self.values.get(f"border-{side}-width", "medium")
        width = {"thin": 0.75, "medium": 2.25, "thick": 3.75}.get(value, points(value, 0.0))
        if kind is None or not width:
            return None
        return kind, max(2, min(round(width * 8), 96)), color(self.values.get(f"border-{side}-color", "")) or "000000"


@functools.lru_cache(1_000)
def element_style(declarations: tuple[tuple[str, str], ...]) -> ElementStyle:
    """The declarations of an element by longhand property."""
    values: Declared = {}
    lost: set[str] = set()
    for name, value in declarations:
        plain = value.lower()
        if name in ("margin", "padding"):
            values |= dict(zip((f"{name}-{side}" for side in _SIDES), _four(plain), strict=True))
        elif name.startswith("border") and "radius" not in name and "image" not in name and name not in _SILENT:
            _lines(name, plain, values)
        elif name in ("background", "background-color", "background-image"):
            if "gradient(" in plain or "url(" in plain:
                lost.add("background-image")
            found = [each for each in _COLOR.findall(re.sub(r"url\([^)]*\)", " ", value)) if _parsed(each)]
            if found or name != "background-image":
                values["fill"] = found[0] if found else "transparent"
        elif name == "font" and (match := _FONT.fullmatch(value)):
            words = match[1].lower().split()
            values["font-weight"] = next(
                (each for each in words if each in ("bold", "bolder") or each.isdigit()), "400"
            )
            values["font-style"] = next((each for each in words if each in ("italic", "oblique")), "normal")
            values |= {"font-size": match[2].lower(), "font-family": match[4]}
            values |= {"line-height": match[3]} if match[3] else {}
        elif name in ("text-decoration", "text-decoration-line"):
            values["text-decoration"] = plain
        elif (name, plain) in _RESPELLED:
            lost.add(f"{name}: {plain}")
        elif name in _KEPT:
            values[name] = value if name == "font-family" else plain
        elif name not in _SILENT and is_seen(name, value):
            lost.add(name)
        if name == "display" and ("flex" in plain or "grid" in plain):
            lost.add(say("display: {plain}", plain=plain))
    return ElementStyle(values, frozenset(lost))


_RESPELLED = frozenset((("text-transform", "lowercase"), ("text-transform", "capitalize")))
_KEPT = frozenset((
    "color", "font-family", "font-size", "font-weight", "font-style", "font-variant", "font-variant-caps",
    "text-align", "text-transform", "text-indent", "letter-spacing", "line-height", "display", "visibility",
    "page-break-before", "page-break-after", "break-before", "break-after", "margin-top", "margin-bottom",
    "margin-left", "margin-right", "padding-top", "padding-right", "padding-bottom", "padding-left",
    "width", "height", "min-width", "max-width", "min-height", "max-height", "vertical-align",
))  # fmt: skip


def _four(value: str) -> list[str]:
    top, *rest = (re.findall(r"[^\s(]+(?:\([^)]*\))?", value) or ["0"])[:4]
    right = rest[0] if rest else top
    return [top, right, rest[1] if len(rest) > 1 else top, rest[2] if len(rest) > 2 else right]


def _lines(name: str, value: str, values: Declared) -> None:
    """Parse a border shorthand (CSS Backgrounds and Borders 3, 3)."""
    parts = name.split("-")[1:]
    sides = [each for each in _SIDES if each in parts] or list(_SIDES)
    what = next((each for each in ("style", "width", "color") if each in parts), None)
    if what:
        each = _four(value) if len(sides) == 4 else [value]
        values |= {f"border-{side}-{what}": one for side, one in zip(sides, each, strict=True)}
        return
    border = {"style": "none", "width": "medium", "color": ""}
    for part in re.findall(r"[^\s(]+(?:\([^)]*\))?", value):
        kind = "style" if part in _LINES or part in ("none", "hidden") else "color" if _parsed(part) else "width"
        border[kind] = part
    values |= {f"border-{side}-{kind}": part for side in sides for kind, part in border.items()}


@functools.lru_cache(1_000)
def _parsed(text: str) -> RGBA | None:
    found = parse_color(text)
    return found if isinstance(found, RGBA) else None


@functools.lru_cache(1_000)
def color(text: str) -> str | None:
    """A colour as six hex digits, blended onto white; None if it is invisible."""
    found = _parsed(text)
    if found is None or not found.alpha:
        return None
    mixed = (min(1.0, max(0.0, each)) * found.alpha + 1 - found.alpha for each in found[:3])
    return "".join(f"{round(each * 255):02X}" for each in mixed)


@dataclass(frozen=True)
class State:
    """The state an element passes on to its content."""

    run: Run = Run()
    block: Block = Block()
    custom: Declared = field(default_factory=dict)
    size: float = _USUAL
    root: float = _USUAL
    """The text size of the page, which `rem` refers to."""

    def inside(self, tag: str, declared: ElementStyle, custom: Declared, *, block: bool) -> State:
        """The state inside an element; `block` is whether it is one."""
        size = self._size(tag, declared)
        known = self.run.size is not None or declared.get("font-size")
        run = self._run(tag, declared, size if known else None, block=block)
        made = self._block(tag, declared, size) if block else self.block
        return State(run, made, custom, size, size if tag == "html" else self.root)

    def _size(self, tag: str, declared: ElementStyle) -> float:
        value = declared.get("font-size")
        if value is None:
            return self.size * _GROWN.get(tag, 1.0)
        if value in ("smaller", "larger"):
            return self.size * (1.2 if value == "larger" else 0.83)
        found = _NAMED_SIZES.get(value) or declared.length("font-size", self.size, self.root, self.size)
        return min(max(found, 1.0), 1_000.0) if found else self.size

    def _run(self, tag: str, declared: ElementStyle, size: float | None, *, block: bool) -> Run:
        run = self.run
        weight, style, caps = declared.get("font-weight"), declared.get("font-style"), declared.get("text-transform")
        bold = (
            run.bold if weight is None else weight in ("bold", "bolder") or (weight.isdecimal() and int(weight) >= 600)
        )
        if weight is None and (
            tag == "th" or (tag in _BOLD and (run.bold is not None or tag in _HEADED) and run != Run())
        ):
            bold = True
        italic = run.italic if style is None else style.startswith(("italic", "oblique"))
        if style is None and tag in _ITALIC and run.italic is not None:
            italic = True
        drawn, variant = (
            declared.get("text-decoration"),
            declared.get("font-variant-caps") or declared.get("font-variant"),
        )
        underlined, struck = run.underlined, run.struck
        if drawn is not None:
            underlined = True if "underline" in drawn else False if tag == "a" or tag == "u" else underlined
            struck = True if "line-through" in drawn else struck
        hidden = declared.get("display") == "none" or declared.get("visibility") in ("hidden", "collapse")
        raised = {"super": "superscript", "sub": "subscript"}.get(declared.get("vertical-align") or "")
        fill = declared.get("fill")
        return replace(
            run,
            font=_family(declared.get("font-family")) or (None if tag in _MONOSPACED else run.font),
            bold=bold,
            italic=italic,
            capitals=run.capitals if caps is None else caps == "uppercase",
            small_capitals=run.small_capitals if variant is None else "small-caps" in variant,
            struck=struck,
            underlined=underlined,
            hidden=True if hidden else run.hidden,
            color=color(declared.get("color") or "") or run.color,
            spacing=declared.length("letter-spacing", size or self.size, self.root)
            if declared.get("letter-spacing")
            else run.spacing,
            size=round(size * 2) / 2 if size else None,
            raised=raised if not block and raised else run.raised,
            fill=run.fill if block or fill is None else color(fill),
        )

    def _block(self, tag: str, declared: ElementStyle, size: float) -> Block:
        own_block = self.block
        outside = tag in ("body", "html", "table", "tbody", "thead", "tfoot", "tr", "td", "th")
        if tag in ("td", "th"):
            own_block = Block(align=own_block.align, line=own_block.line, first=own_block.first)
        line = own_block.line
        if height := declared.get("line-height"):
            number = re.fullmatch(r"\d*\.?\d+", height)
            length = declared.length("line-height", size, self.root, size)
            line = float(height) if number else -length if length else None
            line = length / size if length and height.endswith(("%", "em")) and not height.endswith("rem") else line
        indent = own_block.indent
        if not outside and tag not in ("ul", "ol", "li", "menu", "dl", "dd"):
            indent += sum(
                max(declared.length(name, size, self.root) or 0.0, 0.0) for name in ("margin-left", "padding-left")
            )
        align = _ALIGNED.get((declared.get("text-align") or "").removeprefix("-webkit-"))
        first = declared.length("text-indent", size, self.root)
        return Block(
            new_page=declared.breaks("before"),
            borders=own_block.borders if outside else declared.borders or own_block.borders,
            fill=own_block.fill if outside or declared.get("fill") is None else color(declared.get("fill") or ""),
            before=None if outside else declared.length("margin-top", size, self.root),
            after=None if outside else declared.length("margin-bottom", size, self.root),
            line=line,
            indent=min(indent, 300.0),
            first=own_block.first if first is None else min(max(first, -300.0), 300.0),
            align=align or ("center" if tag == "center" or (tag == "th" and not own_block.align) else own_block.align),
        )


def _family(value: str | None) -> str | None:
    name = (value or "").split(",")[0].strip().strip("\"'").strip()
    return _GENERIC.get(name.lower(), name[:60]) or None


def width(declared: ElementStyle) -> float | None:
    """Points, or a share of the container if negative."""
    value = declared.get("width") or ""
    if value.endswith("%"):
        share = points(value[:-1] + "pt", 0.0)
        return -min(share, 100.0) / 100 if share else None
    return points(value, 0.0)
