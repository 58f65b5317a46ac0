"""xhtml2pdf's context for one document, with our styles and fonts."""

from __future__ import annotations

import unicodedata
from typing import Any

import xhtml2pdf.context
from reportlab.lib.fonts import tt2ps
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError
from reportlab.platypus.flowables import PageBreak
from xhtml2pdf.builders.block import BlockBox
from xhtml2pdf.opentype import FontConversionError
from xhtml2pdf.properties import CSSAttrs
from xhtml2pdf.util import toList
from xhtml2pdf.xhtml2pdf_reportlab import PmlImage, PmlParagraph, PmlTable

from engine.families.html_pdf.css.cascade import points
from engine.families.html_pdf.fonts import bundled as fonts
from engine.families.html_pdf.fonts.runs import runs
from engine.families.html_pdf.xhtml2pdf.pictures import restore
from engine.families.html_pdf.xhtml2pdf.tables import Box, adopted
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn


class _Kept(dict[Any, Any]):
    """Replaces the engine's cache of element styles: all declarations are on the element itself."""

    def __init__(self, parser: Any) -> None:
        super().__init__()
        self._parser = parser
        self._read: dict[str, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        text = key.style or ""
        if text not in self._read:
            self._read[text] = self._parser.parseInline(text)[0]
        return CSSAttrs(self._read[text])


class Context(xhtml2pdf.context.pisaContext):  # type: ignore[misc]
    """The layout engine's context for one document, which also reports missing glyphs."""

    story: list[Any]
    frag: Any
    fragBlock: Any

    def __init__(self, warn: Warn, drawings: list[Any]) -> None:
        super().__init__("")
        self.report = warn
        self.drawings = drawings
        self.fontList = dict(fonts.NAMES)
        self.asianFontList: dict[str, str] = {}
        self._outlines = 0

    def parseCSS(self) -> None:
        super().parseCSS()
        self.cssAttrCache = _Kept(self.cssParser)

    def getFontName(self, names: Any, default: str = "sans-serif", *, warn: bool = True) -> str:
        """The first available family of the list, else the default sans-serif one."""
        found = self.getFontNames(names)
        if not found and warn:
            wanted = ", ".join(self._familyKeys(names))
            self.report(
                "CSS_UNSUPPORTED",
                say(
                    "font-family: {wanted} is not available; {name} was used.",
                    wanted=wanted[:100],
                    name=fonts.SANS.name,
                ),
            )
        return found[0] if found else self.fontList.get(default, fonts.SANS.name)

    def loadFont(self, names: Any, src: Any, encoding: str = "", bold: int = 0, italic: int = 0) -> bool:
        try:
            return bool(super().loadFont(names, src, bold=bold, italic=italic))
        except (TTFError, FontConversionError, OSError, ValueError, LookupError, TypeError, AssertionError):
            name = names if isinstance(names, str) else ", ".join(map(str, names))
            self.report(
                "CONTENT_DROPPED", say("The embedded font {name} can't be read and was replaced.", name=name[:80])
            )
            return False

    def addStory(self, data: Any) -> None:
        if isinstance(data, PmlParagraph):
            for frag in data.frags:
                picture = getattr(getattr(frag, "cbDefn", None), "image", None)
                if isinstance(picture, PmlImage):
                    restore(picture, self.drawings)
                    raised = "".join(map(str, toList(frag.cbDefn.valign)))
                    length = points(raised, frag.fontSize * 1.2)
                    frag.cbDefn.valign = raised if length is None else length
            if getattr(data, "outline", False):
                # The engine would give the bookmark a random name.
                self._outlines += 1
                data.tocKey = f"outline-{self._outlines}"
        elif isinstance(data, PmlTable):
            data = adopted(data, nested=self.tableData.depth > 1)
        elif isinstance(data, BlockBox):
            data.__class__ = Box
        elif isinstance(data, PageBreak) and self.story and isinstance(self.story[-1], PageBreak):
            return  # a break after one box and before the next are one
        super().addStory(data)

    def text_block(self, text: str, *, size: float, color: Any, alignment: int) -> Any:
        """One paragraph of plain text outside the document's flow, with its line breaks kept."""
        family = fonts.SANS.name
        outside = self.story, self.frag, self.fragBlock
        self.story = []
        self.clearFrag()
        self.frag = self.fragBlock = self.frag.clone(
            fontName=family, fontFamilies=[family], fontSize=size, textColor=color, alignment=alignment,
            leadingSource="120%", splitLongWords=True, bold=0, italic=0, whiteSpace="normal", backColor=None,
            leftIndent=0, rightIndent=0, firstLineIndent=0, wordWrap=None,
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
        for run, name in runs(text, first, bold=bool(frag.bold), italic=bool(frag.italic), missing=self._missing):
            part = frag.clone()
            part.text = run
            part.fontName = part.bulletFontName = name
            parts.append(part)
        return parts

    def _missing(self, char: str) -> None:
        if char in self._glyph_warned:
            return
        self._glyph_warned.add(char)
        name = unicodedata.name(char, "a private or unassigned character")
        self.report(
            "GLYPH_MISSING",
            say(
                "U+{char} ({name}) is missing from all fonts and shown as a box.",
                char=f"{ord(char):04X}",
                name=name,
            ),
        )
