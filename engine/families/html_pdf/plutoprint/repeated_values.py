"""Count the generated text and the drawings of a page for each element that has them, before they are laid out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element as Drawing

import cssselect2

from engine.families.html_pdf.css.cascade import declarations
from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.plutoprint import effects
from engine.families.html_pdf.plutoprint.declared import declared
from engine.families.html_pdf.source import limits
from engine.families.html_pdf.source.cleaning import Element
from engine.families.images.drawings import expansion
from engine.families.images.drawings.references import MAX_DRAWN
from engine.toolkit.failures import OverLimit
from engine.toolkit.selectors import compiled, visited

_FUNCTION = 50
"""The characters that a counter or another function of `content` counts as: 200,000 counters take 2.3 s."""
_INHERITED = ("list-style", "list-style-image")
_LISTS = ("ul", "ol", "li")
_DRAWN = ("fill", "stroke", "mask", "clip-path", "filter", "marker", "marker-start", "marker-mid", "marker-end")
_PART = re.compile(
    r"(?<!\\)(?:\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)')"
    r"|attr\(\s*+([\w-]++)[^()]*+\)|url\([^()]*+\)|([a-z-]++(?:\([^()]*+\))?)",
    re.IGNORECASE | re.DOTALL,
)


def check(root: Element, sheets: Iterable[str], *, media: str) -> None:
    """Raise OverLimit for a page with too much generated text, or too many parts of drawings and gradients."""
    count = _Count(root)
    count.add_drawings(list(sheets), media=media)
    heavy = [
        (selectors, block)
        for selectors, body in rules(sheets, media)
        if ("content" in body or "url(" in body) and selectors != "x" and (block := list(_of(body)))
    ]
    elements = sum(1 for _ in root.iter())
    most_text = sum(count.text(value, root, longest=True) for _, block in heavy for name, value in block) * elements
    most_drawn = sum(count.picture(value) for _, block in heavy for _, value in block) * elements
    if most_text <= limits.MOST_CHARACTERS and count.drawn + most_drawn <= MAX_DRAWN:
        return
    matcher = cssselect2.Matcher()
    for selectors, block in heavy:
        try:
            for each in compiled(selectors):
                matcher.add_selector(each, block)
        except cssselect2.SelectorError:
            continue
    for wrapped in visited(root):
        own = {(part, name): value for _, _, part, block in matcher.match(wrapped) for name, value in block}
        for (part, name), value in own.items():
            count.add(name, value, wrapped.etree_element, generated=part is not None)


def _of(body: str) -> Iterator[tuple[str, str]]:
    for name, value, _ in declarations(body):
        if name in effects.PICTURES:
            yield "background" if name == "background-image" else name, value


class _Count:
    def __init__(self, root: Element) -> None:
        self.root = root
        self.characters = self.drawn = 0
        self._pictures: dict[str, int] = {}
        self._longest: dict[str, int] = {}
        self._parts: dict[str, tuple[int, tuple[str, ...]]] = {}

    def add_drawings(self, sheets: list[str], *, media: str) -> None:
        """Count the drawings in the page, which may refer to each other, and those of its pictures."""
        inline = [each for each in self.root.iter("svg") if next(each.iterancestors("svg"), None) is None]
        if inline:
            said = declared(self.root, sheets, _DRAWN, None, media=media)
            whole = Drawing("svg")
            whole.extend(effects.copied(each, said) for each in inline)
            self.drawn = expansion.check(whole, self.drawn)
        for element in self.root.iter("img"):
            if "svg" in (element.get("src") or "")[:40]:
                self._draw(self.picture(f"url('{element.get('src')}')"))

    def add(self, name: str, value: str, element: Element, *, generated: bool) -> None:
        """Count a value for an element, or for what is `generated` before or after its content."""
        times = 1
        if name in _INHERITED:
            items = element if element.tag in _LISTS else element.iter("li")
            times += sum(each.tag == "li" for each in items)
        self._draw(self.picture(value) * times)
        self.characters += self.text(value, element) if generated and name == "content" else 0
        if self.characters > limits.MOST_CHARACTERS:
            raise limits.too_long()

    def _draw(self, number: int) -> None:
        self.drawn += number
        if self.drawn > MAX_DRAWN:
            raise OverLimit(
                "timeout",
                "The page's drawings and gradients have too many parts. Remove some of them, or simplify them.",
            )

    def picture(self, value: str) -> int:
        """The elements of the drawings in a value."""
        if value not in self._pictures:
            found = effects.drawings(value) if "image/svg" in value else ()
            self._pictures[value] = sum(expansion.check(each) for each in found)
        return self._pictures[value]

    def text(self, value: str, element: Element, *, longest: bool = False) -> int:
        """The characters that a `content` generates; those above the longest text take the square of their number."""
        if value not in self._parts:
            parts = _PART.findall(value)
            written = sum(len(one or other) + _FUNCTION * bool(word) for one, other, _, word in parts)
            self._parts[value] = written, tuple(name.lower() for _, _, name, _ in parts if name)
        written, names = self._parts[value]
        for name in names:
            if longest and name not in self._longest:
                self._longest[name] = max(len(each.get(name) or "") for each in self.root.iter() if each.attrib)
            written += _FUNCTION + (self._longest[name] if longest else len(element.get(name) or ""))
        return written * max(written // limits.LONGEST_TEXT, 1)
