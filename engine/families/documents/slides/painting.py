"""What slides are painted with: the colours and pictures of their parts, and their backgrounds."""

from __future__ import annotations

from functools import partial

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides.deck import Deck, P, Slide
from engine.families.documents.slides.pictures import blip_picture
from engine.families.documents.word.css_classes import Classes
from engine.families.documents.word.paint import Palette, boxed, fill
from engine.toolkit.shapes.svg import svg


def palette(deck: Deck, slide: Slide, part: str) -> Palette:
    """The colours, pictures and theme of a slide's part."""
    theme = slide.theme
    pictures, theme_pictures = (partial(blip_picture, deck, each) for each in (part, theme.part))
    return Palette(partial(theme.drawn, mapping=slide.colours), pictures, theme, theme_pictures)


class Backgrounds:
    """The backgrounds of slides, each written once: 70 copies of one picture take 700 MB, and all are in the PDF."""

    def __init__(self, deck: Deck, classes: Classes) -> None:
        self._deck = deck
        self._classes = classes
        self._known: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[str, str]] = {}

    def of(self, slide: Slide) -> tuple[str, str]:
        """The class of a slide with its background, and a drawing of what CSS can't draw.

        Raises OverLimit for drawings that are repeated too often.
        """
        layers = ((part, root.find(f"{P}cSld/{P}bg")) for part, root in slide.layers)
        part, declared = next(((part, each) for part, each in layers if each is not None), ("", None))
        if declared is None:
            return "", ""
        key = part, tuple(sorted(slide.colours.items()))
        if key not in self._known:
            self._known[key] = self._made(declared, palette(self._deck, slide, part))
        name, drawn = self._known[key]
        return name, self._deck.repetitions.shown(f"the background of {part}", drawn)

    def _made(self, declared: Element, colours: Palette) -> tuple[str, str]:
        properties = declared.find(P + "bgPr")
        own = None if properties is None else fill(properties, colours.colours, colours.pictures)
        found = own or colours.fill(declared.find(P + "bgRef"))
        if found is None:
            return "", ""
        css, size = found.css(), (self._deck.width, self._deck.height)
        if css is None:
            return "", svg(boxed(size), size, fill=found, line=None)
        return self._classes.named(css, "b"), ""
