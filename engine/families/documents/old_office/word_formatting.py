"""The properties of characters, paragraphs and sections of Word 97 to 2003 as those of WordprocessingML."""

from __future__ import annotations

from engine.families.documents.old_office.sprms import Modifiers, signed, unsigned
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element

INSERTED, DELETED = 0x0801, 0x0800
PICTURE, SPECIAL, IS_DATA, OBJECT, SYMBOL = 0x6A03, 0x0855, 0x0806, 0x080A, 0x6A09
IN_TABLE, ENDS_ROW, DEPTH, ENDS_INNER_CELL, ENDS_INNER_ROW = 0x2416, 0x2417, 0x6649, 0x244B, 0x244C
_TOGGLES = {
    0x0835: "b", 0x0836: "i", 0x0837: "strike", 0x2A53: "dstrike", 0x0838: "outline", 0x0839: "shadow",
    0x083A: "smallCaps", 0x083B: "caps", 0x083C: "vanish", 0x0858: "emboss", 0x0854: "imprint", 0x085C: "bCs",
    0x085D: "iCs",
}  # fmt: skip
_LIKE_STYLE, _UNLIKE_STYLE = 0x80, 0x81
_CHARACTER_STYLE, _SIZE, _SIZE_COMPLEX, _COLOUR, _COLOUR_INDEX = 0x4A30, 0x4A43, 0x4A61, 0x6870, 0x2A42
_RAISED, _UNDERLINED, _HIGHLIGHTED, _FONTS = (
    0x2A48,
    0x2A3E,
    0x2A0C,
    {0x4A4F: "ascii", 0x4A50: "eastAsia", 0x4A51: "hAnsi"},
)
_LANGUAGE = 0x486D
_UNDERLINES = {
    1: "single", 2: "words", 3: "double", 4: "dotted", 6: "thick", 7: "dash", 9: "dotDash", 10: "dotDotDash",
    11: "wave",
}  # fmt: skip
_COLOURS = (
    "auto", "000000", "0000FF", "00FFFF", "00FF00", "FF00FF", "FF0000", "FFFF00", "FFFFFF", "000080", "008080",
    "008000", "800080", "800000", "808000", "808080", "C0C0C0",
)  # fmt: skip
_HIGHLIGHTS = (
    "none", "black", "blue", "cyan", "green", "magenta", "red", "yellow", "white", "darkBlue", "darkCyan", "darkGreen",
    "darkMagenta", "darkRed", "darkYellow", "darkGray", "lightGray",
)  # fmt: skip
_ALIGNMENTS = ("left", "center", "right", "both", "distribute")
_ON_OFF = {
    0x2405: "keepLines", 0x2406: "keepNext", 0x2407: "pageBreakBefore", 0x2431: "widowControl", 0x2441: "bidi",
    0x246D: "contextualSpacing",
}  # fmt: skip
_LEFT, _RIGHT, _FIRST = (0x845E, 0x840F), (0x845D, 0x840E), (0x8460, 0x8411)
_BEFORE, _AFTER, _LINE, _ALIGNED, _OUTLINE = 0xA413, 0xA414, 0x6412, (0x2461, 0x2403), 0x2640
LIST_LEVEL, LIST = 0x260A, 0x460B
_MOST_TWIPS = 31_680


def run(found: Modifiers, fonts: list[str], styles: dict[int, str], above: Modifiers) -> Element | None:
    """The properties of a run, None without any; `above` are those of the style of its paragraph."""
    made = element("rPr")
    if (style := styles.get(unsigned(found, _CHARACTER_STYLE))) and _CHARACTER_STYLE in found:
        add(made, "rStyle", val=style)
    names = {
        where: fonts[number]
        for modifier, where in _FONTS.items()
        if modifier in found and (number := unsigned(found, modifier)) < len(fonts) and fonts[number]
    }
    if names:
        add(made, "rFonts", **names)
    for modifier, name in _TOGGLES.items():
        if modifier in found:
            value = unsigned(found, modifier)
            if value == _LIKE_STYLE:
                continue
            shown = unsigned(above, modifier) == 0 if value == _UNLIKE_STYLE else value == 1
            add(made, name, val=int(shown))
    if _COLOUR in found:
        red, green, blue, automatic = found[_COLOUR]
        add(made, "color", val="auto" if automatic else f"{red:02X}{green:02X}{blue:02X}")
    elif _COLOUR_INDEX in found and unsigned(found, _COLOUR_INDEX) < len(_COLOURS):
        add(made, "color", val=_COLOURS[unsigned(found, _COLOUR_INDEX)])
    for modifier, name in ((_SIZE, "sz"), (_SIZE_COMPLEX, "szCs")):
        if 2 <= unsigned(found, modifier) <= 3_276:
            add(made, name, val=unsigned(found, modifier))
    if 0 < (number := unsigned(found, _HIGHLIGHTED)) < len(_HIGHLIGHTS):
        add(made, "highlight", val=_HIGHLIGHTS[number])
    if _UNDERLINED in found:
        number = unsigned(found, _UNDERLINED)
        add(made, "u", val=_UNDERLINES.get(number, "single") if number else "none")
    if (number := unsigned(found, _RAISED)) in (1, 2):
        add(made, "vertAlign", val="superscript" if number == 1 else "subscript")
    return made if len(made) else None


