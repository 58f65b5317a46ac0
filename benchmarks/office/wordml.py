"""Parts of Word documents as Word writes them (ECMA-376, part 1, 17)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.office import styles
from benchmarks.office.package import OFFICE

SPACES = " ".join(
    f'xmlns:{name}="{space}"'
    for name, space in (
        ("w", styles.W),
        ("r", OFFICE),
        ("a", styles.A),
        ("wp", "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"),
        ("pic", "http://schemas.openxmlformats.org/drawingml/2006/picture"),
        ("m", "http://schemas.openxmlformats.org/officeDocument/2006/math"),
        ("mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"),
        ("wps", "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"),
    )
)
EMU = 12_700


def run(text: str, more: str = "", **look: Any) -> str:
    """Text in one look: b, i, u, caps, strike, color, theme, size, font, fill, raised, style; `more` stands "
    "behind it."""
    properties = ""
    if look.get("style"):
        properties += f'<w:rStyle w:val="{look["style"]}"/>'
    if look.get("font"):
        properties += f'<w:rFonts w:ascii="{look["font"]}" w:hAnsi="{look["font"]}" w:cs="{look["font"]}"/>'
    properties += "".join(
        f"<w:{name}/>" + (f"<w:{name}Cs/>" if name in ("b", "i") else "")
        for name in ("b", "i", "caps", "smallCaps", "strike")
        if look.get(name)
    )
    if look.get("color") or look.get("theme"):
        theme = f' w:themeColor="{look["theme"]}"' if look.get("theme") else ""
        properties += f'<w:color w:val="{look.get("color") or "auto"}"{theme}/>'
    if look.get("size"):
        properties += f'<w:sz w:val="{round(look["size"] * 2)}"/><w:szCs w:val="{round(look["size"] * 2)}"/>'
    if look.get("highlight"):
        properties += f'<w:highlight w:val="{look["highlight"]}"/>'
    if look.get("u"):
        properties += '<w:u w:val="single"/>'
    if look.get("raised"):
        properties += f'<w:vertAlign w:val="{look["raised"]}"/>'
    if look.get("rtl"):
        properties += "<w:rtl/>"
    pieces = text.split("\t")
    shown = "<w:tab/>".join(
        f'<w:t xml:space="preserve">{escape(each)}</w:t>'.replace("\n", '</w:t><w:br/><w:t xml:space="preserve">')
        if each
        else ""
        for each in pieces
    )
    return f"<w:r>{f'<w:rPr>{properties}</w:rPr>' if properties else ''}{shown}{more}</w:r>"


