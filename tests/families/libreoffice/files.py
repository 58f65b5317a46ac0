"""Files of the office suite's vectors, made part by part: presentations and workbooks."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from functools import cache

import openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.utils.indexed_list import IndexedList

from tests.families.documents.files import archive, png

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_PARTS = "application/vnd.openxmlformats-officedocument.presentationml"
_SPACES = f'xmlns:p="{_P}" xmlns:a="{_A}" xmlns:r="{_R}"'
_GROUP = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
_COLOURS = "".join(
    f'<a:{name}><a:srgbClr val="{value}"/></a:{name}>'
    for name, value in (
        ("dk1", "000000"), ("lt1", "FFFFFF"), ("dk2", "1F3864"), ("lt2", "EEEEEE"), ("accent1", "2255CC"),
        ("accent2", "CC2222"), ("accent3", "22AA44"), ("accent4", "FFC000"), ("accent5", "7030A0"),
        ("accent6", "00B0F0"), ("hlink", "0563C1"), ("folHlink", "954F72"),
    )
)  # fmt: skip
_THEME = f"""<a:theme xmlns:a="{_A}" name="Plain"><a:themeElements><a:clrScheme name="Plain">{_COLOURS}</a:clrScheme>
<a:fontScheme name="Plain"><a:majorFont><a:latin typeface="Liberation Sans"/><a:ea typeface=""/><a:cs typeface=""/>
</a:majorFont><a:minorFont><a:latin typeface="Liberation Sans"/><a:ea typeface=""/><a:cs typeface=""/></a:minorFont>
</a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst><a:solidFill><a:schemeClr val="phClr"/></a:solidFill>
</a:fillStyleLst><a:lnStyleLst><a:ln/></a:lnStyleLst><a:effectStyleLst><a:effectStyle><a:effectLst/></a:effectStyle>
</a:effectStyleLst><a:bgFillStyleLst><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:bgFillStyleLst>
</a:fmtScheme></a:themeElements></a:theme>"""


_MODE = {False: "Internal", True: "External"}


def _relations(*targets: tuple[str, str, str, bool]) -> str:
    """Relationships as id, kind, target, and whether the target lies outside the file."""
    each = "".join(
        f'<Relationship Id="{key}" Type="{_R}/{kind}" Target="{target}" TargetMode="{_MODE[outside]}"/>'
        for key, kind, target, outside in targets
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'


def _box(key: int, x: int, y: int, width: int, height: int, paragraphs: str) -> str:
    """A box of text; lengths in millimetres."""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{key}" name="Box {key}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr>'
        f'<a:xfrm><a:off x="{x * 36000}" y="{y * 36000}"/><a:ext cx="{width * 36000}" cy="{height * 36000}"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f'<p:txBody><a:bodyPr wrap="square"/><a:lstStyle/>{paragraphs}</p:txBody></p:sp>'
    )


def _paragraph(words: str, *, size: int = 24, bullet: bool = False, font: str = "") -> str:
    mark = (
        '<a:pPr marL="342900" indent="-342900"><a:buFont typeface="Arial"/><a:buChar char="•"/></a:pPr>'
        if bullet
        else ""
    )
    face = f'<a:latin typeface="{font}"/>' if font else ""
    return f'<a:p>{mark}<a:r><a:rPr lang="en-US" sz="{size * 100}">{face}</a:rPr><a:t>{words}</a:t></a:r></a:p>'


def _picture(key: int, relation: str, *, linked: bool = False) -> str:
    how = "link" if linked else "embed"
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="{key}" name="Picture" descr="A red square"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        f'<p:blipFill><a:blip r:{how}="{relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
        '<p:spPr><a:xfrm><a:off x="6480000" y="2520000"/><a:ext cx="1800000" cy="1800000"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
    )


def _slide(shapes: str, *, hidden: bool = False) -> str:
    show = 0 if hidden else 1
    return f'<p:sld {_SPACES} show="{show}"><p:cSld><p:spTree>{_GROUP}{shapes}</p:spTree></p:cSld></p:sld>'


def _presentation(
    slides: list[tuple[str, list[tuple[str, str, str, bool]]]], extra: dict[str, str | bytes] | None = None
) -> bytes:
    """A presentation of slides, each with what it refers to."""
    numbers = range(1, len(slides) + 1)
    overrides = "".join(
        f'<Override PartName="/ppt/{name}" ContentType="{kind}"/>'
        for name, kind in (
            ("presentation.xml", f"{_PARTS}.presentation.main+xml"),
            ("slideMasters/slideMaster1.xml", f"{_PARTS}.slideMaster+xml"),
            ("slideLayouts/slideLayout1.xml", f"{_PARTS}.slideLayout+xml"),
            ("theme/theme1.xml", "application/vnd.openxmlformats-officedocument.theme+xml"),
            *((f"slides/slide{number}.xml", f"{_PARTS}.slide+xml") for number in numbers),
        )
    )
    tree = f"<p:cSld><p:spTree>{_GROUP}</p:spTree></p:cSld>"
    mapping = " ".join(
        f'{name}="{colour}"'
        for name, colour in (
            ("bg1", "lt1"), ("tx1", "dk1"), ("bg2", "lt2"), ("tx2", "dk2"),
            ("hlink", "hlink"), ("folHlink", "folHlink"),
            *((f"accent{number}", f"accent{number}") for number in range(1, 7)),
        )
    )  # fmt: skip
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="png" ContentType="image/png"/>'
        '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f"{overrides}</Types>",
        "_rels/.rels": _relations(("r1", "officeDocument", "ppt/presentation.xml", False)),
        "ppt/presentation.xml": f"<p:presentation {_SPACES}><p:sldMasterIdLst>"
        '<p:sldMasterId id="2147483648" r:id="rM"/></p:sldMasterIdLst><p:sldIdLst>'
        + "".join(f'<p:sldId id="{255 + number}" r:id="rS{number}"/>' for number in numbers)
        + '</p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _relations(
            ("rM", "slideMaster", "slideMasters/slideMaster1.xml", False),
            ("rT", "theme", "theme/theme1.xml", False),
            *((f"rS{number}", "slide", f"slides/slide{number}.xml", False) for number in numbers),
        ),
        "ppt/theme/theme1.xml": _THEME,
        "ppt/slideMasters/slideMaster1.xml": f"<p:sldMaster {_SPACES}>{tree}<p:clrMap {mapping}/><p:sldLayoutIdLst>"
        '<p:sldLayoutId id="2147483649" r:id="rL"/></p:sldLayoutIdLst></p:sldMaster>',
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            ("rL", "slideLayout", "../slideLayouts/slideLayout1.xml", False),
            ("rT", "theme", "../theme/theme1.xml", False),
        ),
        "ppt/slideLayouts/slideLayout1.xml": f'<p:sldLayout {_SPACES} type="blank">{tree}</p:sldLayout>',
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": _relations(
            ("rM", "slideMaster", "../slideMasters/slideMaster1.xml", False)
        ),
    }
    for number, (body, relations) in zip(numbers, slides, strict=True):
        parts[f"ppt/slides/slide{number}.xml"] = body
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = _relations(
            ("rL", "slideLayout", "../slideLayouts/slideLayout1.xml", False), *relations
        )
    return archive(parts | (extra or {}))


@cache
def pptx(picture: bytes | None = None) -> bytes:
    """Two slides: a title, bullets with Chinese and Japanese in them, and a red picture; then a closing line."""
    bullets = "".join(
        _paragraph(each, size=18, bullet=True)
        for each in ("Sales grew in Zürich", "東京 and 北京 opened", "1,200 units")
    )
    first = _slide(
        _box(2, 15, 10, 220, 20, _paragraph("Quarterly report", size=36))
        + _box(3, 15, 40, 150, 80, bullets)
        + _picture(4, "rP")
    )
    last = _slide(_box(2, 15, 10, 220, 20, _paragraph("Second slide: thank you", size=36)))
    return _presentation(
        [(first, [("rP", "image", "../media/image1.png", False)]), (last, [])],
        {"ppt/media/image1.png": picture or png()},
    )


@cache
def pptx_awkward() -> bytes:
    """A hidden slide, a font that nobody has, a picture from elsewhere, a video, today's date, and macros."""
    field = (
        '<a:p><a:fld id="{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}" type="datetime1"><a:rPr lang="en-US"/>'
        "<a:t>1/2/2003</a:t></a:fld></a:p>"
    )
    shown = _slide(
        _box(2, 15, 10, 220, 20, _paragraph("Contract 😀", size=36, font="Nobody Has This Font"))
        + _box(3, 15, 40, 150, 20, field)
        + _picture(4, "rP", linked=True)
    )
    hidden = _slide(_box(2, 15, 10, 220, 20, _paragraph("Internal only")), hidden=True)
    return _presentation(
        [
            (
                shown,
                [("rP", "image", "http://192.0.2.1/picture.png", True), ("rV", "video", "../media/film.mp4", False)],
            ),
            (hidden, []),
        ],
        {"ppt/media/film.mp4": b"\x00\x00\x00\x18ftypmp42", "ppt/vbaProject.bin": b"\xd0\xcf\x11\xe0"},
    )


