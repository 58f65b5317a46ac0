"""Draw pictures and rectangles in WordprocessingML."""

from __future__ import annotations

from pathlib import Path

from engine.families.pdf.page.panels import Panel
from engine.families.pdf.page.view import Box
from engine.families.pdf.writers.docx.package import Relations

_EMU = 12_700
"""English metric units per point (ECMA-376, part 1, 20.1.2.1)."""


def picture_xml(file: Path, relations: Relations, *, width: float, height: float, number: int) -> str:
    """An inline picture with its width and height in points."""
    extent = _extent((0, 0, width, height))
    return (
        f'<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent {extent}/>'
        f'<wp:docPr id="{number}" name="Picture {number}"/>{_picture(file, relations, extent, number)}'
        "</wp:inline></w:drawing></w:r>"
    )


def placed_picture_xml(file: Path, relations: Relations, box: Box, *, number: int) -> str:
    """A picture at a place of the page, in points, behind the text."""
    return _placed(box, _picture(file, relations, _extent(box), number), number, f"Picture {number}")


def placed_panel_xml(panel: Panel, *, number: int) -> str:
    """A filled rectangle at its place of the page, behind the text."""
    shape = (
        '<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp>'
        f'<wps:cNvSpPr/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {_extent(panel.box)}/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f'<a:solidFill><a:srgbClr val="{panel.colour}"/></a:solidFill><a:ln><a:noFill/></a:ln></wps:spPr>'
        "<wps:bodyPr/></wps:wsp></a:graphicData></a:graphic>"
    )
    return _placed(panel.box, shape, number, f"Rectangle {number}")


def _placed(box: Box, graphic: str, number: int, name: str) -> str:
    places = "".join(
        f'<wp:position{axis} relativeFrom="page"><wp:posOffset>{round(at * _EMU)}</wp:posOffset></wp:position{axis}>'
        for axis, at in (("H", box[0]), ("V", box[1]))
    )
    return (
        '<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" '
        f'relativeHeight="{number}" behindDoc="1" locked="0" layoutInCell="1" allowOverlap="1">'
        f'<wp:simplePos x="0" y="0"/>{places}<wp:extent {_extent(box)}/><wp:wrapNone/>'
        f'<wp:docPr id="{number}" name="{name}"/>{graphic}</wp:anchor></w:drawing></w:r>'
    )


def _extent(box: Box) -> str:
    x0, y0, x1, y1 = box
    return f'cx="{max(1, round((x1 - x0) * _EMU))}" cy="{max(1, round((y1 - y0) * _EMU))}"'


def _picture(file: Path, relations: Relations, extent: str, number: int) -> str:
    target = relations.id("image", f"media/{file.name}")
    return (
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>'
        f'<pic:nvPicPr><pic:cNvPr id="{number}" name="{file.name}"/><pic:cNvPicPr/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip r:embed="{target}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {extent}/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>'
    )
