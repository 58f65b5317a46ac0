"""Parts of presentations as PowerPoint writes them (ECMA-376, part 1, 19 and 21), and the package around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.office import styles
from benchmarks.office.package import package, relations
from benchmarks.office.slide_charts import CHART, chart

_TYPES = "application/vnd.openxmlformats-officedocument.presentationml"
_SPACES = (
    f'xmlns:a="{styles.A}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_EMU = 12_700
Place = tuple[float, float, float, float]
"""Left, top, width and height in points; a slide is 960 by 540."""
_TITLE: Place = (66, 29, 828, 104)
_BODY: Place = (66, 144, 828, 343)
_LAYOUTS: dict[str, dict[str, Place]] = {
    "title": {"ctrTitle": (120, 88, 720, 188), "subTitle": (120, 284, 720, 130)},
    "content": {"title": _TITLE, "body": _BODY},
    "two": {"title": _TITLE, "left": (66, 144, 408, 343), "right": (486, 144, 408, 343)},
    "only": {"title": _TITLE},
}
_KINDS = {
    "body": ' idx="1"',
    "left": ' sz="half" idx="1"',
    "right": ' sz="half" idx="2"',
    "subTitle": ' type="subTitle" idx="1"',
}


def _frame(place: Place, tag: str = "a") -> str:
    x, y, width, height = (round(each * _EMU) for each in place)
    return f'<{tag}:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/></{tag}:xfrm>'


def line(text: str, level: int = 0, **look: Any) -> str:
    """A paragraph of a slide, with the formatting b, i, size, color, align."""
    block = (f' lvl="{level}"' if level else "") + (f' algn="{look["align"]}"' if look.get("align") else "")
    properties = "".join(f' {name}="1"' for name in ("b", "i") if look.get(name))
    properties += f' sz="{round(look["size"] * 100)}"' if look.get("size") else ""
    fill = f'<a:solidFill><a:srgbClr val="{look["color"]}"/></a:solidFill>' if look.get("color") else ""
    return (
        f'<a:p>{f"<a:pPr{block}/>" if block else ""}<a:r><a:rPr lang="en-GB"{properties}>{fill}</a:rPr><a:t>'
        f"{escape(text)}</a:t>"
        "</a:r></a:p>"
    )


def _shape(number: int, name: str, more: str, drawn: str, texts: str, box: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name} {number}"/><p:cNvSpPr/><p:nvPr>{more}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{drawn}</p:spPr><p:txBody><a:bodyPr{box}/><a:lstStyle/>{texts or '<a:p/>'}</p:txBody></p:sp>"
    )


def _holder(number: int, kind: str, texts: str, place: Place | None = None) -> str:
    """A placeholder: with its position in a layout, without one in a slide, which inherits it."""
    properties = _KINDS.get(kind, f' type="{kind}"')
    return _shape(number, kind, f"<p:ph{properties}/>", _frame(place) if place else "", texts)


@dataclass
class Slide:
    """A slide: its layout, the texts of its placeholders, its other shapes, notes, charts and pictures."""

    layout: str
    texts: dict[str, str] = field(default_factory=dict)
    drawn: list[str] = field(default_factory=list)
    notes: str = ""
    charts: list[str] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)

    def shape(self, kind: str, place: Place, texts: str = "", *, fill: str, anchor: str = "ctr") -> None:
        """A preset shape of PowerPoint with text in it."""
        drawn = (
            f'{_frame(place)}<a:prstGeom prst="{kind}"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="{fill}"/>'
            '</a:solidFill><a:ln w="12700"><a:solidFill><a:srgbClr val="44546A"/></a:solidFill></a:ln>'
        )
        self.drawn.append(_shape(20 + len(self.drawn), kind, "", drawn, texts, f' anchor="{anchor}"'))

    def text(self, place: Place, texts: str) -> None:
        """A text box."""
        drawn = f'{_frame(place)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/>'
        self.drawn.append(_shape(20 + len(self.drawn), "Text", "", drawn, texts, ' wrap="square"'))

    def picture(self, data: bytes, place: Place) -> None:
        self.pictures.append(data)
        self.drawn.append(
            f'<p:pic><p:nvPicPr><p:cNvPr id="{20 + len(self.drawn)}" name="Picture" descr="A harbour"/>'
            f"<p:cNvPicPr/><p:nvPr/>"
            f'</p:nvPicPr><p:blipFill><a:blip r:embed="picture{len(self.pictures)}"/><a:stretch><a:fillRect/>'
            f"</a:stretch>"
            f'</p:blipFill><p:spPr>{_frame(place)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
        )

    def table(self, rows: Sequence[Sequence[str]], place: Place) -> None:
        across, down = (round(each * _EMU) for each in (place[2] / len(rows[0]), place[3] / len(rows)))
        grid = f'<a:gridCol w="{across}"/>' * len(rows[0])

        def cell(text: str, head: bool, dark: bool) -> str:
            fill = "4472C4" if head else "CFD5EA" if dark else "E9EBF5"
            shown = line(text, b=head, color="FFFFFF" if head else "000000", size=18)
            return (
                f"<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{shown}</a:txBody><a:tcPr><a:solidFill><a:srgbClr "
                f'val="{fill}"/>'
                "</a:solidFill></a:tcPr></a:tc>"
            )

        made = "".join(
            f'<a:tr h="{down}">{"".join(cell(each, not at, bool(at % 2)) for each in row)}</a:tr>'
            for at, row in enumerate(rows)
        )
        self._graphic(
            place, "table", f'<a:tbl><a:tblPr firstRow="1" bandRow="1"/><a:tblGrid>{grid}</a:tblGrid>{made}</a:tbl>'
        )

    def chart(self, kind: str, names: Sequence[str], series: Mapping[str, Sequence[float]], place: Place) -> None:
        """A chart (bar, line or pie) with a value for each name."""
        self.charts.append(chart(kind, names, series))
        self._graphic(place, "chart", f'<c:chart xmlns:c="{CHART}" r:id="chart{len(self.charts)}"/>')

    def _graphic(self, place: Place, kind: str, inside: str) -> None:
        self.drawn.append(
            f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{20 + len(self.drawn)}" name="{kind}"/>'
            f"<p:cNvGraphicFramePr/>"
            f"<p:nvPr/></p:nvGraphicFramePr>{_frame(place, 'p')}<a:graphic><a:graphicData "
            f'uri="http://schemas.openxmlformats.org/drawingml/2006/{kind}">{inside}</a:graphicData></a:graphic>'
            f"</p:graphicFrame>"
        )

    def xml(self) -> str:
        held = "".join(_holder(at, kind, texts) for at, (kind, texts) in enumerate(self.texts.items(), 2))
        return _tree("sld", held + "".join(self.drawn))


def _tree(tag: str, shapes: str, *, more: str = "", ground: str = "") -> str:
    return (
        f'<p:{tag} {_SPACES}><p:cSld>{ground}<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/>'
        f"</p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld>{more}</p:{tag}>"
    )


def _level(at: int, size: int, mark: str = "•") -> str:
    left, hanging = 228_600 + 457_200 * at, 228_600
    return (
        f'<a:lvl{at + 1}pPr marL="{left}" indent="-{hanging}"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc>'
        f"<a:spcBef><a:spcPts "
        f'val="{1000 if not at else 500}"/></a:spcBef><a:buFont typeface="Arial"/><a:buChar char="{mark}"/><a:defRPr '
        f'sz="{size}00"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/></a:defRPr>'
        f"</a:lvl{at + 1}pPr>"
    )


def _master(ground: str) -> str:
    names = [
        "bg1",
        "tx1",
        "bg2",
        "tx2",
        "accent1",
        "accent2",
        "accent3",
        "accent4",
        "accent5",
        "accent6",
        "hlink",
        "folHlink",
    ]
    real = [
        "lt1",
        "dk1",
        "lt2",
        "dk2",
        "accent1",
        "accent2",
        "accent3",
        "accent4",
        "accent5",
        "accent6",
        "hlink",
        "folHlink",
    ]
    colours = " ".join(f'{name}="{value}"' for name, value in zip(names, real, strict=True))
    title = (
        '<p:titleStyle><a:lvl1pPr><a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:buNone/><a:defRPr sz="4400">'
        "<a:solidFill>"
        '<a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mj-lt"/></a:defRPr></a:lvl1pPr></p:titleStyle>'
    )
    body = (
        f"<p:bodyStyle>{''.join(_level(at, size) for at, size in enumerate((28, 24, 20)))}</p:bodyStyle><p:otherStyle/>"
    )
    listed = "".join(f'<p:sldLayoutId id="{2147483649 + at}" r:id="layout{at}"/>' for at in range(len(_LAYOUTS)))
    holders = _holder(2, "title", line("Title"), _TITLE) + _shape(
        3, "body", '<p:ph type="body" idx="1"/>', _frame(_BODY), line("Text")
    )
    more = f"<p:clrMap {colours}/><p:sldLayoutIdLst>{listed}</p:sldLayoutIdLst><p:txStyles>{title}{body}</p:txStyles>"
    fill = f'<p:bg><p:bgPr><a:solidFill><a:srgbClr val="{ground}"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>'
    return _tree("sldMaster", holders, more=more, ground=fill)


def _layout(kind: str) -> str:
    level = '<a:lvl1pPr marL="0" indent="0" algn="ctr"><a:buNone/><a:defRPr sz="{}00"/></a:lvl1pPr>'
    middle = f"<a:lstStyle>{level}</a:lstStyle>"
    made = ""
    for at, (name, place) in enumerate(_LAYOUTS[kind].items(), 2):
        holder = _holder(at, name, line("Text"), place)
        if kind == "title":
            holder = holder.replace("<a:lstStyle/>", middle.format(60 if name == "ctrTitle" else 24))
            holder = holder.replace("<a:bodyPr/>", '<a:bodyPr anchor="b"/>' if name == "ctrTitle" else "<a:bodyPr/>")
        made += holder
    return _tree("sldLayout", made, more="<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>")


def write(path: Path, slides: Sequence[Slide], *, ground: str = "FFFFFF", font: str = "Calibri") -> None:
    """Write a presentation."""
    parts: dict[str, str | bytes] = {
        "_rels/.rels": relations([("r", "officeDocument", "ppt/presentation.xml")]),
        "ppt/theme/theme1.xml": styles.theme(font, font),
        "ppt/slideMasters/slideMaster1.xml": _master(ground),
    }
    kinds = list(_LAYOUTS)
    layouts = [(f"layout{at}", "slideLayout", f"../slideLayouts/slideLayout{at}.xml") for at in range(len(kinds))]
    parts["ppt/slideMasters/_rels/slideMaster1.xml.rels"] = relations([*layouts, ("t", "theme", "../theme/theme1.xml")])
    for at, kind in enumerate(kinds):
        parts[f"ppt/slideLayouts/slideLayout{at}.xml"] = _layout(kind)
        parts[f"ppt/slideLayouts/_rels/slideLayout{at}.xml.rels"] = relations(
            [("m", "slideMaster", "../slideMasters/slideMaster1.xml")]
        )
    related = [("m", "slideMaster", "slideMasters/slideMaster1.xml")]
    for at, slide in enumerate(slides):
        related.append((f"s{at}", "slide", f"slides/slide{at}.xml"))
        parts[f"ppt/slides/slide{at}.xml"] = slide.xml()
        own = [("l", "slideLayout", f"../slideLayouts/slideLayout{kinds.index(slide.layout)}.xml")]
        for number, drawn in enumerate(slide.charts, 1):
            own.append((f"chart{number}", "chart", f"../charts/chart{at}-{number}.xml"))
            parts[f"ppt/charts/chart{at}-{number}.xml"] = drawn
        for number, data in enumerate(slide.pictures, 1):
            own.append((f"picture{number}", "image", f"../media/picture{at}-{number}.jpeg"))
            parts[f"ppt/media/picture{at}-{number}.jpeg"] = data
        if slide.notes:
            own.append(("n", "notesSlide", f"../notesSlides/notesSlide{at}.xml"))
            parts[f"ppt/notesSlides/notesSlide{at}.xml"] = _tree("notes", _holder(2, "body", line(slide.notes)))
            parts[f"ppt/notesSlides/_rels/notesSlide{at}.xml.rels"] = relations(
                [("s", "slide", f"../slides/slide{at}.xml")]
            )
        parts[f"ppt/slides/_rels/slide{at}.xml.rels"] = relations(own)
    listed = "".join(f'<p:sldId id="{256 + at}" r:id="s{at}"/>' for at in range(len(slides)))
    parts["ppt/presentation.xml"] = (
        f'<p:presentation {_SPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="m"/></p:sldMasterIdLst>'
        f'<p:sldIdLst>{listed}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/>'
        "</p:presentation>"
    )
    parts["ppt/_rels/presentation.xml.rels"] = relations(related)
    package(path, "".join(_override(name) for name in parts if not name.endswith((".rels", ".jpeg"))), parts)


def _override(name: str) -> str:
    kind = name.split("/")[-2] if name.count("/") > 1 else "presentation"
    properties = {
        "presentation": f"{_TYPES}.presentation.main+xml",
        "slides": f"{_TYPES}.slide+xml",
        "slideLayouts": f"{_TYPES}.slideLayout+xml",
        "slideMasters": f"{_TYPES}.slideMaster+xml",
        "notesSlides": f"{_TYPES}.notesSlide+xml",
        "theme": "application/vnd.openxmlformats-officedocument.theme+xml",
        "charts": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
    }[kind]
    return f'<Override PartName="/{name}" ContentType="{properties}"/>'
