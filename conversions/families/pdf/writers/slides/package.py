"""The package of a presentation: its parts but the slides, written the same way every time (ECMA-376)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from html import escape
from pathlib import Path

from conversions.families.pdf.writers.runs import cleaned
from conversions.toolkit import archive

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument"
NAMESPACES = (
    f'xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
ROOT = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
    '<a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
_ACCENTS = ("4472C4", "ED7D31", "A5A5A5", "FFC000", "5B9BD5", "70AD47")


class Relations:
    """What a slide refers to: its layout, pictures and links, each by an id that is given once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {("slideLayout", "../slideLayouts/slideLayout1.xml"): "rId1"}

    def id(self, kind: str, target: str) -> str:
        """The id of a picture (`image`) or of an address (`hyperlink`)."""
        return self._known.setdefault((kind, target), f"rId{len(self._known) + 1}")

    def xml(self) -> str:
        return _relations((name, kind, target) for (kind, target), name in self._known.items())


def write(
    target: Path, slides: Iterable[tuple[str, Relations]], *, width: int, height: int, pictures: list[Path], title: str
) -> None:
    """Write the slides, all of one size in English metric units, with the pictures that they refer to."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as file:
        count = 0
        for count, (xml, relations) in enumerate(slides, 1):
            file.writestr(archive.entry(f"ppt/slides/slide{count}.xml"), xml)
            file.writestr(archive.entry(f"ppt/slides/_rels/slide{count}.xml.rels"), relations.xml())
        for name, text in _parts(count, width, height, title).items():
            file.writestr(archive.entry(name), text)
        for path in pictures:
            file.writestr(archive.entry(f"ppt/media/{path.name}", stored=True), path.read_bytes())


def _parts(count: int, width: int, height: int, title: str) -> dict[str, str]:
    numbers = range(1, count + 1)
    mapping = (
        '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" '
        'accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
    )
    slides = "".join(f'<p:sldId id="{255 + at}" r:id="rId{at + 2}"/>' for at in numbers)
    return {
        "[Content_Types].xml": _types(count),
        "_rels/.rels": _relations(
            (
                ("rId1", "officeDocument", "ppt/presentation.xml"),
                ("rId2", f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
            )
        ),
        "docProps/core.xml": f'{HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(cleaned(title))}</dc:title></cp:coreProperties>',
        "ppt/presentation.xml": f'{HEAD}<p:presentation {NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" '
        f'r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>{slides}</p:sldIdLst><p:sldSz cx="{width}" cy="{height}"/>'
        '<p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _relations(
            (
                ("rId1", "slideMaster", "slideMasters/slideMaster1.xml"),
                ("rId2", "theme", "theme/theme1.xml"),
                *((f"rId{at + 2}", "slide", f"slides/slide{at}.xml") for at in numbers),
            )
        ),
        "ppt/slideMasters/slideMaster1.xml": f'{HEAD}<p:sldMaster {NAMESPACES}><p:cSld><p:bg><p:bgRef idx="1001">'
        f'<a:schemeClr val="bg1"/></p:bgRef></p:bg><p:spTree>{ROOT}</p:spTree></p:cSld>{mapping}<p:sldLayoutIdLst>'
        '<p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>',
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            (("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml"), ("rId2", "theme", "../theme/theme1.xml"))
        ),
        "ppt/slideLayouts/slideLayout1.xml": f'{HEAD}<p:sldLayout {NAMESPACES} type="blank"><p:cSld name="Blank">'
        f"<p:spTree>{ROOT}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>",
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": _relations(
            (("rId1", "slideMaster", "../slideMasters/slideMaster1.xml"),)
        ),
        "ppt/theme/theme1.xml": _theme(),
    }


def _relations(found: Iterable[tuple[str, str, str]]) -> str:
    outside = ' TargetMode="External"'
    lines = (
        f'<Relationship Id="{name}" Type="{kind if ":" in kind else f"{_OFFICE}/{kind}"}" '
        f'Target="{escape(cleaned(target))}"{outside if kind == "hyperlink" else ""}/>'
        for name, kind, target in found
    )
    return f'{HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(lines)}</Relationships>'


def _types(count: int) -> str:
    kinds = {
        "presentation": "presentation.main", "slideMasters/slideMaster1": "slideMaster",
        "slideLayouts/slideLayout1": "slideLayout",
    } | {f"slides/slide{at}": "slide" for at in range(1, count + 1)}  # fmt: skip
    overrides = "".join(
        f'<Override PartName="/ppt/{part}.xml" ContentType="{_TYPE}.presentationml.{kind}+xml"/>'
        for part, kind in kinds.items()
    )
    return (
        f'{HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="png" ContentType="image/png"/><Default Extension="jpg" ContentType="image/jpeg"/>'
        '<Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
        f'<Override PartName="/ppt/theme/theme1.xml" ContentType="{_TYPE}.theme+xml"/>{overrides}</Types>'
    )


def _theme() -> str:
    def colour(name: str, value: str) -> str:
        return f'<a:{name}><a:srgbClr val="{value}"/></a:{name}>'

    colours = "".join(
        colour(name, value)
        for name, value in (
            ("dk1", "000000"), ("lt1", "FFFFFF"), ("dk2", "44546A"), ("lt2", "E7E6E6"),
            *((f"accent{at}", value) for at, value in enumerate(_ACCENTS, 1)),
            ("hlink", "0563C1"), ("folHlink", "954F72"),
        )
    )  # fmt: skip
    font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    line = f'<a:ln w="9525">{fill}</a:ln>'
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f'{HEAD}<a:theme xmlns:a="{_DRAWING}" name="Plain"><a:themeElements><a:clrScheme name="Plain">{colours}'
        f'</a:clrScheme><a:fontScheme name="Plain"><a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont>'
        f'</a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst>{fill * 3}</a:fillStyleLst>'
        f"<a:lnStyleLst>{line * 3}</a:lnStyleLst><a:effectStyleLst>{effect * 3}</a:effectStyleLst>"
        f"<a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )
