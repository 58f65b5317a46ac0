"""Frames of paragraphs and floating tables as anchored boxes (ECMA-376, part 1, 17.3.1.11 and 17.4.57)."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import page_numbers, page_positions, text_widths
from engine.families.documents.word.base_style import BASE, PLACED_APART
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import WP, W, points, pt, value
from engine.families.documents.word.page_numbers import PageNumber
from engine.families.documents.word.paragraphs import Paragraph
from engine.families.documents.word.properties import Properties
from engine.families.html_pdf import render
from engine.toolkit.warnings import Warn

_ORIGINS = {"text": "paragraph", "page": "page", "margin": "margin"}
_BESIDE = frozenset(("around", "auto", "tight", "through", ""))
"""Kinds of wrapping that have text beside the frame; it is above and below others."""
MOST = 500
"""The frames and floating tables of a document; the layout of more would take the square of their number."""
_MOST_MEASURED = 200
"""The boxes of a document whose height is measured; others are as high as their lines are likely to be."""
_LINE = 14.0
_EMU = 12_700


@dataclass(frozen=True)
class Place:
    """Where a frame or table is: its origins (`relativeFrom` of DrawingML), offsets, alignments and gaps in points."""

    across: str
    down: str
    x: float = 0.0
    y: float = 0.0
    align: str = ""
    level: str = ""
    beside: bool = True
    gaps: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """The distances of the text: above, right, below and left."""
    wide: float | None = None
    high: float = 0.0
    exact: bool = False
    """Whether what is higher is cut off."""

    @property
    def needs_height(self) -> bool:
        """Whether its height must be known before it can be placed."""
        return self.down != "paragraph"


def of_frame(properties: Properties) -> Place:
    """The place of a paragraph with a frame; origins that are not given are the column and the margin."""
    read = dict(properties["frame"])
    level = read.get("yAlign", "")
    origin = "paragraph" if level == "inline" else _ORIGINS.get(read.get("vAnchor", "margin"), "margin")
    if origin == "margin" and not level and "y" not in read:
        origin = "paragraph"
    across, up = points(read.get("hSpace")) or 0.0, points(read.get("vSpace")) or 0.0
    return Place(
        across=_across(read.get("hAnchor", "text")),
        down=origin,
        x=points(read.get("x")) or 0.0,
        y=points(read.get("y")) or 0.0,
        align=read.get("xAlign", ""),
        level="" if origin == "paragraph" else level,
        beside=read.get("wrap", "") in _BESIDE,
        gaps=(up, across, up, across),
        wide=points(read.get("w")) or None,
        high=max(points(read.get("h")) or 0.0, 0.0),
        exact=read.get("hRule") == "exact",
    )


def of_table(element: Element, wide: float) -> Place:
    """The place of a table with this `w:tblpPr` and width."""
    origin = _ORIGINS.get(value(element, "vertAnchor") or "margin", "margin")
    sides = (points(value(element, f"{side}FromText")) or 0.0 for side in ("top", "right", "bottom", "left"))
    top, right, bottom, left = sides
    return Place(
        across=_across(value(element, "horzAnchor") or "text"),
        down=origin,
        x=points(value(element, "tblpX")) or 0.0,
        y=points(value(element, "tblpY")) or 0.0,
        align=value(element, "tblpXSpec") or "",
        level="" if origin == "paragraph" else (value(element, "tblpYSpec") or "").replace("inline", ""),
        gaps=(top, right, bottom, left),
        wide=wide,
    )


def _across(origin: str) -> str:
    return origin if origin in ("page", "margin") else "column"


def anchor(place: Place, wide: float, high: float) -> Element:
    """An anchor of DrawingML for a box of this size at a place, in points."""
    frame = etree.Element(WP + "anchor")
    for side, gap in zip("TRBL", place.gaps, strict=True):
        frame.set(f"dist{side}", _emu(max(gap, 0.0)))
    for name, origin, offset, align in (
        ("positionH", place.across, place.x, place.align),
        ("positionV", place.down, place.y, place.level),
    ):
        made = etree.SubElement(frame, WP + name)
        made.set("relativeFrom", origin)
        if align:
            etree.SubElement(made, WP + "align").text = align
        else:
            etree.SubElement(made, WP + "posOffset").text = _emu(offset)
    size = etree.SubElement(frame, WP + "extent")
    size.set("cx", _emu(wide))
    size.set("cy", _emu(high))
    etree.SubElement(frame, WP + ("wrapSquare" if place.beside else "wrapTopAndBottom"))
    return frame


def _emu(length: float) -> str:
    return str(round(length * _EMU))


def boxed(content: str, place: Place, wide: float) -> str:
    """The content of a frame as a box of its size."""
    css = f"width:{pt(wide)};break-inside:avoid"
    if place.high:
        css += f";height:{pt(place.high)};overflow:hidden" if place.exact else f";min-height:{pt(place.high)}"
    return f'<div class="box" style="{css}">{content}</div>'


def height(job: Job, markup: str, wide: float, lines: int) -> float:
    """The height of a box of this width, in points; it has about so many `lines`."""
    job.measured += 1
    if job.measured > _MOST_MEASURED:
        return lines * _LINE
    shown = page_positions.filled(page_numbers.filled(markup, {"": PageNumber(1, 1, 1)}.get), lambda _: None)
    head = f"<head><style>{BASE}{job.classes.sheet()}{PLACED_APART}</style></head>"
    return render.height(f"<!DOCTYPE html><html>{head}<body>{shown}</body></html>", wide, Warn())


def natural_width(paragraphs: list[Paragraph], room: float) -> float:
    """The width of the widest of these paragraphs on one line, or the `room` if that is narrower."""
    widest = 0.0
    for each in paragraphs:
        text = "".join(piece.text or "" for piece in each.element.iter(W + "t"))
        indent = each.block.get("left", 0.0) + each.block.get("right", 0.0)
        widest = max(widest, text_widths.width(text, each.text | each.mark) + indent)
    return min(widest + 1.0, room)
