"""Word styles with inheritance resolved (ECMA-376, part 1, 17.7)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import properties
from engine.families.documents.word.names import W, child, on, value
from engine.families.documents.word.properties import TOGGLES, Properties
from engine.families.documents.word.theme import Theme

_DEEPEST = 50
"""The maximum inheritance depth of styles, which also stops cycles."""


class Styles:
    """Styles by id; `text` and `block` hold the `docDefaults`."""

    def __init__(self, root: Element | None, theme: Theme) -> None:
        self.theme = theme
        self._styles: dict[str, Element] = {}
        self._defaults: dict[str, str] = {}
        self._chains: dict[str, list[Element]] = {}
        self._blocks: dict[str, tuple[Properties, Properties]] = {}
        self.text: Properties = {}
        self.block: Properties = {}
        self.hides = root is not None and next(root.iter(W + "vanish"), None) is not None
        """Whether a style hides text."""
        if root is None:
            return
        for each in root.iterfind(W + "style"):
            name = each.get(W + "styleId") or ""
            self._styles.setdefault(name, each)
            if each.get(W + "default") in ("1", "true", "on"):
                self._defaults[each.get(W + "type") or ""] = name
        defaults = child(root, "docDefaults")
        self.text = properties.run(child(child(defaults, "rPrDefault"), "rPr"), theme)
        self.block = properties.paragraph(child(child(defaults, "pPrDefault"), "pPr"), theme)

    def name(self, style: str) -> str:
        """The name of a style, in lower case: built-in ones have their English names (17.7.4.9)."""
        return (value(child(self._styles.get(style), "name")) or style).lower()

    def kin(self, style: str) -> str:
        """The style by which neighbours are compared: a hidden style's base."""
        found = self._styles.get(style)
        return (value(child(found, "basedOn")) or style) if child(found, "hidden") is not None else style

    def default(self, kind: str) -> str:
        return self._defaults.get(kind, "")

    def chain(self, style: str) -> list[Element]:
        """A style and all its ancestors, the most general first."""
        if style not in self._chains:
            found: list[Element] = []
            at: str | None = style
            while at and at in self._styles and self._styles[at] not in found and len(found) < _DEEPEST:
                found.append(self._styles[at])
                at = value(child(self._styles[at], "basedOn"))
            self._chains[style] = found[::-1]
        return self._chains[style]

    def paragraph(self, style: str) -> tuple[Properties, Properties]:
        """The paragraph and text properties of a paragraph style."""
        if style not in self._blocks:
            block: Properties = {}
            text: Properties = {}
            for each in self.chain(style):
                block = merged(block, properties.paragraph(child(each, "pPr"), self.theme))
                text |= properties.run(child(each, "rPr"), self.theme)
            block.pop("style", None)
            self._blocks[style] = (block, text)
        return self._blocks[style]

    def character(self, style: str) -> Properties:
        return self.paragraph(style)[1]

    def run(self, run: Element, around: Properties) -> Properties:
        """The effective properties of a run in a paragraph with text properties `around`."""
        direct = properties.run(child(run, "rPr"), self.theme)
        style = direct.pop("style", "")
        found = with_character_style(around, self.character(style)) if style else around
        return found | direct if direct else found

    def hidden(self, style: str) -> bool:
        mark = child(self._styles.get(style), "vanish")
        return mark is not None and on(mark)


def merged(base: Properties, over: Properties) -> Properties:
    """Paragraph properties with others on top; edges and tabs are merged one by one."""
    found = base | over
    for name in ("borders", "tabs"):
        if name in base and name in over:
            found[name] = base[name] | over[name]
    if "tabs" in found:
        found["tabs"] = (
            {place: tab for place, tab in found["tabs"].items() if tab[0] != "clear"} if base else found["tabs"]
        )
    return found


def with_character_style(text: Properties, style: Properties) -> Properties:
    """Text properties with a character style applied: toggles on in both are off (17.7.3)."""
    found = text | style
    for name in TOGGLES:
        if style.get(name) and text.get(name):
            found[name] = False
    return found
