"""The elements of PresentationML and DrawingML that are supported in drawn slides (ECMA-376, part 1, 19 to 21)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides.deck import P
from engine.families.documents.word.alternatives import choice_of
from engine.families.documents.word.names import MC, A
from engine.toolkit.vocabulary import Vocabulary

_STANDS = re.compile("[\u1800-\u18af\u2e80-\uffef]")
"""Letters that stand upright in vertical lines, or have lines of their own order."""
_NAMESPACES = {
    "http://schemas.openxmlformats.org/presentationml/2006/main": "p",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
}

UNDERSTOOD = frozenset((
    "a:alpha", "a:alphaMod", "a:alphaModFix", "a:alphaOff", "a:arcTo", "a:avLst", "a:bgClr", "a:biLevel", "a:blip",
    "a:blipFill", "a:bodyPr", "a:br", "a:buAutoNum", "a:buBlip", "a:buChar", "a:buClr", "a:buFont", "a:buNone",
    "a:buSzPct", "a:buSzPts", "a:buSzTx", "a:chExt", "a:chOff", "a:close", "a:comp", "a:cubicBezTo", "a:custDash",
    "a:custGeom", "a:defRPr", "a:ds", "a:duotone", "a:effectLst", "a:effectRef", "a:ext", "a:fgClr", "a:fillRect",
    "a:fillRef", "a:fillToRect", "a:fld", "a:fontRef", "a:gd", "a:gdLst", "a:gradFill", "a:graphic", "a:graphicData",
    "a:gray", "a:grayscl", "a:gridCol", "a:gs", "a:gsLst", "a:headEnd", "a:highlight", "a:hlinkClick", "a:hslClr",
    "a:inv", "a:latin", "a:lin", "a:ln", "a:lnB", "a:lnL", "a:lnR", "a:lnRef", "a:lnSpc", "a:lnT", "a:lnTo",
    "a:lstStyle", "a:lum", "a:moveTo", "a:noFill", "a:normAutofit", "a:off", "a:outerShdw", "a:p", "a:pPr", "a:path",
    "a:pathLst", "a:pattFill", "a:prstClr", "a:prstDash", "a:prstGeom", "a:pt", "a:r", "a:rPr", "a:rect", "a:schemeClr",
    "a:scrgbClr", "a:shade", "a:solidFill", "a:spcAft", "a:spcBef", "a:spcPct", "a:spcPts", "a:srcRect", "a:srgbClr",
    "a:stretch", "a:sysClr", "a:t", "a:tab", "a:tableStyleId", "a:tailEnd", "a:tbl", "a:tblGrid", "a:tblPr", "a:tc",
    "a:tcPr", "a:tile", "a:tint", "a:tr", "a:txBody", "a:xfrm", "mc:AlternateContent", "mc:Choice", "mc:Fallback",
    "p:bg", "p:bgPr", "p:bgRef", "p:blipFill", "p:cNvPr", "p:cSld", "p:cxnSp", "p:embed", "p:graphicFrame", "p:grpSp",
    "p:grpSpPr", "p:link", "p:nvPr", "p:nvSpPr", "p:oleObj", "p:ph", "p:pic", "p:sp", "p:spPr", "p:spTree", "p:style",
    "p:timing", "p:txBody", "p:xfrm",
))  # fmt: skip
"""The elements that the modules of this package read."""

UNSEEN = frozenset((
    "a:ahLst", "a:ahPolar", "a:ahXY", "a:audioFile", "a:bevel", "a:buClrTx", "a:buFontTx", "a:cNvPr", "a:cs", "a:cxn",
    "a:cxnLst", "a:cxnSpLocks", "a:defPPr", "a:ea", "a:endCxn", "a:endParaRPr", "a:extLst", "a:gamma",
    "a:graphicFrameLocks", "a:grpFill", "a:grpSpLocks", "a:hlinkHover", "a:hlinkMouseOver", "a:hue", "a:hueMod",
    "a:hueOff", "a:invGamma", "a:lumMod", "a:lumOff", "a:lvl1pPr", "a:lvl2pPr", "a:lvl3pPr", "a:lvl4pPr", "a:lvl5pPr",
    "a:lvl6pPr", "a:lvl7pPr", "a:lvl8pPr", "a:lvl9pPr", "a:masterClrMapping", "a:miter", "a:noAutofit",
    "a:overrideClrMapping", "a:path2", "a:picLocks", "a:pos", "a:prstTxWarp", "a:quickTimeFile", "a:rot", "a:round",
    "a:rtl", "a:sat", "a:satMod", "a:satOff", "a:scene3d", "a:sp3d", "a:spAutoFit", "a:spLocks", "a:stCxn", "a:sym",
    "a:tabLst", "a:tileRect", "a:uFill", "a:uFillTx", "a:uLnTx", "a:videoFile", "a:wavAudioFile", "p:bldLst",
    "p:cNvCxnSpPr", "p:cNvGraphicFramePr", "p:cNvGrpSpPr", "p:cNvPicPr", "p:cNvSpPr", "p:clrMap", "p:clrMapOvr",
    "p:custDataLst", "p:custShowLst", "p:extLst", "p:hf", "p:legacyDrawing", "p:nvCxnSpPr", "p:nvGraphicFramePr",
    "p:nvGrpSpPr", "p:nvPicPr", "p:sld", "p:tags", "p:tnLst", "p:transition",
))  # fmt: skip
"""Elements whose loss is not visible: animation, editing metadata, and alternative names of colours and geometry."""


def _is_warped(element: Element) -> bool:
    return element.get("prst", "textNoShape") not in ("textNoShape", "textPlain")


def _is_deep(element: Element) -> bool:
    return any(each.tag.endswith(("}bevelT", "}bevelB")) for each in element) or element.get("extrusionH", "0") != "0"


def _places_text_otherwise(body: Element) -> bool:
    """Whether the text of a shape is turned by its own angle, upright, in columns or in vertical lines of letters."""
    if body.getprevious() is not None:  # it is the first of its text; others are read by nobody
        return False
    if (body.get("rot") or "0") != "0" or (body.get("numCol") or "1") != "1":
        return True
    place = body.find(f"../../{P}spPr/{A}xfrm")
    if body.get("upright") in ("1", "true") and place is not None and (place.get("rot") or "0") != "0":
        return True
    if body.get("vert") in ("eaVert", "mongolianVert"):
        return any(_STANDS.search(each.text or "") for each in body.iterfind(f"..//{A}t"))
    return body.get("vert") in ("wordArtVert", "wordArtVertRtl")


def _stacks_cell(cell: Element) -> bool:
    """Whether the letters of a cell stand above one another."""
    if cell.get("vert") in ("eaVert", "mongolianVert"):
        return any(_STANDS.search(each.text or "") for each in cell.iterfind(f"../{A}txBody//{A}t"))
    return cell.get("vert") in ("wordArtVert", "wordArtVertRtl")


_CONDITIONS = {
    "a:bodyPr": _places_text_otherwise,
    "a:tcPr": _stacks_cell,
    "a:prstTxWarp": _is_warped,
    "a:sp3d": _is_deep,
}
_SILENT = frozenset(("p:timing", "p:transition", "a:scene3d", "a:sp3d", "a:extLst", "p:extLst", "p:custDataLst"))
"""Elements whose content is skipped."""


def _branch(element: Element) -> Iterable[Element] | None:
    if element.tag == MC + "AlternateContent":
        chosen: Iterable[Element] = choice_of(element)
        return chosen
    return () if element.tag.rpartition("}")[2] in {each[2:] for each in _SILENT} else None


SLIDES = Vocabulary(_NAMESPACES, UNDERSTOOD, UNSEEN, _CONDITIONS, _branch)
