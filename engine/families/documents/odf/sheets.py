"""Convert OpenDocument master pages and layouts (ISO/IEC 26300, part 3, 16.5 and 16.9) to Word sections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.families.documents.odf.names import FO, OFFICE, STYLE, SVG, colour, count, twips
from engine.families.documents.odf.styles import properties_of
from engine.families.documents.ooxml.made import MAIN, Made, add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import job as kinds

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RUNNING = (("header", "default", "headerReference"), ("header-left", "even", "headerReference"),
            ("header-first", "first", "headerReference"), ("footer", "default", "footerReference"),
            ("footer-left", "even", "footerReference"), ("footer-first", "first", "footerReference"))  # fmt: skip

Fill = Callable[[Element, Element, str, int], None]
"""Writes the paragraphs of a header or footer of a given width in twips into a part."""


@dataclass(frozen=True)
class Master:
    """One master page; lengths in twips."""

    name: str
    element: Element
    width: int = 11_906
    height: int = 16_838
    top: int = 1134
    right: int = 1134
    bottom: int = 1134
    left: int = 1134
    layout: Element | None = None

    @property
    def room(self) -> int:
        return max(self.width - self.left - self.right, 600)

    @property
    def next(self) -> str:
        """The name of the master page for the pages after the first; empty if it is the same."""
        found = self.element.get(STYLE + "next-style-name") or ""
        return "" if found == self.name else found


class Masters:
    """The master pages, and the sections made from them."""

    def __init__(self, styles: Element | None, made: Made, fill: Fill) -> None:
        self._made = made
        self._fill = fill
        self.even = False
        self._all: dict[str, Master] = {}
        self._parts: dict[tuple[str, str], str] = {}
        layouts = {} if styles is None else {
            each.get(STYLE + "name"): each for each in styles.iterfind(f"{OFFICE}automatic-styles/{STYLE}page-layout")
        }  # fmt: skip
        for each in () if styles is None else styles.iterfind(f"{OFFICE}master-styles/{STYLE}master-page"):
            name = each.get(STYLE + "name") or ""
            self._all.setdefault(name, _master(name, each, layouts.get(each.get(STYLE + "page-layout-name"))))
        if not self._all:
            self._all["Standard"] = Master("Standard", element("none"))
        self.even = any(
            _shown(m.element, f"{k}-left") is not None for m in self._all.values() for k in ("header", "footer")
        )

    def find(self, name: str | None) -> Master:
        """A master page by name; the first one if there is none of that name."""
        return self._all.get(name or "") or self._all.get("Standard") or next(iter(self._all.values()))

    def section(self, master: Master, *, columns: Element | None = None, kind: str, number: int | None) -> Element:
        """The section for pages with one master; `columns` are those of a text section on it."""
        made = element("sectPr")
        add(made, "type", val=kind)
        style = properties_of(master.layout, "page-layout")
        follows = self._all.get(master.next) if kind != "continuous" else None
        rest = follows if follows is not None and _same_paper(follows, master) else None
        own, first = (rest or master), (master if rest is not None else None)
        for name, which, reference in _RUNNING:
            source = own
            if first is not None and which == "first":
                source, name = first, name.removesuffix("-first")
            if (part := self._part(source, name)) is not None:
                add(made, reference, type=which).set(_R + "id", part)
        if first is not None or any(_shown(own.element, f"{each}-first") is not None for each in ("header", "footer")):
            add(made, "titlePg")
        add(made, "pgSz", w=master.width, h=master.height)
        head, foot = (_gap(own, name) for name in ("header", "footer"))
        add(
            made, "pgMar", top=master.top + head, right=master.right, bottom=master.bottom + foot, left=master.left,
            header=master.top, footer=master.bottom,
        )  # fmt: skip
        if number is not None:
            add(made, "pgNumType", start=number)
        found = columns
        if found is None and master.layout is not None:
            found = master.layout.find(f"{STYLE}page-layout-properties/{STYLE}columns")
        if found is not None:
            _columns(made, found)
        ground, frame = colour(style.get(FO + "background-color")), style.get(FO + "border", "none")
        if (ground or "ffffff").lower() != "ffffff" or frame != "none":
            self._made.found[kinds.GROUND] += 1
        return made

    def _part(self, master: Master, name: str) -> str | None:
        """The relationship of a header or footer; a missing one is empty, so that it is not inherited."""
        if (master.name, name) not in self._parts:
            source = _shown(master.element, name)
            head = name.startswith("header")
            part = f"{name}/{master.name}"
            made = element("hdr" if head else "ftr")
            gap = _fixed(master, "header" if head else "footer")
            if source is not None:
                if gap and not head:
                    _blank(made, gap)
                self._fill(source, made, part, master.room)
                if gap and head:
                    _blank(made, gap)
            self._parts[master.name, name] = self._made.put(
                part, made, source=MAIN, kind="header" if head else "footer"
            )
        return self._parts[master.name, name]


def _master(name: str, each: Element, layout: Element | None) -> Master:
    style = properties_of(layout, "page-layout")
    width, height = (twips(style.get(FO + key)) for key in ("page-width", "page-height"))
    if width is None or height is None:
        return Master(name, each, layout=layout)
    sides = {
        side: max(twips(style.get(f"{FO}margin-{side}", style.get(FO + "margin"))) or 0, 0)
        + max(twips(style.get(f"{FO}padding-{side}", style.get(FO + "padding"))) or 0, 0)
        for side in ("top", "right", "bottom", "left")
    }
    return Master(name, each, max(width, 1440), max(height, 1440), **sides, layout=layout)


def _shown(master: Element, name: str) -> Element | None:
    found = master.find(STYLE + name)
    return None if found is None or found.get(STYLE + "display") == "false" else found


def _same_paper(one: Master, other: Master) -> bool:
    return (one.width, one.height, one.left, one.right) == (other.width, other.height, other.left, other.right)


def _running(master: Master, name: str) -> dict[str, str]:
    found = None if master.layout is None else master.layout.find(f"{STYLE}{name}-style")
    return properties_of(found, "header-footer")


def _gap(master: Master, name: str) -> int:
    """The minimum height of a header or footer, including its distance from the text."""
    if _shown(master.element, name) is None:
        return 0
    style = _running(master, name)
    return max(twips(style.get(FO + "min-height")) or twips(style.get(SVG + "height")) or 0, 0)


def _fixed(master: Master, name: str) -> int:
    """The fixed distance between a header or footer and the text, independent of its height."""
    style = _running(master, name)
    if style.get(STYLE + "dynamic-spacing") == "true":
        return 0
    return max(twips(style.get(f"{FO}margin-{'bottom' if name == 'header' else 'top'}")) or 0, 0)


def _blank(part: Element, height: int) -> None:
    block = add(add(part, "p"), "pPr")
    add(block, "spacing", before=0, after=0, line=height, lineRule="exact")


def _columns(made: Element, found: Element) -> None:
    number = count(found.get(FO + "column-count"), most=12)
    if number < 2:
        return
    gap = twips(found.get(FO + "column-gap"))
    own = found.findall(STYLE + "column")
    if gap is None and len(own) > 1:
        gap = (twips(own[0].get(FO + "end-indent")) or 0) + (twips(own[1].get(FO + "start-indent")) or 0)
    written = add(made, "cols", num=number, space=gap or 0, equalWidth=0)
    if found.find(STYLE + "column-sep") is not None:
        written.set(written.tag.replace("cols", "sep"), "1")
    for each in own:
        add(written, "col", w=(each.get(STYLE + "rel-width") or "").rstrip("*"), space=gap or 0)
