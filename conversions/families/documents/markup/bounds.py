"""Bounds: markup that pandoc's readers take exponential time for is made plain text, or refused with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conversions.toolkit.failures import Unreadable
from conversions.toolkit.formats import ASCIIDOC, JIRA, LATEX, MAN, MEDIAWIKI, ORG, TEXTILE, TYPST, Format

_OPEN = 10
"""Marks that one block may leave open: each of them doubles the time that some readers need."""
_RUN = 1_000
_PLAIN = 0xE100
"""Where marks that are to be read as plain characters are moved to, in the area of private use."""

_MARKS = {ORG: "/+*_=~", JIRA: "*_+^~?{-", TEXTILE: "*_%?+~^-", ASCIIDOC: ""}
_VERBATIM = {
    ORG: re.compile(r"^[ \t]*#\+BEGIN_(SRC|EXAMPLE)\b.*?^[ \t]*#\+END_\1\b", re.MULTILINE | re.DOTALL | re.IGNORECASE),
    JIRA: re.compile(r"\{(code|noformat)\b[^}\n]{0,200}\}.*?\{\1\}", re.DOTALL),
    TEXTILE: re.compile(r"<(pre|notextile)\b[^>\n]{0,200}>.*?</\1>", re.DOTALL),
}
_PAIRS: dict[Format, tuple[tuple[re.Pattern[str], str, int], ...]] = {
    LATEX: (
        (re.compile(r"(?P<open>(?<!\\)\{)|(?<!\\)\}"), "groups “{”", 40),
        (re.compile(r"(?P<open>\\begin\b)|\\end\b"), "environments", 40),
    ),
    TYPST: ((re.compile(r"(?P<open>\()|\)"), "parentheses", 14),),
    MEDIAWIKI: (
        (re.compile(r"(?P<open>\[\[)|\]\]"), "links “[[”", 12),
        (re.compile(r"(?P<open>\{\{)|\}\}"), "templates “{{”", 12),
        (re.compile(r"(?P<open><ref\b[^>/\n]{0,200}>)|</ref>", re.IGNORECASE), "notes <ref>", 8),
    ),
    ORG: (
        (re.compile(r"(?P<open>\[fn:)|\]"), "notes “[fn:”", 8),
        (re.compile(r"^[ \t]*(?:(?P<open>#\+BEGIN_)|#\+END_)", re.MULTILINE | re.IGNORECASE), "blocks", 60),
    ),
    JIRA: ((re.compile(r"(?P<open>\{color:[^}\n]{1,80}\})|\{color\}"), "colours", 8),),
    MAN: ((re.compile(r"^\.(?:(?P<open>RS)|RE)\b", re.MULTILINE), "indented parts", 60),),
}
_ENDED = {LATEX}
"""Where what is opened has to be closed: what is left open is an error anyhow, and many of them take long to find."""
_BLANK = re.compile(r"\n[ \t]*\n")
_RUNS = re.compile(rf"([^\w\s])\1{{{_RUN}}}")
_BRACKETS = (("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"))
_UNCLOSED = 250
_FENCE = re.compile(r"^(`{3,})([^`\n]*)$", re.MULTILINE)


def seconds(text: str) -> float:
    """Processor time that pandoc may take for a text: some three times what the slowest of its readers needs.

    Of 59 files of other projects' tests, repeated to 150 KB and read as they are, those that ended took 2.9 s at most;
    one of AsciiDoc did not end.
    """
    return 3 + len(text) / 20_000


def settled(text: str, format: Format) -> str:
    """`text` as pandoc can read it in time; marks that are no markup are in the area of private use, as `_PLAIN` tells.

    Raises Unreadable, with the line, for markup that is opened too often without being closed, or nested too deep.
    """
    if format not in (LATEX, TYPST) and (found := _RUNS.search(text)):
        raise _refused(f"The same mark stands more than {_RUN:,} times in a row.", text, found.start())
    for pattern, name, deepest in _PAIRS.get(format, ()):
        _check_pairs(text, pattern, name, deepest, ended=format in _ENDED)
    if format is ASCIIDOC:
        text = _fenced(text)
    if format not in (LATEX, TYPST, MAN):  # in manuals a bracket begins the name of a letter
        _check_brackets(text)
    return _unmarked(text, format) if _MARKS.get(format) else text


def _check_pairs(text: str, pattern: re.Pattern[str], name: str, deepest: int, *, ended: bool) -> None:
    depth = 0
    for found in pattern.finditer(text):
        depth = depth + 1 if found["open"] else max(0, depth - 1)
        if depth > deepest:
            raise _refused(f"More than {deepest} {name} are open at once.", text, found.start())
    if ended and depth > _OPEN:
        raise _refused(f"{depth} {name} are never closed.", text, len(text))


def _check_brackets(text: str) -> None:
    for start, end in _blocks(text):
        if end - start > _UNCLOSED:
            for opening, closing in _BRACKETS:
                if text.count(opening, start, end) - text.count(closing, start, end) > _UNCLOSED:
                    raise _refused(f"More than {_UNCLOSED} “{opening}” of one block are not closed.", text, start)


def _fenced(text: str) -> str:
    """AsciiDoc with its fences of backticks as blocks of its own, the last one closed: one left open is never read."""
    opened = False

    def block(found: re.Match[str]) -> str:
        nonlocal opened
        if opened and found[2].strip():
            return " " + found[0]
        opened = not opened
        language = found[2].strip()
        return ("[source," + language + "]\n----" if language else "----") if opened else "----"

    made = _FENCE.sub(block, text)
    return made + "\n----\n" if opened else made


def _unmarked(text: str, format: Format) -> str:
    marks = _MARKS[format]
    edges = re.compile(
        rf"(?<![^\s{re.escape(marks)}(\[\"'>|])([{re.escape(marks)}]+)(?=[^\s])|(?<=\S)[{re.escape(marks)}]+(?!\w)"
    )
    plain = str.maketrans({mark: chr(_PLAIN + ord(mark)) for mark in marks})
    verbatim = [found.span() for found in _VERBATIM[format].finditer(text)] if format in _VERBATIM else []
    made, done = [], 0
    for start, end in _between(text, verbatim):
        block = text[start:end]
        depth = deepest = 0
        for found in edges.finditer(block):
            depth = depth + 1 if found[1] else max(0, depth - 1)
            deepest = max(deepest, depth)
        if deepest > _OPEN:
            made += [text[done:start], _lines(block, plain)]
            done = end
    return "".join((*made, text[done:]))


_LEAD = re.compile(
    r"[ \t]*(?:[*#+-]+[ \t]+|\|+|h[1-6]\.|bq\.|#\+\w+:?|:\w+:|\{(?:code|noformat|quote|panel)[^}\n]{0,99}\})?"
)


def _lines(block: str, plain: dict[int, str]) -> str:
    """The lines of a block without marks, but for those that make them items, headings or parts of a table."""
    made = []
    for line in block.split("\n"):
        found = _LEAD.match(line)
        lead = found[0] if found else ""
        made.append(lead + line[len(lead) :].translate(plain))
    return "\n".join(made)


def _between(text: str, verbatim: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for start, end in (*verbatim, (len(text), len(text))):
        yield from ((at + first, at + last) for first, last in _blocks(text[at:start]))
        at = end


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for blank in _BLANK.finditer(text):
        yield start, blank.start()
        start = blank.end()
    yield start, len(text)


def _refused(message: str, text: str, at: int) -> Unreadable:
    return Unreadable(message, line=text.count("\n", 0, at) + 1)
