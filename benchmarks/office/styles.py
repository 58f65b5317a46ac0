"""Styles, numbering and colours of Word's own template, as far as the generated documents use them."""

from __future__ import annotations

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_COLOURS = {
    "dk1": "000000",
    "lt1": "FFFFFF",
    "dk2": "44546A",
    "lt2": "E7E6E6",
    "accent1": "4472C4",
    "accent2": "ED7D31",
    "accent3": "A5A5A5",
    "accent4": "FFC000",
    "accent5": "5B9BD5",
    "accent6": "70AD47",
    "hlink": "0563C1",
    "folHlink": "954F72",
}
_HEADINGS = ((16, "2F5496", 240), (13, "2F5496", 40), (12, "1F3763", 40))
_MAJOR = '<w:rFonts w:asciiTheme="majorHAnsi" w:hAnsiTheme="majorHAnsi" w:cstheme="majorBidi"/>'


def theme(text: str, heads: str, name: str = "Office") -> str:
    """The Office theme with two fonts."""
    colours = "".join(f'<a:{each}><a:srgbClr val="{value}"/></a:{each}>' for each, value in _COLOURS.items())
    fonts = "".join(
        f'<a:{kind}Font><a:latin typeface="{font}"/><a:ea typeface=""/><a:cs typeface=""/></a:{kind}Font>'
        for kind, font in (("major", heads), ("minor", text))
    )
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    line = f'<a:ln w="6350">{fill}</a:ln>'
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f'<a:theme xmlns:a="{A}" name="{name}"><a:themeElements><a:clrScheme name="Office">{colours}</a:clrScheme>'
        f'<a:fontScheme name="Office">{fonts}</a:fontScheme><a:fmtScheme name="Office"><a:fillStyleLst>{fill * 3}'
        f"</a:fillStyleLst><a:lnStyleLst>{line * 3}</a:lnStyleLst><a:effectStyleLst>{effect * 3}</a:effectStyleLst>"
        f"<a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )


def _style(
    id: str, name: str, block: str = "", text: str = "", *, base: str = "Normal", kind: str = "paragraph"
) -> str:
    usual = ' w:default="1"' if id == "Normal" else ""
    return (
        f'<w:style w:type="{kind}"{usual} w:styleId="{id}"><w:name w:val="{name}"/>'
        + (f'<w:basedOn w:val="{base}"/>' if id not in ("Normal", "TableNormal") and base else "")
        + f"{f'<w:pPr>{block}</w:pPr>' if block else ''}{f'<w:rPr>{text}</w:rPr>' if text else ''}</w:style>"
    )


def sheet() -> str:
    """The styles of Word's template that are used."""
    made = [
        _style("Normal", "Normal"),
        *(
            _style(
                f"Heading{level}",
                f"heading {level}",
                f'<w:keepNext/><w:keepLines/><w:spacing w:before="{before}" w:after="0"/><w:outlineLvl '
                f'w:val="{level - 1}"/>',
                f'{_MAJOR}<w:color w:val="{colour}"/><w:sz w:val="{size * 2}"/><w:szCs w:val="{size * 2}"/>',
            )
            for level, (size, colour, before) in enumerate(_HEADINGS, 1)
        ),
        _style(
            "Title",
            "Title",
            '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/><w:contextualSpacing/>',
            f'{_MAJOR}<w:spacing w:val="-10"/><w:kern w:val="28"/><w:sz w:val="56"/><w:szCs w:val="56"/>',
        ),
        _style("Subtitle", "Subtitle", "", '<w:color w:val="5A5A5A"/><w:spacing w:val="15"/>'),
        _style("ListParagraph", "List Paragraph", '<w:ind w:left="720"/><w:contextualSpacing/>'),
        _style(
            "Quote",
            "Quote",
            '<w:spacing w:before="200"/><w:ind w:left="864" w:right="864"/><w:jc w:val="center"/>',
            '<w:i/><w:color w:val="404040"/>',
        ),
        _style(
            "Caption",
            "caption",
            '<w:spacing w:after="200" w:line="240" w:lineRule="auto"/>',
            '<w:i/><w:color w:val="44546A"/><w:sz w:val="18"/><w:szCs w:val="18"/>',
        ),
        _style(
            "Header",
            "header",
            '<w:tabs><w:tab w:val="center" w:pos="4513"/><w:tab w:val="right" w:pos="9026"/></w:tabs>'
            '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
        ),
        _style(
            "Footer",
            "footer",
            '<w:tabs><w:tab w:val="center" w:pos="4513"/><w:tab w:val="right" w:pos="9026"/></w:tabs>'
            '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
        ),
        _style(
            "FootnoteText",
            "footnote text",
            '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
            '<w:sz w:val="20"/><w:szCs w:val="20"/>',
        ),
        *(
            _style(
                f"TOC{level}",
                f"toc {level}",
                f'<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9016"/></w:tabs>'
                f'<w:spacing w:after="100"/><w:ind w:left="{(level - 1) * 220}"/>',
            )
            for level in (1, 2)
        ),
        _style(
            "FootnoteReference",
            "footnote reference",
            "",
            '<w:vertAlign w:val="superscript"/>',
            base="",
            kind="character",
        ),
        _style(
            "Hyperlink",
            "Hyperlink",
            "",
            '<w:color w:val="0563C1" w:themeColor="hyperlink"/><w:u w:val="single"/>',
            base="",
            kind="character",
        ),
        _tables(),
    ]
    usual = (
        '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:asciiTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi" '
        'w:cstheme="minorBidi"/><w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault>'
        '<w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault>'
        "</w:docDefaults>"
    )
    return f'<w:styles xmlns:w="{W}">{usual}{"".join(made)}</w:styles>'


