"""The look of a table's parts by its style: PowerPoint's own, or one that the file declares (20.1.4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides import built_in_tables
from engine.families.documents.slides.deck import Deck, Slide
from engine.families.documents.word.names import A, emu, pt

_OUTER = ("left", "right", "top", "bottom")
_ALL = (*_OUTER, "insideH", "insideV")
_SETS = {"all": _ALL, "outer": _OUTER}
_COLOUR = re.compile(r"(\w+?)(?:([*/@])(\d{1,2}))?")
_DOUBLE = {"4": "double"}
_FLAGS = ("firstRow", "lastRow", "firstCol", "lastCol", "bandRow", "bandCol")


@dataclass(frozen=True)
class Look:
    """What a part of a table is like: colours as CSS, and lines by their side as CSS borders."""

    fill: str | None = None
    colour: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    lines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TableStyle:
    """The looks of a style by the name of the part, and the parts that a table shows (`tblPr`)."""

    looks: Mapping[str, Look]
    shown: frozenset[str] = frozenset()

    def cell(self, row: int, column: int, size: tuple[int, int], span: tuple[int, int] = (1, 1)) -> Look:
        """The look of a cell in a table of so many rows and columns, which may span several of them."""
        found = Look()
        edges: dict[str, str] = {}
        last = row + span[0], column + span[1]
        for name, (top, left, bottom, right) in self._parts(row, column, size):
            look = self.looks.get(name)
            if look is None:
                continue
            places = {
                "top": "top" if row <= top else "insideH", "bottom": "bottom" if last[0] >= bottom else "insideH",
                "left": "left" if column <= left else "insideV", "right": "right" if last[1] >= right else "insideV",
            }  # fmt: skip
            edges |= {side: look.lines[place] for side, place in places.items() if place in look.lines}
            found = Look(
                look.fill or found.fill,
                look.colour or found.colour,
                found.bold if look.bold is None else look.bold,
                found.italic if look.italic is None else look.italic,
            )
        return Look(found.fill, found.colour, found.bold, found.italic, edges)

    def _parts(self, row: int, column: int, size: tuple[int, int]) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
        """The parts that a cell belongs to, the most general first, with their top, left, bottom and right."""
        rows, columns = size
        head, side = int("firstRow" in self.shown), int("firstCol" in self.shown)
        is_first = row == 0 and bool(head), column == 0 and bool(side)
        is_last = row == rows - 1 and "lastRow" in self.shown, column == columns - 1 and "lastCol" in self.shown
        yield "wholeTbl", (0, 0, rows, columns)
        inside = not any((*is_first, *is_last))
        if "bandRow" in self.shown and inside:
            yield f"band{1 + (row - head) % 2}H", (row, 0, row + 1, columns)
        if "bandCol" in self.shown and inside:
            yield f"band{1 + (column - side) % 2}V", (0, column, rows, column + 1)
        if is_last[1]:
            yield "lastCol", (0, column, rows, columns)
        if is_first[1]:
            yield "firstCol", (0, 0, rows, 1)
        if is_last[0]:
            yield "lastRow", (row, 0, rows, columns)
            if is_first[1] or is_last[1]:
                yield "swCell" if is_first[1] else "seCell", (row, column, rows, column + 1)
        if is_first[0]:
            yield "firstRow", (0, 0, 1, columns)
            if is_first[1] or is_last[1]:
                yield "nwCell" if is_first[1] else "neCell", (0, column, 1, column + 1)


def of(deck: Deck, slide: Slide, properties: Element | None) -> TableStyle:
    """The style of a table with these properties (`tblPr`); one that is nowhere declared has no lines or colours."""
    if properties is None:
        return TableStyle({})
    shown = frozenset(name for name in _FLAGS if properties.get(name) in ("1", "true"))
    id = (properties.findtext(A + "tableStyleId") or "").strip().upper()
    own = properties.find(A + "tableStyle")
    own = deck.table_styles.get(id) if own is None else own
    if own is not None:
        return TableStyle(_declared(slide, own), shown)
    known = built_in_tables.rules(id)
    if known is None:
        return TableStyle({}, shown)
    rules, first, second = known
    accents = {"A": first, "B": second}
    return TableStyle({name: _of_rule(slide, rule, accents) for name, rule in rules.items()}, shown)


def _of_rule(slide: Slide, rule: str, accents: Mapping[str, str]) -> Look:
    found: dict[str, str] = {}
    lines: dict[str, str] = {}
    for each in rule.split():
        name, _, text = each.partition("=")
        if name == "bold":
            continue
        colour, _, width = text.partition(":")
        shade = _themed(slide, colour, accents)
        if width:
            lines |= dict.fromkeys(_SETS.get(name, (name,)), f"{width}pt {_DOUBLE.get(width, 'solid')} {shade[:7]}")
        else:
            found[name] = shade
    return Look(found.get("fill"), found.get("text"), True if "bold" in rule.split() else None, None, lines)


def _themed(slide: Slide, text: str, accents: Mapping[str, str]) -> str:
    match = _COLOUR.fullmatch(text)
    if match is None:
        raise AssertionError(text)
    name, kind, share = match.groups()
    # Light and dark are those of the slide, which may swap them.
    name = {"lt1": "bg1", "dk1": "tx1"}.get(accents.get(name, name), accents.get(name, name))
    colour = slide.theme.colour(slide.colours.get(name, name)) or "000000"
    part = int(share) / 100 if share else 1.0
    if kind == "*":
        return f"#{tinted(colour, part)}"
    if kind == "/":
        return f"#{shaded(colour, part)}"
    return f"#{colour}{round(part * 255):02x}" if kind == "@" else f"#{colour}"


def _declared(slide: Slide, style: Element) -> dict[str, Look]:
    found: dict[str, Look] = {}
    ground = style.find(A + "tblBg")
    behind = None if ground is None else _fill(slide, ground)
    for part in style:
        name = part.tag.rpartition("}")[2] if isinstance(part.tag, str) else ""
        text, cell = part.find(A + "tcTxStyle"), part.find(A + "tcStyle")
        if name == "tblBg" or (text is None and cell is None):
            continue
        lines = {}
        for side in _ALL:
            held = None if cell is None else cell.find(f"{A}tcBdr/{A}{side}")
            if held is not None:
                lines[side] = _line(slide, held)
        fill = None if cell is None else _fill(slide, cell)
        found[name] = Look(
            fill or (behind if name == "wholeTbl" else None),
            None if text is None else _coloured(slide, text) or _coloured(slide, text.find(A + "fontRef")),
            None if text is None else {"on": True, "off": False}.get(text.get("b") or ""),
            None if text is None else {"on": True, "off": False}.get(text.get("i") or ""),
            lines,
        )
    if behind and "wholeTbl" not in found:
        found["wholeTbl"] = Look(behind)
    return found


def _fill(slide: Slide, parent: Element) -> str | None:
    fill, reference = parent.find(A + "fill"), parent.find(A + "fillRef")
    if fill is not None:
        stop = fill.find(f"{A}gradFill/{A}gsLst/{A}gs")
        pattern = fill.find(f"{A}pattFill/{A}fgClr")
        return next(
            (found for each in (fill.find(A + "solidFill"), stop, pattern) if (found := _coloured(slide, each))), None
        )
    return None if reference is None or reference.get("idx") in (None, "0") else _coloured(slide, reference)


def _line(slide: Slide, held: Element) -> str:
    line, reference = held.find(A + "ln"), held.find(A + "lnRef")
    if line is not None:
        colour, width = _coloured(slide, line.find(A + "solidFill")), emu(line.get("w")) if line.get("w") else 1.0
    elif reference is not None and reference.get("idx") not in (None, "0"):
        colour, width = _coloured(slide, reference), 1.0
    else:
        return "none"
    return f"{pt(max(width, 0.25))} solid {colour[:7]}" if colour else "none"


def _coloured(slide: Slide, parent: Element | None) -> str | None:
    """The colour of an element; a tint is mixed in linear light, as PowerPoint does in tables."""
    if parent is None:
        return None
    tint = parent.find(f"*/{A}tint")
    if tint is None or not (tint.get("val") or "").isdecimal():
        return slide.theme.drawn(parent, slide.colours)
    held = tint.getparent()
    place = list(held).index(tint)
    held.remove(tint)
    try:
        plain = slide.theme.drawn(parent, slide.colours)
    finally:
        held.insert(place, tint)
    share = min(int((tint.get("val") or "0")[:9]) / 100_000, 1.0)
    return None if plain is None else f"#{tinted(plain[1:7], share)}{plain[7:]}"


def tinted(colour: str, share: float) -> str:
    """A colour mixed with white so that `share` of it is left, in linear light (IEC 61966-2-1); six hex digits."""
    return _mixed(colour, share, 1 - share)


def shaded(colour: str, share: float) -> str:
    """A colour mixed with black so that `share` of it is left, in linear light; six hex digits."""
    return _mixed(colour, share, 0.0)


def between(colour: str, other: str) -> str:
    """A quarter of a CSS colour and three quarters of another."""
    parts = ((int(colour[at : at + 2], 16) + 3 * int(other[at : at + 2], 16)) // 4 for at in (1, 3, 5))
    return "#" + "".join(f"{each:02x}" for each in parts)


def _mixed(colour: str, share: float, more: float) -> str:
    def mixed(value: float) -> int:
        light = value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        light = light * share + more
        return round(255 * (light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055))

    return "".join(f"{mixed(int(colour[at : at + 2], 16) / 255):02x}" for at in (0, 2, 4))
