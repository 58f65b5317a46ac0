"""Letters of a Word document: runs with their look, and the pictures between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from conversions.families.pdf.page.blocks import Block
from conversions.families.pdf.page.lines import Line
from conversions.families.pdf.page.segments import Span
from conversions.families.pdf.writers.docx.package import Relations
from conversions.families.pdf.writers.runs import Run, runs_of

_EMU = 12_700
"""English metric units in a point (ECMA-376, part 1, 20.1.2.1)."""

_BRIGHT = 215
"""Luminance, of 255, from which on letters are lost on white."""

_REFERENCE = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>{}</w:r>'
_FAMILIES = (
    (r"courier|mono|consol|cmtt|typewriter", "Courier New"),
    (r"calibri|carlito", "Calibri"),
    (r"cambria|caladea", "Cambria"),
    (r"verdana", "Verdana"),
    (r"tahoma", "Tahoma"),
    (r"dejavusans", "DejaVu Sans"),
    # A sans may be called roman, and be said to have serifs: many writers give all fonts one set of flags.
    (
        r"sans|helvetica|arial|frutiger|univers|myriad|gothic|grotes|futura|roboto|lato|segoe|gill|avenir|franklin",
        "Arial",
    ),
    (r"times|roman|serif|cmr|cmb|garamond|georgia|minion|palatino|book|century|nimbusrom", "Times New Roman"),
)


def family(font: str) -> str:
    """The name under which a word processor is likely to have a font, judged by the PDF's name for it."""
    squeezed = re.sub(r"[^a-z]", "", font.lower())
    return next((name for pattern, name in _FAMILIES if re.search(pattern, squeezed)), "Arial")


def runs_xml(
    spans: Iterable[Span],
    relations: Relations,
    *,
    size: float,
    font: str,
    plain: bool = False,
    exact: bool = False,
    scale: int = 100,
) -> str:
    """The runs of a paragraph, links included; what is as the style says (`size`, `font`) is not said again.

    `plain` leaves out bold, italic and size: the style of a heading says them. `scale` is the width of the letters in
    percent.
    """
    out = []
    for run in runs_of(spans):
        if run.note and not exact:
            out.append(_REFERENCE.format(f'<w:footnoteReference w:id="{run.note}"/>'))
            out.append(f"<w:r>{_text(' ')}</w:r>" * run.text[-1:].isspace())
            continue
        text = _run(run, size, font, plain=plain, exact=exact, scale=scale)
        if run.link and not run.note:
            text = f'<w:hyperlink r:id="{relations.id("hyperlink", run.link)}">{text}</w:hyperlink>'
        out.append(text)
    return "".join(out)


def _run(run: Run, size: float, font: str, *, plain: bool, exact: bool, scale: int) -> str:
    look = '<w:rStyle w:val="Hyperlink"/>' if run.link and not exact else ""
    name = family(run.font)
    if name != font and not plain:
        look += f'<w:rFonts w:ascii="{name}" w:hAnsi="{name}" w:cs="{name}"/>'
    if run.bold and not plain:
        look += "<w:b/>"
    if run.italic and not plain:
        look += "<w:i/>"
    if run.colour != "000000" and (exact or not (run.link or _is_unseen(run.colour))):
        look += f'<w:color w:val="{run.colour}"/>'
    if scale != 100:
        look += f'<w:w w:val="{scale}"/>'
    if run.size != size and not plain and not (run.raised and not exact):
        look += f'<w:sz w:val="{max(2, round(run.size * 2))}"/>'
    if run.raised and not exact:
        look += f'<w:vertAlign w:val="{"superscript" if run.raised > 0 else "subscript"}"/>'
    return f"<w:r>{f'<w:rPr>{look}</w:rPr>' if look else ''}{_text(run.text)}</w:r>"


