"""The styles of an OpenDocument text (ISO/IEC 26300, part 3, 16.2): found by family and name, written as Word's."""

from __future__ import annotations

from copy import deepcopy

from conversions.families.documents.odf import properties
from conversions.families.documents.odf.names import FO, OFFICE, STYLE, SVG, twips
from conversions.families.documents.odf.properties import Said
from conversions.families.documents.ooxml.made import add, element
from conversions.families.documents.ooxml.package import Element

_DEEPEST = 50
_USUAL = 12.0
"""Points: how large text is where nothing says so."""


class Styles:
    """What both parts of a document have in common: fonts, defaults, named styles."""

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
        self._write_defaults()

    def _write_defaults(self) -> None:
        text = properties_of(self.defaults.get("paragraph"), "text")
        defaults = add(self.written, "docDefaults")
        letters = add(add(defaults, "rPrDefault"), "rPr")
        properties.letters(letters, {FO + "font-size": f"{_USUAL}pt", **text}, self.fonts)
        language, country = text.get(FO + "language"), text.get(FO + "country")
        if language and language != "none":
            add(letters, "lang", val=f"{language}-{country}" if country and country != "none" else language)
        block = add(add(defaults, "pPrDefault"), "pPr")
        properties.block(block, properties_of(self.defaults.get("paragraph"), "paragraph"), None)


class Scope:
    """The styles that one part may name: its own automatic ones, then the named ones."""

    def __init__(self, common: Styles, root: Element | None, mark: str) -> None:
        self.common = common
        self._mark = mark
        self._automatic: dict[tuple[str, str], Element] = {}
        self._merged: dict[tuple[str, str, str], Said] = {}
        self._ids: dict[str, str] = {}
        self._runs: dict[tuple[str, ...], Element | None] = {}
        own = None if root is None else root.find(OFFICE + "automatic-styles")
        for each in () if own is None else own.iterfind(STYLE + "style"):
            key = (each.get(STYLE + "family") or "", each.get(STYLE + "name") or "")
            self._automatic.setdefault(key, each)

    def chain(self, family: str, name: str) -> list[Element]:
        """A style and all that it has from others, the most general first, without the defaults."""
        found: list[Element] = []
        at = self._automatic.get((family, name), self.common.named.get((family, name)))
        while at is not None and at not in found and len(found) < _DEEPEST:
            found.append(at)
            at = self.common.named.get((family, at.get(STYLE + "parent-style-name") or ""))
        return found[::-1]

    def said(self, family: str, name: str, kind: str) -> Said:
        """What the properties of one kind (`text`, `paragraph`, `table-cell`, ...) say once all is put together."""
        key = (family, name, kind)
        if key not in self._merged:
            found: dict[str, str] = {}
            for each in self.chain(family, name):
                found |= properties_of(each, kind)
            self._merged[key] = found
        return self._merged[key]

    def attribute(self, family: str, name: str, key: str) -> str | None:
        """An attribute of a style itself, or of the nearest that it is made from."""
        return next((each.get(key) for each in reversed(self.chain(family, name)) if each.get(key) is not None), None)

    def own(self, family: str, name: str) -> Element | None:
        return self._automatic.get((family, name))

    def is_own(self, style: Element) -> bool:
        """Whether a style is an automatic one, which nobody has given a name."""
        return self._automatic.get((style.get(STYLE + "family") or "", style.get(STYLE + "name") or "")) is style

    def size(self, name: str) -> float:
        """How large the text of a paragraph style is, in points."""
        at = properties.points_of(properties_of(self.common.defaults.get("paragraph"), "text"), None) or _USUAL
        for each in self.chain("paragraph", name):
            at = properties.points_of(properties_of(each, "text"), at) or at
        return at

    def paragraph(self, name: str) -> str:
        """The id of a paragraph style among those of Word, written when it is first asked for."""
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
            offset = twips(self.said("paragraph", name, "paragraph").get(FO + "margin-left")) or 0
        said, text = properties_of(style, "paragraph"), properties_of(style, "text")
        properties.block(add(written, "pPr"), said, stops, offset=offset)
        parent = style.get(STYLE + "parent-style-name") or ""
        properties.letters(add(written, "rPr"), text, self.common.fonts, size=self.size(parent))

    def run(self, names: tuple[str, ...], size: float) -> Element | None:
        """The properties of text in spans of these styles, the outermost first; None where they say nothing."""
        key = (*names, str(size))
        if key not in self._runs:
            merged: dict[str, str] = {}
            for name in names:
                for each in self.chain("text", name):
                    said = properties_of(each, "text")
                    if (points := properties.points_of(said, size)) is not None:
                        size = points
                        said = {**said, FO + "font-size": f"{points}pt"}
                    if FO + "font-family" in said or STYLE + "font-name" in said:
                        merged.pop(FO + "font-family", None)
                        merged.pop(STYLE + "font-name", None)
                    merged |= said
            letters = element("rPr")
            properties.letters(letters, merged, self.common.fonts, size=size)
            self._runs[key] = letters if len(letters) else None
        found = self._runs[key]
        return None if found is None else deepcopy(found)


def properties_of(style: Element | None, kind: str) -> dict[str, str]:
    """What one element of a style says."""
    found = None if style is None else style.find(f"{STYLE}{kind}-properties")
    return {} if found is None else dict(found.attrib)
