"""Convert the LaTeX of BibTeX values (accents, symbols, plain-text commands) to Unicode and back."""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "b": "\u0331",
    "d": "\u0323",
}  # fmt: skip
_SIGNS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "S": "§",
    "P": "¶", "pounds": "£", "copyright": "©", "euro": "€", "texteuro": "€", "textendash": "–", "textemdash": "—",
    "ldots": "…", "dots": "…", "textellipsis": "…", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX",
    "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”", "textregistered":
    "®", "texttrademark": "™", "textasciitilde": "~", "textbackslash": "\\", "textasciicircum": "^", "textdegree": "°",
    "guillemotleft": "«", "guillemotright": "»", "textunderscore": "_", "slash": "/", "quad": " ", "newline": " ",
}  # fmt: skip
_ONLY_TEXT = (
    "emph|textit|textbf|textsc|textsuperscript|textsubscript|textsl|textmd|bibstring|texttt|textrm|textsf|textup|textnormal|text|mbox|url|uline|underline|mkbibquote|"
    "mkbibemph|enquote|relax|em|it|bf|rm|sc|tt|sl|noopsort"
)
_TOKEN = re.compile(
    r"(?P<math>\$[^$]*\$)"
    r"|\\(?P<mark>[\"'`^~=.])[ ]*+(?:\{(?P<in>\\[ij]|[^\W\d_]?)\}|(?P<on>\\[ij](?![a-zA-Z])|[^\W\d_]))"
    r"|\\(?P<named>[uvHckrbd])(?:[ ]*+\{(?P<nin>\\[ij]|[^\W\d_]?)\}|[ ]++(?P<non>\\[ij](?![a-zA-Z])|[^\W\d_]))"
    r"|\\(?P<line>\\\*?(?:\[[^]\\{}]{0,20}\])?)"
    r"|\\(?P<plain>[&%$#_{} ])"
    rf"|\\(?:{_ONLY_TEXT})(?![a-zA-Z])[ ]*+"
    r"|\\(?P<sign>[a-zA-Z]++)(?:\{\}|[ ]++)?"
    r"|(?P<dash>---?)|(?P<open>``)|(?P<close>'')|(?P<tie>~)|(?P<brace>[{}])|(?P<skip>\\[-/,;!])"
)
_SPECIAL = re.compile(r"[\\{}&%$#_~^]")
_WRITTEN = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\xa0": "~"}


def decoded(value: str, unknown: list[str] | None = None) -> str:
    """A value as text.

    Mathematics, and unknown commands, which are added to `unknown`, are unchanged.
    """

    def put(found: re.Match[str]) -> str:
        kind = found.lastgroup
        if found["math"]:
            return found["math"]
        if kind in ("mark", "in", "on", "named", "nin", "non"):
            letter = (found["in"] or found["on"] or found["nin"] or found["non"] or "").lstrip("\\")
            mark = _ACCENTS[found["mark"] or found["named"]]
            return unicodedata.normalize("NFC", (letter or " ") + mark)
        if found["line"]:
            return " "
        if found["plain"]:
            return found["plain"] if found["plain"] not in "{}" else {"{": "\x01", "}": "\x02"}[found["plain"]]
        if found["sign"]:
            sign = _SIGNS.get(found["sign"])
            if sign is None and unknown is not None:
                unknown.append(f"\\{found['sign']}")
            return found[0] if sign is None else sign
        if found["dash"]:
            return "—" if len(found["dash"]) == 3 else "–"
        return {"open": "“", "close": "”", "tie": "\xa0"}.get(kind or "", "")

    text = _TOKEN.sub(put, value)
    return re.sub(r"[ \t\r\n]+", " ", text).strip(" ").replace("\x01", "{").replace("\x02", "}")


def encoded(text: str) -> str:
    """A text as a value: LaTeX's special characters are escaped, mathematics is kept; other characters stay Unicode."""
    parts = re.split(r"(\$[^$]+\$)", text.replace("\r\n", "\n"))
    return "".join(
        part if at % 2 else _SPECIAL.sub(lambda match: _WRITTEN.get(match[0], f"\\{match[0]}"), part)
        for at, part in enumerate(parts)
    )
