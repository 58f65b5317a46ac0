"""Files of the document vectors, made part by part: a Word document, an OpenDocument text, a book, and texts."""

from __future__ import annotations

import base64
import struct
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO


def png(width: int = 8, height: int = 8) -> bytes:
    """A red picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\xcc\x22\x22" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


DATA_URI = "data:image/png;base64," + base64.b64encode(png()).decode()


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP of named parts."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def _paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{_run(text)}</w:p>"


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


PICTURE = f"""<w:p><w:r><w:drawing><wp:inline xmlns:wp="{_DRAWING}/wordprocessingDrawing">
<wp:extent cx="762000" cy="762000"/><wp:docPr id="1" name="Logo" descr="The red logo"/>
<a:graphic xmlns:a="{_DRAWING}/main"><a:graphicData uri="{_DRAWING}/picture"><pic:pic xmlns:pic="{_DRAWING}/picture">
<pic:nvPicPr><pic:cNvPr id="1" name="logo.png"/><pic:cNvPicPr/></pic:nvPicPr>
<pic:blipFill><a:blip r:embed="rPicture"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic>
</wp:inline></w:drawing></w:r></w:p>"""


def _table(rows: list[list[str]]) -> str:
    cells = "".join("<w:tr>" + "".join(f"<w:tc>{_paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>" for row in rows)
    return f'<w:tbl><w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr><w:tblGrid/>{cells}</w:tbl>'


def _docx(body: str, extra: Mapping[str, tuple[str, str, str | bytes]]) -> bytes:
    """A Word document; `extra` maps a relationship's id to its kind, and the part's name and content."""
    kinds = {"header": "header+xml", "footnotes": "footnotes+xml", "comments": "comments+xml", "styles": "styles+xml"}
    overrides = "".join(
        f'<Override PartName="/word/{name}" ContentType="{_TYPES}.{kinds[kind]}"/>'
        for kind, name, _ in extra.values()
        if kind in kinds
    )
    relations = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{name}"/>' for key, (kind, name, _) in extra.items()
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="png" ContentType="image/png"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_TYPES}.document.main+xml"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships">{relations}</Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{_W}" xmlns:r="{_OFFICE}" '
        f'xmlns:wp="{_DRAWING}/wordprocessingDrawing" xmlns:a="{_DRAWING}/main" xmlns:pic="{_DRAWING}/picture" '
        'xmlns:v="urn:schemas-microsoft-com:vml">'
        f"<w:body>{body}</w:body></w:document>",
    }
    parts |= {f"word/{name}": data for _, name, data in extra.values()}
    return archive(parts)


def word(body: str, extra: Mapping[str, tuple[str, str, str | bytes]] | None = None) -> bytes:
    """A Word document of this body; `extra` maps ids of relationships to kind, name and content of further parts."""
    return _docx(body, extra or {})


_STYLES = f"""<w:styles xmlns:w="{_W}"><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>"""


def docx() -> bytes:
    """A report with a title, a heading, a picture, a table and a footnote."""
    body = (
        _paragraph("Quarterly report", "Title")
        + _paragraph("Sales", "Heading1")
        + f'<w:p>{_run("Sales grew in Zürich and 東京")}<w:r><w:footnoteReference w:id="2"/></w:r>{_run(".")}</w:p>'
        + PICTURE
        + _table([["Region", "Units"], ["North", "1,200"], ["South", "950"]])
    )
    footnotes = (
        f'<w:footnotes xmlns:w="{_W}"><w:footnote w:id="2">{_paragraph("Audited figures")}</w:footnote></w:footnotes>'
    )
    return _docx(
        body,
        {
            "rStyles": ("styles", "styles.xml", _STYLES),
            "rNotes": ("footnotes", "footnotes.xml", footnotes),
            "rPicture": ("image", "media/image1.png", png()),
        },
    )


def docx_reviewed() -> bytes:
    """A contract under review: an insertion, a deletion, a comment, a page header and a text box."""
    ids = 'w:author="Ann" w:date="2024-05-01T10:00:00Z"'
    box = (
        "<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>"
        f"{_paragraph('Text in a box')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
    )
    body = (
        _paragraph("Contract 😀", "Heading1")
        + f'<w:p>{_run("The price is ")}<w:del w:id="1" {ids}><w:r><w:delText>900</w:delText></w:r></w:del>'
        f'<w:ins w:id="2" {ids}>{_run("1000")}</w:ins><w:commentRangeStart w:id="0"/>{_run(" euros.")}'
        '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>'
        + box
        + '<w:sectPr><w:headerReference r:id="rHeader"/></w:sectPr>'
    )
    comment = f'<w:comment w:id="0" {ids}>{_paragraph("Please check")}</w:comment>'
    return _docx(
        body,
        {
            "rStyles": ("styles", "styles.xml", _STYLES),
            "rHeader": ("header", "header1.xml", f'<w:hdr xmlns:w="{_W}">{_paragraph("Confidential")}</w:hdr>'),
            "rComments": ("comments", "comments.xml", f'<w:comments xmlns:w="{_W}">{comment}</w:comments>'),
        },
    )


_O = "urn:oasis:names:tc:opendocument:xmlns:"
_ODT_SPACES = (
    f'xmlns:office="{_O}office:1.0" xmlns:text="{_O}text:1.0" xmlns:table="{_O}table:1.0" xmlns:style="{_O}style:1.0" '
    f'xmlns:draw="{_O}drawing:1.0" xmlns:svg="{_O}svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2"'
)
_ODT = "application/vnd.oasis.opendocument.text"


def _odt(body: str, margins: str = "", pictures: Mapping[str, bytes] | None = None) -> bytes:
    files = "".join(f'<manifest:file-entry manifest:full-path="{name}"/>' for name in pictures or {})
    return archive(
        {
            "mimetype": _ODT,
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{_O}manifest:1.0"><manifest:file-entry '
            f'manifest:full-path="/" manifest:media-type="{_ODT}"/>{files}</manifest:manifest>',
            "content.xml": f"<office:document-content {_ODT_SPACES}><office:body><office:text>{body}</office:text>"
            "</office:body></office:document-content>",
            "styles.xml": f"<office:document-styles {_ODT_SPACES}><office:styles/><office:automatic-styles/>"
            f'<office:master-styles><style:master-page style:name="Standard">{margins}</style:master-page>'
            "</office:master-styles></office:document-styles>",
            **(pictures or {}),
        }
    )


def odt() -> bytes:
    """The report as an OpenDocument text."""
    rows = [["Region", "Units"], ["North", "1,200"], ["South", "950"]]
    cells = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + "</table:table-row>"
        for row in rows
    )
    return _odt(
        '<text:h text:outline-level="1">Sales</text:h><text:p>Sales grew in Zürich and 東京<text:note text:id="n1" '
        'text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Audited figures'
        "</text:p></text:note-body></text:note>.</text:p>"
        '<text:p><draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="Pictures/logo.png"/>'
        "<svg:desc>The red logo</svg:desc></draw:frame></text:p>"
        f'<table:table><table:table-column table:number-columns-repeated="2"/>{cells}</table:table>',
        pictures={"Pictures/logo.png": png()},
    )


def odt_reviewed() -> bytes:
    """The contract as an OpenDocument text."""
    deleted = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info/><text:p>900'
        "</text:p></text:deletion></text:changed-region></text:tracked-changes>"
    )
    return _odt(
        f'{deleted}<text:h text:outline-level="1">Contract 😀</text:h><text:p>The price is '
        '<text:change text:change-id="c1"/>1000<office:annotation><dc:creator>Ann</dc:creator>'
        "<text:p>Please check</text:p></office:annotation> euros.</text:p>",
        margins="<style:header><text:p>Confidential</text:p></style:header>",
    )


def _epub(chapters: Mapping[str, str], metadata: str, extra: Mapping[str, str | bytes]) -> bytes:
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    items = "".join(f'<item id="{n}" href="{n}" media-type="application/xhtml+xml"/>' for n in chapters)
    pictures = "".join(f'<item id="{n}" href="{n}" media-type="image/png"/>' for n in extra if n.endswith(".png"))
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        "<head><title>-</title></head><body>{}</body></html>"
    )
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'<container version="1.0" xmlns="{container}"><rootfiles><rootfile '
            'full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            "book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata}</metadata><manifest>{items}{pictures}</manifest>'
            f"<spine>{spine}</spine></package>",
            **{name: page.format(body) for name, body in chapters.items()},
            **extra,
        }
    )


def epub() -> bytes:
    """A book of two chapters with a picture, a table and a footnote."""
    return _epub(
        {
            "one.xhtml": "<h1>Sales</h1><p>Sales grew in Zürich and 東京"
            '<a epub:type="noteref" href="#n1">1</a>.</p><p><img src="logo.png" alt="The red logo"/></p>'
            '<aside epub:type="footnote" id="n1"><p>Audited figures</p></aside>',
            "two.xhtml": "<h1>Regions</h1><table><tr><th>Region</th><th>Units</th></tr><tr><td>North</td><td>1,200</td>"
            "</tr><tr><td>South</td><td>950</td></tr></table>",
        },
        '<dc:identifier id="id">urn:isbn:9780000000002</dc:identifier><dc:title>Quarterly report</dc:title>'
        "<dc:language>en</dc:language>",
        {"logo.png": png()},
    )


def epub_about(metadata: str, *, heading: str) -> bytes:
    """A book of one chapter that says this of itself."""
    return _epub(
        {"one.xhtml": f"<h1>{heading}</h1><p>Text</p>"},
        f'<dc:identifier id="id">urn:isbn:9780000000002</dc:identifier><dc:language>en</dc:language>{metadata}',
        {},
    )


def epub_awkward() -> bytes:
    """A book with a script, an event handler, a link that runs code, a sound and no title."""
    return _epub(
        {
            "one.xhtml": '<h1>Contract 😀</h1><p onclick="x()">The price is <span onclick="x()">1000</span> euros. '
            '<a href="javascript:x()">Run</a></p><script>x()</script>'
        },
        '<dc:identifier id="id">7</dc:identifier><dc:language>en</dc:language>',
        {"sound.mp3": b"ID3"},
    )


def epub_protected() -> bytes:
    encryption = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">'
        '<e:EncryptedData><e:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/></e:EncryptedData>'
        "</encryption>"
    )
    return _epub({"one.xhtml": "<p>x</p>"}, "<dc:title>x</dc:title>", {"META-INF/encryption.xml": encryption})


RTF = rf"""{{\rtf1\ansi\ansicpg1252\uc1{{\fonttbl{{\f0 Arial;}}}}{{\info{{\title Quarterly report}}}}
{{\pard\s1\outlinelevel0\b Sales\par}}
{{\pard Sales grew in Z\'fcrich and \u26481?\u20140?{{\super\chftn}}{{\*\footnote\chftn\pard Audited figures\par}}.
\par}}
{{\pard {{\pict\pngblip\picw8\pich8\picwgoal600\pichgoal600 {png().hex()}}}\par}}
\trowd\cellx2000\cellx4000\intbl Region\cell Units\cell\row
\trowd\cellx2000\cellx4000\intbl North\cell 1,200\cell\row
}}"""

RTF_REVIEWED = r"""{\rtf1\ansi{\header\pard Confidential\par}
{\pard Contract \u-10179?\u-8704?\par}
{\pard The price is {\deleted 900}{\revised 1000} euros.{\*\annotation\pard Please check\par}\par}
}"""

RST = f"""\
Quarterly report
================

