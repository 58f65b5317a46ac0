"""The drawing of a SmartArt diagram as a group of Word's shapes (MS-ODRAWXML, 2.24)."""

from __future__ import annotations

from lxml import etree

from engine.families.documents.ooxml.diagram import Diagrams
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import PIC, WPG, WPS, A, W, emu, integer, share_of
from engine.families.documents.word.theme import Theme
from engine.toolkit.xml_elements import local

_TAGS = {
    "sp": WPS + "wsp",
    "cxnSp": WPS + "wsp",
    "grpSp": WPG + "grpSp",
    "grpSpPr": WPG + "grpSpPr",
    "pic": PIC + "pic",
}
_ALIGNED = {"l": "left", "ctr": "center", "r": "right", "just": "both"}
_HALVES = 50
"""Hundredths of a point in the half-points of Word."""
_USUAL = 1_800
_MARGIN = 720
"""Twips from one level of a list to the next."""


def group(
    diagrams: Diagrams, part: str, data: Element, theme: Theme, size: tuple[float, float]
) -> tuple[str, Element] | None:
    """The part of a diagram's drawing, and an element with its shapes as a group; None if it has no drawing.

    `size` is that of its frame in points, in which the drawing's coordinates are.
    """
    found = diagrams.drawing(part, data, "")
    if found is None:
        return None
    name, shapes = found
    holder: Element = etree.Element(A + "graphicData")
    made = etree.SubElement(holder, WPG + "wgp")
    place = etree.SubElement(etree.SubElement(made, WPG + "grpSpPr"), A + "xfrm")
    for tag, attributes in (("off", "xy"), ("ext", ("cx", "cy")), ("chOff", "xy"), ("chExt", ("cx", "cy"))):
        inner = etree.SubElement(place, A + tag)
        for key, length in zip(attributes, size, strict=True):
            inner.set(key, str(round(length * 12_700)) if key.startswith("c") else "0")
    for each in shapes:
        made.append(each)
    for each in list(made.iter()):
        if isinstance(each.tag, str) and not each.tag.startswith("{"):
            _rename(each, theme)
    return name, holder


def _rename(element: Element, theme: Theme) -> None:
    kind = element.tag
    if kind != "txBody":
        parent = element.getparent()
        inside = PIC if parent is not None and parent.tag == PIC + "pic" else WPS
        element.tag = _TAGS.get(kind, inside + kind)
        return
    shape = element.getparent()
    body = element.find(A + "bodyPr")
    if shape is None:
        return
    if body is not None:
        body.tag = WPS + "bodyPr"
        shape.append(body)
    element.tag = WPS + "txbx"
    style = next((each for each in shape if local(each) == "style"), None)
    reference = None if style is None else style.find(A + "fontRef")
    colour = theme.drawn(reference)
    content = etree.Element(W + "txbxContent")
    paragraphs = element.findall(A + "p")
    for each in paragraphs:
        content.append(_paragraph(each, theme, colour, last=each is paragraphs[-1]))
    element[:] = [content]


def _paragraph(paragraph: Element, theme: Theme, colour: str | None, *, last: bool) -> Element:
    made: Element = etree.Element(W + "p")
    properties = etree.SubElement(made, W + "pPr")
    own = paragraph.find(A + "pPr")
    sizes = [integer(each.get("sz")) or _USUAL for each in paragraph.iter(A + "rPr", A + "endParaRPr")]
    size = max(sizes, default=_USUAL)
    after = 0 if last else _after(own, size)
    _set(properties, "spacing", before="0", after=str(after), line=str(_line(own)), lineRule="auto")
    if own is not None:
        bulleted = own.find(A + "buChar")
        left = emu(own.get("marL")) * 20 or (_MARGIN / 2 if bulleted is not None else 0)
        _set(properties, "ind", left=str(round(left)), firstLine=str(round(emu(own.get("indent")) * 20)))
        _set(properties, "jc", val=_ALIGNED.get(own.get("algn") or "", "left"))
        if bulleted is not None:
            _run(made, (bulleted.get("char") or "\u2022") + " ", None, theme, colour, size)
    for each in paragraph:
        if each.tag in (A + "r", A + "fld"):
            text = "".join(one.text or "" for one in each.iter(A + "t"))
            _run(made, text, each.find(A + "rPr"), theme, colour, size)
        elif each.tag == A + "br":
            etree.SubElement(etree.SubElement(made, W + "r"), W + "br")
    return made


def _run(paragraph: Element, text: str, own: Element | None, theme: Theme, colour: str | None, size: int) -> None:
    run = etree.SubElement(paragraph, W + "r")
    properties = etree.SubElement(run, W + "rPr")
    face = None if own is None else own.find(A + "latin")
    font = "" if face is None else face.get("typeface") or ""
    font = theme.font(font) if font.startswith("+") or not font else font
    if font:
        _set(properties, "rFonts", ascii=font, hAnsi=font)
    for name, key in (("b", "b"), ("i", "i")):
        if own is not None and own.get(key) in ("1", "true"):
            _set(properties, name)
    if own is not None and own.get("u") not in (None, "none"):
        _set(properties, "u", val="single")
    colour = (theme.drawn(own.find(A + "solidFill")) if own is not None else None) or colour
    if colour:
        _set(properties, "color", val=colour[1:7])
    given = integer(own.get("sz")) if own is not None else None
    _set(properties, "sz", val=str((given or size) // _HALVES))
    held = etree.SubElement(run, W + "t")
    held.text = text
    held.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def _line(own: Element | None) -> int:
    share = None if own is None else own.find(f"{A}lnSpc/{A}spcPct")
    return round(240 * (1.0 if share is None else share_of(share.get("val"), 1.0)))


def _after(own: Element | None, size: int) -> int:
    """Twips after a paragraph whose letters have this size in hundredths of a point."""
    share = None if own is None else own.find(f"{A}spcAft/{A}spcPct")
    return 0 if share is None else round(share_of(share.get("val")) * size / 5)


def _set(parent: Element, name: str, **attributes: str) -> None:
    made = etree.SubElement(parent, W + name)
    for key, value in attributes.items():
        made.set(W + key, value)
