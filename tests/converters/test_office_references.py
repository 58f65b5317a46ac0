"""Office files that name other files, addresses and programs: nothing of elsewhere is in what is drawn."""

from __future__ import annotations

import base64
import gzip
import html
import io
import os
import tempfile
import zipfile
from pathlib import Path

import openpyxl
import pypdf
import pypdfium2 as pdfium
import pytest
from PIL import Image

from conversions.work import runner
from engine.families.libreoffice import options as installation
from engine.toolkit.failures import Unreadable
from engine.toolkit.options import build
from tests.converters.engines import SUITE
from tests.families.libreoffice.files import pptx_linked, with_two_directories

_READABLE = "/usr/lib/os-release"
"""A file of the system's that may be read by anybody, and its first words."""
_TEXT = "PRETTY_NAME"
_PROFILE = "$UserInstallation/user/registrymodifications.xcu"
_AS_TEXT = "Text - txt - csv (StarCalc)"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = " ".join(
    f'xmlns:{name}="{_OFFICE}{full}:1.0"'
    for name, full in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "svg": "svg-compatible",
    }.items()
) + ' xmlns:xlink="http://www.w3.org/1999/xlink"'  # fmt: skip
_KINDS = {"odt": "text", "ods": "spreadsheet", "odp": "presentation", "odg": "drawing"}
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def opendocument(kind: str, body: str) -> bytes:
    name, out = _KINDS[kind], io.BytesIO()
    media = f"application/vnd.oasis.opendocument.{name}"
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", media)
        archive.writestr(
            "content.xml",
            f'<office:document-content {_SPACES} office:version="1.3"><office:body><office:{name}>{body}'
            f"</office:{name}></office:body></office:document-content>",
        )
        archive.writestr(
            "META-INF/manifest.xml",
            f'<m:manifest xmlns:m="{_OFFICE}manifest:1.0"><m:file-entry m:full-path="/" m:media-type="{media}"/>'
            '<m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>',
        )
    return out.getvalue()


def section(address: str) -> bytes:
    source = f'<text:section-source xlink:href="{address}" xlink:type="simple" text:filter-name="Text"/>'
    return opendocument("odt", f'<text:p>here</text:p><text:section text:name="a">{source}</text:section>')


def frame(inner: str) -> bytes:
    drawn = f'<draw:frame svg:width="5cm" svg:height="5cm">{inner}</draw:frame>'
    return opendocument("odt", f"<text:p>here</text:p><text:p>{drawn}</text:p>")


def drawing(kind: str, inner: str) -> bytes:
    text = (
        "<draw:frame svg:width='5cm' svg:height='5cm'><draw:text-box><text:p>here</text:p></draw:text-box></draw:frame>"
    )
    framed = f'<draw:frame svg:x="6cm" svg:y="6cm" svg:width="5cm" svg:height="5cm">{inner}</draw:frame>'
    return opendocument(kind, f'<draw:page draw:name="a">{text}{framed}</draw:page>')


def sheet(cell: str, before: str = "") -> bytes:
    row = f"<table:table-row>{cell}<table:table-cell office:value-type='string'><text:p>here</text:p></table:table-cell></table:table-row>"  # noqa: E501
    return opendocument("ods", f'<table:table table:name="A">{before}{row}</table:table>')


def formula(text: str) -> bytes:
    return sheet(
        f'<table:table-cell table:formula="of:={html.escape(text)}" office:value-type="string"><text:p>old</text:p>'
        "</table:table-cell>"
    )


def word(body: str, target: str = "") -> bytes:
    def types(name: str, kind: str) -> str:
        return f'<Override PartName="{name}" ContentType="application/vnd.openxmlformats-officedocument.{kind}+xml"/>'

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f"{types('/word/document.xml', 'wordprocessingml.document.main')}</Types>",
        )
        listed = f'<Relationships xmlns="{_PACKAGE}/relationships">{{}}</Relationships>'
        one = f'<Relationship Id="r1" Type="{_RELATIONS}/{{}}" Target="{{}}"{{}}/>'
        archive.writestr("_rels/.rels", listed.format(one.format("officeDocument", "word/document.xml", "")))
        outside = one.format("aFChunk", target, ' TargetMode="External"') if target else ""
        archive.writestr("word/_rels/document.xml.rels", listed.format(outside))
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{_WORD}" xmlns:r="{_RELATIONS}"><w:body>{body}<w:p><w:r><w:t>here</w:t></w:r></w:p>'
            "</w:body></w:document>",
        )
    return out.getvalue()


