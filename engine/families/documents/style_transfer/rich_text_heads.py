r"""Page headers and footers as RTF groups (RTF 1.9.1: headers and footers)."""

from __future__ import annotations

from engine.families.documents.style_transfer.heads import Heads, Line, Lines, Piece
from engine.families.documents.style_transfer.rich_text_words import Lists, block_words, run_words, twips

_FORMATS = {"i": " \\\\* roman", "I": " \\\\* ROMAN", "a": " \\\\* alphabetic", "A": " \\\\* ALPHABETIC"}
_FIELDS = {"page": "PAGE", "pages": "NUMPAGES"}
_ESCAPED = str.maketrans({"\\": "\\\\", "{": "\\{", "}": "\\}", "\t": " ", "\n": " ", "\r": " "})


def words(heads: Heads, lists: Lists) -> str:
    """The control words for headers and footers, to follow those for the paper."""
    sides = [(name, heads.shown(side)) for name, side in (("header", heads.heads), ("footer", heads.feet))]
    if not any(shown for _, shown in sides):
        return ""
    written = "\\facingp" if heads.even_differs else ""
    written += "\\titlepg" if heads.first_differs else ""
    written += f"\\pgnstart{heads.starts}" if heads.starts is not None else ""
    written += f"\\headery{twips(heads.above)}\\footery{twips(heads.below)}\n"
    ending = {"default": "r" if heads.even_differs else "", "even": "l", "first": "f"}
    for name, shown in sides:
        written += "".join(f"{{\\{name}{ending[kind]} {_lines(lines, lists)}}}\n" for kind, lines in shown.items())
    return written


def _lines(lines: Lines, lists: Lists) -> str:
    return "".join(f"\\pard\\plain {_line(each, lists)}\\par" for each in lines or (Line(),))


def _line(line: Line, lists: Lists) -> str:
    return f"{block_words(line.block, lists) or ' '}" + "".join(_piece(each, lists) for each in line.pieces)


def _piece(piece: Piece, lists: Lists) -> str:
    if piece.what == "text":
        written = _escaped(piece.text)
        if piece.link:
            address = _escaped(piece.link.replace('"', "%22"))
            written = f'{{\\field{{\\*\\fldinst HYPERLINK "{address}"}}{{\\fldrslt {written}}}}}'
    elif piece.what in _FIELDS:
        instruction = f"{_FIELDS[piece.what]}{_FORMATS.get(piece.text, '')}"
        written = f"{{\\field{{\\*\\fldinst {instruction}}}{{\\fldrslt 1}}}}"
    else:
        written = "\\tab " if piece.what == "tab" else "\\line "
    return f"{{{run_words(piece.formatting, lists)} {written}}}"


def _escaped(text: str) -> str:
    """Text in ASCII, with other characters as UTF-16 escapes."""
    units = text.translate(_ESCAPED).encode("utf-16-le")
    codes = (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))
    return "".join(chr(each) if 0x20 <= each < 0x7F else f"\\u{each} ?" for each in codes)
