"""Write the package of a presentation, reproducibly: all parts except the slides (ECMA-376, part 1, 13.3)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from engine.toolkit import archive

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


@dataclass(frozen=True)
class Layout:
    """A slide layout: its name, type (19.7.15), shapes and background."""

    name: str
    type: str
    shapes: str = ""
    background: str = ""


@dataclass(frozen=True)
class Master:
    """The slide master: its shapes and the text styles of titles, bodies and others (19.3.1.52)."""

    shapes: str = ""
    styles: str = ""


BLANK = Layout("Blank", "blank")


class Relations:
    """The relationships of a slide: its layout (a number, from 1), pictures and links, each with one id."""

    def __init__(self, layout: int = 1) -> None:
        self._known: dict[tuple[str, str], str] = {("slideLayout", f"../slideLayouts/slideLayout{layout}.xml"): "rId1"}

    def id(self, kind: str, target: str) -> str:
        """The relationship id of a picture (`image`), another slide (`slide`) or an address (`hyperlink`)."""
        return self._known.setdefault((kind, target), f"rId{len(self._known) + 1}")

    def xml(self) -> str:
        return _relations((name, kind, target) for (kind, target), name in self._known.items())


@dataclass(frozen=True)
class Page:
    """One slide: its part, its relationships, and the paragraphs of its speaker notes."""

    xml: str
    relations: Relations
    notes: str = ""


def write(
    target: Path,
    slides: Iterable[Page],
    *,
    width: int,
    height: int,
    pictures: Iterable[Path],
    title: str,
    master: Master = Master(),
    layouts: Sequence[Layout] = (BLANK,),
) -> None:
    """Write the slides, all of one size in English metric units, and the pictures they refer to."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as file:
        count = 0
        noted = []
        for count, page in enumerate(slides, 1):
            file.writestr(archive.entry(f"ppt/slides/slide{count}.xml"), page.xml)
            if page.notes:
                noted.append(count)
                page.relations.id("notesSlide", f"../notesSlides/notesSlide{count}.xml")
                for name, text in _notes(count, page.notes).items():
                    file.writestr(archive.entry(name), text)
            file.writestr(archive.entry(f"ppt/slides/_rels/slide{count}.xml.rels"), page.relations.xml())
        for name, text in _parts(count, noted, width, height, title, master, layouts).items():
            file.writestr(archive.entry(name), text)
        for path in pictures:
            file.writestr(archive.entry(f"ppt/media/{path.name}", stored=True), path.read_bytes())


_MAPPING = (
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" '
    'accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
)
_GROUND = '<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>'
_AS_MASTER = "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>"
_NOTES_BOX = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Notes"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>'
    '<p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>'
    "{paragraphs}</p:txBody></p:sp>"
)
_NOTES_PLACE = (
    '<a:xfrm><a:off x="685800" y="4400550"/><a:ext cx="5486400" cy="3600450"/></a:xfrm><a:prstGeom prst="rect">'
    "<a:avLst/></a:prstGeom>"
)


def _notes(number: int, paragraphs: str) -> dict[str, str]:
    box = _NOTES_BOX.format(place="", paragraphs=paragraphs)
    return {
        f"ppt/notesSlides/notesSlide{number}.xml": f"{HEAD}<p:notes {NAMESPACES}><p:cSld><p:spTree>{ROOT}{box}"
        f"</p:spTree></p:cSld>{_AS_MASTER}</p:notes>",
        f"ppt/notesSlides/_rels/notesSlide{number}.xml.rels": _relations(
            (
                ("rId1", "notesMaster", "../notesMasters/notesMaster1.xml"),
                ("rId2", "slide", f"../slides/slide{number}.xml"),
            )
        ),
    }


