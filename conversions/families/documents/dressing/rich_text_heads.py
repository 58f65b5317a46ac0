r"""Heads and feet of pages as groups of RTF (RTF 1.9.1: headers and footers)."""

from __future__ import annotations

from conversions.families.documents.dressing.heads import Heads, Line, Lines, Piece
from conversions.families.documents.dressing.rich_text_words import Lists, block_words, run_words, twips

_FORMATS = {"i": " \\\\* roman", "I": " \\\\* ROMAN", "a": " \\\\* alphabetic", "A": " \\\\* ALPHABETIC"}
_FIELDS = {"page": "PAGE", "pages": "NUMPAGES"}
_ESCAPED = str.maketrans({"\\": "\\\\", "{": "\\{", "}": "\\}", "\t": " ", "\n": " ", "\r": " "})


def words(heads: Heads, lists: Lists) -> str:
    """What a file says of its heads and feet, behind what it says of its paper."""
    sides = [(name, heads.shown(side)) for name, side in (("header", heads.heads), ("footer", heads.feet))]
    if not any(shown for _, shown in sides):
        return ""
    said = "\\facingp" if heads.even_differs else ""
    said += "\\titlepg" if heads.first_differs else ""
    said += f"\\pgnstart{heads.starts}" if heads.starts is not None else ""
    said += f"\\headery{twips(heads.above)}\\footery{twips(heads.below)}\n"
    ending = {"default": "r" if heads.even_differs else "", "even": "l", "first": "f"}
    for name, shown in sides:
        said += "".join(f"{{\\{name}{ending[kind]} {_lines(lines, lists)}}}\n" for kind, lines in shown.items())
    return said


def _lines(lines: Lines, lists: Lists) -> str:
    return "".join(f"\\pard\\plain {_line(each, lists)}\\par" for each in lines or (Line(),))


def _line(line: Line, lists: Lists) -> str:
    return f"{block_words(line.block, lists) or ' '}" + "".join(_piece(each, lists) for each in line.pieces)


def _piece(piece: Piece, lists: Lists) -> str:
    if piece.what == "text":
        said = _escaped(piece.text)
        if piece.link:
            address = _escaped(piece.link.replace('"', "%22"))
            said = f'{{\\field{{\\*\\fldinst HYPERLINK "{address}"}}{{\\fldrslt {said}}}}}'
    elif piece.what in _FIELDS:
        instruction = f"{_FIELDS[piece.what]}{_FORMATS.get(piece.text, '')}"
        said = f"{{\\field{{\\*\\fldinst {instruction}}}{{\\fldrslt 1}}}}"
    else:
        said = "\\tab " if piece.what == "tab" else "\\line "
    return f"{{{run_words(piece.look, lists)} {said}}}"


def _escaped(text: str) -> str:
    """Text in ASCII; what is beyond is written in halves of 16 bits."""
    units = text.translate(_ESCAPED).encode("utf-16-le")
    codes = (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))
    return "".join(chr(each) if 0x20 <= each < 0x7F else f"\\u{each} ?" for each in codes)
