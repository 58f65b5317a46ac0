"""Document rows: Markdown compared with markdown-it-py, Word documents and presentations with LibreOffice."""

from __future__ import annotations

import zipfile
from functools import partial
from pathlib import Path

from benchmarks.row import Row

_SECTION = """\
## Section {n}: what was measured

The *quick* brown fox **jumps** over the lazy dog, see [page {n}](https://example.com/{n}) and `code_{n}`. Prose goes on
for a while, as it does in documents that people write, with an <https://example.com> and ~~a mistake~~ in between.

- first point of {n}
- second point
  - a nested one

| Region | Units | Share |
|:-------|------:|:-----:|
| North  | {n}   | 55 %  |
| South  | 950   | 45 %  |

```python
def section_{n}(x: int) -> int:
    return x * {n}
```

> A quotation, number {n}.

"""

_PEER = """\
import sys
from pathlib import Path
from markdown_it import MarkdownIt
reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
Path(sys.argv[2]).write_text(reader.render(Path(sys.argv[1]).read_text("utf-8")), "utf-8")
"""


_SUITE = """\
import os, shutil, subprocess, sys, tempfile
with tempfile.TemporaryDirectory() as folder:
    home = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", home, "--headless", "--convert-to", sys.argv[3], "--outdir", folder, sys.argv[1]]
    subprocess.run(command, check=True, capture_output=True)
    stem = os.path.splitext(os.path.basename(sys.argv[1]))[0]
    shutil.copy(os.path.join(folder, f"{stem}.{sys.argv[3]}"), sys.argv[2])
"""
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_WORDS = "The committee met in Geneva on the twelfth of March to review progress against the plan agreed last year. "


