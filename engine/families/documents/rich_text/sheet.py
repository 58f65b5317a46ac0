"""The style sheet of the Word document that an RTF file becomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import deepcopy

from engine.families.documents.ooxml.made import W, add, element
from engine.families.documents.ooxml.package import Element
from engine.families.documents.rich_text.properties import Properties, write_run_properties

_HEADINGS = 6
_OF_ALL = ("}rFonts", "}sz", "}color", "}b", "}i")
"""Properties that each run repeats, so that a style may take them from the first run."""

_OFF = {
    f"{W}{name}": off
    for off, names in (
        ({"val": 0}, ("caps", "smallCaps", "strike", "dstrike", "vanish", "outline", "shadow", "spacing", "position")),
        ({"val": "none"}, ("u",)),
        ({"val": "baseline"}, ("vertAlign",)),
        ({"val": "clear", "fill": "auto"}, ("shd",)),
    )
    for name in names
}
"""How a run says that it lacks what its style has."""


class Sheet:
    """Paragraph styles derived from text properties, so that line heights match the text."""

    def __init__(self) -> None:
        self.written = element("styles")
        self.fonts: dict[int, str] = {}
        self.colours: list[str] = []
        self.beyond = 0
        """The number of cells in all tables beyond the last column."""
        self.names: dict[int, str] | None = None
        """The names of paragraph styles, if the styles have those, and not the heights of their text."""
        self.looks: Mapping[int, tuple[Properties, Properties]] = {}
        """The paragraph and text properties of those styles."""
        self.lengths: Counter[tuple[str, int]] = Counter()
        """The amount of text by font and size."""
        self._run_properties: dict[int, tuple[Properties, Element]] = {}
        self._styles: dict[tuple[int, bytes], str] = {}
        self.used: set[int] = set()
        """The numbers of the styles that paragraphs have."""
        self.headings: set[tuple[int, int]] = set()
        """The styles of headings by outline level, by the number of the style that they are based on."""

    def run_properties(self, properties: Properties) -> Element:
        """The run properties."""
        held = self._run_properties.get(id(properties))
        if held is None or held[0] is not properties:
            made = element("rPr")
            write_run_properties(made, properties, self.fonts, self.colours)
            held = self._run_properties[id(properties)] = (properties, made)
        return deepcopy(held[1])

    def _named(self, kin: int, outline: int) -> str:
        """The id of the paragraph's own style, or of a heading based on it if only its outline level says it is one."""
        assert self.names is not None
        if kin not in self.used:
            self.used.add(kin)
            style = add(self.written, "style", type="paragraph", styleId=f"k{kin}")
            add(style, "name", val=self.names.get(kin) or ("Normal" if kin == 0 else f"k{kin}"))
            if kin in self.looks:
                style.append(self.run_properties(self.looks[kin][1]))
        if not 0 <= outline < _HEADINGS or self.names.get(kin, "").startswith("heading "):
            return f"k{kin}"
        if (kin, outline) not in self.headings:
            self.headings.add((kin, outline))
            style = add(self.written, "style", type="paragraph", styleId=f"k{kin}h{outline}")
            add(style, "name", val=f"heading {outline + 1}")
            add(style, "basedOn", val=f"k{kin}")
        return f"k{kin}h{outline}"

    def reduce(self, paragraph: Element, kin: int) -> None:
        """Leave out the text properties that a paragraph has from its style, if its style has any."""
        if self.names is None or kin not in self.looks:
            return
        styled = {each.tag: each for each in self.run_properties(self.looks[kin][1])}
        inside = (f"{W}hyperlink", f"{W}ins", f"{W}del")  # not the paragraphs of text boxes, which have styles, too
        for run in (*paragraph.iterchildren(f"{W}r"), *(r for each in paragraph.iterchildren(*inside) for r in each)):
            own = run.find(f"{W}rPr")
            if own is None:
                continue
            found = {each.tag: each for each in own}
            for tag, each in styled.items():
                if tag not in found and tag in _OFF:
                    add(own, tag.removeprefix(W), **_OFF[tag])
                elif tag in found and dict(found[tag].attrib) == dict(each.attrib):
                    own.remove(found[tag])

    def measure(self, properties: Properties, length: int) -> None:
        """Note that text has these properties."""
        self.lengths[self.fonts.get(properties.get("f", -1), ""), properties.get("fs", 24)] += length

    def style(self, properties: Properties, kin: int, outline: int) -> str:
        """The id of a style: of this text height, if styles have no names.

        `kin` is the number of the paragraph's own style, `outline` its level as a heading, from 0.
        """
        if self.names is not None:
            return self._named(kin, outline)
        run = self.run_properties(properties)
        for each in [each for each in run if not each.tag.endswith(_OF_ALL)]:
            run.remove(each)
        key = (kin, b"|".join(f"{e.tag}{sorted(e.items())}".encode() for e in run))
        if key not in self._styles:
            if kin not in self.used:
                self.used.add(kin)
                add(add(self.written, "style", type="paragraph", styleId=f"k{kin}"), "name", val=f"k{kin}")
            name = self._styles[key] = f"r{len(self._styles)}"
            style = add(self.written, "style", type="paragraph", styleId=name)
            add(style, "name", val=name)
            add(style, "basedOn", val=f"k{kin}")
            add(style, "hidden")
            style.append(run)
        return self._styles[key]

    def whole(self) -> Element:
        """The styles, with the most common font and size as the default if they have their own names."""
        if self.names is not None and self.lengths:
            font, size = max(self.lengths, key=self.lengths.__getitem__)
            defaults = element("docDefaults")
            run = add(add(defaults, "rPrDefault"), "rPr")
            if font:
                add(run, "rFonts", ascii=font)
            add(run, "sz", val=size)
            self.written.insert(0, defaults)
        return self.written
