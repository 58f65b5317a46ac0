"""Make a drawn PDF conform to a standard: PDF/UA-1 (ISO 14289-1), PDF/A-2b or PDF/A-3b (ISO 19005-2 and -3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pikepdf
from pikepdf import Dictionary, Name

from engine.families.html_pdf.tagged.document import Tagged
from engine.families.html_pdf.tagged.identification import identify
from engine.families.html_pdf.tagged.nodes import HEADINGS, Node
from engine.families.html_pdf.tagged.output_intent import declare_srgb
from engine.toolkit.warnings import Warn

_UNKNOWN = "und"
"""An undetermined language (ISO 639-2)."""
_PRINTED = 4


@dataclass(frozen=True)
class Conforming:
    """What makes a document conform to a standard, with its tags if the standard asks for them."""

    standard: str
    warn: Warn
    tagged: Tagged | None

    @staticmethod
    def to(standard: str, written: Mapping[str, str], warn: Warn) -> Conforming:
        """What a standard asks for. `written` has the texts of private characters."""
        return Conforming(standard, warn, Tagged(written) if standard == "ua-1" else None)

    def conform(self, pdf: pikepdf.Pdf) -> None:
        """Change a document that has its pages, metadata and outline."""
        for font in pdf.objects:
            if isinstance(font, Dictionary) and font.get("/Subtype") == "/CIDFontType2" and "/CIDToGIDMap" not in font:
                font.CIDToGIDMap = Name.Identity
        if self.tagged is not None:
            _say(pdf, self.tagged.write(pdf, self.warn), self.warn)
        else:
            _archive(pdf)
        identify(pdf, self.standard)

    def verify(self, target: Path) -> None:
        """Compare the tags of the finished file with the page; warns of differences."""
        if self.tagged is not None:
            self.tagged.verify(target, self.warn)


def _say(pdf: pikepdf.Pdf, root: Node, warn: Warn) -> None:
    """Set the language and title of a tagged document."""
    if "/Lang" not in pdf.Root:
        pdf.Root.Lang = _UNKNOWN
        warn("NOT_UNDERSTOOD", "The document doesn't say its language, so it is not read aloud as it should be.")
    if "/Title" not in pdf.docinfo:
        heading = next((each for each in root.within() if each.role in HEADINGS), root)
        pdf.docinfo.Title = heading.text()[:100] or "Document"
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)


def _archive(pdf: pikepdf.Pdf) -> None:
    """Declare sRGB as the output intent, and remove what is not allowed (ISO 19005-2, 6.2)."""
    declare_srgb(pdf)
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image" and "/Interpolate" in each:
            del each.Interpolate
    for page in pdf.pages:
        for each in page.obj.get("/Annots", ()):
            each.F = _PRINTED
