"""The elements of WordprocessingML and its drawings that are supported (ECMA-376, part 1, 17 and 20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.alternatives import choice_of
from engine.families.documents.word.drawings import TURNS
from engine.families.documents.word.floating_tables import is_within
from engine.families.documents.word.names import MC, W, value
from engine.families.documents.word.page_borders import STRAIGHT
from engine.toolkit.vocabulary import Vocabulary

_NAMESPACES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://schemas.openxmlformats.org/drawingml/2006/picture": "pic",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup": "wpg",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas": "wpc",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
}

UNDERSTOOD = frozenset((
    "a:alpha", "a:alphaMod", "a:alphaModFix", "a:alphaOff", "a:arcTo", "a:avLst", "a:bgClr", "a:biLevel", "a:blip",
    "a:blipFill", "a:chExt", "a:chOff", "a:close", "a:comp", "a:cubicBezTo", "a:custDash", "a:custGeom", "a:ds",
    "a:duotone", "a:effectLst", "a:effectRef", "a:ext", "a:fgClr", "a:fillRect", "a:fillRef", "a:fillToRect", "a:gd",
    "a:gdLst", "a:gradFill", "a:graphicData", "a:gray", "a:grayscl", "a:gs", "a:gsLst", "a:headEnd", "a:hslClr",
    "a:inv", "a:lin", "a:ln", "a:lnRef", "a:lnTo", "a:lum", "a:moveTo", "a:noFill", "a:off", "a:outerShdw", "a:path",
    "a:pathLst", "a:pattFill", "a:prstClr", "a:prstDash", "a:prstGeom", "a:pt", "a:quadBezTo", "a:rect", "a:schemeClr",
    "a:scrgbClr", "a:shade", "a:solidFill", "a:srcRect", "a:srgbClr", "a:stretch", "a:sysClr", "a:tailEnd", "a:tile",
    "a:tint", "a:xfrm", "mc:AlternateContent", "mc:Choice", "mc:Fallback", "pic:pic", "pic:spPr", "w:b", "w:bdo",
    "w:bdr", "w:between", "w:bidi", "w:bidiVisual", "w:body", "w:bookmarkStart", "w:bottom", "w:br", "w:cantSplit",
    "w:caps", "w:checkBox", "w:checked", "w:color", "w:cols", "w:commentReference", "w:contextualSpacing", "w:cr",
    "w:customXml", "w:ddList", "w:default", "w:del", "w:delText", "w:dir", "w:docGrid", "w:drawing", "w:dstrike",
    "w:em", "w:end", "w:endnote", "w:endnoteRef", "w:endnoteReference", "w:ffData", "w:fldChar", "w:fldSimple",
    "w:footerReference", "w:footnote", "w:footnoteRef", "w:footnoteReference", "w:framePr", "w:gridBefore", "w:gridCol",
    "w:gridSpan", "w:headerReference", "w:hidden", "w:highlight", "w:hyperlink", "w:i", "w:ilvl", "w:ind", "w:ins",
    "w:insideH", "w:insideV", "w:instrText", "w:jc", "w:keepLines", "w:keepNext", "w:left", "w:listEntry",
    "w:lnNumType", "w:moveFrom", "w:moveTo", "w:noBreakHyphen", "w:noWrap", "w:numFmt", "w:numId", "w:numPr",
    "w:object", "w:outlineLvl", "w:p", "w:pBdr", "w:pPr", "w:pStyle", "w:pageBreakBefore", "w:pgBorders", "w:pgMar",
    "w:pgNumType", "w:pgSz", "w:pict", "w:position", "w:ptab", "w:r", "w:rFonts", "w:rPr", "w:rStyle", "w:result",
    "w:right", "w:rt", "w:rtl", "w:ruby", "w:rubyBase", "w:sdt", "w:sdtContent", "w:sectPr", "w:shd", "w:smallCaps",
    "w:smartTag", "w:snapToGrid", "w:softHyphen", "w:spacing", "w:start", "w:strike", "w:suppressLineNumbers", "w:sym",
    "w:sz", "w:t", "w:tab", "w:tabs", "w:tbl", "w:tblBorders", "w:tblCellMar", "w:tblGrid", "w:tblHeader", "w:tblInd",
    "w:tblLook", "w:tblPr", "w:tblStyle", "w:tblW", "w:tblpPr", "w:tc", "w:tcBorders", "w:tcMar", "w:tcPr", "w:tcW",
    "w:textDirection", "w:titlePg", "w:top", "w:tr", "w:trHeight", "w:trPr", "w:txbxContent", "w:type", "w:u",
    "w:vAlign", "w:vMerge", "w:vanish", "w:vertAlign", "w:w", "wp:align", "wp:anchor", "wp:docPr", "wp:extent",
    "wp:inline", "wp:posOffset", "wp:positionH", "wp:positionV", "wp:wrapSquare", "wp:wrapTopAndBottom", "wpc:wpc",
    "wpg:grpSp", "wpg:grpSpPr", "wpg:wgp", "wps:bodyPr", "wps:spPr", "wps:style", "wps:txbx", "wps:wsp",
))  # fmt: skip
"""The elements that the modules of this package read."""

UNSEEN = frozenset((
    "a:ahLst", "a:ahPolar", "a:ahXY", "a:bevel", "a:cNvPr", "a:cxn", "a:cxnLst", "a:cxnSpLocks", "a:extLst",
    "a:fontRef", "a:graphic", "a:graphicFrameLocks", "a:grpSpLocks", "a:hlinkClick", "a:hlinkHover", "a:hue",
    "a:hueMod", "a:hueOff", "a:lumMod", "a:lumOff", "a:miter", "a:noAutofit", "a:normAutofit", "a:picLocks", "a:pos",
    "a:prstTxWarp", "a:round", "a:sat", "a:satMod", "a:satOff", "a:spAutoFit", "a:spLocks", "pic:blipFill",
    "pic:cNvPicPr", "pic:cNvPr", "pic:nvPicPr", "w14:cntxtAlts", "w14:conflictIns", "w14:ligatures", "w14:numForm",
    "w14:numSpacing", "w14:stylisticSets", "w:adjustRightInd", "w:alias", "w:annotationRef", "w:attr", "w:autoSpaceDE",
    "w:autoSpaceDN", "w:bCs", "w:background", "w:bookFoldPrinting", "w:bookmarkEnd", "w:calcOnExit", "w:cellDel",
    "w:cellIns", "w:cellMerge", "w:cnfStyle", "w:commentRangeEnd", "w:commentRangeStart", "w:contentPart",
    "w:continuationSeparator", "w:cs", "w:ctrlPr", "w:customXmlDelRangeEnd", "w:customXmlDelRangeStart",
    "w:customXmlInsRangeEnd", "w:customXmlInsRangeStart", "w:customXmlPr", "w:dayShort", "w:delInstrText", "w:divId",
    "w:document", "w:effect", "w:enabled", "w:endnotePr", "w:endnotes", "w:entryMacro", "w:exitMacro", "w:footnotePr",
    "w:footnotes", "w:formProt", "w:format", "w:formsDesign", "w:ftr", "w:gridAfter", "w:hdr", "w:helpText",
    "w:hideMark", "w:iCs", "w:kern", "w:kinsoku", "w:label", "w:lang", "w:lastRenderedPageBreak", "w:maxLength",
    "w:mirrorIndents", "w:moveFromRangeEnd", "w:moveFromRangeStart", "w:moveToRangeEnd", "w:moveToRangeStart", "w:name",
    "w:noEndnote", "w:noProof", "w:numberingChange", "w:oMath", "w:overflowPunct", "w:pPrChange", "w:paperSrc",
    "w:permEnd", "w:permStart", "w:pgNum", "w:proofErr", "w:rPrChange", "w:rtlGutter", "w:rubyPr", "w:sdtEndPr",
    "w:sdtPr", "w:sectPrChange", "w:separator", "w:size", "w:sizeAuto", "w:smartTagPr", "w:specVanish", "w:statusText",
    "w:suppressAutoHyphens", "w:suppressOverlap", "w:szCs", "w:tabIndex", "w:tblCaption", "w:tblDescription",
    "w:tblGridChange", "w:tblLayout", "w:tblOverlap", "w:tblPrChange", "w:tblPrEx", "w:tblStyleColBandSize",
    "w:tblStyleRowBandSize", "w:tblpYSpec", "w:tcPrChange", "w:textAlignment", "w:textInput", "w:topLinePunct",
    "w:trPrChange", "w:wAfter", "w:wBefore", "w:webHidden", "w:widowControl", "w:wordWrap", "wp:cNvGraphicFramePr",
    "wp:effectExtent", "wp:lineTo", "wp:simplePos", "wp:start", "wp:wrapNone", "wp:wrapPolygon", "wp:wrapThrough",
    "wp:wrapTight", "wpc:bg", "wpc:whole", "wpg:cNvFrPr", "wpg:cNvGrpSpPr", "wpg:cNvPr", "wpg:graphicFrame",
    "wps:cNvCnPr", "wps:cNvPr", "wps:cNvSpPr", "wps:linkedTxbx",
))  # fmt: skip
"""Elements whose loss is not visible: editing metadata, and hints for a program's own layout."""

