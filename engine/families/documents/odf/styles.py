"""Look up OpenDocument styles (ISO/IEC 26300, part 3, 16.2) and convert them to Word styles."""

from __future__ import annotations

from copy import deepcopy

from lxml import etree

from engine.families.documents.odf import properties
from engine.families.documents.odf.names import FO, OFFICE, STYLE, SVG, TEXT, twips
from engine.families.documents.odf.properties import Properties
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element

_DEEPEST = 50
_USUAL = 12.0
"""The default text size in points."""
_LINK = "Internet_20_link"
"""The style in which LibreOffice shows links that name none."""


class Styles:
    """Shared by both parts of a document: fonts, defaults, named styles."""

    def __init__(self, styles: Element | None, content: Element, *, relative_tabs: bool) -> None:
        self.fonts: dict[str, str] = {}
        self.relative_tabs = relative_tabs
        self.named: dict[tuple[str, str], Element] = {}
        self.defaults: dict[str, Element] = {}
        self.written = element("styles")
        self.ids: set[str] = set()
        for root in (styles, content):
            for face in () if root is None else root.iterfind(f"{OFFICE}font-face-decls/{STYLE}font-face"):
                self.fonts.setdefault(face.get(STYLE + "name") or "", face.get(SVG + "font-family") or "")
        common = None if styles is None else styles.find(OFFICE + "styles")
        for each in () if common is None else common:
            family = each.get(STYLE + "family") or ""
            if each.tag == STYLE + "style":
                self.named.setdefault((family, each.get(STYLE + "name") or ""), each)
            elif each.tag == STYLE + "default-style":
                self.defaults.setdefault(family, each)
        self.named.setdefault(("text", _LINK), _usual_link())
        self._write_defaults()

    def _write_defaults(self) -> None:
        text = properties_of(self.defaults.get("paragraph"), "text")
        defaults = add(self.written, "docDefaults")
        run_properties = add(add(defaults, "rPrDefault"), "rPr")
        properties.write_run(run_properties, {FO + "font-size": f"{_USUAL}pt", **text}, self.fonts)
        language, country = text.get(FO + "language"), text.get(FO + "country")
        if language and language != "none":
            add(run_properties, "lang", val=f"{language}-{country}" if country and country != "none" else language)
        block = add(add(defaults, "pPrDefault"), "pPr")
        properties.write_paragraph(block, properties_of(self.defaults.get("paragraph"), "paragraph"), None)


