"""Count the contents of plain text and Markdown (CommonMark 0.31.2) from lines and markup."""

from __future__ import annotations

import html
import re
from pathlib import Path

from engine.toolkit import encodings
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn
from engine.toolkit.word_search import DIVISION

_FRONT = re.compile(r"\A---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL)
_CONTENTS = re.compile(r"^ {0,3}(?:\[TOC\]|\[\[_?TOC_?\]\])[ \t]*$", re.MULTILINE | re.IGNORECASE)
"""Where a list of contents goes."""
_CALLOUT = re.compile(r"^([ >]*)(?:\[!\w+\][+-]?|:{3,}[ \t]*\{?\.?[A-Za-z]+\}?)", re.MULTILINE)
"""The kind of a callout, which its title replaces."""
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SCRIPT = re.compile(r"<(script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_PICTURE = re.compile(
    r"!\[[^\]]*\](?:\((?!<?[a-z]{0,9}:?//)|\[([^\]]*)\])|<img\b(?![^>]*?src\s*=\s*[\"']?[a-z]{0,9}:?//)", re.IGNORECASE
)
"""A picture in the document, not a remote one; the label refers to its address."""
_PLACE = re.compile(r"^ {0,3}\[(?!\^)([^\]\n]+)\]:\s*<?(\S{1,20})", re.MULTILINE)
_CODE = re.compile(r"^[ >]*(```+|~~~+)[^\n]*\n.*?(?:^[ >]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_CODE_IN_LINE = re.compile(r"(?<!`)(`{1,3})(?!`)[^\n]{1,300}?(?<!`)\1(?!`)")
_LINK = re.compile(
    r"(?<!!)\[(?:!\[[^\]]*\](?:\([^()\n]*\)|\[[^\]\n]*\])|(?!!\[)[^\]\n])*\]\((?!javascript:)[^)\s#]"
    r"|<https?://[^>\s]+>|<a\s[^>]*href",
    re.IGNORECASE,
)
"""A link around text, pictures or both, or one that is written as its address."""
_ALTERNATIVE = re.compile(r"!\[[^\]]*\](?=[(\[])")
_TASK = re.compile(r"^([ \t>]*(?:[-*+]|\d+[.)])[ \t]+)\[[ xX]\](?=[ \t])", re.MULTILINE)
_NUMBER = re.compile(r"^([ \t>]*)\d{1,9}[.)](?=[ \t])", re.MULTILINE)
"""Numbers of ordered lists, which renderers generate themselves."""
_TARGET = re.compile(r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\]\[[^\]\n]*\]|\{[^{}\n]*\}")
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\]\n]+\]:[^\n]*$", re.MULTILINE)
_NOTE = re.compile(r"\[\^[^\]\n]+\]")
_NOTE_TEXT = re.compile(r"^[ >]{0,4}\[\^[^\]\n]+\]:", re.MULTILINE)
_NOTE_LABEL = re.compile(r"\[\^[^\]\n]+\]:?")
_FENCE = re.compile(r"^([ >]*)(```+|~~~+)[^\n]*$", re.MULTILINE)
_MATHS = re.compile(r"\$\$.+?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_EMOJI = re.compile(r"(?<!\w):[a-z0-9_+-]{2,40}:(?!\w)")
_TILDE = re.compile(r"(?<=\w)~(?=\w)")
"""A mark inside of a word, as in H~2~O: the word is whole in the result."""
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")


def text(path: Path) -> Census:
    """Return the paragraphs of a plain text."""
    census = Census()
    census.texts += _paragraphs(read(path))
    return census


def markdown(path: Path) -> Census:
    """Return the paragraphs of a Markdown file without addresses, formulas and other markup."""
    return notation(read(path))


def notation(given: str) -> Census:
    """Return the paragraphs of a Markdown text without addresses, formulas and other markup."""
    census = Census()
    content = _SCRIPT.sub(" ", _COMMENT.sub(" ", _CALLOUT.sub(r"\1", _CONTENTS.sub("", _FRONT.sub("", given)))))
    shown = _CODE_IN_LINE.sub(" ", _CODE.sub(" ", content))
    places = {label.lower(): place for label, place in _PLACE.findall(shown)}
    pictures = [label for label in _PICTURE.findall(shown) if not label or "//" not in places.get(label.lower(), "//")]
    for kind, found in (
        ("pictures", len(pictures)),
        ("links", len(_LINK.findall(shown))),
        ("notes", len(_NOTE.findall(shown)) - len(_NOTE_TEXT.findall(shown)) + shown.count('role="doc-noteref"')),
    ):
        if found > 0:
            census.add(kind, found)
    content = _TASK.sub(r"\1", _DEFINITION.sub("", _FENCE.sub("", content)))
    census.markup += (block[0] for block in _CODE.finditer(given))  # with the tags and comments that are code
    census.markup.append(_ESCAPE.sub("_", content))  # escaped brackets look like those of a formula
    content = _ALTERNATIVE.sub("]", _ESCAPE.sub("_", _NOTE_LABEL.sub(" ", _MATHS.sub(" ", content))))
    census.markup.append(content)
    content = _TILDE.sub(DIVISION, content)
    census.texts += _paragraphs(
        html.unescape(_TAG.sub(" ", _TARGET.sub("]", _EMOJI.sub(" ", _NUMBER.sub(r"\1", content)))))
    )
    return census


def _paragraphs(content: str) -> list[str]:
    return [each.strip() for each in _BLANK_LINE.split(content) if each.strip()]


def read(path: Path) -> str:
    """Return the text of a file, with its encoding guessed and lines ended by line feeds."""
    return encodings.read(path.read_bytes(), Warn()).replace("\r\n", "\n").replace("\r", "\n")
