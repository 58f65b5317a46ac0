"""Separate the text of Org files from their keywords, drawers, macros and comments."""

from __future__ import annotations

import re

from engine.families.documents.counting.markup.found import ADDRESS, Found

_BLOCK = re.compile(r"^[ \t]*#\+begin_(\w+)(.*)$", re.IGNORECASE)
_END = re.compile(r"^[ \t]*#\+end_(\w+)", re.IGNORECASE)
_KEYWORD = re.compile(r"^[ \t]*#\+([\w-]+)(?:\[[^\]]*\])?:[ \t]*(.*)$")
_COMMENT = re.compile(r"^[ \t]*#(?: |$)")
_DRAWER = re.compile(r"^[ \t]*:([\w-]+):[ \t]*$")
_HEADING = re.compile(r"^(\*+) +(.*)$")
_STATE = re.compile(r"^(?:TODO|DONE|COMMENT|NEXT|WAITING|CANCELLED|\[#[A-Z]\])\s+")
_TAGS = re.compile(r"(?<![ \t])[ \t]++(:[\w@#%:]+:)[ \t]*$")
_PLANNING = re.compile(r"^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):")
_RESULT = re.compile(r"^[ \t]*(?:[:|]|\[\[)")
"""The results that a code block has written below itself: they are exported only if its header says so."""
_HIDDEN = frozenset({"comment", "export"})
_SHOWN_KEYS = frozenset({"title", "caption"})
_LINK = re.compile(r"\[\[([^\]\n]*+)(\](?:\[([^\]]*+)\])?\])?")
"""A link, or brackets that nothing closes: they are read once, not again from each bracket in them."""
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?)$", re.IGNORECASE)
_NOTE = re.compile(r"\[fn:([\w-]*)(:)?")
_GONE = re.compile(
    r"@@[^@\n]*@@|\{\{\{[^{}]*\}\}\}|<<<?[^<>\n]*>>>?|src_[\w-]+(?:\[[^\]\n]*\])?\{[^{}\n]*\}|call_\w+\([^()\n]*\)|"
    r"\\\(.*?\\\)|\\\[.*?\\\]|\$\$.*?\$\$|\$[^\s$][^$\n]*\$|\\[A-Za-z]+(?:\{[^{}\n]*\})*|\[fn:[\w-]*:?|"
    r"[<\[]\d{4}-\d\d-\d\d[^\]>\n]*[>\]]|\[cite[^\]\n]*\]|\\begin\{(\w+\*?)\}.*?\\end\{\1\}",
    re.DOTALL,
)


def read(text: str) -> Found:
    """Return the text of headings, paragraphs, lists, tables and exported blocks."""
    found = Found()
    shown = "\n".join(_lines(text.split("\n")))
    for target, closed, title in _LINK.findall(shown):
        if not closed:
            continue
        if _PICTURE.search(target) and not title and "//" not in target:
            found.pictures += 1
        elif ADDRESS.match(target):
            found.links += 1
    shown = _LINK.sub(lambda link: (link[3] or " ") if link[2] else link[0], shown)
    found.notes = sum(not ahead for ahead in _definitions(shown))
    shown = _GONE.sub(" ", shown)
    found.text.append(ADDRESS.sub(" ", shown))
    return found


def _definitions(shown: str) -> list[bool]:
    """Return, for each note mark, whether it begins a line, and so defines the note."""
    return [each.start() == 0 or shown[each.start() - 1] == "\n" for each in _NOTE.finditer(shown)]


def _lines(lines: list[str]) -> list[str]:
    kept: list[str] = []
    hidden, level, is_result = "", 0, False
    for line in lines:
        if is_result and (not line.strip() or not _RESULT.match(line)):
            is_result = False
        if is_result:
            continue
        if hidden:
            if ((end := _END.match(line)) and end[1].lower() == hidden) or (
                hidden == ":" and line.strip().lower() == ":end:"
            ):
                hidden = ""
            continue
        if heading := _HEADING.match(line):
            stars, title = len(heading[1]), heading[2]
            if level and stars > level:
                continue
            tags = _TAGS.search(title)
            level = stars if title.startswith("COMMENT") or (tags and ":noexport:" in tags[1]) else 0
            if not level:
                kept.append(_STATE.sub("", _STATE.sub("", _TAGS.sub("", title))))
            continue
        if level:
            continue
        if block := _BLOCK.match(line):
            name, options = block[1].lower(), block[2]
            if name in _HIDDEN or re.search(r":exports\s+(?:none|results)", options):
                hidden = name
        elif drawer := _DRAWER.match(line):
            hidden = ":" if drawer[1].lower() != "end" else ""
        elif keyword := _KEYWORD.match(line):
            if keyword[1].lower() in _SHOWN_KEYS:
                kept.append(keyword[2])
            is_result = keyword[1].lower() == "results"
        elif not (_COMMENT.match(line) or _PLANNING.match(line) or _END.match(line) or line.lstrip().startswith("#+")):
            kept.append(line)
    return kept