def field(instruction: str) -> bytes:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    run = f"<w:r><w:instrText> {html.escape(instruction)} </w:instrText></w:r>"
    return word(f"<w:p>{mark('begin')}{run}{mark('separate')}<w:r><w:t>old</w:t></w:r>{mark('end')}</w:p>")


REFERENCES = {
    "a section of a file": ("odt", section(f"file://{_READABLE}")),
    "a section of the process": ("odt", section("file:///proc/self/environ")),
    "a section of the profile": ("odt", section(f"vnd.sun.star.expand:{_PROFILE}")),
    "an object": ("odt", frame(f'<draw:object xlink:href="file://{_READABLE}" xlink:type="simple"/>')),
    "a frame of a file": ("odt", frame(f'<draw:floating-frame xlink:href="file://{_READABLE}" xlink:type="simple"/>')),
    "a picture elsewhere": ("odt", frame('<draw:image xlink:href="http://127.0.0.1:9/a.png" xlink:type="simple"/>')),
    "a sheet of a file": (
        "ods",
        sheet("", f'<table:table-source xlink:href="file://{_READABLE}" table:filter-name="{_AS_TEXT}"/>'),
    ),
    **{
        f"an object of a file on a page of {kind}": (
            kind,
            drawing(kind, f'<draw:object xlink:href="file://{_READABLE}" xlink:type="simple"/>'),
        )
        for kind in ("odp", "odg")
    },
    "a formula of an address": ("ods", formula(f'WEBSERVICE("file://{_READABLE}")')),
    "a formula of another workbook": ("ods", formula(f"['file://{_READABLE}'#$A.A1]")),
    "a formula of a program": ("ods", formula(f'DDE("soffice";"{_READABLE}";"A1")')),
    "a field of a file": ("docx", field(f'INCLUDETEXT "{_READABLE}"')),
    "a field of a program": ("docx", field(f'DDEAUTO soffice "{_READABLE}" a')),
    "a chunk of a file": ("docx", word('<w:altChunk r:id="r1"/>', f"file://{_READABLE}")),
    "a field in RTF": (
        "rtf",
        b'{\\rtf1 here {\\field{\\*\\fldinst INCLUDETEXT "' + _READABLE.encode() + b'"}{\\fldrslt old}}\\par}',
    ),
    "an object of a file on a slide": ("pptx", pptx_linked(f"file://{_READABLE}")),
    "an object that is called a hyperlink": ("pptx", pptx_linked(f"file://{_READABLE}", "hyperlink")),
    "an object in other letters": ("pptx", pptx_linked(f"&#70;ile://{_READABLE}", "hyperlink")),
    "a template elsewhere": ("rtf", b"{\\rtf1{\\*\\template http://127.0.0.1:9/a.dot} here\\par}"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFERENCES)
def test_a_document_brings_nothing_of_elsewhere(name: str) -> None:
    text = drawn(*REFERENCES[name])
    assert "here" in text
    assert not [each for each in (_TEXT, "TMPDIR", "oor:items") if each in text]


def drawn(kind: str, content: bytes) -> str:
    """The text of the PDF that LibreOffice draws."""
    if installation.FOLDER is None and os.environ.get("REQUIRE_LIBREOFFICE") != "1":
        pytest.skip("no LibreOffice")
    converter = SUITE[f"{kind}-to-pdf"]
    with tempfile.TemporaryFile() as source:
        source.write(content)
        outcome = runner.convert(converter, source, build(converter.options, {}))
    with outcome.output:
        return " ".join(page.extract_text() for page in pypdf.PdfReader(outcome.output).pages)


def test_a_document_with_two_directories_is_refused() -> None:
    name = "ppt/slides/_rels/slide1.xml.rels"
    kind, content = REFERENCES["an object of a file on a slide"]
    none = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'
    both = with_two_directories(content, name, none)
    with zipfile.ZipFile(io.BytesIO(both)) as parts:
        assert parts.read(name) == none
    with pytest.raises(Unreadable) as refused:
        drawn(kind, both)
    assert refused.value.reason == "damaged"


@pytest.mark.parametrize("tail", [b"<", b"<a>"])
def test_relationships_that_are_damaged_are_refused(tail: bytes) -> None:
    kind, content = REFERENCES["an object of a file on a slide"]
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as parts, zipfile.ZipFile(made, "w") as files:
        for each in parts.namelist():
            files.writestr(each, parts.read(each) + (tail if each.endswith("slide1.xml.rels") else b""))
    with pytest.raises(Unreadable) as refused:
        drawn(kind, made.getvalue())
    assert refused.value.reason == "damaged"


def test_a_slide_keeps_its_links_to_websites_and_says_which_kind_it_lost() -> None:
    if installation.FOLDER is None and os.environ.get("REQUIRE_LIBREOFFICE") != "1":
        pytest.skip("no LibreOffice")
    converter = SUITE["pptx-to-pdf"]
    kept = ["https://example.org/../a", "mailto:a@example.org", "notes/report.docx", "file:///C:/Users/a/report.docx"]
    for target in (*kept, f"file://{_READABLE}", "../report.docx"):
        with tempfile.TemporaryFile() as source:
            source.write(pptx_linked(target, "hyperlink"))
            outcome = runner.convert(converter, source, build(converter.options, {}))
        outcome.output.close()
        blocked = "REMOTE_RESOURCE_BLOCKED" in {each.code for each in outcome.warnings}
        assert blocked is (target not in kept), target


_GALLERY = Path(installation.FOLDER or "/nowhere") / "share" / "gallery"
_APPLES = next(iter(sorted(_GALLERY.glob("apples.gif"))), None)
"""A picture of the suite's own, which the sandbox may read."""
_ELSEWHERE = f'xlink:href="file://{_APPLES}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"'
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100">'
    f'<image xlink:href="file://{_APPLES}" width="100" height="75"/></svg>'
)
_BY_ENTITY = f'<!DOCTYPE svg [<!ENTITY p "file://{_APPLES}">]>' + _SVG.replace(f"file://{_APPLES}", "&p;")
_IN_DATA = _SVG.replace(f"file://{_APPLES}", "data:image/svg+xml;base64," + base64.b64encode(_SVG.encode()).decode())