def p(*runs: str, style: str = "", **look: Any) -> str:
    """A paragraph of runs, or of plain texts: align, before, after, line, left, right, first, hanging, num, "
    "tabs, ..."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties += "".join(f"<w:{name}/>" for name in ("keepNext", "pageBreakBefore") if look.get(name))
    if "num" in look:
        properties += f'<w:numPr><w:ilvl w:val="{look["num"][1]}"/><w:numId w:val="{look["num"][0]}"/></w:numPr>'
    if look.get("border"):
        properties += (
            "<w:pBdr>"
            + "".join(
                f'<w:{side} w:val="single" w:sz="{size}" w:space="4" w:color="{colour}"/>'
                for side, size, colour in look["border"]
            )
            + "</w:pBdr>"
        )
    if look.get("fill"):
        properties += f'<w:shd w:val="clear" w:color="auto" w:fill="{look["fill"]}"/>'
    if look.get("tabs"):
        properties += (
            "<w:tabs>"
            + "".join(
                f'<w:tab w:val="{kind}"{f" w:leader={chr(34)}{leader}{chr(34)}" if leader else ""} w:pos="{place}"/>'
                for place, kind, leader in look["tabs"]
            )
            + "</w:tabs>"
        )
    properties += "<w:bidi/>" if look.get("bidi") else ""
    spacing = "".join(f' w:{name}="{look[name]}"' for name in ("before", "after", "line") if name in look)
    properties += (
        f"<w:spacing{spacing}{' w:lineRule=' + chr(34) + 'auto' + chr(34) if 'line' in look else ''}/>"
        if spacing
        else ""
    )
    names = {"left": "left", "right": "right", "first": "firstLine", "hanging": "hanging"}
    indents = "".join(f' w:{name}="{look[each]}"' for each, name in names.items() if each in look)
    properties += f"<w:ind{indents}/>" if indents else ""
    properties += f'<w:jc w:val="{look["align"]}"/>' if look.get("align") else ""
    properties += look.get("section", "")
    inside = "".join(each if each.startswith("<") else run(each) for each in runs)
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{inside}</w:p>"


def cell(*content: str, width: int, fill: str = "", span: int = 1, merge: str = "", upright: str = "") -> str:
    """A cell with paragraphs or plain text."""
    properties = f'<w:tcW w:w="{width}" w:type="dxa"/>'
    properties += f'<w:gridSpan w:val="{span}"/>' if span > 1 else ""
    properties += {"": "", "restart": '<w:vMerge w:val="restart"/>', "more": "<w:vMerge/>"}[merge]
    properties += f'<w:shd w:val="clear" w:color="auto" w:fill="{fill}"/>' if fill else ""
    properties += f'<w:vAlign w:val="{upright}"/>' if upright else ""
    inside = "".join(each if each.startswith("<") else p(each) for each in content) or "<w:p/>"
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside}</w:tc>"


def table(
    rows: Iterable[Iterable[str]],
    widths: Sequence[int],
    *,
    style: str = "TableGrid",
    head: bool = True,
    align: str = "",
) -> str:
    """A table of rows of cells."""
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    place = f'<w:jc w:val="{align}"/>' if align else ""
    made = "".join(
        f"<w:tr>{'<w:trPr><w:tblHeader/></w:trPr>' if head and not at else ''}{''.join(row)}</w:tr>"
        for at, row in enumerate(rows)
    )
    return (
        f'<w:tbl><w:tblPr><w:tblStyle w:val="{style}"/><w:tblW w:w="{sum(widths)}" w:type="dxa"/>{place}<w:tblLook '
        f'w:val="04A0" w:firstRow="{head:d}" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" '
        f'w:noVBand="1"/>'
        f"</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{made}</w:tbl>"
    )


def texts(rows: Sequence[Sequence[str]], widths: Sequence[int], *, right: Iterable[int] = (), **look: Any) -> str:
    """A table of texts, some of whose columns are right-aligned."""
    shown = set(right)
    return table(
        (
            (
                cell(p(text, align="right" if at in shown else "", after=0), width=width)
                for at, (text, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ),
        widths,
        **look,
    )


def field_(instruction: str, shown: str = "1", **look: Any) -> str:
    """A field with the result that Word stored last."""
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    code = f'<w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>'
    return marks[0] + code + marks[1] + run(shown, **look) + marks[2]


def section(
    *,
    landscape: bool = False,
    columns: int = 1,
    kind: str = "",
    references: str = "",
    first: bool = False,
    margins: tuple[int, int, int, int] = (1440, 1440, 1440, 1440),
) -> str:
    """Section properties: A4, margins clockwise from the top in twentieths of a point."""
    width, height = (16838, 11906) if landscape else (11906, 16838)
    top, right, bottom, left = margins
    return (
        f"<w:sectPr>{references}{f'<w:type w:val={chr(34)}{kind}{chr(34)}/>' if kind else ''}"
        f'<w:pgSz w:w="{width}" w:h="{height}"{" w:orient=" + chr(34) + "landscape" + chr(34) if landscape else ""}/>'
        f'<w:pgMar w:top="{top}" w:right="{right}" w:bottom="{bottom}" w:left="{left}" w:header="708" w:footer="708" '
        f'w:gutter="0"/><w:cols w:num="{columns}" w:space="708"/>{"<w:titlePg/>" if first else ""}</w:sectPr>'
    )


def picture(name: str, width: float, height: float, *, at: tuple[float, float] | None = None) -> str:
    """A run with a picture, whose size is in points: inline, or anchored `at` an offset from column and paragraph."""
    size = f'cx="{round(width * EMU)}" cy="{round(height * EMU)}"'
    shown = (
        f'<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>'
        f"<pic:nvPicPr>"
        f'<pic:cNvPr id="1" name="{name}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="{name}"/>'
        f'<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {size}/>'
        '</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>'
    )
    return _drawing(shown, size, at)


def box(content: str, width: float, height: float, *, at: tuple[float, float], fill: str, line: str) -> str:
    """A run with a text box, whose size is in points, anchored `at` an offset from column and paragraph."""
    size = f'cx="{round(width * EMU)}" cy="{round(height * EMU)}"'
    shown = (
        '<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp>'
        f'<wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {size}/></a:xfrm><a:prstGeom '
        f'prst="rect">'
        f'<a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="{fill}"/></a:solidFill><a:ln w="12700"><a:solidFill>'
        f'<a:srgbClr val="{line}"/></a:solidFill></a:ln></wps:spPr><wps:txbx><w:txbxContent>{content}</w:txbxContent>'
        '</wps:txbx><wps:bodyPr lIns="91440" tIns="45720" rIns="91440" bIns="45720" anchor="t"/></wps:wsp>'
        "</a:graphicData></a:graphic>"
    )
    return _drawing(shown, size, at)


def _drawing(shown: str, size: str, at: tuple[float, float] | None) -> str:
    named = '<wp:docPr id="1" name="drawn"/><wp:cNvGraphicFramePr/>'
    if at is None:
        inside = f'<wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent {size}/>{named}{shown}</wp:inline>'
    else:
        across, down = (round(each * EMU) for each in at)
        inside = (
            '<wp:anchor distT="0" distB="0" distL="114300" distR="114300" simplePos="0" relativeHeight="2" '
            'behindDoc="0" '
            'locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH '
            'relativeFrom="column">'
            f'<wp:posOffset>{across}</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph">'
            f"<wp:posOffset>{down}"
            f'</wp:posOffset></wp:positionV><wp:extent {size}/><wp:effectExtent l="0" t="0" r="0" b="0"/>'
            f'<wp:wrapSquare wrapText="bothSides"/>{named}{shown}</wp:anchor>'
        )
    return f"<w:r><w:drawing>{inside}</w:drawing></w:r>"
