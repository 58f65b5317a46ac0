"""All that is replaced in the libraries under the layout: one table, applied once, before the first page."""

from __future__ import annotations

import functools
import importlib
import sys

from conversions.families.html_pdf.xhtml2pdf.patching import NOTHING, Patch, Release, StandIn, apply_all, standing_in

XHTML2PDF = Release("xhtml2pdf", "0.2.28")
REPORTLAB = Release("reportlab", "5.1.0")
PYTHON = Release("Python", "3.11")
_OURS = "conversions.families.html_pdf."
_ENGINE = "xhtml2pdf.context"
_PARSER = "xhtml2pdf.parser"
_INTERFACE = "xhtml2pdf.w3c.cssDOMElementInterface:CSSDOMElementInterface"
_NO_SUCH_TAGS = "only <pdf:insertpdf>, <pdf:barcode> and <canvas> use it, which no page has any more"


def _patch(
    owner: str,
    name: str,
    expected: str,
    replacement: str,
    why: str,
    *,
    checked: Release = XHTML2PDF,
    wraps: bool = False,
) -> Patch:
    return Patch(owner, name, expected, _OURS + replacement, why, checked, wraps)


STAND_INS = tuple(
    StandIn(name, expected, why, XHTML2PDF)
    for name, expected, why in (
        ("pypdf", NOTHING, _NO_SUCH_TAGS),
        ("pypdf.generic", "DictionaryObject, NameObject, NumberObject, RectangleObject", _NO_SUCH_TAGS),
        ("reportlab.graphics.barcode", "createBarcodeDrawing", _NO_SUCH_TAGS),
        ("reportlab.graphics.charts.legends", "Legend", _NO_SUCH_TAGS),
        ("reportlab.graphics.charts.textlabels", "Label", _NO_SUCH_TAGS),
        (
            "xhtml2pdf.charts",
            "BaseChart, DoughnutChart, HorizontalBar, HorizontalLine, LegendedPieChart, PieChart, ReadKeys,"
            " VerticalBar, font_resolver",
            _NO_SUCH_TAGS,
        ),
        ("fontTools.ttLib", "TTFont", "Arabic is joined as every font has it, not as one font file has it"),
        ("svglib.svglib", "svg2rlg", "SVG is drawn by drawn_pictures, which imports its reader when there is one"),
    )
)
"""What is not imported with the layout library."""

_DIRECTED = {
    "TD": "class xhtml2pdf.tables.pisaTagTD c8018f3fe82f",
    "TH": "class xhtml2pdf.tables.pisaTagTH f8fcfa83b1c6",
    "LI": "class xhtml2pdf.tags.pisaTagLI fee13394b84d",
    "UL": "class xhtml2pdf.tags.pisaTagUL e620609413f4",
    "OL": "class xhtml2pdf.tags.pisaTagOL 5978ac1b5333",
    "TABLE": "class xhtml2pdf.tables.pisaTagTABLE e01db5a9db8f",
    **dict.fromkeys(
        (
            "ARTICLE", "ASIDE", "BLOCKQUOTE", "DD", "DL", "DT", "FIGCAPTION", "FIGURE", "FOOTER", "HEADER", "MAIN",
            "NAV", "SECTION", "DETAILS", "SUMMARY", "ADDRESS", "CAPTION", "PRE",
        ),
        NOTHING,
    ),
}  # fmt: skip
"""The tags of the elements whose direction counts, as the engine has them."""

