"""Write text in capitals as letters for outputs that have no such style (ECMA-376, part 1, 17.3.2.5)."""

from __future__ import annotations

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import paragraphs
from engine.families.documents.word.names import W
from engine.families.documents.word.numbering import Numbering
from engine.families.documents.word.styles import Styles


def write(root: Element, styles: Styles) -> bool:
    """Change the letters of runs that are shown in capitals, and return whether there are any."""
    changed = False
    none = Numbering(None, styles.theme)
    for paragraph in root.iter(f"{W}p"):
        text = None
        for run in paragraph.iter(f"{W}r"):
            if next(run.iterancestors(f"{W}p")) is not paragraph:
                continue
            text = paragraphs.read(paragraph, styles, none).text if text is None else text
            if styles.run(run, text).get("caps"):
                for each in run.iter(f"{W}t"):
                    each.text = (each.text or "").upper()
                    changed = True
    return changed
