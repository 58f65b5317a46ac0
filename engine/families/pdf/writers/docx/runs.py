"""Word runs with formatting, and the pictures between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from engine.families.pdf.page.blocks import Block
from engine.families.pdf.page.lines import Line
from engine.families.pdf.page.segments import Span
from engine.families.pdf.writers.docx.package import Relations
from engine.families.pdf.writers.runs import Run, is_unseen, runs_of

_REFERENCE = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>{}</w:r>'
_FAMILIES = (
    (r"courier|mono|consol|cmtt|typewriter", "Courier New"),
    (r"calibri|carlito", "Calibri"),
    (r"cambria|caladea", "Cambria"),
    (r"verdana", "Verdana"),
    (r"tahoma", "Tahoma"),
    (r"dejavusans", "DejaVu Sans"),
    # A sans may have the serif flag: many writers set the same flags for all fonts.
    (
        r"sans|helvetica|arial|frutiger|univers|myriad|gothic|grotes|futura|roboto|lato|segoe|gill|avenir|franklin",
        "Arial",
    ),
    (r"times|roman|serif|cmr|cmb|garamond|georgia|minion|palatino|book|century|nimbusrom", "Times New Roman"),
)


def family(font: str) -> str:
    """The name under which a word processor is likely to have a font, derived from the PDF's name for it."""
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
    """The runs of a paragraph with its links, omitting what its style sets (`size`, `font`).

    `plain` omits bold, italic and size, which heading styles set. `scale` is the character width in percent.
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
    properties = '<w:rStyle w:val="Hyperlink"/>' if run.link and not exact else ""
    name = family(run.font)
    if name != font and not plain:
        properties += f'<w:rFonts w:ascii="{name}" w:hAnsi="{name}" w:cs="{name}"/>'
    if run.bold and not plain:
        properties += "<w:b/>"
    if run.italic and not plain:
        properties += "<w:i/>"
    if run.colour != "000000" and (exact or not (run.link or is_unseen(run.colour))):
        properties += f'<w:color w:val="{run.colour}"/>'
    if scale != 100:
        properties += f'<w:w w:val="{scale}"/>'
    if run.size != size and not plain and not (run.raised and not exact):
        properties += f'<w:sz w:val="{max(2, round(run.size * 2))}"/>'
    if run.underlined and not (run.link or exact):
        properties += '<w:u w:val="single"/>'
    if run.raised and not exact:
        properties += f'<w:vertAlign w:val="{"superscript" if run.raised > 0 else "subscript"}"/>'
    return f"<w:r>{f'<w:rPr>{properties}</w:rPr>' if properties else ''}{_text(run.text)}</w:r>"


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


def notes_xml(notes: Iterable[Block], *, size: float, font: str) -> str:
    """The paragraphs of footnotes, with the separators Word requires; their links become plain text."""
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
    """The paragraphs of a header or footer; the page number `number`, from 1, becomes a field."""
    out = []
    for line in lines:
        spans = runs_xml(_unlinked(line.spans), relations, size=0, font="")
        parts = re.split(rf"(?<![\d.,]){number}(?![\d.,]?\d)", line.text)
        if len(parts) == 2:  # once: it is the page's own number
            size = f'<w:rPr><w:sz w:val="{round(line.size * 2)}"/></w:rPr>'
            before, after = (f"<w:r>{size}{_text(part)}</w:r>" if part.strip() else "" for part in parts)
            spans = f'{before}<w:fldSimple w:instr=" PAGE "><w:r>{size}<w:t>{number}</w:t></w:r></w:fldSimple>{after}'
        out.append(f'<w:p><w:pPr><w:pStyle w:val="{kind}"/></w:pPr>{spans}</w:p>')
    return "".join(out)
