"""Separate the text of MediaWiki, Jira and Textile from their templates, macros and tags."""

from __future__ import annotations

import html
import re

from engine.families.documents.counting.markup.found import ADDRESS, Found
from engine.toolkit.word_search import DIVISION

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FORMULA = re.compile(
    r"<(math|score|graph|timeline|gallery|script|style|noinclude|includeonly)\b[^<>]*?(?<!/)>.*?</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_PARAMETER = re.compile(r"\{\{\{[^{}]*\}\}\}")
_FILE = re.compile(
    r"\[\[(?:File|Image|Media|Archivo|Bild|Datei|Fichier):"
    r"(?:[^\[\]]|\[\[[^\[\]]*\]\]|\[[^\[\]]*\])*\]\]",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\[\[(?:Category|[a-z]{2,3}):[^\[\]]*\]\]", re.IGNORECASE)
_INNER = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]((?:<nowiki\s*/>)?(?=[^\W_]))?")
"""An internal link, and that its word goes on behind it."""
_OUTER = re.compile(r"\[((?:https?|ftp|mailto|irc):[^\s\]]++)(?:[ \t]++([^\]\n]*+))?+(\])?")
"""A link to an address, or one that nothing closes: it is read once, not again from each bracket in it."""
_REFERENCE = re.compile(r"<ref\b[^<>]*?(?<!/)>(?!\s*</ref)", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_RAISED = re.compile(r"(?<=\w)</?su[bp]>(?=\w)")
_TABLE = re.compile(r"^[ \t]*(?:\{\||\|-|\|\+)[^\n]*$", re.MULTILINE)
_CELL = re.compile(
    r"(^[ \t]*+[|!]|\|\||!!)[ \t]*+(?:[\w-]++[ \t]*+=[ \t]*+"
    r"(?:\"(?:[^\"\n|!]|\|(?!\|)|!(?!!))*+\"(?=[\s|]|[\w-]++[ \t]*+=)|(?:[^\s|!]|!(?!!))++)[ \t]*+)++\|(?!\|)",
    re.MULTILINE,
)
"""What a cell begins with, and its attributes: no value holds the marks that begin the next cell of the line."""
_SWITCH = re.compile(r"__[A-Z]+__|^#REDIRECT.*$|^[ \t]*\[\[[^\]\n]*\]\]$", re.MULTILINE)
_NESTED = 20
"""The nesting depth up to which templates are removed."""


def media_wiki(text: str) -> Found:
    """Return the text of headings, paragraphs, lists, tables and references."""
    found = Found()
    text = _FORMULA.sub(" ", _COMMENT.sub("", text))
    for _ in range(_NESTED):
        text, made = _TEMPLATE.subn(" ", _PARAMETER.sub(" ", text))
        if not made:
            break
    found.notes = len(_REFERENCE.findall(text))
    found.pictures = len(_FILE.findall(text))
    text = _ASIDE.sub(" ", _FILE.sub(" ", text))
    found.links = sum(bool(closed) for _, _, closed in _OUTER.findall(text))
    text = _OUTER.sub(lambda link: (link[2] or " ") if link[3] else link[0], _INNER.sub(_linked, text))
    text = _TABLE.sub("", _CELL.sub(r"\1 ", text))
    found.text.append(html.unescape(ADDRESS.sub(" ", _TAG.sub(" ", _RAISED.sub(DIVISION, _SWITCH.sub(" ", text))))))
    return found


def _linked(link: re.Match[str]) -> str:
    return f" {link[1]}{' ' if link[2] is None else DIVISION}"


_MACRO = re.compile(
    r"\{(?:color|code|noformat|panel|quote|anchor|html|table|section|column|info|note|tip|warning)(?::[^{}\n]*)?\}",
    re.IGNORECASE,
)
_BOX = re.compile(r"\{(html)\}.*?\{\1\}", re.DOTALL | re.IGNORECASE)
_JIRA_LINK = re.compile(r"\[(?:([^\[\]|\n]*)\|)?((?:https?|mailto|ftp):[^\[\]|\n]*)(?:\|[^\[\]\n]*)?\]")
_JIRA_PLACE = re.compile(r"\[(?:([^\[\]|\n]*)\|)([^\[\]\n]*)\]|\[[#^~][^\[\]\n]*\]")
_JIRA_PICTURE = re.compile(r"(?<![\w!])![^\s!|][^\s!|]*\.\w{2,4}(?:\|[^!\n]*)?!(?![\w!])")
_HEAD = re.compile(r"^[ \t]*(?:h[1-6]|bq)\.[ \t]", re.MULTILINE)


def jira(text: str) -> Found:
    """Return the text of headings, paragraphs, lists, tables and boxes."""
    found = Found()
    text = _HEAD.sub("", _MACRO.sub("\n", _BOX.sub(" ", text)))
    found.pictures = sum("//" not in each for each in _JIRA_PICTURE.findall(text))
    found.links = len(_JIRA_LINK.findall(text))
    text = _JIRA_PLACE.sub(
        lambda link: link[1] or " ", _JIRA_LINK.sub(lambda link: link[1] or " ", _JIRA_PICTURE.sub(" ", text))
    )
    found.text.append(html.unescape(ADDRESS.sub(" ", text)))
    return found


_ATTRIBUTES = r"(?:\([^()\n]*\)|\{[^{}\n]*\}|\[[^\[\]\n]*\]|[<>=()])*"
_PREFIX = re.compile(
    rf"^(?:h[1-6]|p|bq|bc|pre|fn\d+|notextile|table|[#*-]+){_ATTRIBUTES}\.\.?(?:[ \t]|$)", re.MULTILINE
)
_ITEM = re.compile(rf"^[#*]+{_ATTRIBUTES}[ \t]", re.MULTILINE)
_TEXTILE_LINK = re.compile(r"\"([^\"\n]+)\":((?:https?|mailto|ftp):\S+|\S+)")
_TEXTILE_PICTURE = re.compile(r"![<>=]?(?:\([^()\n]*\)|\{[^{}\n]*\})?[^\s!()]+\.\w{2,4}(?:\([^()\n]*\))?!(?::\S+)?")
_SPAN = re.compile(
    r"%(?:\([^()\n]*\)|\{[^{}\n]*\}|\[[^\[\]\n]*\])+|(?<=[|*_+^~@-])(?:\{[^{}\n]*\}|\([^()\n]*\)\.)"
    r"|(?<=\s[*_+^~@-])\([^()\n]*\)(?=[^\W_])"
)
_SIGN = re.compile(r"\((tm|r|c)\)", re.IGNORECASE)
_SIGNS = {"tm": "™", "r": "®", "c": "©"}
_ASIDE_BLOCK = re.compile(r"^###\..*?(?:\n[ \t]*\n|\Z)", re.DOTALL | re.MULTILINE)
_CELL_MARK = re.compile(r"\|[_\\/\d<>^~=-]*(?:\{[^{}\n]*\}|\([^()\n]*\))*\.[ \t]")


def textile(text: str) -> Found:
    """Return the text of headings, paragraphs, lists and tables."""
    found = Found()
    text = _ITEM.sub("", _PREFIX.sub("", _ASIDE_BLOCK.sub("\n", _FORMULA.sub(" ", _COMMENT.sub("", text)))))
    found.pictures = sum("//" not in each for each in _TEXTILE_PICTURE.findall(text))
    text = _SIGN.sub(lambda sign: _SIGNS[sign[1].lower()], _TEXTILE_PICTURE.sub(" ", text))
    found.links = sum(bool(ADDRESS.match(address)) for _, address in _TEXTILE_LINK.findall(text))
    text = _SPAN.sub(" ", _CELL_MARK.sub("| ", _TEXTILE_LINK.sub(r"\1 ", text)))
    found.text.append(html.unescape(ADDRESS.sub(" ", _TAG.sub(" ", text))))
    return found