def _word(path: Path, *, sections: int) -> None:
    """A Word document of about half a page for each section: a heading, justified text, and a table."""

    def paragraph(text: str, more: str = "") -> str:
        return f'<w:p><w:pPr>{more}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'

    row = "<w:tr>" + f"<w:tc>{paragraph('cell')}</w:tc>" * 3 + "</w:tr>"
    grid = '<w:gridCol w:w="3000"/>' * 3
    table = f"<w:tbl><w:tblGrid>{grid}</w:tblGrid>{row * 5}</w:tbl>"
    text = paragraph(_WORDS * 4, '<w:jc w:val="both"/><w:spacing w:after="160"/>')
    body = "".join(
        paragraph(f"Section {at}", '<w:keepNext/><w:outlineLvl w:val="0"/>') + text * 3 + table
        for at in range(sections)
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Override PartName="/word/document.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        )
        parts.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/'
            '2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        )
        parts.writestr("word/document.xml", f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>')


def _open_document(path: Path) -> None:
    """The content of a 3-page Word document, as OpenDocument."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{full}:1.0"'
        for name, full in (("office", "office"), ("text", "text"), ("table", "table"), ("fo", "xsl-fo-compatible"),
                           ("style", "style"))
    )  # fmt: skip
    cell = "<table:table-cell><text:p>cell</text:p></table:table-cell>"
    row = f"<table:table-row>{cell * 3}</table:table-row>"
    table = f'<table:table><table:table-column table:number-columns-repeated="3"/>{row * 5}</table:table>'
    text = f'<text:p text:style-name="T">{_WORDS * 4}</text:p>' * 3
    body = "".join(f'<text:h text:outline-level="1">Section {at}</text:h>{text}{table}' for at in range(6))
    style = (
        '<style:style style:name="T" style:family="paragraph"><style:paragraph-properties fo:text-align="justify" '
        'fo:margin-bottom="8pt"/></style:style>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        parts.writestr(
            "META-INF/manifest.xml",
            '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="/" '
            'm:media-type="application/vnd.oasis.opendocument.text"/><m:file-entry m:full-path="content.xml" '
            'm:media-type="text/xml"/></m:manifest>',
        )
        parts.writestr(
            "content.xml",
            f'<office:document-content {spaces} office:version="1.2"><office:automatic-styles>{style}'
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
        )


def _rich_text(path: Path) -> None:
    """The content of a 3-page Word document, as RTF."""
    row = r"\trowd\cellx3000\cellx6000\cellx9000\pard\intbl cell\cell cell\cell cell\cell\row"
    text = rf"\pard\qj\sa160 {_WORDS * 4}\par" * 3
    body = "".join(rf"\pard\keepn\outlinelevel0 Section {at}\par{text}{row * 5}" for at in range(6))
    path.write_text(rf"{{\rtf1\ansi{{\fonttbl{{\f0 Times New Roman;}}}}\f0\fs22{body}\pard\par}}", "ascii")


def _deck(path: Path, *, slides: int = 20) -> None:
    """A presentation with a title, eight bullets and a table on each slide."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main, drawing = (f"http://schemas.openxmlformats.org/{each}/2006/main" for each in ("presentationml", "drawingml"))
    spaces = f'xmlns:p="{main}" xmlns:a="{drawing}" xmlns:r="{office}"'

    def box(number: int, kind: str, lines: tuple[str, ...]) -> str:
        text = "".join(f"<a:p><a:r><a:t>{each}</a:t></a:r></a:p>" for each in lines)
        return (
            f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{kind}"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr>'
            f'</p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="{number * 900000}"/><a:ext cx="8000000" cy="900000"/>'
            f"</a:xfrm></p:spPr><p:txBody><a:bodyPr/>{text}</p:txBody></p:sp>"
        )

    cell = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>cell</a:t></a:r></a:p></a:txBody></a:tc>"
    grid = '<a:gridCol w="2000000"/>' * 3
    table = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="t"/><p:cNvGraphicFramePr/><p:nvPr/>'
        "</p:nvGraphicFramePr>"
        '<p:xfrm><a:off x="500000" y="4000000"/><a:ext cx="6000000" cy="900000"/></p:xfrm><a:graphic><a:graphicData '
        f'uri="{drawing.removesuffix("main")}table"><a:tbl><a:tblGrid>{grid}</a:tblGrid>'
        + f'<a:tr h="300000">{cell * 3}</a:tr>' * 4
        + "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    types = "application/vnd.openxmlformats-officedocument.presentationml"
    listed = "".join(f'<p:sldId id="{256 + at}" r:id="s{at}"/>' for at in range(slides))
    relations = "".join(
        f'<Relationship Id="s{at}" Type="{office}/slide" Target="slides/slide{at}.xml"/>' for at in range(slides)
    )
    overrides = "".join(
        f'<Override PartName="/ppt/slides/slide{at}.xml" ContentType="{types}.slide+xml"/>' for at in range(slides)
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
            f'PartName="/ppt/presentation.xml" ContentType="{types}.presentation.main+xml"/>{overrides}</Types>',
        )
        parts.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="r" Type="{office}/officeDocument" '
            'Target="ppt/presentation.xml"/></Relationships>',
        )
        parts.writestr(
            "ppt/presentation.xml",
            f'<p:presentation {spaces}><p:sldIdLst>{listed}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/>'
            '<p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
        )
        parts.writestr(
            "ppt/_rels/presentation.xml.rels", f'<Relationships xmlns="{_PACKAGE}">{relations}</Relationships>'
        )
        for at in range(slides):
            shapes = box(1, "title", (f"Slide {at}",)) + box(2, "body", tuple(_WORDS[:40] for _ in range(8))) + table
            parts.writestr(
                f"ppt/slides/slide{at}.xml",
                f'<p:sld {spaces}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/>'
                f"</p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld></p:sld>",
            )


def _handbook(path: Path) -> None:
    path.write_text("".join(_SECTION.format(n=n) for n in range(8_000)), "utf-8")


ROWS: tuple[Row, ...] = (
    Row(
        name="Markdown to HTML, 4 MB",
        input="handbook.md",
        make=_handbook,
        slug="markdown-to-html",
        peer_name="markdown-it-py",
        peer=("{python}", "-c", _PEER, "{input}", "{output}"),
        needs=("markdown_it",),
        goal=0.15,
    ),
    *(
        Row(
            name=f"Word, {pages} pages",
            input=f"report-{pages}.docx",
            make=partial(_word, sections=sections),
            slug="docx-to-pdf",
            peer_name="LibreOffice",
            peer=("{python}", "-c", _SUITE, "{input}", "{output}", "pdf"),
            needs=("soffice",),
            goal=0.6,
            most=most,
            seconds=None if pages == 3 else 6,
            job=pages == 3,
            job_seconds=0.25,
        )
        for pages, sections, most in ((3, 6, 150), (250, 700, 300))
    ),
    *(
        Row(
            name=f"{name}, 3 pages",
            input=f"report-3.{format}",
            make=make,
            slug=f"{format}-to-pdf",
            peer_name="LibreOffice",
            peer=("{python}", "-c", _SUITE, "{input}", "{output}", "pdf"),
            needs=("soffice",),
            goal=0.6,
            most=150,
            job=True,
        )
        for name, format, make in (("OpenDocument", "odt", _open_document), ("RTF", "rtf", _rich_text))
    ),
    Row(
        name="a presentation of 20 slides",
        input="deck.pptx",
        make=_deck,
        slug="pptx-to-markdown",
        peer_name="LibreOffice to HTML",
        peer=("{python}", "-c", _SUITE, "{input}", "{output}", "html"),
        needs=("soffice",),
        goal=0.6,
        most=200,
        job=True,
        job_goal=0.1,
        job_seconds=0.1,
    ),
)