def pictured(content: str | bytes) -> bytes:
    """A drawing with a picture of this content, whatever it is called."""
    made_, name = io.BytesIO(), "Pictures/a.png"
    with (
        zipfile.ZipFile(io.BytesIO(drawing("odg", f'<draw:image xlink:href="{name}" xlink:type="simple"/>'))) as old,
        zipfile.ZipFile(made_, "w") as new,
    ):
        listed = f'<m:file-entry m:full-path="{name}" m:media-type="image/png"/></m:manifest>'.encode()
        for each in old.namelist():
            new.writestr(each, old.read(each).replace(b"</m:manifest>", listed))
        new.writestr(name, content)
    return made_.getvalue()


_FORM = (
    '<office:forms><form:form xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0" form:name="F">'
    f'<form:image-frame form:name="c" form:id="c1" form:image-data="file://{_APPLES}"/></form:form></office:forms>'
    '<text:p>here<draw:control draw:control="c1" svg:width="6cm" svg:height="6cm" text:anchor-type="paragraph"/>'
    "</text:p>"
)
PICTURES = {
    "a picture of a file": ("odg", lambda: drawing("odg", f"<draw:image {_ELSEWHERE}/>")),
    "a picture in cells": (
        "ods",
        lambda: sheet(
            '<table:table-cell><draw:frame svg:width="5cm" svg:height="5cm">'
            f"<draw:image {_ELSEWHERE}/></draw:frame></table:table-cell>"
        ),
    ),
    "a picture on a slide": ("odp", lambda: drawing("odp", f"<draw:image {_ELSEWHERE}/>")),
    "a picture of a control": ("odt", lambda: opendocument("odt", _FORM)),
    "an SVG picture that shows another": ("odg", lambda: pictured(_SVG)),
    "a packed SVG picture": ("odg", lambda: pictured(gzip.compress(_SVG.encode(), mtime=0))),
    "an SVG picture with an entity": ("odg", lambda: pictured(_BY_ENTITY)),
    "an SVG picture in another": ("odg", lambda: pictured(_IN_DATA)),
    "an SVG picture in the text": (
        "odg",
        lambda: drawing(
            "odg",
            f"<draw:image><office:binary-data>{base64.b64encode(_SVG.encode()).decode()}</office:binary-data></draw:image>",
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_elsewhere_is_not_drawn_and_is_counted_once(name: str) -> None:
    kind, make = PICTURES[name]
    outcome, pdf = made(kind, make())
    assert not red(pdf)
    blocked = [each.message for each in outcome.warnings if each.code == "REMOTE_RESOURCE_BLOCKED"]
    assert blocked == ["1 references to other files or websites were not loaded."]


def test_a_picture_in_rtf_is_no_svg_picture() -> None:
    picture = f"{{\\pict\\pngblip\\picwgoal3000\\pichgoal3000 {_SVG.encode().hex()}}}"
    try:
        _, pdf = made("rtf", f"{{\\rtf1 here {picture}\\par}}".encode())
    except Unreadable:
        return
    assert not red(pdf)


def test_an_svg_picture_of_its_own_content_is_drawn() -> None:
    own = "data:image/gif;base64," + base64.b64encode(_picture()).decode()
    _, pdf = made("odg", pictured(_SVG.replace(f"file://{_APPLES}", own)))
    assert red(pdf)


_NAMED = '<text:file-name text:display="full">old</text:file-name>'
NAMES = {
    "odt": lambda: opendocument("odt", f"<text:p>here {_NAMED}</text:p>"),
    "odg": lambda: drawing("odg", f"<draw:text-box><text:p>{_NAMED}</text:p></draw:text-box>"),
    "odp": lambda: drawing("odp", f"<draw:text-box><text:p>{_NAMED}</text:p></draw:text-box>"),
    "ods": lambda: sheet(
        '<table:table-cell xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" '
        'table:formula="of:=CELL(&quot;filename&quot;)"/>'
    ),
    "docx": lambda: field("FILENAME \\p"),
    "rtf": lambda: b"{\\rtf1 here {\\field{\\*\\fldinst FILENAME \\\\p}{\\fldrslt old}}\\par}",
}


@pytest.mark.parametrize("kind", NAMES)
def test_the_name_of_a_document_has_no_folder(kind: str) -> None:
    outcome, pdf = made(kind, NAMES[kind]())
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)
    assert "/input." in text
    told = text + " ".join(each.message for each in outcome.warnings)
    assert [each for each in ("conversions-", "/dev", "/tmp", "inside") if each in told] == []


@pytest.mark.parametrize("kind", ["ods", "xlsx"])
def test_the_name_of_a_workbook_of_which_one_sheet_is_drawn_has_no_folder(kind: str) -> None:
    if kind == "xlsx":
        book, file = openpyxl.Workbook(), io.BytesIO()
        book.active.title = "A"
        book.active["A1"] = '=CELL("filename")'
        book.save(file)
    content = NAMES["ods"]() if kind == "ods" else file.getvalue()
    told = ""
    for options in ({}, {"sheet": "A"}):
        outcome, pdf = made(kind, content, **options)
        told += " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)
        told += " ".join(each.message for each in outcome.warnings)
    assert told.count("file:///") >= 2
    assert [each for each in ("conversions-", "/dev", "/tmp") if each in told] == []


def made(kind: str, content: bytes, **options: str) -> tuple[runner.Outcome, bytes]:
    """What comes of the conversion to PDF, and the PDF."""
    if _APPLES is None and os.environ.get("REQUIRE_LIBREOFFICE") != "1":
        pytest.skip("no LibreOffice with a gallery")
    converter = SUITE[f"{kind}-to-pdf"]
    with tempfile.TemporaryFile() as source:
        source.write(content)
        outcome = runner.convert(converter, source, build(converter.options, options))
    with outcome.output:
        return outcome, outcome.output.read()


def red(pdf: bytes) -> bool:
    """Whether it shows red, as apples are and nothing that LibreOffice draws by itself."""
    for page in pdfium.PdfDocument(pdf):
        hue, saturation, _ = page.render(scale=0.5).to_pil().convert("HSV").split()
        found = zip(hue.tobytes(), saturation.tobytes(), strict=True)
        if sum(1 for h, s in found if s > 90 and not 30 < h < 225) > 50:
            return True
    return False


def _picture() -> bytes:
    drawn_picture = io.BytesIO()
    Image.new("RGB", (100, 75), "red").save(drawn_picture, "GIF")
    return drawn_picture.getvalue()