def pptx_linked(target: str, kind: str = "oleObject") -> bytes:
    """A slide of one word, and an object to be read from `target`, which its relationship says is of this kind."""
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="Object"/><p:cNvGraphicFramePr/><p:nvPr/>'
        '</p:nvGraphicFramePr><p:xfrm><a:off x="360000" y="1800000"/><a:ext cx="3000000" cy="2000000"/></p:xfrm>'
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">'
        '<p:oleObj name="a" r:id="rO" imgW="3000000" imgH="2000000" progId="Word.Document.12">'
        '<p:link updateAutomatic="1"/></p:oleObj></a:graphicData></a:graphic></p:graphicFrame>'
    )
    slide = _slide(_box(2, 15, 10, 220, 20, _paragraph("here")) + frame)
    return _presentation([(slide, [("rO", kind, target, True)])])


@cache
def xlsx() -> bytes:
    """A sheet of thirty columns, wider than any paper, and a small second one."""
    book = openpyxl.Workbook()
    book._fonts = IndexedList([Font(name="Liberation Sans")])
    book._named_styles["Normal"].font = Font(name="Liberation Sans")
    sheet = book.active
    sheet.title = "Sales"
    sheet.append([f"Month {number}" for number in range(1, 31)])
    for row in range(1, 41):
        sheet.append([row * column for column in range(1, 30)] + ["東京"])
    for cell in sheet[1]:
        cell.font = Font(name="Liberation Sans", bold=True)
    book.create_sheet("Notes")["A1"] = "Audited in Zürich"
    return _saved(book)