PATCHES = (
    # How styles reach elements.
    _patch(
        _PARSER, "CSS2Frag", "function xhtml2pdf.parser.CSS2Frag a9fa23369563",
        "xhtml2pdf.cascade:styled", "some styles are read wrongly, or dropped in silence",
    ),
    _patch(
        _PARSER, "CSSCollect", "function xhtml2pdf.parser.CSSCollect ed93c6e4769e",
        "xhtml2pdf.cascade:collected", "a part of a table displayed as a flex box fails",
    ),
    _patch(
        _PARSER, "PROPERTY_NAMES", "tuple d921081a8d46",
        "xhtml2pdf.cascade:property_names",
        "only listed properties reach an element, and float and those of grids are not", wraps=True,
    ),
    _patch(
        "xml.dom.minidom:Element", "cssElement", NOTHING,
        "xhtml2pdf.selectors:interface",
        "the engine makes none for an element whose styles it has kept, and fails for its children", checked=PYTHON,
    ),
    _patch(
        _INTERFACE, "_siblingElements",
        "function xhtml2pdf.w3c.cssDOMElementInterface.CSSDOMElementInterface._siblingElements a27ca9e9b842",
        "xhtml2pdf.selectors:sibling_elements", "it takes the square of their number",
    ),
    _patch(
        _INTERFACE, "_indexAmongSiblings",
        "function xhtml2pdf.w3c.cssDOMElementInterface.CSSDOMElementInterface._indexAmongSiblings 13f2214878a9",
        "xhtml2pdf.selectors:index_among_siblings", "it takes the square, too",
    ),
    _patch(
        _PARSER, "getElementPosition", "function xhtml2pdf.parser.getElementPosition a86d2f3e22ea",
        "xhtml2pdf.selectors:element_position", "it takes the square, too",
    ),
    # Text.
    _patch(
        "xhtml2pdf.context", "PmlParagraph", "class xhtml2pdf.xhtml2pdf_reportlab.PmlParagraph 795a856d1944",
        "xhtml2pdf.paragraphs:BrokenParagraph", "lines break in any script",
    ),
    _patch(
        "xhtml2pdf.context", "shape_frag_text", "function xhtml2pdf.util.shape_frag_text 804381976177",
        "xhtml2pdf.context:shape_nothing", "text is shaped run by run",
    ),
    _patch(
        "xhtml2pdf.reportlab_paragraph", "_maxLeadingExtent",
        "function xhtml2pdf.reportlab_paragraph._maxLeadingExtent 5a24f7694ef7",
        "xhtml2pdf.paragraphs:extent", "what a line has to spare is to be half above it",
    ),
    _patch(
        "xhtml2pdf.builders.flex", "_paragraph_widths",
        "function xhtml2pdf.builders.flex._paragraph_widths 20954b795115",
        "xhtml2pdf.paragraphs:paragraph_widths", "a paragraph is measured as it is broken",
    ),
    _patch(
        "xhtml2pdf.tags", "_marker_face", "function xhtml2pdf.tags._marker_face 4d915be6d561",
        "xhtml2pdf.context:marker_face", "a marker may need another font",
    ),
    _patch(
        "xhtml2pdf.tags", "_list_style_font", "dict b2ef7b61759b",
        "xhtml2pdf.context:MARKER_FONTS", "fonts for it are not embedded",
    ),
    _patch("xhtml2pdf.tags:_list_style_type", "circle", "str '•'", "xhtml2pdf.context:CIRCLE", "it is drawn as a disc"),
    _patch("xhtml2pdf.tags:_list_style_type", "square", "str '■'", "xhtml2pdf.context:SQUARE", "it is drawn too large"),
    _patch(
        "reportlab.pdfbase.ttfonts", "makeToUnicodeCMap",
        "function reportlab.pdfbase.ttfonts.makeToUnicodeCMap 71783731cbe4",
        "fonts.shaping:to_unicode_cmap", "a drawn character may stand for several written ones", checked=REPORTLAB,
    ),
    # Blocks, flex boxes and grids.
    _patch(
        _PARSER, "BlockBoxData", "class xhtml2pdf.builders.block.BlockBoxData 20a5644e7d51",
        "xhtml2pdf.context:Box", "pages end in a box",
    ),
    _patch(
        _PARSER, "KeepTogether", "class reportlab.platypus.flowables.KeepTogether 9deb2105856f",
        "xhtml2pdf.context:kept_together", "in a cell or an item it draws nothing",
    ),
    _patch(
        _PARSER, "KeepInFrame", "class reportlab.platypus.flowables.KeepInFrame accb4cf1e931",
        "xhtml2pdf.context:in_frame", "what is kept together in it can't be drawn", checked=REPORTLAB,
    ),
    _patch(
        "xhtml2pdf.builders.block:BlockBox", "split", "function xhtml2pdf.builders.block.BlockBox.split c81a51075ab8",
        "xhtml2pdf.boxes:later", "a box is shrunk where the next page has room for it", wraps=True,
    ),
    _patch(
        "xhtml2pdf.builders.flex:FlexContainer", "split",
        "function xhtml2pdf.builders.flex.FlexContainer.split 4ebd9321b8d6",
        "xhtml2pdf.boxes:later", "a box is shrunk where the next page has room for it", wraps=True,
    ),
    _patch(
        "xhtml2pdf.builders.flex:FlexContainer", "_cut",
        "function xhtml2pdf.builders.flex.FlexContainer._cut 892df8ffbaf6",
        "xhtml2pdf.flex:cut_in_pieces", "what is left is laid out anew for every page",
    ),
    _patch(
        "xhtml2pdf.builders.flex", "stack_flowables", "function xhtml2pdf.builders.flex.stack_flowables 8292bbae4723",
        "xhtml2pdf.flex:stack_flowables", "anchors are left out",
    ),
    _patch(
        _PARSER, "block_box_style", "function xhtml2pdf.builders.block.block_box_style 8693922df642",
        "xhtml2pdf.flex:block_box_style", "an item gets a box of its own width in itself",
    ),
    _patch(
        _PARSER, "FlexData", "class xhtml2pdf.builders.flex.FlexData 7bbcabca7d0f",
        "xhtml2pdf.grid_boxes:collector", "items keep their sizes, and grids are laid out",
    ),
    Patch(
        "xhtml2pdf.util:_DISPLAY_TABLE", "grid", "str 'block'",
        "xhtml2pdf.util:Display.FLEX", "a grid is a block", XHTML2PDF,
    ),
    *(
        _patch(_PARSER, f"pisaTag{name}", expected, "xhtml2pdf.directions:directed", "it ignores `dir`", wraps=True)
        for name, expected in _DIRECTED.items()
    ),
    _patch(
        "xhtml2pdf.tags", "HRFlowable", "class reportlab.platypus.flowables.HRFlowable 9757ddf19883",
        "xhtml2pdf.rules:Rule", "it fails in cells and items, and for a colour that is none", checked=REPORTLAB,
    ),
    # Tables.
    _patch(
        "xhtml2pdf.tables", "PmlTable", "class xhtml2pdf.xhtml2pdf_reportlab.PmlTable e5f128d044ca",
        "xhtml2pdf.long_tables:Table", "columns do not follow their content",
    ),
    _patch(
        "xhtml2pdf.tables", "PmlKeepInFrame", "class xhtml2pdf.xhtml2pdf_reportlab.PmlKeepInFrame 655412b45079",
        "xhtml2pdf.tables:Cell", "a tall cell is shrunk in silence",
    ),
    # Pictures.
    _patch(
        "xhtml2pdf.xhtml2pdf_reportlab:PmlImageReader", "_read_image",
        "function xhtml2pdf.xhtml2pdf_reportlab.PmlImageReader._read_image d2065a7c0dcc",
        "xhtml2pdf.drawn_pictures:read_image", "some of Pillow's readers start programs",
    ),
    _patch(
        "xhtml2pdf.tags", "PmlImage", "class xhtml2pdf.xhtml2pdf_reportlab.PmlImage 1438fb558020",
        "xhtml2pdf.drawn_pictures:Picture", "SVG is read again for every drawing",
    ),
    _patch(
        "xhtml2pdf.context", "PmlParagraphAndImage",
        "class xhtml2pdf.xhtml2pdf_reportlab.PmlParagraphAndImage cf30c065b58c",
        "xhtml2pdf.drawn_pictures:FloatingPicture", "the text beside a picture may be cut off",
    ),
    _patch(
        _PARSER, "pisaTagIMG", "class xhtml2pdf.tags.pisaTagIMG a9db6359c66d",
        "xhtml2pdf.drawn_pictures:PictureTag", "sizes in per cent and limits are not read",
    ),
    _patch(
        _PARSER, "pisaTagSVG", NOTHING,
        "xhtml2pdf.drawn_pictures:PictureTag", "an SVG in the page is a picture in it",
    ),
    _patch(f"{_PARSER}:TAGS", "svg", NOTHING, "xhtml2pdf.drawn_pictures:SVG_ATTRIBUTES", "an SVG is a picture"),
)  # fmt: skip


@functools.cache
def apply() -> None:
    """Import the layout library and replace in it what the table says.

    Raises LibraryChanged, and replaces nothing, where something is not what the table expects.
    """
    if _ENGINE not in sys.modules:
        with standing_in(STAND_INS):
            importlib.import_module(_ENGINE)
    apply_all(PATCHES)