_NO_LAYOUT = frozenset(("w:pgBorders", "w:lnNumType", "w:docGrid", "w:textDirection", "w:background"))
"""Page properties, which HTML documents lack."""


def _has_no_lines(element: Element) -> bool:
    return any((value(each) or "none") not in STRAIGHT for each in element)


def _is_coloured(element: Element) -> bool:
    return (value(element, "color") or "auto").lower() not in ("auto", "ffffff")


def _is_filled(element: Element) -> bool:
    return any(each.tag.endswith("Fill") and not each.tag.endswith("}noFill") for each in element.iterchildren("*"))


def _turns_text(element: Element) -> bool:
    return element.get("vert", "horz") not in ("horz", *TURNS)


_CONDITIONS = {
    "w:pgBorders": _has_no_lines,
    "w:tblpPr": is_within,
    "w:background": _is_coloured,
    "wpc:bg": _is_filled,
    "wps:bodyPr": _turns_text,
}


_ASIDE = frozenset(
    W + each for each in ("sdtPr", "sdtEndPr", "footnotePr", "endnotePr", "smartTagPr", "customXmlPr", "rubyPr")
)
"""Elements whose content is skipped."""


def _branch(element: Element) -> Iterable[Element] | None:
    if element.tag == MC + "AlternateContent":
        chosen: Iterable[Element] = choice_of(element)
        return chosen
    return () if element.tag in _ASIDE else None


WORD = Vocabulary(_NAMESPACES, UNDERSTOOD, UNSEEN, _CONDITIONS, _branch)


def unknown(texts: Iterable[Element], styles: Element | None, *, drawn: bool) -> Counter[str]:
    """The unsupported elements in the texts of a document, and in the styles they use."""
    roots = list(texts)
    used = {value(each) for root in roots for each in root.iter(W + "pStyle", W + "rStyle", W + "tblStyle")}
    bodies = [
        body
        for style in (() if styles is None else styles.iterfind(W + "style"))
        if value(style, "styleId") in used
        for body in style
        if body.tag in (W + "pPr", W + "rPr", W + "tblPr")
    ]
    found = WORD.unknown((*roots, *bodies))
    if not drawn:
        for name in _NO_LAYOUT:
            del found[name]
    return found
