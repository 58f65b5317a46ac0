"""Separate the text of AsciiDoc from its attributes, macros and comments."""

from __future__ import annotations

import html
import re

from engine.families.documents.counting.markup.found import ADDRESS, Found
from engine.toolkit.word_search import DIVISION

_ENTRY = re.compile(r"^:!?[\w][\w-]*!?:")
_CONDITION = re.compile(r"^(ifdef|ifndef|ifeval|endif)::([^\[]*)\[(.*)\]\s*$")
_DELIMITER = re.compile(r"^(/{4,}|\+{4,}|-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|--|`{3,}.*)\s*$")
_ATTRIBUTES = re.compile(r"^\[.*\]\s*$")
_BLOCK_MACRO = re.compile(r"^(\w[\w-]*)::[^\s\[]*\[.*\]\s*$")
_TITLE = re.compile(r"^\.(?=[^\s.])")
_LABEL = re.compile(r"^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ ]")
_CELL = re.compile(r"(?:^|(?<=\s))[\d.+*<>^]*[aehlmdsv]?\|")
_MACRO = re.compile(
    r"(?:(?<!\w)|(?=footnote:))(?:(link|mailto|xref|footnote|https?|ftp|irc|icon|image|anchor|indexterm2?|kbd|btn|menu|stem|latexmath|asciimath|pass|footnoteref)):(?!:)(pass:\[[^\]\n]*\]|[^\s\[\]]*)\[((?:\\\]|[^\]])*)\]"
)
_REFERENCE = re.compile(r"<<([^<>,]*)(?:,([^<>]*))?>>")
_GONE = re.compile(
    r"\[\[[^\]\n]*\]\]|\[[#.%\w, =\"-]*\](?=[#*_`])|\{\w[^{}\n]*\}|"
    r"\(\(\([^()\n]*\)\)\)|<[\d.]+>|\+\+\+.*?\+\+\+|</?\w[^<>\n]*>"
)
_PIECE = re.compile(r"(?<=[^\W_])(?:\{\w[^{}\n]*\}|(?:\[[.#%\w-]*\])?(?:\*\*|__|##|``))(?=[^\W_])")
"""An attribute inside of a word, which may be nothing, or a mark there."""
_SIGN = re.compile(r"(?<!\\)\((C|R|TM)\)")
"""What AsciiDoc prints as ©, ® or ™."""
_SHOWN = frozenset({"link", "mailto", "xref", "footnote", "https", "http", "ftp", "irc", "indexterm2"})


def read(text: str) -> Found:
    """Return the text of titles, paragraphs, lists, tables and listings."""
    found = Found()
    shown = "\n".join(_lines(text.split("\n"), found))

    def told(macro: re.Match[str]) -> str:
        name = macro[1]
        found.notes += name == "footnote" and bool(macro[3])
        found.links += name in ("https", "http") or (name in ("link", "mailto") and bool(ADDRESS.match(macro[2])))
        found.pictures += name == "image" and "//" not in macro[2]
        said = macro[3]
        return f" {said} " if name in _SHOWN and "=" not in said and "^" not in said else " "

    shown = _REFERENCE.sub(lambda each: each[2] or " ", _MACRO.sub(told, shown))
    found.text.append(html.unescape(ADDRESS.sub(" ", _SIGN.sub(" ", _GONE.sub(" ", _PIECE.sub(DIVISION, shown))))))
    return found


def _lines(lines: list[str], found: Found) -> list[str]:
    kept: list[str] = []
    hidden, listing, depth, header, style = "", "", 0, True, ""
    for line in lines:
        if hidden or listing:
            if line.strip() == (hidden or listing):
                hidden = listing = ""
            elif listing and not depth and not line.startswith("include::"):
                found.text.append(line)
            continue
        if condition := _CONDITION.match(line):
            if condition[1] == "endif":
                depth = max(depth - 1, 0)
            elif condition[1] == "ifeval" or not condition[3]:
                depth += 1
            continue
        if depth or _ENTRY.match(line) or (line.startswith("//") and not line.startswith("////")):
            continue
        if delimiter := _DELIMITER.match(line):
            if delimiter[1][0] in "/+" or "comment" in style or "stem" in style or "math" in style or "subs" in style:
                hidden = delimiter[1].strip()
            elif delimiter[1][0] in ".`" or delimiter[1].startswith("----"):
                listing = "```" if delimiter[1][0] == "`" else delimiter[1].strip()
            style = ""
        elif _ATTRIBUTES.match(line):
            style += line
        elif macro := _BLOCK_MACRO.match(line):
            found.pictures += macro[1] == "image" and "//" not in line.partition("[")[0]
        elif not line.strip():
            header, style = False, ""
            kept.append("")
        elif header and kept and not line.startswith("="):
            continue  # the author and revision lines below the title
        elif (
            line.strip() == "+"
            or line.startswith(("|===", ",===", "!==="))
            or style.startswith(("[comment", "[stem", "[latexmath", "[asciimath", "[pass"))
        ):
            continue
        else:
            header = header and line.startswith("= ")
            kept.append(_CELL.sub(" ", _LABEL.sub("", _TITLE.sub("", line))))
    return kept