def _is_unseen(colour: str) -> bool:
    """Whether letters of a colour are hardly seen on white paper, without the dark area they stood on."""
    red, green, blue = bytes.fromhex(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > _BRIGHT


def _text(text: str) -> str:
    out = []
    for part in re.split(r"([\t\n])", text):
        if part == "\t":
            out.append("<w:tab/>")
        elif part == "\n":
            out.append("<w:br/>")
        elif part:
            out.append(f'<w:t xml:space="preserve">{escape(part, quote=False)}</w:t>')
    return "".join(out)


def picture_xml(file: Path, relations: Relations, *, width: float, height: float, number: int) -> str:
    """A picture in the text, so many points wide and high."""
    extent = f'cx="{max(1, round(width * _EMU))}" cy="{max(1, round(height * _EMU))}"'
    return (
        f'<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent {extent}/>'
        f"{_graphic(file, relations, extent, number)}</wp:inline></w:drawing></w:r>"
    )


def placed_picture_xml(
    file: Path, relations: Relations, *, x: float, y: float, width: float, height: float, number: int
) -> str:
    """A picture at a place of the page, behind the text; all in points."""
    extent = f'cx="{max(1, round(width * _EMU))}" cy="{max(1, round(height * _EMU))}"'
    places = "".join(
        f'<wp:position{axis} relativeFrom="page"><wp:posOffset>{round(at * _EMU)}</wp:posOffset></wp:position{axis}>'
        for axis, at in (("H", x), ("V", y))
    )
    return (
        '<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" '
        f'relativeHeight="{number}" behindDoc="1" locked="0" layoutInCell="1" allowOverlap="1">'
        f'<wp:simplePos x="0" y="0"/>{places}<wp:extent {extent}/><wp:wrapNone/>'
        f"{_graphic(file, relations, extent, number)}</wp:anchor></w:drawing></w:r>"
    )


def _graphic(file: Path, relations: Relations, extent: str, number: int) -> str:
    target = relations.id("image", f"media/{file.name}")
    return (
        f'<wp:docPr id="{number}" name="Picture {number}"/><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>'
        f'<pic:nvPicPr><pic:cNvPr id="{number}" name="{file.name}"/><pic:cNvPicPr/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip r:embed="{target}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {extent}/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>'
    )


def notes_xml(notes: Iterable[Block], *, size: float, font: str) -> str:
    """The paragraphs of footnotes, with what Word wants to draw above them; their links are text alone."""
    rules = "".join(
        f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{tag}/></w:r></w:p></w:footnote>'
        for kind, number, tag in (
            ("separator", -1, "separator"), ("continuationSeparator", 0, "continuationSeparator"),
        )
    )  # fmt: skip
    mark = _REFERENCE.format("<w:footnoteRef/>") + '<w:r><w:t xml:space="preserve"> </w:t></w:r>'
    return rules + "".join(
        f'<w:footnote w:id="{note.marker}"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr>'
        f"{mark}{runs_xml(_unlinked(note.spans), Relations(), size=size, font=font)}</w:p></w:footnote>"
        for note in notes
    )


def _unlinked(spans: Iterable[Span]) -> list[Span]:
    return [Span(span.text, span.style, span.raised) for span in spans]


def running_xml(lines: list[Line], number: int, relations: Relations, kind: str) -> str:
    """The paragraphs of a head or foot; the number of the page `number`, counted from 1, becomes a field."""
    out = []
    for line in lines:
        spans = runs_xml(_unlinked(line.spans), relations, size=0, font="")
        parts = re.split(rf"(?<![\d.,]){number}(?![\d.,]?\d)", line.text)
        if len(parts) == 2:  # said once: it is the page's own number
            size = f'<w:rPr><w:sz w:val="{round(line.size * 2)}"/></w:rPr>'
            before, after = (f"<w:r>{size}{_text(part)}</w:r>" if part.strip() else "" for part in parts)
            spans = f'{before}<w:fldSimple w:instr=" PAGE "><w:r>{size}<w:t>{number}</w:t></w:r></w:fldSimple>{after}'
        out.append(f'<w:p><w:pPr><w:pStyle w:val="{kind}"/></w:pPr>{spans}</w:p>')
    return "".join(out)
