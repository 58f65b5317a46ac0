"""Count the contents of plain text and Markdown (CommonMark 0.31.2) from lines and markup."""

from __future__ import annotations

import html
import re
from pathlib import Path

from engine.toolkit import encodings, grids
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn
from engine.toolkit.word_search import DIVISION

_FRONT = re.compile(r"\A---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL)
_CONTENTS = re.compile(r"^ {0,3}(?:\[TOC\]|\[\[_?TOC_?\]\])[ \t]*$", re.MULTILINE | re.IGNORECASE)
"""Where a list of contents goes."""
_CALLOUT = re.compile(r"^([ >]*)(?:\[!\w+\][+-]?|:{3,}[ \t]*\{?\.?[A-Za-z]+\}?)", re.MULTILINE)
"""The kind of a callout, which its title replaces."""
_PICTURE = re.compile(
    r"!\[(?:(?:[^\[\]]++|\[[^\[\]]*+\](?:\((?:[^()\n!]|!(?!\[))*+\))?+)*+|(?:[^\]!]|!(?!\[))*+)\]"
    r"(?:\((?!\s*+\)|<?[a-z]{0,9}:?//)|\[([^\]]*+)\])"
    r"|<img\b(?!(?:[^<>]|<(?!img\b))*?src\s*+=\s*+[\"']?[a-z]{0,9}:?//)",
    re.IGNORECASE,
)
"""A picture in the document, not a remote one; the label refers to its address. It ends before the next one begins."""
_PLACE = re.compile(r"^ {0,3}\[(?!\^)([^\]\n]+)\]:\s*<?(\S{1,20})", re.MULTILINE)
_CODE = re.compile(r"^[ >]*(```+|~~~+)[^\n]*\n.*?(?:^[ >]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_FORMULA = re.compile(r"^[ >]*(```+)[ \t]*math[ \t]*\n.*?(?:^[ >]*\1`*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_CODE_IN_LINE = re.compile(r"(?<!`)(`{1,3})(?!`)[^\n]{1,300}?(?<!`)\1(?!`)")
_LINK = re.compile(
    r"(?<!!)\[(?:[^\[\]!\\\n]++|!(?!\[)|\\\]|\\"
    r"|!\[(?:[^\[\]]|(?<=!)\[)*+\](?:\([^()\[\n]*+\)|\[[^\]\n]*+(?<!\\)\]))*\]\("
    r"(?!javascript:|[^\s()<]++[ \t]++[^\s\"'()])[^)\s#]"
    r"(?!(?:[^)\n]|\n(?!\s*\n)){0,800}+(?:\n\s*\n|\s*+\Z))"
    r"|<(?:https?://(?:[^<>\s]|<(?!https?://))++|[^@<>\s]++@[^@<>\s]++)>|<a\s(?:[^<>]|<(?!a\s))*href",
    re.IGNORECASE,
)
"""A link around text, pictures or both, whose brackets are closed, or one that is written as its address.

It begins at the last bracket before its text: from each one before that, the same text would be read again.
"""
_HIDING = re.compile(r"<(?:!--|script|style)", re.IGNORECASE)
_UNSEEN = re.compile(
    rf"{_CODE.pattern}|(?<!`)(`{{1,3}})(?!`)[^\n]{{1,300}}?(?<!`)\2(?!`)"
    r"|(?P<unseen><!--.*?-->|(?<! {4})(?<!\t)<(script|style)\b.*?</\4\s*>)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
"""Code, in which tags are text, or a comment or script."""
_INDENTED_LINE = re.compile(r"^(?: {4}|\t)[^\n]+", re.MULTILINE)
"""What may be code, in which tags are text."""
_ALTERNATIVE = re.compile(r"!\[[^\]]*\](?=[(\[])")
_TASK = re.compile(r"^([ \t>]*(?:[-*+]|\d+[.)])[ \t]+)\[[ xX]\](?=[ \t])", re.MULTILINE)
_NUMBER = re.compile(r"^([ \t>]*)\d{1,9}[.)](?=[ \t])", re.MULTILINE)
"""Numbers of ordered lists, which renderers generate themselves."""
_TARGET = re.compile(r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\]\[[^\]\n]*\]|\{[^{}\n]*\}")
_TITLE = r"""(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))"""
_DEFINITION = re.compile(
    rf"^ {{0,3}}\[(?!\^)[^\]\n]+\]:(?:[ \t]*\n[ \t]*\S+(?:[ \t]+{_TITLE})?[ \t]*$|[^\n]*$)(?:\n[ \t]*{_TITLE}[ \t]*$)?",
    re.MULTILINE,
)
"""The definition of a label, whose address and title may stand on lines of their own (CommonMark 0.31.2, 4.7)."""
_NOTE = re.compile(r"\[\^[^\]\n]+\]")
_NOTE_TEXT = re.compile(r"^[ >]{0,4}\[\^[^\]\n]+\]:", re.MULTILINE)
_NOTE_LABEL = re.compile(r"\[\^[^\]\n]+\]:?")
_FENCE = re.compile(r"^([ >]*)(```+|~~~+)[^\n]*$", re.MULTILINE)
_MATHS = re.compile(r"\$\$.+?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_RAW = re.compile(r"(?:\A|(?<=\n\n)) {0,3}<[a-zA-Z][^<>\n]*>[ \t]*\n(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
"""An HTML block, up to a blank line, in which links and pictures of Markdown are text (CommonMark, 4.6)."""
_EMOJI = re.compile(r"(?<!\w):(?:[abmovx]|[a-z0-9_+-]{2,40}):(?!\w)")
_RAISED = re.compile(r"(?<=\w)[*]{0,3}(?:[~^]|</?su[bp]>)[*]{0,3}(?=\w)")
"""A mark inside of a word, as in H~2~O: the word is whole in the result."""
_RULE = re.compile(r"^[ >]{0,9}+\|?+[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$")
"""The second line of a table (GitHub Flavored Markdown 0.29, 4.10), if it has a “|”."""
_INDENTED = re.compile(r"[ >]*(?: {4}|\t)")
_BAR = re.compile(r"(?<!\\)\|")
_NOT_TEXT = re.compile(
    r"!\[[^\]]*\](?:\([^()\n]*\)|\[[^\]\n]*\])|\[\^[^\]\n]+\]|:(?:[abmovx]|[a-z0-9_+-]{2,40}):|\$[^$\n]*\$|<[^<>]*>"
)
"""Pictures, notes, emoji, formulas and tags, which are not text in other formats, or not in each."""
_TABLE = re.compile(r"<table\b.*?</table\s*>", re.DOTALL | re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")


_DIVIDER = re.compile(r"^-{3,}$", re.MULTILINE)
_CHART_ON_PAGE = b'<svg class="chart" '
_LINE_ON_PAGE = re.compile(rb"<hr\b", re.IGNORECASE)


def text(path: Path) -> Census:
    """Return the paragraphs of a plain text."""
    census = Census()
    content = read(path)
    census.texts += _paragraphs(content)
    census.add("slides", divided(content))
    return census


def divided(content: str) -> int:
    """Return the number of parts that lines of dashes divide a text into."""
    return len(_DIVIDER.findall(content)) + 1


def page(path: Path) -> Census:
    """Return the number of slides on a page, which lines divide, and of the charts that were drawn on it."""
    census = Census()
    data = path.read_bytes()
    census.add("slides", len(_LINE_ON_PAGE.findall(data)) + 1)
    census.add("charts", data.count(_CHART_ON_PAGE))
    return census


def markdown(path: Path) -> Census:
    """Return the paragraphs of a Markdown file without addresses, formulas and other markup."""
    content = read(path)
    census = notation(content)
    census.add("slides", divided(content))
    return census


def notation(given: str) -> Census:
    """Return the paragraphs of a Markdown text without addresses, formulas and other markup."""
    census = Census()
    content = _CALLOUT.sub(r"\1", _CONTENTS.sub("", _FRONT.sub("", _FORMULA.sub("", given))))
    if _HIDING.search(content):
        census.markup += _INDENTED_LINE.findall(content)
        content = _UNSEEN.sub(_seen, content)
    outside = _CODE.sub(" ", content)
    shown = _RAW.sub(lambda block: block[0].replace("](", "] ("), _CODE_IN_LINE.sub(" ", outside))
    places = {label.lower(): place for label, place in _PLACE.findall(shown)}
    pictures = [label for label in _PICTURE.findall(shown) if not label or "//" not in places.get(label.lower(), "//")]
    for kind, found in (
        ("pictures", len(pictures)),
        ("links", len(_LINK.findall(shown))),
        ("notes", len(_NOTE.findall(shown)) - len(_NOTE_TEXT.findall(shown)) + shown.count('role="doc-noteref"')),
    ):
        if found > 0:
            census.add(kind, found)
    _count_tables(outside, census)
    content = _TASK.sub(r"\1", _DEFINITION.sub("", _FENCE.sub("", content)))
    census.markup += (block[0] for block in _CODE.finditer(given))  # with the tags and comments that are code
    census.markup.append(_ESCAPE.sub("_", content))  # escaped brackets look like those of a formula
    content = _ALTERNATIVE.sub("]", _ESCAPE.sub("_", _NOTE_LABEL.sub(" ", _MATHS.sub(" ", content))))
    content = _RAISED.sub(DIVISION, content)
    census.markup.append(content)
    census.texts += _paragraphs(
        html.unescape(_TAG.sub(" ", _TARGET.sub("]", _EMOJI.sub(" ", _NUMBER.sub(r"\1", content)))))
    )
    return census


def _seen(part: re.Match[str]) -> str:
    return part[0] if part["unseen"] is None else " "


def _count_tables(shown: str, census: Census) -> None:
    if "<table" in shown:
        from lxml import html

        grids.of_tree(html.document_fromstring("<div>" + "".join(_TABLE.findall(shown))), census)
        shown = _TABLE.sub("", shown)
    lines = shown.split("\n")
    for number, line in enumerate(lines):
        if number and "|" in line and "-" in line and _RULE.match(line):
            header = lines[number - 1]
            rows = [_cells_of(header)]
            for row in lines[number + 1 :]:
                if "|" not in row:
                    break
                rows.append(_cells_of(row))
            indented = _INDENTED.match(line) is not None  # in a list, or code
            grids.add(census, rows, certain=not indented and _bars(header) == _bars(line))


def _bars(row: str) -> int:
    return len(_BAR.findall(row.strip(" \t>").strip("|")))


def _cells_of(row: str) -> int:
    return sum(map(grids.is_text, _BAR.split(_NOT_TEXT.sub(" ", row))))


def _paragraphs(content: str) -> list[str]:
    return [each.strip() for each in _BLANK_LINE.split(content) if each.strip()]


def read(path: Path) -> str:
    """Return the text of a file, with its encoding guessed and lines ended by line feeds."""
    return encodings.read(path.read_bytes(), Warn()).replace("\r\n", "\n").replace("\r", "\n")