Sales
-----

Sales grew in Zürich and 東京 [1]_.

.. image:: {DATA_URI}
   :alt: The red logo

======  =====
Region  Units
======  =====
North   1,200
South   950
======  =====

- one
- two

.. [1] Audited figures
"""

RST_AWKWARD = """\
Contract 😀

The price is **1000** euros, see `here <javascript:alert(1)>`__.

.. raw:: html

   <script>alert(1)</script><p>Raw text</p>

.. include:: /etc/passwd
"""

HTML = f"""<!DOCTYPE html>
<html lang="de"><head><meta charset="utf-8"><title>Quarterly report</title></head><body>
<h1>Sales</h1><p>Sales grew in <em>Zürich</em> and <b>東京</b>.</p>
<p><img src="{DATA_URI}" alt="The red logo"></p>
<table><tr><th>Region<th>Units<tr><td>North<td>1,200<tr><td>South<td>950</table>
<ul><li>one<li>two</ul>
</body></html>
"""

HTML_AWKWARD = """<html><head><title>Terms</title><style>p { color: red }</style><script>alert(1)</script></head>
<body onload="alert(1)"><h2>Contract 😀</h2><p onclick="alert(1)">The price is 1000 euros.
<a href="JavaScript:alert(1)">Run</a></p>
<iframe src="http://203.0.113.7/"></iframe><img src="http://203.0.113.7/a.png" alt="A far picture">
<form><input name="a"><button>Send</button></form></body></html>
"""

MARKDOWN = f"""---
title: Quarterly report
author: Ann
---

# Sales

Sales grew in *Zürich* and **東京**[^1]. See [Regions](#regions).

![The red logo]({DATA_URI})

## Regions

| Region | Units |
|:-------|------:|
| North  | 1,200 |
| South  |   950 |

- [x] done
- [ ] ~~to do~~

[^1]: Audited figures
"""

MARKDOWN_AWKWARD = """\
# Contract 😀

The price is <b onclick="x()">1000</b> euros.<br>Line two H<sub>2</sub>O [Run](javascript:alert(1))

<script>alert(1)</script>

<div align="center">

<iframe src="http://203.0.113.7/"></iframe>

Text in a box

</div>

    <script>code</script>
"""

TXT = """Sales

Sales grew in Zürich and 東京.
  North   1,200
  South   950

* not a list <b>not markup</b> & so on
"""

TXT_LATIN = "Contract\r\n\r\nThe price is 1000 euros, für Straßenverkäufer in Köln.\r\n".encode("latin-1")