class Scope:
    """The styles visible in one part: its own automatic styles, then the named ones."""

    def __init__(self, common: Styles, root: Element | None, mark: str) -> None:
        self.common = common
        self._mark = mark
        self._automatic: dict[tuple[str, str], Element] = {}
        self._merged: dict[tuple[str, str, str], Properties] = {}
        self._ids: dict[str, str] = {}
        self._runs: dict[tuple[str, ...], Element | None] = {}
        own = None if root is None else root.find(OFFICE + "automatic-styles")
        for each in () if own is None else own.iterfind(STYLE + "style"):
            key = (each.get(STYLE + "family") or "", each.get(STYLE + "name") or "")
            self._automatic.setdefault(key, each)

    def chain(self, family: str, name: str) -> list[Element]:
        """A style and its ancestors, the most general first, without the defaults."""
        found: list[Element] = []
        at = self._automatic.get((family, name), self.common.named.get((family, name)))
        while at is not None and at not in found and len(found) < _DEEPEST:
            found.append(at)
            at = self.common.named.get((family, at.get(STYLE + "parent-style-name") or ""))
        return found[::-1]

    def resolved(self, family: str, name: str, kind: str) -> Properties:
        """The effective properties of one kind (`text`, `paragraph`, `table-cell`, ...) with inheritance resolved."""
        key = (family, name, kind)
        if key not in self._merged:
            found: dict[str, str] = {}
            for each in self.chain(family, name):
                found |= properties_of(each, kind)
            self._merged[key] = found
        return self._merged[key]

    def usual(self, kind: str) -> Properties:
        """The properties of one kind that hold where no style says otherwise."""
        return properties_of(self.common.defaults.get(kind), kind)

    def attribute(self, family: str, name: str, key: str) -> str | None:
        """An attribute of a style, or of its nearest ancestor that has it."""
        return next((each.get(key) for each in reversed(self.chain(family, name)) if each.get(key) is not None), None)

    def own(self, family: str, name: str) -> Element | None:
        return self._automatic.get((family, name))

    def is_own(self, style: Element) -> bool:
        """Whether a style is an automatic one, without a user-visible name."""
        return self._automatic.get((style.get(STYLE + "family") or "", style.get(STYLE + "name") or "")) is style

    def size(self, name: str) -> float:
        """The text size of a paragraph style, in points."""
        at = properties.points_of(properties_of(self.common.defaults.get("paragraph"), "text"), None) or _USUAL
        for each in self.chain("paragraph", name):
            at = properties.points_of(properties_of(each, "text"), at) or at
        return at

    def paragraph(self, name: str) -> str:
        """The id of the Word paragraph style, which is written on first use."""
        if name in self._ids:
            return self._ids[name]
        chain = self.chain("paragraph", name)
        if not chain:
            self._ids[name] = self.paragraph("Standard") if name != "Standard" else ""
            return self._ids[name]
        base = ""
        for each in chain:
            own = each.get(STYLE + "name") or ""
            automatic = self.is_own(each)
            id = f"{self._mark if automatic else ''}:{own}"
            if id not in self.common.ids:
                self.common.ids.add(id)
                self._write(each, id, base, automatic=automatic)
            base = id
        self._ids[name] = base
        return base

    def _write(self, style: Element, id: str, base: str, *, automatic: bool) -> None:
        name = style.get(STYLE + "name") or ""
        written = add(self.common.written, "style", type="paragraph", styleId=id)
        add(written, "name", val=id if automatic else (style.get(STYLE + "display-name") or name).replace("_20_", " "))
        if base:
            add(written, "basedOn", val=base)
        if automatic:
            add(written, "hidden")
        stops = style.find(f"{STYLE}paragraph-properties/{STYLE}tab-stops")
        offset = 0
        if self.common.relative_tabs:
            offset = twips(self.resolved("paragraph", name, "paragraph").get(FO + "margin-left")) or 0
        block, text = properties_of(style, "paragraph"), properties_of(style, "text")
        properties.write_paragraph(add(written, "pPr"), block, stops, offset=offset)
        parent = style.get(STYLE + "parent-style-name") or ""
        properties.write_run(add(written, "rPr"), text, self.common.fonts, size=self.size(parent))

    def run(self, names: tuple[str, ...], size: float) -> Element | None:
        """The run properties of nested spans with these styles, the outermost first; None if they set nothing."""
        key = (*names, str(size))
        if key not in self._runs:
            merged: dict[str, str] = {}
            for name in names:
                for each in self.chain("text", name):
                    style = properties_of(each, "text")
                    if (points := properties.points_of(style, size)) is not None:
                        size = points
                        style = {**style, FO + "font-size": f"{points}pt"}
                    if FO + "font-family" in style or STYLE + "font-name" in style:
                        merged.pop(FO + "font-family", None)
                        merged.pop(STYLE + "font-name", None)
                    merged |= style
            run_properties = element("rPr")
            properties.write_run(run_properties, merged, self.common.fonts, size=size)
            self._runs[key] = run_properties if len(run_properties) else None
        found = self._runs[key]
        return None if found is None else deepcopy(found)


def link_style(link: Element) -> str:
    """The name of the text style of a link."""
    return link.get(TEXT + "style-name") or _LINK


def _usual_link() -> Element:
    made = etree.Element(STYLE + "style")
    etree.SubElement(
        made, STYLE + "text-properties", {FO + "color": "#000080", STYLE + "text-underline-style": "solid"}
    )
    return made


def properties_of(style: Element | None, kind: str) -> dict[str, str]:
    """The properties of one kind in a style element."""
    found = None if style is None else style.find(f"{STYLE}{kind}-properties")
    return {} if found is None else dict(found.attrib)