def _lines(tag: str, sides: str, colour: str) -> str:
    edges = "".join(f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="{colour}"/>' for side in sides.split())
    return f"<w:{tag}>{edges}</w:{tag}>"


def _tables() -> str:
    every = "top left bottom right insideH insideV"
    margins = (
        '<w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/>'
        '<w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar>'
    )
    packed = '<w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr>'
    head = (
        '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/><w:color w:val="FFFFFF" w:themeColor="background1"/>'
        "</w:rPr><w:tcPr>"
        '<w:shd w:val="clear" w:color="auto" w:fill="4472C4" w:themeFill="accent1"/></w:tcPr></w:tblStylePr>'
        '<w:tblStylePr w:type="firstCol"><w:rPr><w:b/></w:rPr></w:tblStylePr><w:tblStylePr w:type="band1Horz"><w:tcPr>'
        '<w:shd w:val="clear" w:color="auto" w:fill="D9E2F3" w:themeFill="accent1" w:themeFillTint="33"/></w:tcPr>'
        "</w:tblStylePr>"
    )
    return (
        '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr>'
        f'{margins}</w:tblPr></w:style><w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/>'
        f'<w:basedOn w:val="TableNormal"/>{packed}<w:tblPr>{_lines("tblBorders", every, "auto")}</w:tblPr></w:style>'
        '<w:style w:type="table" w:styleId="GridTable4"><w:name w:val="Grid Table 4 Accent 1"/><w:basedOn '
        f'w:val="TableNormal"/>{packed}<w:tblPr><w:tblStyleRowBandSize w:val="1"/><w:tblStyleColBandSize w:val="1"/>'
        f"{_lines('tblBorders', every, '8EAADB')}</w:tblPr>{head}</w:style>"
    )


_MARKS = (("\uf0b7", "Symbol"), ("o", "Courier New"), ("\uf0a7", "Wingdings"))


def numbering() -> str:
    """Lists: 1 is bulleted, 2 and 3 are numbered (1., a., i.), 4 numbers the sections of a contract (1, 1.1, (a))."""

    def level(at: int, kind: str, text: str, left: int, hanging: int, font: str = "") -> str:
        letters = f'<w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}" w:hint="default"/></w:rPr>' if font else ""
        return (
            f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/><w:lvlJc '
            f'w:val="left"/><w:pPr><w:ind w:left="{left}" w:hanging="{hanging}"/></w:pPr>{letters}</w:lvl>'
        )

    points = [level(at, "bullet", mark, 720 * (at + 1), 360, font) for at, (mark, font) in enumerate(_MARKS)]
    numbers = [
        level(at, kind, f"%{at + 1}.", 720 * (at + 1), 360)
        for at, kind in enumerate(("decimal", "lowerLetter", "lowerRoman"))
    ]
    law = [
        level(0, "decimal", "%1.", 567, 567),
        level(1, "decimal", "%1.%2", 1134, 567),
        level(2, "lowerLetter", "(%3)", 1701, 567),
    ]
    lists = (points, numbers, numbers, law)
    kinds = "".join(
        f'<w:abstractNum w:abstractNumId="{at}"><w:multiLevelType w:val="hybridMultilevel"/>'
        f"{''.join(found)}</w:abstractNum>"
        for at, found in enumerate(lists)
    )
    used = "".join(f'<w:num w:numId="{at + 1}"><w:abstractNumId w:val="{at}"/></w:num>' for at in range(len(lists)))
    return f'<w:numbering xmlns:w="{W}">{kinds}{used}</w:numbering>'
