"""Report styles that are lost in the output, by kind."""

from __future__ import annotations

import re
from pathlib import Path

from engine.families.documents.office_parts import text_part
from engine.families.documents.ooxml.package import Package
from engine.toolkit.formats import DOCX, EPUB, ODT, RTF, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_HOLD = (DOCX, ODT, RTF, EPUB)
_OPEN_DOCUMENT = {
    "colours": rb"\bfo:color=\"#(?!000000)|\bfo:background-color=\"#(?!ffffff)",
    "fonts and sizes": rb"\b(?:fo:font-size|style:font-name|fo:font-family)=",
    "alignment": rb"\bfo:text-align=\"(?:center|end|right|justify)\"",
    "page breaks": rb"\bfo:break-(?:before|after)=\"page\"",
    "columns": rb"\bfo:column-count=\"(?!1\")",
    "places of floating pictures": rb"<draw:frame\b[^>]*\btext:anchor-type=\"(?!as-char)[^>]*>\s*<draw:image\b",
}
_WORD = {
    "colours": rb"<w:color w:val=\"(?!auto|000000)|<w:highlight w:val=\"(?!none)|<w:shd [^>]*w:fill=\"(?!auto|FFFFFF)",
    "fonts and sizes": rb"<w:rFonts [^>]*w:ascii|<w:sz w:val=",
    "alignment": rb"<w:jc w:val=\"(?:center|right|end|both)\"",
    "page breaks": rb"<w:br [^>]*w:type=\"page\"|<w:pageBreakBefore ?/>",
    "columns": rb"<w:cols [^>]*w:num=\"(?!1\")",
    "landscape pages": rb"<w:pgSz [^>]*w:orient=\"landscape\"",
    "page borders": rb"<w:pgBorders\b[^>]*>\s*<w:(?:top|left|bottom|right)\b(?![^>]*w:val=\"(?:none|nil)\")",
    "line numbers": rb"<w:lnNumType\b[^>]*w:countBy=\"[1-9]",
    "emphasis marks": rb"<w:em\b[^<>]*w:val=\"(?!none\")",
    "vertical text": rb"<w:textDirection\b[^<>]*w:val=\"(?!lrTb|lr\"|tb\")",
    "places of frames": rb"<w:framePr\b(?![^>]*w:dropCap=\"(?:drop|margin)\")",
    "initial letters over several lines": rb"<w:framePr\b[^>]*w:dropCap=\"(?:drop|margin)\"",
    "places of floating pictures": rb"<wp:anchor\b(?:(?!</wp:anchor>|<wps:|<wpg:)[\s\S])*?<pic:pic\b",
}
_TAB_STOPS = {
    ODT: re.compile(rb"<style:tab-stop "),
    DOCX: re.compile(rb"<w:tab [^>]*w:pos="),
}
"""Tab stops, which EPUB does not support."""
_PAPER = re.compile(rb"<w:pgSz\b[^<>]*>")
_ONLY_OF_PAGES = {"page borders", "line numbers", "places of frames", "emphasis marks", "vertical text"}
"""What neither PDF nor HTML keeps either."""
_CARRIED = {"colours", "fonts and sizes", "alignment", "page breaks"}
_PATTERNS = {
    format: {what: re.compile(pattern) for what, pattern in patterns.items()}
    for format, patterns in ((ODT, _OPEN_DOCUMENT), (DOCX, _WORD))
}


_UNDERLINED = Kind("STYLE_DROPPED", "Underlined words are in italics in the result: {count}{places}.")
"""The reader of OpenDocument takes underlines for emphasis."""
_NAME = re.compile(rb'\bstyle:name="([^"]*)"')
_MASTER = re.compile(rb"<style:master-page [^>]*>")
_LAYOUT_NAME = re.compile(rb'\bstyle:page-layout-name="([^"]*)"')
_SIZE = re.compile(rb'\bfo:page-(?:width|height)="[^"]*"')
_USED = re.compile(rb'\bstyle:master-page-name="([^"]+)"')
_LINE = re.compile(rb'\btext-underline-style="(?!none)')
_SPAN = re.compile(rb'<text:span [^<>]*text:style-name="([^"]*)"[^<>]*>([^<]*)')


def report(path: Path, input: Format, output: Format, warn: Warn, *, kept: bool) -> None:
    """Warn of styles in `path` that are lost in `output`.

    Markup has no styles, which is evident from the format. `kept` is whether text and paragraph styles were
    transferred.
    """
    if input is ODT and output not in _HOLD:
        _report_underlines(path, warn)
    if input not in _PATTERNS or output not in _HOLD:
        return
    with Package(path) as package:
        data = package.read(text_part(path, input))
    carried = _CARRIED if kept else set()
    if kept and output is not EPUB and len(set(_PAPER.findall(data))) < 2:
        carried = carried | {"landscape pages"}
    patterns = {what: pattern for what, pattern in _PATTERNS[input].items() if what not in carried}
    left = [what for what, pattern in patterns.items() if pattern.search(data)]
    if input is ODT:
        layouts = _layouts(path, data)
        if len({size for each in layouts if (size := tuple(_SIZE.findall(each)))}) > 1:
            left.append("landscape pages")
        if "columns" not in left and any(map(patterns["columns"].search, layouts)):
            left.append("columns")
    if output is EPUB and _TAB_STOPS[input].search(data):
        left.append("tab stops")
    nowhere = [what for what in left if what in _ONLY_OF_PAGES]
    if nowhere:
        warn("STYLE_DROPPED", say("Formatting was left out: {left}.", left=", ".join(nowhere)))
    if left := [what for what in left if what not in nowhere]:
        warn(
            "STYLE_DROPPED",
            say("Formatting was left out: {left}. Convert to PDF or HTML to keep it.", left=", ".join(left)),
        )


def _layouts(path: Path, content: bytes) -> list[bytes]:
    """The layouts of the pages that an OpenDocument text uses."""
    with Package(path) as package:
        sheet = package.read("styles.xml") if "styles.xml" in package.names else b""
    used = {b"Standard", *_USED.findall(content)}
    named = {layout[1] for each in _MASTER.findall(sheet) if (name := _NAME.search(each)) and name[1] in used
             and (layout := _LAYOUT_NAME.search(each))}  # fmt: skip
    found = (each.partition(b"</style:page-layout>")[0] for each in sheet.split(b"<style:page-layout ")[1:])
    return [each for each in found if (name := _NAME.search(each)) and name[1] in named]


def _report_underlines(path: Path, warn: Warn) -> None:
    with Package(path) as package:
        sheets = [package.read(name) for name in ("styles.xml", "content.xml") if name in package.names]
        content = package.read("content.xml")
    styles = (each.partition(b"</style:style>")[0] for sheet in sheets for each in sheet.split(b"<style:style ")[1:])
    named = {name[1] for each in styles if _LINE.search(each) and (name := _NAME.search(each))}
    words = [text for name, text in _SPAN.findall(content) if name in named and text.strip()] if named else []
    warn.tally(
        _UNDERLINED, len(words), (say("“{words}”", words=each.decode("utf-8", "replace")[:40]) for each in words)
    )
