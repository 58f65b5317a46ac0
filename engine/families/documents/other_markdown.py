"""Name what other kinds of Markdown have a notation for, and GitHub's shows as it is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import unescape

from engine.toolkit.messages import shortened
from engine.toolkit.warnings import Kind, Warn

_AS_WRITTEN = Kind("NOT_UNDERSTOOD", "Notation from other Markdown dialects is shown as written: {count}{places}.")
_CODE = re.compile(r"<(pre|code)\b[^<>]*>.*?</\1>", re.DOTALL)
_TAG = re.compile(r"</?(?:em|strong|a|del)\b[^<>]*>")
_BLOCKS = re.compile(
    r"(?:(?<=<p>)|(?<=\n)|(?<=<li>))"
    r"(?:(:{3,}[ \t]*[\w{][^\n<]*)"
    r"|(\[\[?_?TOC_?\]?\]|\\(?:pagebreak|newpage|clearpage))(?=</p>|\n)"
    r"|(: [^\n<]+)(?=</p>|\n))",
    re.IGNORECASE,
)
"""Divisions; lists of contents and page breaks; definitions."""
_CALLOUT = re.compile(r"<blockquote>\s*<p>(\[![A-Z]+\])", re.IGNORECASE)
_FORMULA = re.compile(
    r"(\$\$[^$<>]+\$\$)|(?<![\w\\$])(\$(?=[^\s\d$])(?=[^$\n<>]*?[\\^_={}+*/|])[^$\n<>]++(?<=\S)\$|\$[A-Za-z]\$)(?![\w$])"
)
_DOLLARS = re.compile(r"\\\$((?:[^$\\\n]|\\[^$\n])+)\\\$")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_RAISED = re.compile(r"((?<=\w)\^[\w+-]{1,12}\^(?!\w)|(?<![\w=])==(?=[^\s=<>])[^=\n<>]{0,60}[^\s=<>]==(?![\w=]))")
"""Superscripts and highlighted text."""
_ROLE = re.compile(r"\{([a-z][\w:-]*)\}<code>")
_LONGEST = 40


def name(body: str, warn: Warn, directives: Sequence[str], text: str) -> None:
    """Warn of divisions, lists of contents, definitions, and page breaks in a page that a Markdown `text` became, and
    of the `directives` and roles in it; what is between escaped dollars in the text is no formula.

    Formulas and callouts that were read are elements there, or marks.
    """
    warn.tally(_AS_WRITTEN, len(directives), (shortened(each, _LONGEST) for each in directives), part="directives")
    roles = [f"{{{each}}}" for each in _ROLE.findall(body)] if "}<code>" in body else []
    warn.tally(_AS_WRITTEN, len(roles), roles, part="roles")
    if not any(each in body for each in ("$", ":::", "[!", "TOC]", "toc]", "\n: ", "\\", "^", "==")):
        return
    shown = _TAG.sub("", _CODE.sub("", body))
    patterns = (_BLOCKS, _RAISED, _CALLOUT, _FORMULA)
    found = sorted(
        (match.start(), unescape(next(filter(None, match.groups()))))
        for each in patterns
        for match in each.finditer(shown)
    )
    plain = Counter(f"${_ESCAPE.sub(_letter, each)}$" for each in _DOLLARS.findall(text))
    named = []
    for _, each in found:
        if plain[each] > 0:
            plain[each] -= 1
        else:
            named.append(shortened(each, _LONGEST))
    warn.tally(_AS_WRITTEN, len(named), named)


def _letter(escape: re.Match[str]) -> str:
    return escape[1]
