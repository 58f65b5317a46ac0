"""Separate the text of manual pages from the requests and macros of roff."""

from __future__ import annotations

import re

from engine.families.documents.counting.markup.found import Found

_SHOWN = frozenset({"SH", "SS", "B", "I", "BR", "BI", "IB", "IR", "RB", "RI", "SM", "SB", "TP", "Sh", "Ss"})
_BLOCKS = {"de": "..", "ig": "..", "TS": ".TE", "EQ": ".EN", "PS": ".PE", "am": ".."}
_REQUEST = re.compile(r"^[.'][ \t]*([A-Za-z]{1,3})?(.*)$")
_ESCAPE = re.compile(
    r"\\(?:f(?:\[[^\]]*\]|\(..|.)|\*(?:\[[^\]]*\]|\(..|.)|\[[^\]]*\]|\(..|[snm](?:\[[^\]]*\]|[+-]?\d|\(..)|[hvwloDXZ]'[^']*'|\"[^\n]*|.)"
)


def read(text: str) -> Found:
    """Return the text lines, and the arguments of heading and font macros."""
    found = Found()
    until, depth = "", 0
    for line in text.split("\n"):
        if until:
            until = "" if line.rstrip().startswith(until) else until
            continue
        depth += line.count("\\{") - line.count("\\}") if depth or line.startswith((".if", ".ie", "'if", "'ie")) else 0
        request = _REQUEST.match(line)
        if depth > 0:
            continue
        depth = 0
        if request is None:
            found.text.append(_ESCAPE.sub(" ", line))
        elif request[1] in _BLOCKS:
            until = _BLOCKS[request[1]]
        elif request[1] in _SHOWN and not request[2].startswith(tuple("abcdefghijklmnopqrstuvwxyz")):
            found.text.append(_ESCAPE.sub(" ", request[2]))
    return found