def paragraph(found: Modifiers) -> list[Element]:
    """The properties of a paragraph, in the order of the schema, without its style and list."""
    made = [
        element(name, val=int(unsigned(found, modifier) != 0))
        for modifier, name in _ON_OFF.items()
        if modifier in found
    ]
    spacing: dict[str, object] = {}
    for modifier, name in ((_BEFORE, "before"), (_AFTER, "after")):
        if modifier in found:
            spacing[name] = min(unsigned(found, modifier), _MOST_TWIPS)
    if len(operand := found.get(_LINE, b"")) == 4:
        height = int.from_bytes(operand[:2], "little", signed=True)
        multiple = int.from_bytes(operand[2:], "little")
        spacing["line"] = min(abs(height), _MOST_TWIPS)
        spacing["lineRule"] = "auto" if multiple else "exact" if height < 0 else "atLeast"
    if spacing and spacing.get("line") != 0:
        made.append(element("spacing", **spacing))
    indents: dict[str, object] = {}
    for modifiers, name in ((_LEFT, "left"), (_RIGHT, "right")):
        for each in modifiers:
            if each in found:
                indents.setdefault(name, max(-_MOST_TWIPS, min(signed(found, each), _MOST_TWIPS)))
    if (first := next((each for each in _FIRST if each in found), None)) is not None:
        length = max(-_MOST_TWIPS, min(signed(found, first), _MOST_TWIPS))
        indents["hanging" if length < 0 else "firstLine"] = abs(length)
    if indents:
        made.append(element("ind", **indents))
    aligned = next((unsigned(found, each) for each in _ALIGNED if each in found), None)
    if aligned is not None and aligned < len(_ALIGNMENTS):
        made.append(element("jc", val=_ALIGNMENTS[aligned]))
    if unsigned(found, _OUTLINE, 9) < 9:
        made.append(element("outlineLvl", val=unsigned(found, _OUTLINE)))
    return made


def listed(found: Modifiers, level: int | None = None) -> Element | None:
    """The list of a paragraph, by the number of the list's override; None if its properties name none."""
    if LIST not in found:
        return None
    made = element("numPr")
    add(made, "ilvl", val=min(unsigned(found, LIST_LEVEL, level or 0), 8))
    add(made, "numId", val=unsigned(found, LIST))
    return made


def section(found: Modifiers) -> Element:
    """The properties of a section, without its headers and footers."""
    made = element("sectPr")
    kind = {0: "continuous", 1: "nextColumn", 2: "nextPage", 3: "evenPage", 4: "oddPage"}
    add(made, "type", val=kind.get(unsigned(found, 0x3009, 2), "nextPage"))
    size = {"w": unsigned(found, 0xB01F, 12_240), "h": unsigned(found, 0xB020, 15_840)}
    size = {name: max(720, min(length, _MOST_TWIPS)) for name, length in size.items()}
    add(made, "pgSz", **size, **({"orient": "landscape"} if unsigned(found, 0x301D) == 2 else {}))
    margins = {
        "top": signed(found, 0x9023, 1_440), "right": unsigned(found, 0xB022, 1_800),
        "bottom": signed(found, 0x9024, 1_440), "left": unsigned(found, 0xB021, 1_800),
        "header": unsigned(found, 0xB017, 720), "footer": unsigned(found, 0xB018, 720),
        "gutter": unsigned(found, 0xB025, 0),
    }  # fmt: skip
    add(made, "pgMar", **{name: max(-_MOST_TWIPS, min(length, _MOST_TWIPS)) for name, length in margins.items()})
    formats = {0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter"}
    numbers: dict[str, object] = {"fmt": formats.get(unsigned(found, 0x300E), "decimal")}
    if unsigned(found, 0x3011):
        numbers["start"] = unsigned(found, 0x501C)
    add(made, "pgNumType", **numbers)
    add(made, "cols", num=min(unsigned(found, 0x500B) + 1, 45), space=min(unsigned(found, 0x900C, 720), _MOST_TWIPS))
    if unsigned(found, 0x300A):
        add(made, "titlePg")
    return made