def _parts(
    count: int, noted: list[int], width: int, height: int, title: str, master: Master, layouts: Sequence[Layout]
) -> dict[str, str]:
    numbers = range(1, count + 1)
    slides = "".join(f'<p:sldId id="{255 + at}" r:id="rId{at + 3}"/>' for at in numbers)
    notes = '<p:notesMasterIdLst><p:notesMasterId r:id="rId3"/></p:notesMasterIdLst>' if noted else ""
    listed = "".join(f'<p:sldLayoutId id="{2147483648 + at}" r:id="rId{at}"/>' for at in range(1, len(layouts) + 1))
    parts = {
        "[Content_Types].xml": _types(count, noted, len(layouts)),
        "_rels/.rels": _relations(
            (
                ("rId1", "officeDocument", "ppt/presentation.xml"),
                ("rId2", f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
            )
        ),
        "docProps/core.xml": f'{HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></cp:coreProperties>',
        "ppt/presentation.xml": f'{HEAD}<p:presentation {NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" '
        f'r:id="rId1"/></p:sldMasterIdLst>{notes}<p:sldIdLst>{slides}</p:sldIdLst><p:sldSz cx="{width}" cy="{height}"/>'
        '<p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _relations(
            (
                ("rId1", "slideMaster", "slideMasters/slideMaster1.xml"),
                ("rId2", "theme", "theme/theme1.xml"),
                *((("rId3", "notesMaster", "notesMasters/notesMaster1.xml"),) if noted else ()),
                *((f"rId{at + 3}", "slide", f"slides/slide{at}.xml") for at in numbers),
            )
        ),
        "ppt/slideMasters/slideMaster1.xml": f"{HEAD}<p:sldMaster {NAMESPACES}><p:cSld>{_GROUND}<p:spTree>{ROOT}"
        f"{master.shapes}</p:spTree></p:cSld>{_MAPPING}<p:sldLayoutIdLst>{listed}</p:sldLayoutIdLst>{master.styles}"
        "</p:sldMaster>",
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            (
                *(
                    (f"rId{at}", "slideLayout", f"../slideLayouts/slideLayout{at}.xml")
                    for at in range(1, len(layouts) + 1)
                ),
                (f"rId{len(layouts) + 1}", "theme", "../theme/theme1.xml"),
            )
        ),
        "ppt/theme/theme1.xml": _theme(),
    }
    for at, layout in enumerate(layouts, 1):
        parts[f"ppt/slideLayouts/slideLayout{at}.xml"] = (
            f'{HEAD}<p:sldLayout {NAMESPACES} type="{layout.type}"><p:cSld name="{layout.name}">{layout.background}'
            f"<p:spTree>{ROOT}{layout.shapes}</p:spTree></p:cSld>{_AS_MASTER}</p:sldLayout>"
        )
        parts[f"ppt/slideLayouts/_rels/slideLayout{at}.xml.rels"] = _relations(
            (("rId1", "slideMaster", "../slideMasters/slideMaster1.xml"),)
        )
    if noted:
        box = _NOTES_BOX.format(place=_NOTES_PLACE, paragraphs='<a:p><a:endParaRPr lang="en-US"/></a:p>')
        parts["ppt/notesMasters/notesMaster1.xml"] = (
            f"{HEAD}<p:notesMaster {NAMESPACES}><p:cSld>{_GROUND}<p:spTree>{ROOT}{box}</p:spTree></p:cSld>{_MAPPING}"
            "</p:notesMaster>"
        )
        parts["ppt/notesMasters/_rels/notesMaster1.xml.rels"] = _relations((("rId1", "theme", "../theme/theme2.xml"),))
        parts["ppt/theme/theme2.xml"] = _theme()
    return parts


def _relations(found: Iterable[tuple[str, str, str]]) -> str:
    outside = ' TargetMode="External"'
    lines = (
        f'<Relationship Id="{name}" Type="{kind if ":" in kind else f"{_OFFICE}/{kind}"}" '
        f'Target="{escape(target)}"{outside if kind == "hyperlink" else ""}/>'
        for name, kind, target in found
    )
    return f'{HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(lines)}</Relationships>'


def _types(count: int, noted: list[int], layouts: int) -> str:
    kinds = {"presentation": "presentation.main", "slideMasters/slideMaster1": "slideMaster"}
    kinds |= {f"slideLayouts/slideLayout{at}": "slideLayout" for at in range(1, layouts + 1)}
    kinds |= {f"slides/slide{at}": "slide" for at in range(1, count + 1)}
    kinds |= {f"notesSlides/notesSlide{at}": "notesSlide" for at in noted}
    kinds |= {"notesMasters/notesMaster1": "notesMaster"} if noted else {}
    themed = (1, 2) if noted else (1,)
    themes = "".join(
        f'<Override PartName="/ppt/theme/theme{at}.xml" ContentType="{_TYPE}.theme+xml"/>' for at in themed
    )
    overrides = "".join(
        f'<Override PartName="/ppt/{part}.xml" ContentType="{_TYPE}.presentationml.{kind}+xml"/>'
        for part, kind in kinds.items()
    )
    return (
        f'{HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="png" ContentType="image/png"/><Default Extension="jpg" ContentType="image/jpeg"/>'
        '<Default Extension="gif" ContentType="image/gif"/>'
        '<Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
        f"{themes}{overrides}</Types>"
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
