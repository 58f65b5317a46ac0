"""How text becomes fragments of one font each: families by name, a font for every character, scripts shaped."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, ClassVar

import arabic_reshaper
import xhtml2pdf.context
from arabic_reshaper.ligatures import LETTERS_LIGATURES, SENTENCES_LIGATURES, WORDS_LIGATURES
from reportlab.lib.fonts import tt2ps
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError
from reportlab.platypus.flowables import KeepInFrame, KeepTogether
from xhtml2pdf.bidi import CONTROL_CHARS
from xhtml2pdf.builders.block import BlockBox, BlockBoxData, _breaks_the_flow
from xhtml2pdf.builders.flex import BoxStyle
from xhtml2pdf.builders.position import PositionAnchor
from xhtml2pdf.opentype import FontConversionError

from conversions.families.html_pdf.fonts import bundled as fonts
from conversions.families.html_pdf.source.references import is_inline
from conversions.toolkit.warnings import Warn

_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
_JOINERS = "\u200c\u200d"
# Invisible where a font has no glyph for it (Unicode, Default_Ignorable_Code_Point), line breaks excepted.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)

# Of the ligatures only those of lam and alef: no bundled font has the ones for whole words and phrases.
_reshaper = arabic_reshaper.ArabicReshaper(
    {
        "delete_harakat": False,
        **{
            name: "LAM WITH ALEF" in name and "MAKSURA" not in name
            for name, _ in (*SENTENCES_LIGATURES, *WORDS_LIGATURES, *LETTERS_LIGATURES)
        },
    }
)


class Context(xhtml2pdf.context.pisaContext):  # type: ignore[misc]
    """The layout engine's context of one document, which also reports what no font can draw."""

    story: list[Any]
    frag: Any
    fragBlock: Any
    nesting: ClassVar[int] = 0
    """How many boxes, cells and items the place is in that the parser has come to; there is one document at a time."""

    def __init__(self, warn: Warn) -> None:
        super().__init__("")
        Context.nesting = 0
        self.report = warn
        self.fontList = dict(fonts.NAMES)
        self.asianFontList: dict[str, str] = {}
        self._outlines = 0

    def getFontName(self, names: Any, default: str = "sans-serif", *, warn: bool = True) -> str:
        """The first family of the list that is there, else the sans-serif one."""
        found = self.getFontNames(names)
        if not found and warn:
            wanted = ", ".join(self._familyKeys(names))
            self.report("CSS_UNSUPPORTED", f"font-family: {wanted[:100]} is not available; {fonts.SANS.name} is used.")
        return found[0] if found else self.fontList.get(default, fonts.SANS.name)

    def loadFont(self, names: Any, src: Any, encoding: str = "", bold: int = 0, italic: int = 0) -> bool:
        try:
            return bool(super().loadFont(names, src, bold=bold, italic=italic))
        except (TTFError, FontConversionError, OSError, ValueError, LookupError, TypeError, AssertionError) as error:
            name = names if isinstance(names, str) else ", ".join(map(str, names))
            self.report("CONTENT_DROPPED", f"The embedded font {name[:80]} can't be read; another one is used.")
            del error
            return False

    def getFile(self, name: Any, relative: str | None = None) -> Any:
        """The content of a reference; what is no reference, as the colour that a variable stands for, has none."""
        if isinstance(name, str) and is_inline(name):
            return super().getFile(name, relative)
        if name is not None:
            self.report("CSS_UNSUPPORTED", f"{str(name)[:60]} is no picture and was ignored.")
        return None

    def swapStory(self, story: list[Any] | None = None) -> list[Any]:
        Context.nesting += 1 if story is None else -1
        return super().swapStory(story)  # type: ignore[no-any-return]

    def addStory(self, data: Any) -> None:
        # A page can't end inside a cell or an item: what came after the break would not be drawn.
        if not (Context.nesting and not isinstance(data, list | tuple) and _breaks_the_flow(data)):
            super().addStory(data)

    def addPara(self, *, force: bool = False) -> None:
        before = len(self.story)
        if not (force or self.force or self.text.strip()):
            # Without text there is no paragraph, and what is placed beside its text would go with it.
            carried = [getattr(getattr(frag, "cbDefn", None), "flowable", None) for frag in self.fragList]
            self.story += [each for each in carried if isinstance(each, PositionAnchor)]
        super().addPara(force=force)
        for flowable in self.story[before:]:
            if getattr(flowable, "outline", False):
                # The engine would name the bookmark at random.
                self._outlines += 1
                flowable.tocKey = f"outline-{self._outlines}"

    def text_block(self, text: str, *, size: float, color: Any, alignment: int) -> Any:
        """One paragraph of plain text outside the document's flow; its line breaks are kept."""
        family = fonts.SANS.name
        outside = self.story, self.frag, self.fragBlock
        self.story = []
        self.clearFrag()
        self.frag = self.fragBlock = self.frag.clone(
            fontName=family, fontFamilies=[family], fontSize=size, textColor=color, alignment=alignment,
            leadingSource="120%", splitLongWords=True, bold=0, italic=0, whiteSpace="normal",
        )  # fmt: skip
        for at, line in enumerate(text.splitlines()):
            if at:
                self.frag.lineBreak = 1
                self.addFrag()
                del self.frag.lineBreak
                self.fragStrip = True
            self.addFrag(line)
        self.addPara(force=True)
        (block,) = self.story
        self.story, self.frag, self.fragBlock = outside
        return block

    def _byCoverage(self, frag: Any) -> list[Any]:
        text = getattr(frag, "text", "")
        if not isinstance(text, str) or not text:
            return [frag]
        families = frag.fontFamilies or [frag.fontName]
        first = tuple(dict.fromkeys(tt2ps(family, frag.bold, frag.italic) for family in families))
        if frag.fontName not in first and frag.fontName in pdfmetrics._fonts:
            first = (*first, frag.fontName)
        parts = []
        for run, name in self._runs(text, first, bool(frag.bold), bool(frag.italic)):
            part = frag.clone()
            part.text = run
            part.fontName = part.bulletFontName = name
            parts.append(part)
        return parts

    def _runs(self, text: str, first: tuple[str, ...], bold: bool, italic: bool) -> list[tuple[str, str]]:
        """`text` cut into runs of one font each, as what is drawn."""
        if text.isascii():
            return [(text, first[0])]
        text = _IGNORABLE.sub("", text)
        if _ARABIC.search(text):
            text = _reshaper.reshape(text)
        runs: list[list[Any]] = []
        for char in text:
            name = runs[-1][1] if runs else None
            code = ord(char)
            if not (char.isspace() or char in CONTROL_CHARS or char in _JOINERS):
                mark = unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Mc", "Me")
                if not (mark and name and fonts.covers(name, code)):
                    name = fonts.font_for(code, first, bold, italic)
                    if name is None:
                        self._missing(char)
                        name = runs[-1][1] if runs else None
            if name is None:
                name = first[0]
            if runs and runs[-1][1] == name:
                runs[-1][0] += char
            else:
                runs.append([char, name])
        return [(fonts.drawn(run, name), name) for run, name in runs]

    def _missing(self, char: str) -> None:
        if char in self._glyph_warned:
            return
        self._glyph_warned.add(char)
        name = unicodedata.name(char, "a private or unassigned character")
        self.report("GLYPH_MISSING", f"U+{ord(char):04X} ({name}) has no glyph in any font; a box is drawn instead.")


def kept_together(content: list[Any]) -> Any:
    """What is not to be cut at the end of a page; only a page's own frame can have the layout library's flowable.

    No page ends in it, so that there are neither breaks nor parts that are not to be cut inside it.
    """
    kept = [each for each in _taken_apart(content) if not _breaks_the_flow(each)]
    if not Context.nesting:
        return KeepTogether(kept)
    box = BlockBox(kept, BoxStyle(), keep_together=True)
    BlockBoxData._collapse(box, box)
    return box


def in_frame(*, content: list[Any], **settings: Any) -> KeepInFrame:
    """What is shrunk to a frame of its own, and therefore never cut."""
    return KeepInFrame(content=_taken_apart(content), **settings)


def _taken_apart(content: list[Any]) -> list[Any]:
    """`content` without the layout library's flowables for what is not to be cut, which only a page can draw."""
    parts = [each._content if isinstance(each, KeepTogether) else [each] for each in content]
    return [each for part in parts for each in part]


class Box(BlockBoxData):  # type: ignore[misc]
    """A box around blocks, which pages may end in, and which is therefore no place to count."""

    def __init__(self, c: Context, kw: dict[str, Any], style: BoxStyle) -> None:
        super().__init__(c, kw, style)
        Context.nesting -= 1

    def close(self, c: Context) -> list[Any]:
        Context.nesting += 1
        return super().close(c)  # type: ignore[no-any-return]


def marker_face(c: Context, frag: Any) -> str:
    """The font of a list marker, which is drawn in one."""
    text = frag.text.strip() if isinstance(frag.text, str) else ""
    families = frag.fontFamilies or [frag.fontName]
    first = tuple(tt2ps(family, frag.bold, frag.italic) for family in families)
    names = [fonts.font_for(ord(char), first, bool(frag.bold), bool(frag.italic)) for char in text]
    return next((name for name in names if name not in first and name), first[0]) if text else first[0]


def shape_nothing(text: str, font: Any = None) -> None:
    """Arabic is joined run by run, where the engine joins it as one font file has it."""


CIRCLE, SQUARE = "◦", "▪"
"""List markers that the page's own fonts have."""
MARKER_FONTS: dict[str, tuple[str, float]] = {}
"""Of no kind of list: the engine's own fonts for them are not embedded."""
