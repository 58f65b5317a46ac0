"""Remove AsciiDoc comments, whose blocks pandoc would show as text."""

from __future__ import annotations

import re

_EDGE = re.compile(r"(/{4,}+|-{4,}+|\.{4,}+|\+{4,}+|`{3,}+)([^\s`]*+)[ \t]*")


def without_comments(text: str) -> str:
    """`text` without comment blocks; an unclosed block extends to the end, as in Asciidoctor."""
    if "////" not in text:
        return text
    kept: list[str] = []
    inside = ""
    for line in text.split("\n"):
        found = _EDGE.fullmatch(line.rstrip("\r"))
        edge = found[1] if found else ""
        if found and found[2] and (inside or edge[0] != "`"):  # only fences name their language, at their start
            edge = ""
        if edge and edge == inside:
            inside = ""
            kept += [line] if edge[0] != "/" else [""]
        elif inside[:1] != "/":
            inside = inside or edge
            kept += [line] if inside[:1] != "/" else []
    made = "\n".join(kept)
    return made.lstrip("\r\n") if not text.startswith(("\r", "\n")) else made
