"""Looks left out: what of a text's looks does not come along where the output could hold it, named by kind."""

from __future__ import annotations

import re
from pathlib import Path

from conversions.families.documents.office_parts import text_part
from conversions.families.documents.ooxml.package import Package
from conversions.toolkit.formats import DOCX, EPUB, ODT, RTF, Format
from conversions.toolkit.warnings import Warn

_HOLD = (DOCX, ODT, RTF, EPUB)
_OPEN_DOCUMENT = {
    "colours": rb"\bfo:color=\"#(?!000000)|\bfo:background-color=\"#(?!ffffff)",
    "fonts and sizes": rb"\b(?:fo:font-size|style:font-name|fo:font-family)=",
    "alignment": rb"\bfo:text-align=\"(?:center|end|right|justify)\"",
    "page breaks": rb"\bfo:break-(?:before|after)=\"page\"",
    "columns": rb"\bfo:column-count=\"(?!1\")",
}
_WORD = {
    "colours": rb"<w:color w:val=\"(?!auto|000000)|<w:highlight w:val=\"(?!none)|<w:shd [^>]*w:fill=\"(?!auto|FFFFFF)",
    "fonts and sizes": rb"<w:rFonts [^>]*w:ascii|<w:sz w:val=",
    "alignment": rb"<w:jc w:val=\"(?:center|right|end|both)\"",
    "page breaks": rb"<w:br [^>]*w:type=\"page\"|<w:pageBreakBefore ?/>",
    "columns": rb"<w:cols [^>]*w:num=\"(?!1\")",
    "landscape pages": rb"<w:pgSz [^>]*w:orient=\"landscape\"",
}
_TAB_STOPS = {
    ODT: re.compile(rb"<style:tab-stop "),
    DOCX: re.compile(rb"<w:tab [^>]*w:pos="),
    RTF: re.compile(rb"\\tx\d"),
}
"""Where tabs lead, which a book has no place for."""
_PAPER = re.compile(rb"<w:pgSz\b[^>]*>")
_RICH_TEXT = {
    "colours": rb"\\(?:cf|cb|highlight|chcbpat|clcbpat|cbpat)[1-9]",
    "fonts and sizes": rb"\\fs\d",
    "alignment": rb"\\q[crj]\b",
    "page breaks": rb"\\page\b",
    "columns": rb"\\cols[2-9]",
    "landscape pages": rb"\\l(?:andscape|ndscpsxn)\b",
}
_CARRIED = {"colours", "fonts and sizes", "alignment", "page breaks"}
_SAID = {
    of: {what: re.compile(pattern) for what, pattern in said.items()}
    for of, said in ((ODT, _OPEN_DOCUMENT), (DOCX, _WORD), (RTF, _RICH_TEXT))
}


def name(path: Path, input: Format, output: Format, warn: Warn, *, kept: bool) -> None:
    """Warn of the looks that `path` gives its text and that its text alone does not carry to `output`.

    A text in markup has no place for them, and says so by what it is. `kept` is whether those of text and paragraphs
    were carried along.
    """
    if input not in _SAID or output not in _HOLD:
        return
    if input is RTF:
        data = path.read_bytes()
    else:
        with Package(path) as package:
            data = package.read(text_part(path, input))
    carried = _CARRIED if kept else set()
    several = b"\\lndscpsxn" in data and b"\\sect" in data.replace(b"\\sectd", b"")
    if kept and output is not EPUB and len(set(_PAPER.findall(data))) < 2 and not several:
        carried = carried | {"landscape pages"}
    said = {what: pattern for what, pattern in _SAID[input].items() if what not in carried}
    left = [what for what, pattern in said.items() if pattern.search(data)]
    if output is EPUB and _TAB_STOPS[input].search(data):
        left.append("tab stops")
    if left:
        warn("STYLE_DROPPED", f"Looks of the text were left out: {', '.join(left)}. A PDF or an HTML page has them.")
