"""Separate the text of reStructuredText from its directives, roles, targets and comments."""

from __future__ import annotations

import re
from itertools import zip_longest

from engine.families.documents.counting.markup.found import ADDRESS, Found
from engine.toolkit.word_search import DIVISION

_EXPLICIT = re.compile(r"^([ \t]*)\.\.(?:[ \t]+(.*))?$")
_DIRECTIVE = re.compile(r"([\w][\w:+.-]*?)::(?:[ \t]+(.*))?$")
_OPTION = re.compile(r"^[ \t]+:[\w-]+:")
_FIELD = re.compile(r"^[ \t]*:[^:\n]{1,80}:(?=[ \t]|$)")
_NOTE = re.compile(r"\[(?:[\w.#*-]+)\][ \t]*(.*)$")
_TARGET = re.compile(r"_|\|[^|]+\|")
_ANONYMOUS = re.compile(r"^[ \t]*__[ \t]")
_ARGUMENT_IS_TEXT = frozenset({
    "note", "warning", "tip", "hint", "important", "caution", "danger", "attention", "error", "admonition", "topic",
    "sidebar", "rubric", "seealso", "centered", "table", "list-table", "csv-table", "epigraph", "parsed-literal",
    "versionadded", "versionchanged", "deprecated",
})  # fmt: skip
_DROPPED = frozenset({
    "raw", "include", "literalinclude", "image", "toctree", "contents", "index", "meta", "math", "role", "title",
    "default-role", "header", "footer", "replace", "unicode", "date", "sectnum", "section-numbering", "target-notes",
    "tabularcolumns", "highlight", "currentmodule", "module", "productionlist", "graphviz", "digraph", "graph",
    "plantuml", "testsetup", "testcleanup", "only", "ifconfig", "bibliography", "restructuredtext-test-directive",
})  # fmt: skip
_CODE = frozenset({"code", "code-block", "sourcecode", "prompt", "doctest", "testcode", "testoutput"})
_ROLE = re.compile(r":([\w:+.-]+):`([^`]*)`|`([^`]*)`:([\w+.-]+):|:[\w:+.-]++")
"""A role and its text, or names and colons without a text: they are read once, not again from each colon."""
_GRID = re.compile(r"^((?:[|+][^\n]*\n)+)", re.MULTILINE)
_LITERAL = re.compile(r"``((?:[^`\n]|\n(?![ ]*\n)|`(?!`))+)``")
_PHRASE = re.compile(r"`([^`<]*)<([^`>]*)>`__?")
_MARKS = re.compile(r"\|[^|\s][^|\n]*\|_{0,2}|\[[#*\w-]+\]_")
_REFERENCE = re.compile(r"\[(?:\d+|[#*]\w*)\]_")
_RAISED = frozenset({"sub", "sup", "subscript", "superscript"})
_JOINED = re.compile(r"\\[ ](?=\S)")
"""An escaped space, which joins marked letters to the word beside them."""
_NUMBER = re.compile(r"^([ ]*)\(?(?:[ivxlcdm]{1,5}|[a-z])[.)](?=[ ])", re.MULTILINE | re.IGNORECASE)
"""Numbers of lists in letters, which renderers generate themselves."""
_SHOWN_ROLES = frozenset({
    "emphasis", "strong", "literal", "code", "sub", "sup", "subscript", "superscript", "title", "title-reference", "t",
})  # fmt: skip


def read(text: str) -> Found:
    """Return the text of paragraphs, lists, tables, literal blocks and directives that show their content."""
    found = Found()
    shown = "\n".join(_lines(text.expandtabs().split("\n"), found))
    found.text += (literal[1] for literal in _LITERAL.finditer(shown))
    shown = _JOINED.sub(DIVISION, _NUMBER.sub(r"\1", _LITERAL.sub(" ", shown)))
    found.notes = len(_REFERENCE.findall(shown))
    found.links = sum(bool(ADDRESS.match(each[1].strip())) for each in _PHRASE.findall(shown))
    shown = _ROLE.sub(_role, shown)
    shown = ADDRESS.sub(" ", _MARKS.sub(" ", _PHRASE.sub(r"\1", shown)))
    found.text.append(shown)
    found.spellings = _cells(text)
    return found


def _cells(text: str) -> list[str]:
    """Return the columns of grid tables, in whose cells words without spaces are split across lines."""
    cells = []
    for rows in _GRID.findall(text):
        for column in zip_longest(*(row.split("|") for row in rows.split("\n") if row.startswith("|")), fillvalue=""):
            cells.append("".join(map(str.strip, column)))
    return cells


def _lines(lines: list[str], found: Found) -> list[str]:
    kept: list[str] = []
    at, began = 0, False
    while at < len(lines):
        line = lines[at]
        at += 1
        explicit = _EXPLICIT.match(line)
        if explicit is None:
            if _ANONYMOUS.match(line):
                continue
            if field := _FIELD.match(line):
                if not began:  # the document's metadata
                    at = _after_block(lines, at, len(line) - len(line.lstrip()))
                    continue
                line = line[field.end() :]
            elif len(line) > 60 or (kept and not kept[-1].strip() and line.strip() and line[0].isalpha()):
                began = began or line.rstrip().endswith((".", ":"))
            kept.append(line)
            if line.rstrip().endswith("::"):
                at = _verbatim(lines, at, len(line) - len(line.lstrip()), found)
            continue
        indent, rest = len(explicit[1]), explicit[2] or ""
        directive = _DIRECTIVE.match(rest)
        if note := _NOTE.match(rest):
            kept.append(note[1])
        elif directive is None or _TARGET.match(rest) or directive[1].lower() in _DROPPED:
            found.pictures += directive is not None and directive[1] == "image"
            at = _after_block(lines, at, indent)
        else:
            found.pictures += directive[1] == "figure"
            if directive[1].lower() in _ARGUMENT_IS_TEXT:
                kept.append(directive[2] or "")
            else:  # arguments on several lines, such as object signatures
                while at < len(lines) and lines[at].strip() and not _OPTION.match(lines[at]):
                    at += 1
            while at < len(lines) and _OPTION.match(lines[at]):
                at += 1
            kept.append("")
            if directive[1].lower() in _CODE:
                at = _verbatim(lines, at, indent, found)
        began = began or bool(kept and len(kept) > 20)
    return kept


def _verbatim(lines: list[str], at: int, indent: int, found: Found) -> int:
    """Add a literal block unchanged."""
    end = _after_block(lines, at, indent)
    found.text += lines[at:end]
    return end


def _after_block(lines: list[str], at: int, indent: int) -> int:
    while at < len(lines) and (not lines[at].strip() or len(lines[at]) - len(lines[at].lstrip()) > indent):
        at += 1
    return at


def _role(found: re.Match[str]) -> str:
    if found.lastindex is None:
        return found[0]
    name, content = (found[1], found[2]) if found[1] else (found[4], found[3])
    if name in _RAISED:
        return content
    if name in _SHOWN_ROLES:
        return f" {content} "
    title, mark, _ = content.partition("<")
    return f" {title} " if mark else " "
