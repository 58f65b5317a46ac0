"""Neutralise or refuse markup for which pandoc's readers take exponential time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from lxml import etree

from engine.families.documents import emphasis, notes
from engine.families.documents.markup import quotes
from engine.families.documents.markup.unclosed import MARKS, MOST_AGAIN, Emphasis
from engine.toolkit.failures import Cause, OverLimit, Unreadable
from engine.toolkit.formats import ASCIIDOC, JIRA, LATEX, MAN, MEDIAWIKI, ORG, TEXTILE, TYPST, Format
from engine.toolkit.messages import say

_OPEN = 10
"""The maximum unclosed groups of LaTeX, or marks in the first word of an Org file."""
_RUN = 1_000
_MOST_IN_LINES = 2_500_000_000
"""The maximum sum of the squares of the lengths of a man page's lines: pandoc takes 0.6 s for one line of 50,000.

Of 23,961 man pages none has more than 143 million; the longest line has 11,682 characters.
"""
_PLAIN = 0xE100
"""The private-use characters that replace marks to be read as plain text."""

_VERBATIM = {
    ORG: re.compile(r"^[ \t]*#\+BEGIN_(SRC|EXAMPLE)\b.*?^[ \t]*#\+END_\1\b", re.MULTILINE | re.DOTALL | re.IGNORECASE),
    JIRA: re.compile(r"\{(code|noformat)\b[^}\n]{0,200}\}.*?\{\1\}", re.DOTALL),
    TEXTILE: re.compile(r"<(pre|notextile)\b[^>\n]{0,200}>.*?</\1>", re.DOTALL),
}
_PAIRS: dict[Format, tuple[tuple[re.Pattern[str], str, int], ...]] = {
    LATEX: (
        (re.compile(r"(?P<open>(?<!\\)\{)|(?<!\\)\}"), "groups “{”", 40),
        (re.compile(r"(?P<open>\\begin\b)|\\end\b"), "environments", 40),
        (re.compile(r"(?P<open>\\if(?:true|false)(?![A-Za-z]))|\\fi(?![A-Za-z])"), "conditions", 10),
    ),
    TYPST: ((re.compile(r"(?P<open>\()|\)"), "parentheses", 14),),
    MEDIAWIKI: (
        (re.compile(r"(?P<open>\[\[)|\]\]"), "links “[[”", 12),
        (re.compile(r"(?P<open>\{\{)|\}\}"), "templates “{{”", 12),
        (re.compile(r"(?P<open><ref\b[^>/\n]{0,200}>)|</ref>", re.IGNORECASE), "notes <ref>", 8),
        (re.compile(r"^[ \t:*#]*(?:(?P<open>\{\|)|\|\})", re.MULTILINE), "tables", 12),
    ),
    ORG: (
        (re.compile(r"(?P<open>\[fn:)|\]"), "notes “[fn:”", 8),
        (re.compile(r"^[ \t]*(?:(?P<open>#\+BEGIN_)|#\+END_)", re.MULTILINE | re.IGNORECASE), "blocks", 60),
    ),
    JIRA: ((re.compile(r"(?P<open>\{color:[^}\n]{1,80}\})|\{color\}"), "colours", 8),),
    MAN: (
        (re.compile(r"^\.(?:(?P<open>RS)|RE)\b", re.MULTILINE), "indented parts", 60),
        (re.compile(r"(?P<open>^\.Oo\b(?![^\n]*\bOc\b))|\bOc\b", re.MULTILINE), "options .Oo", 60),
    ),
}
_ENDED = {LATEX}
"""Formats in which an unclosed mark is an error anyway, and many of them take long to find."""
_MOST_KEYWORDS = 250
"""The maximum lines of one keyword in an Org file's header; pandoc takes 0.3 s for 200, and 3.8 s for 800.