@cache
def xlsx_awkward() -> bytes:
    """A hidden sheet, a font that nobody has, a formula without a value, one that asks the network, a comment."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "O'Neil & <co>"
    sheet["A1"] = "Contract 1000"
    sheet["A1"].font = Font(name="Nobody Has This Font", size=14)
    sheet["A1"].comment = Comment("Please check", "Ann")
    sheet["A2"] = "=20*21+1"
    sheet["A3"] = "=IF(TODAY()>40000,2000,0)"
    sheet["A4"] = '=WEBSERVICE("http://192.0.2.1/secret")'
    book.create_sheet("Inner figures")["A1"] = "Not to be seen"
    book["Inner figures"].sheet_state = "hidden"
    return _saved(book)


def _saved(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


_O = "urn:oasis:names:tc:opendocument:xmlns:"
_ODS_SPACES = " ".join(
    f'xmlns:{name}="{_O}{path}:1.0"'
    for name, path in (
        ("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"), ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"), ("script", "script"), ("draw", "drawing"), ("presentation", "presentation"),
    )
)  # fmt: skip
_MACRO = """Sub Main
  ThisComponent.Sheets(0).getCellRangeByName("A1").String = "The macro ran"
End Sub"""


def _ods(tables: str, *, listeners: str = "", extra: dict[str, str | bytes] | None = None) -> bytes:
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    spaces = f'xmlns:manifest="{_O}manifest:1.0"'
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{media}"/>'
        for name, media in (("/", kind), *((name, "text/xml") for name in ("content.xml", *(extra or {}))))
    )
    return archive(
        {
            "mimetype": kind,
            "META-INF/manifest.xml": f"<manifest:manifest {spaces}>{listed}</manifest:manifest>",
            "content.xml": f'<office:document-content {_ODS_SPACES} xmlns:xlink="http://www.w3.org/1999/xlink" '
            'xmlns:dom="http://www.w3.org/2001/xml-events" xmlns:ooo="http://openoffice.org/2004/office" '
            f'office:version="1.2"><office:scripts>{listeners}</office:scripts>'
            '<office:font-face-decls><style:font-face style:name="F" svg:font-family="Liberation Sans"/>'
            "</office:font-face-decls><office:automatic-styles>"
            '<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/>'
            f"</style:style></office:automatic-styles><office:body><office:spreadsheet>{tables}</office:spreadsheet>"
            "</office:body></office:document-content>",
        }
        | (extra or {})
    )


def _ods_table(name: str, rows: list[list[str]], *, style: str = "") -> str:
    lines = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{each}</text:p></table:table-cell>' for each in row
        )
        + "</table:table-row>"
        for row in rows
    )
    chosen = f' table:style-name="{style}"' if style else ""
    return f'<table:table table:name="{name}"{chosen}>{lines}</table:table>'


@cache
def ods() -> bytes:
    """Two sheets, Sales and Notes."""
    first = _ods_table("Sales", [["Region", "Units"], ["Zürich", "1,200"], ["東京", "950"]])
    return _ods(first + _ods_table("Notes", [["Audited in Zürich"]]))


@cache
def ods_awkward() -> bytes:
    """A macro that changes the first one when the file is opened, a sheet linked to another host, a hidden one."""
    linked = (
        '<table:table table:name="Linked"><table:table-source xlink:type="simple" '
        'xlink:href="http://192.0.2.1/rates.ods" table:table-name="Rates"/><table:table-row>'
        '<table:table-cell office:value-type="string"><text:p>Rates of last week</text:p></table:table-cell>'
        "</table:table-row></table:table>"
    )
    listeners = "".join(
        f'<script:event-listener script:language="ooo:script" script:event-name="{event}" '
        'xlink:href="vnd.sun.star.script:Standard.Opening.Main?language=Basic&amp;location=document" '
        'xlink:type="simple"/>'
        for event in ("dom:load", "office:load-finished", "office:view-created", "office:copy-to")
    )
    library = 'xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return _ods(
        _ods_table("Prices", [["Contract 1000"]]) + linked + _ods_table("Inner", [["Not to be seen"]], style="hidden"),
        listeners=f"<office:event-listeners>{listeners}</office:event-listeners>",
        extra={
            "Basic/script-lc.xml": f"<library:libraries {library}>"
            '<library:library library:name="Standard" library:link="false"/></library:libraries>',
            "Basic/Standard/script-lb.xml": f'<library:library {library} library:name="Standard" '
            'library:readonly="false" library:passwordprotected="false"><library:element library:name="Opening"/>'
            "</library:library>",
            "Basic/Standard/Opening.xml": '<script:module xmlns:script="http://openoffice.org/2000/script" '
            f'script:name="Opening" script:language="StarBasic">{_MACRO.replace(chr(34), "&quot;")}</script:module>',
        },
    )


@cache
def ods_protected() -> bytes:
    """A workbook whose manifest says that its content is encrypted."""
    entry = (
        f'<manifest:manifest xmlns:manifest="{_O}manifest:1.0"><manifest:file-entry manifest:full-path="content.xml" '
        'manifest:media-type="text/xml"><manifest:encryption-data manifest:checksum-type="SHA1/1K" '
        'manifest:checksum="AAAA"/></manifest:file-entry></manifest:manifest>'
    )
    return archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": entry,
            "content.xml": b"\x8b\x1c office:spreadsheet",
        }
    )


def _drawn(kind: str, pages: list[str]) -> bytes:
    """An OpenDocument presentation (`presentation`) or drawing (`graphics`) of these pages."""
    media = f"application/vnd.oasis.opendocument.{kind}"
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{each}"/>'
        for name, each in (("/", media), ("content.xml", "text/xml"), ("styles.xml", "text/xml"))
    )
    spaces = f'{_ODS_SPACES} xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2"'
    body = "presentation" if kind == "presentation" else "drawing"
    return archive(
        {
            "mimetype": media,
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{_O}manifest:1.0">{listed}'
            "</manifest:manifest>",
            "styles.xml": f"<office:document-styles {spaces}>"
            '<office:automatic-styles><style:page-layout style:name="L">'
            '<style:page-layout-properties fo:page-width="240mm" fo:page-height="135mm" fo:margin="0mm"/>'
            '</style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="M" '
            'style:page-layout-name="L"/></office:master-styles></office:document-styles>',
            "content.xml": f"<office:document-content {spaces}><office:font-face-decls>"
            '<style:font-face style:name="F" svg:font-family="Liberation Sans"/></office:font-face-decls>'
            '<office:automatic-styles><style:style style:name="red" style:family="graphic"><style:graphic-properties '
            'draw:fill="solid" draw:fill-color="#ff0000" draw:stroke="none"/></style:style>'
            '<style:style style:name="hidden" style:family="drawing-page"><style:drawing-page-properties '
            'presentation:visibility="hidden"/></style:style></office:automatic-styles>'
            f"<office:body><office:{body}>{''.join(pages)}</office:{body}></office:body></office:document-content>",
        }
    )


def _page(name: str, shapes: str, *, style: str = "") -> str:
    chosen = f' draw:style-name="{style}"' if style else ""
    return f'<draw:page draw:name="{name}" draw:master-page-name="M"{chosen}>{shapes}</draw:page>'


def _framed(words: str, top: int) -> str:
    return (
        f'<draw:frame svg:x="15mm" svg:y="{top}mm" svg:width="150mm" svg:height="15mm"><draw:text-box>'
        f"<text:p>{words}</text:p></draw:text-box></draw:frame>"
    )


_SQUARE = '<draw:rect draw:style-name="red" svg:x="110mm" svg:y="70mm" svg:width="50mm" svg:height="50mm"/>'
_FAR = (
    '<draw:frame svg:x="15mm" svg:y="60mm" svg:width="20mm" svg:height="20mm"><draw:image xlink:type="simple" '
    'xlink:href="http://192.0.2.1/picture.png"/></draw:frame>'
)


@cache
def odp() -> bytes:
    """Two slides: text and a red square, then a closing line."""
    first = _page("one", _framed("Quarterly report", 10) + _framed("Sales grew in Zürich and 東京", 30) + _SQUARE)
    return _drawn("presentation", [first, _page("two", _framed("Second slide: thank you", 10))])


@cache
def odp_awkward() -> bytes:
    """A slide with a picture from elsewhere, and a hidden one."""
    pages = [
        _page("one", _framed("Contract 1000", 10) + _FAR),
        _page("two", _framed("Internal only", 10), style="hidden"),
    ]
    return _drawn("presentation", pages)


@cache
def odg() -> bytes:
    """A drawing of two pages: text and a red square, then text alone."""
    first = _page("one", _framed("Floor plan", 10) + _SQUARE)
    return _drawn("graphics", [first, _page("two", _framed("Second floor", 10))])


@cache
def odg_awkward() -> bytes:
    """A drawing with a picture from elsewhere."""
    return _drawn("graphics", [_page("one", _framed("Floor plan", 10) + _FAR + _SQUARE)])


def with_two_directories(data: bytes, part: str, shown: bytes) -> bytes:
    """An archive that has its parts for readers of the plain end record (APPNOTE 4.3.16), and `shown` in place of one
    `part` for those of the ZIP64 record before it (4.3.14)."""
    made, plain, large = bytearray(), [], []
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        contents = [(name, parts.read(name)) for name in parts.namelist()]

    def entry(name: str, content: bytes) -> bytes:
        at, sizes = len(made), struct.pack("<III", zlib.crc32(content), len(content), len(content))
        lengths = struct.pack("<HH", len(name), 0)
        made.extend(struct.pack("<IHHHHH", 0x04034B50, 20, 0, 0, 0, 0x21) + sizes + lengths + name.encode() + content)
        head = struct.pack("<IHHHHHH", 0x02014B50, 20, 20, 0, 0, 0, 0x21) + sizes + lengths
        return head + struct.pack("<HHHII", 0, 0, 0, 0, at) + name.encode()

    for name, content in contents:
        plain.append(entry(name, content))
        large.append(entry(name, shown) if name == part else plain[-1])
    count, first, size = len(plain), len(made), len(b"".join(large))
    made += b"".join(plain)
    second = len(made)
    made += b"".join(large)
    end = len(made)
    made += struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, size, second)
    made += struct.pack("<IIQI", 0x07064B50, 0, end, 1)
    made += struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(made) - first, first, 0)
    return bytes(made)
