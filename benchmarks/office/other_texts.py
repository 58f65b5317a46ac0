"""Texts as programs other than Word write them: OpenDocument (ODF 1.3) and RTF (1.9.1), written by hand."""

from __future__ import annotations

import zipfile
from pathlib import Path

from benchmarks.office.prose import paragraph

_NAMES = {
    "office": "office",
    "style": "style",
    "text": "text",
    "table": "table",
    "fo": "xsl-fo-compatible",
    "svg": "svg-compatible",
}
_SPACES = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{full}:1.0"' for name, full in _NAMES.items())


def _style(name: str, block: str = "", text: str = "", *, family: str = "paragraph", base: str = "Standard") -> str:
    inside = f"<style:paragraph-properties {block}/>" if block else ""
    inside += f"<style:text-properties {text}/>" if text else ""
    above = f' style:parent-style-name="{base}"' if family == "paragraph" and name != "Standard" else ""
    return f'<style:style style:name="{name}" style:family="{family}"{above}>{inside}</style:style>'


def _open_document(path: Path, styles: str, automatic: str, body: str) -> None:
    layout = (
        '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" '
        'fo:margin-top="2cm" fo:margin-bottom="2cm" fo:margin-left="2.5cm" fo:margin-right="2.5cm"/>'
        "<style:footer-style>"
        '<style:header-footer-properties fo:min-height="0.6cm" fo:margin-top="0.5cm"/></style:footer-style>'
        "</style:page-layout>"
    )
    number = '<text:p text:style-name="Standard"><text:page-number>1</text:page-number></text:p>'
    foot = f"<style:footer>{number}</style:footer>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        entries = "".join(
            f'<m:file-entry m:full-path="{name}" m:media-type="text/xml"/>' for name in ("content.xml", "styles.xml")
        )
        parts.writestr(
            "META-INF/manifest.xml",
            '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="/" '
            f'm:media-type="application/vnd.oasis.opendocument.text"/>{entries}</m:manifest>',
        )
        parts.writestr(
            "styles.xml",
            f'<office:document-styles {_SPACES} office:version="1.3"><office:styles>{styles}</office:styles>'
            f"<office:automatic-styles>{layout}</office:automatic-styles><office:master-styles><style:master-page "
            f'style:name="Standard" style:page-layout-name="L">{foot}</style:master-page></office:master-styles>'
            "</office:document-styles>",
        )
        parts.writestr(
            "content.xml",
            f'<office:document-content {_SPACES} office:version="1.3"><office:automatic-styles>{automatic}'
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
        )


_USUAL = _style(
    "Standard", 'fo:margin-bottom="0.25cm"', 'fo:font-family="Liberation Serif" fo:font-size="12pt"'
) + _style(
    "Head",
    'fo:margin-top="0.5cm" fo:margin-bottom="0.25cm" fo:keep-with-next="always"',
    'fo:font-size="16pt" fo:font-weight="bold" fo:color="#1F3763"',
)


def story(path: Path) -> None:
    """Chapters of justified text with coloured and italic words."""
    automatic = _style(
        "J", 'fo:margin-top="0cm" fo:margin-bottom="0.25cm" fo:text-align="justify" fo:text-indent="0.5cm"'
    ) + _style("I", text='fo:font-style="italic" fo:color="#C00000"', family="text")
    body = ""
    for at in range(4):
        body += f'<text:h text:style-name="Head" text:outline-level="1">Chapter {at + 1}</text:h>'
        for n in range(4):
            slanted = f'<text:span text:style-name="I">{paragraph(at + n, 1)}</text:span>'
            body += f'<text:p text:style-name="J">{paragraph(at * 9 + n, 4)} {slanted}</text:p>'
    _open_document(path, _USUAL, automatic, body)