Of 299 Org files, none has more than 2.
"""
_KEYWORD = re.compile(
    r"^[ \t]*#\+(TITLE|SUBTITLE|AUTHOR|DATE|EMAIL|KEYWORDS|DESCRIPTION|LATEX_HEADER(?:_EXTRA)?|HTML_HEAD(?:_EXTRA)?):",
    re.MULTILINE | re.IGNORECASE,
)
_MOST_RULES = 8
"""The maximum rules of one selector in Typst: pandoc takes 0.3 s for 8 of headings, and 3.8 s for 10."""
_RULE = re.compile(r"^[ \t]*#show[ \t]+(\w+)[ \t]*:[^\n]*=>", re.MULTILINE)
_MOST_REFERENCES = 30_000_000
"""The maximum product of the references in a tree and of what they may lead to: pandoc took 6.5 s for 33 million in
DocBook, and 5.7 s for a quarter of that, pictures of FictionBook."""
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_BACKSLASHES = re.compile(r"(?<!\\)(?!\\\\[ \t]*\n)\\++(?=\s|\Z)")
"""Backslashes before a space or the end of a line that break no line, which pandoc does not understand in Org."""
_BLANK = re.compile(r"(\n[ \t]*\n)")
_TERM = re.compile(r"^-(?=[ \t])", re.MULTILINE)
_RUNS = re.compile(rf"([^\w\s])\1{{{_RUN}}}")
_BRACKETS = (("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"))
_UNCLOSED = 250
_FENCE = re.compile(r"^(`{3,})([^`\n]*)$", re.MULTILINE)


def bounded(text: str, format: Format) -> str:
    """`text` with marks that aren't markup moved to the private use area (`_PLAIN`), so that pandoc reads it in time.

    Raises Unreadable, with the line, for markup that is opened too often without being closed, or nested too deep.
    """
    if format not in (LATEX, TYPST) and (found := _RUNS.search(text)):
        raise _refused(say("The same mark is repeated more than {run} times in a row.", run=_RUN), text, found.start())
    for pattern, name, deepest in _PAIRS.get(format, ()):
        _check_pairs(text, pattern, name, deepest, ended=format in _ENDED)
    if format is ASCIIDOC:
        text = _fenced(text)
    if format is TEXTILE:
        notes.check_textile(text)
        text = _without_terms(text)
    if format is MEDIAWIKI:
        text = quotes.split(text)
    if format is MAN and sum(len(line) ** 2 for line in text.split("\n")) > _MOST_IN_LINES:
        raise OverLimit("limit", "The lines of the document are too long.")
    if format is TYPST:
        _check_keywords(text, _RULE, "#show {}", _MOST_RULES)
    if format is ORG:
        _check_keywords(text, _KEYWORD, "{}", _MOST_KEYWORDS)
        text = _BACKSLASHES.sub(lambda found: chr(_PLAIN + ord("\\")) * len(found[0]), text)
    if format not in (LATEX, TYPST, MAN):  # in man pages a bracket starts a character name
        _check_brackets(text)
    return _unmarked(text, format) if format in MARKS else text


def _without_terms(text: str) -> str:
    """Textile without the marks of terms that no definition follows: each is searched for to the end of its block."""
    return "".join(block if ":=" in block else _TERM.sub(chr(_PLAIN + ord("-")), block) for block in _BLANK.split(text))


def check_references(root: Any) -> None:
    """Raise OverLimit for a tree of DocBook or FictionBook with more links and pictures than pandoc can look up."""
    links = marks = pictures = files = 0
    for element in root.iter("{*}*"):
        name = etree.QName(element).localname
        links += name in ("xref", "link")
        pictures += name == "image"
        files += name == "binary"
        marks += "id" in element.attrib or _XML_ID in element.attrib
    if links * marks + 4 * pictures * files > _MOST_REFERENCES:
        raise OverLimit("limit", "The document has too many links or pictures.")


def _check_keywords(text: str, pattern: re.Pattern[str], line: str, most: int) -> None:
    counts: Counter[str] = Counter()
    for found in pattern.finditer(text):
        name = line.format(found[1])
        counts[name.upper()] += 1
        if counts[name.upper()] > most:
            raise OverLimit("limit", say("The file has more than {most} “{name}” lines.", most=most, name=name))


def _check_pairs(text: str, pattern: re.Pattern[str], name: str, deepest: int, *, ended: bool) -> None:
    depth = 0
    for found in pattern.finditer(text):
        depth = depth + 1 if found["open"] else max(0, depth - 1)
        if depth > deepest:
            raise _refused(
                say("More than {deepest} {name} are open at once.", deepest=deepest, name=name), text, found.start()
            )
    if ended and depth > _OPEN:
        raise _refused(say("{depth} {name} are never closed.", depth=depth, name=name), text, len(text), "damaged")


def _check_brackets(text: str) -> None:
    for start, end in emphasis.blocks(text):
        if end - start > _UNCLOSED:
            for opening, closing in _BRACKETS:
                if text.count(opening, start, end) - text.count(closing, start, end) > _UNCLOSED:
                    raise _refused(
                        say(
                            "A block has more than {unclosed} unclosed “{opening}”.",
                            unclosed=_UNCLOSED,
                            opening=opening,
                        ),
                        text,
                        start,
                    )


def _fenced(text: str) -> str:
    """AsciiDoc with its backtick fences as separate blocks, the last one closed: an unclosed one is never read."""
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
    read = Emphasis(format)
    plain = str.maketrans({mark: chr(_PLAIN + ord(mark)) for mark in MARKS[format]})
    verbatim = [found.span() for found in _VERBATIM[format].finditer(text)] if format in _VERBATIM else []
    found = [(read.repeated(text[start:end]), start, end) for start, end in _between(text, verbatim)]
    again = sum(each for each, *_ in found)
    moved = set(found[:1] if read.opens_everywhere(text) > _OPEN else ())
    for each in sorted(found, reverse=True):
        if again <= MOST_AGAIN:
            break
        again -= each[0]
        moved.add(each)
    made, done = [], 0
    for _, start, end in sorted(moved, key=lambda each: each[1]):
        made += [text[done:start], _lines(text[start:end], plain)]
        done = end
    return "".join((*made, text[done:]))


_LEAD = re.compile(
    r"[ \t]*(?:[*#+-]+[ \t]+|\|+|h[1-6]\.|bq\.|#\+\w+:?|:\w+:|\{(?:code|noformat|quote|panel)[^}\n]{0,99}\})?"
)


def _lines(block: str, plain: dict[int, str]) -> str:
    """The lines of a block without marks, except those of list items, headings and table parts."""
    made = []
    for line in block.split("\n"):
        found = _LEAD.match(line)
        lead = found[0] if found else ""
        made.append(lead + line[len(lead) :].translate(plain))
    return "\n".join(made)


def _between(text: str, verbatim: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for start, end in (*verbatim, (len(text), len(text))):
        yield from ((at + first, at + last) for first, last in emphasis.blocks(text[at:start]))
        at = end


def _refused(message: str, text: str, at: int, reason: Cause = "limit") -> Unreadable:
    return Unreadable(message, line=text.count("\n", 0, at) + 1, reason=reason)
