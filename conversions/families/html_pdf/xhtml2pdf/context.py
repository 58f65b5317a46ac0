"""The layout engine's context of one document: its styles are ours, and so is what its text is drawn by."""

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

from conversions.families.html_pdf.fonts import bundled as fonts
from conversions.families.html_pdf.fonts.runs import runs
from conversions.families.html_pdf.source.references import data_of, is_inline
from conversions.families.html_pdf.xhtml2pdf.ledger import Ledger
from conversions.families.html_pdf.xhtml2pdf.lengths import points
from conversions.families.html_pdf.xhtml2pdf.paragraphs import Paragraph
from conversions.families.html_pdf.xhtml2pdf.pictures import prepared, restore
from conversions.families.html_pdf.xhtml2pdf.simplify import Simplified
from conversions.families.html_pdf.xhtml2pdf.tables import Box, adopted
from conversions.toolkit.warnings import Warn

_HARMLESS = (b"\x89PNG", b"\xff\xd8\xff", b"\0\1\0\0", b"true", b"OTTO", b"ttcf", b"wOFF", b"wOF2")
"""How the two kinds of pictures begin that are read as they are, and fonts."""


class _Kept(dict[Any, Any]):
    """The styles of elements where the engine keeps those that it has looked up: it looks up none."""

    def __init__(self, context: Context, page: Simplified) -> None:
        super().__init__()
        self._context, self._page = context, page
        self._read: dict[str, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        """The styles of an element, whose `style` attribute is their number; anything else has none."""
        return self._parsed(key.style, "own")

    def __contains__(self, key: object) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        element, pseudo = key
        return self._parsed(element.style, pseudo) if element.style else None

    def _parsed(self, number: str, part: str) -> Any:
        said = getattr(self._page.styles[int(number or 0)], part)
        if said is None:
            return None
        text = "; ".join(f"{name}: {value}" for name, value in said.items())
        if text not in self._read:
            self._read[text] = self._context.cssParser.parseInline(text)[0]
        return CSSAttrs(self._read[text])


class Context(xhtml2pdf.context.pisaContext):  # type: ignore[misc]
    """The layout engine's context of one document, which also reports what no font can draw."""

    story: list[Any]
    frag: Any
    fragBlock: Any

    def __init__(self, warn: Warn, page: Simplified, ledger: Ledger) -> None:
        super().__init__("")
        self.report = warn
        self.ledger = ledger
        self.page = page
        self.fontList = dict(fonts.NAMES)
        self.asianFontList: dict[str, str] = {}
        self._outlines = 0

    def parseCSS(self) -> None:
        self.addCSS("x::before { content: '' } x::after { content: '' }")  # or it would ask for neither
        super().parseCSS()
        self.cssAttrCache = self.cssPseudoCache = _Kept(self, self.page)

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
        except (TTFError, FontConversionError, OSError, ValueError, LookupError, TypeError, AssertionError):
            name = names if isinstance(names, str) else ", ".join(map(str, names))
            self.report("CONTENT_DROPPED", f"The embedded font {name[:80]} can't be read; another one is used.")
            return False

    def getFile(self, name: Any, relative: str | None = None) -> Any:
        """What a reference holds: a font, or a picture of a kind that starts no program; anything else is nothing."""
        if name is None:
            return None
        if isinstance(name, str) and is_inline(name):
            if data_of(name).startswith(_HARMLESS):
                return super().getFile(name, relative)
            drawings: list[Any] = []
            made = prepared(name, drawings)
            if made is not None and not drawings:
                return super().getFile(made[0], relative)
        self.report("CSS_UNSUPPORTED", f"{str(name)[:60]} is no picture that can be drawn here and was ignored.")
        return None

    def addFrag(self, text: Any = "", frag: Any = None) -> None:
        titled = self.node is not None and self.node.tagName == "title"
        self.frag.origin = -1 if titled else self.ledger.handed(text)
        super().addFrag(text, frag)

    def addStory(self, data: Any) -> None:
        if isinstance(data, PmlParagraph):
            data.__class__ = Paragraph
            for frag in data.frags:
                picture = getattr(getattr(frag, "cbDefn", None), "image", None)
                if isinstance(picture, PmlImage):
                    restore(picture, self.page.drawings)
                    raised = "".join(map(str, toList(frag.cbDefn.valign)))
                    length = points(raised, frag.fontSize * 1.2)
                    frag.cbDefn.valign = raised if length is None else length
            if getattr(data, "outline", False):
                # The engine would name the bookmark at random.
                self._outlines += 1
                data.tocKey = f"outline-{self._outlines}"
        elif isinstance(data, PmlTable):
            data = adopted(data, self.page.groups, nested=self.tableData.depth > 1)
        elif isinstance(data, BlockBox):
            data.__class__ = Box
        elif isinstance(data, PageBreak) and self.story and isinstance(self.story[-1], PageBreak):
            return  # one after and one before are one
        super().addStory(data)

    def text_block(self, text: str, *, size: float, color: Any, alignment: int) -> Any:
        """One paragraph of plain text outside the document's flow; its line breaks are kept."""
        family = fonts.SANS.name
        outside = self.story, self.frag, self.fragBlock
        self.story = []
        self.clearFrag()
        self.frag = self.fragBlock = self.frag.clone(
            fontName=family, fontFamilies=[family], fontSize=size, textColor=color, alignment=alignment,
            leadingSource="120%", splitLongWords=True, bold=0, italic=0, whiteSpace="normal", backColor=None,
            leftIndent=0, rightIndent=0, firstLineIndent=0, origin=-1,
        )  # fmt: skip
        for at, line in enumerate(text.splitlines()):
            if at:
                self.frag.lineBreak = 1
                super().addFrag()
                del self.frag.lineBreak
                self.fragStrip = True
            super().addFrag(line)
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
        self.ledger.expect(parts)
        return parts

    def _missing(self, char: str) -> None:
        if char in self._glyph_warned:
            return
        self._glyph_warned.add(char)
        name = unicodedata.name(char, "a private or unassigned character")
        self.report("GLYPH_MISSING", f"U+{ord(char):04X} ({name}) has no glyph in any font; a box is drawn instead.")


def shape_nothing(text: str, font: Any = None) -> None:
    """Arabic is joined run by run, where the engine joins it as one font file has it."""