def ledger(path: Path) -> None:
    """A table with borders and background colours, and a list below."""
    line = "0.5pt solid #000000"
    automatic = "".join(
        f'<style:style style:name="{name}" style:family="table-cell"><style:table-cell-properties fo:border="{line}" '
        f'fo:padding="0.1cm"{ground}/></style:style>'
        for name, ground in (("C", ""), ("G", ' fo:background-color="#D9E2F3"'))
    )
    automatic += (
        '<style:style style:name="T" style:family="table"><style:table-properties style:width="16cm" '
        'table:align="left"/>'
        '</style:style><style:style style:name="N" style:family="table-column"><style:table-column-properties '
        'style:column-width="4cm"/></style:style>'
        + _style("R", 'fo:text-align="end"')
        + '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="•">'
        '<style:list-level-properties text:list-level-position-and-space-mode="label-alignment">'
        '<style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-0.6cm" '
        'fo:margin-left="1.2cm"/></style:list-level-properties></text:list-level-style-bullet></text:list-style>'
    )
    rows = ""
    for at in range(18):
        cells = (f"Item {at}", f"{at * 7}", f"{at * 3}.50", f"{at * 21}.00")
        rows += (
            "<table:table-row>"
            + "".join(
                f'<table:table-cell table:style-name="{"G" if at % 2 == 0 else "C"}" office:value-type="string">'
                f"<text:p "
                f'text:style-name="{"R" if n else "Standard"}">{each}</text:p></table:table-cell>'
                for n, each in enumerate(cells)
            )
            + "</table:table-row>"
        )
    items = "".join(f"<text:list-item><text:p>{paragraph(at, 1)}</text:p></text:list-item>" for at in range(5))
    body = (
        '<text:h text:style-name="Head" text:outline-level="1">Ledger</text:h><table:table table:name="T" '
        f'table:style-name="T"><table:table-column table:style-name="N" table:number-columns-repeated="4"/>{rows}'
        f'</table:table><text:p/><text:list text:style-name="B">{items}</text:list>'
    )
    _open_document(path, _USUAL, automatic, body)


_HEAD = (
    r"{\rtf1\ansi\deff0{\fonttbl{\f0\froman Times New Roman;}{\f1\fswiss Arial;}}{\colortbl;\red192\green0\blue0;"
    r"\red31\green55\blue99;\red217\green226\blue243;}\paperw11906\paperh16838\margl1440\margr1440\margt1440\margb1440"
    r"\widowctrl{\footer\pard\qc\fs20 page \chpgn\par}"
)


def notice(path: Path) -> None:
    """Headings, justified text, coloured words, indents."""
    text = rf"{_HEAD}\pard\qc\sa240\f1\fs40\b\cf2 Notice\par\pard\plain\f0\fs22"
    for at in range(6):
        text += (
            rf"\pard\sb200\sa60\keepn\f1\b\fs26\cf2 {at + 1}. Point\par\pard\plain\qj\sa160\f0\fs22 {paragraph(at, 4)}"
        )
        text += (
            rf" {{\cf1\i {paragraph(at + 5, 1)}}}\par\pard\plain\li720\ri720\sa160\f0\fs20 {paragraph(at + 9, 2)}\par"
        )
    path.write_text(text + "}", "ascii")


def roster(path: Path) -> None:
    """A table with shaded headers."""
    text = rf"{_HEAD}\pard\sa200\f1\fs32\b Roster\par\pard\plain\f0\fs22"
    edges = "".join(rf"\clbrdr{side}\brdrs\brdrw10" for side in "tlbr")
    for at in range(24):
        ground = r"\clcbpat3" if at == 0 else ""
        bold = r"\b" if at == 0 else ""
        cells = "".join(rf"{edges}{ground}\cellx{place}" for place in (3000, 6000, 9026))
        shown = ("Day", "Name", "Room") if at == 0 else (f"Day {at}", f"Person {at * 7 % 23}", f"Room {at * 3}")
        text += (
            rf"\trowd\trgaph108\trleft0{cells}"
            + "".join(rf"\pard\plain\intbl\f0\fs22{bold} {each}\cell" for each in shown)
            + r"\row"
        )
    path.write_text(text + rf"\pard\plain\sb200\f0\fs22 {paragraph(3, 5)}\par}}", "ascii")


OPEN_DOCUMENTS = (story, ledger)
RICH_TEXTS = (notice, roster)
