"""Protect TeX formulas in Markdown from the parser and restore them in the page."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from engine.families.documents.dialect.ends import Ends

OPEN, CLOSE = "\ufdd0", "\ufdd1"
"""Noncharacters, which no text may contain (Unicode 16.0, 23.7)."""
_KEYS = "".join(map(chr, range(0xFDD5, 0xFDF0)))
"""The noncharacters of keys. Identifiers of headings leave them out, so results don't depend on a key."""
_KEY_LENGTH = 6

_START = re.compile(
    r"\\[\\$`]|^[ \t>]*```+[ \t]*math[ \t]*\n|^[ \t>]*~~~+|\$`|`+|\$\$?|\\[(\[]|\\begin\{([a-zA-Z]+\*?)\}", re.MULTILINE
)
_ENVIRONMENTS = {"equation", "align", "gather", "multline", "eqnarray", "alignat", "displaymath", "math", "array"}
_LONGEST = 20_000
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_PRICE = re.compile(r"\d[^\\^_={}]*\s[^\W\d_]{2}")
"""What starts with a number and has words in it, as between two prices: `$10 for two, and US$`."""


class Formula(NamedTuple):
    """A formula in TeX, whether it stands on its own line, and its `source` with the marks around it."""

    tex: str
    display: bool
    source: str


class Formulas:
    """The formulas of a document: `keep` replaces them by marks in Markdown, `restore` inserts them into its HTML.

    Dollar signs are read by the rules of pandoc and GitHub: no space inside of them, no digit or letter beside them;
    with `brackets`, `\\(`, `\\[` and environments are formulas too, as in notebooks. A mark is `OPEN`, a number and
    `close`, which has a random key: a mark that is written by hand stays text.
    """

    def __init__(self, *, brackets: bool) -> None:
        self.kept: list[Formula] = []
        self._brackets = brackets
        # Characters can be written in too many ways, such as `&#xFDD0;`, to find each mark that is written by hand.
        self.close = "".join(secrets.choice(_KEYS) for _ in range(_KEY_LENGTH)) + CLOSE
        mark = f"{OPEN}([0-9]+){self.close}"
        self._mark_anywhere = re.compile(f"{mark}|{quote(OPEN)}([0-9]+){quote(self.close)}")
        self._tag_or_mark = re.compile(f'<(/?)([a-z0-9]+)(?:[^<>"]|"[^"]*")*>|{mark}')

    def keep(self, text: str) -> str:
        """`text` with a mark in place of each formula outside code."""
        text = text.replace(OPEN, "").replace(CLOSE, "")
        ends = Ends(text)
        made, done, at = [], 0, 0
        while found := _START.search(text, at):
            start, opening = found.start(), found[0]
            at = found.end()
            if opening[0] == "\\" and (opening[1] in "\\$`" or not self._brackets):
                continue
            fence = opening.strip(" \t>")[:3] if opening[0] not in "$\\" else ""
            fenced = fence in ("```", "~~~") and opening[-1] != "`"
            closing = f"\n{fence}" if fenced else _closing(opening, found[1])
            end = None if closing is None else ends.closing(closing, at)
            if closing is None or end is None:
                continue
            after = text.find("\n", end + 1) if fenced else end + len(closing)
            after = len(text) if after < 0 else after
            if opening[0] != "$" and opening[-1] in "`~":  # code
                at = after
                continue
            if fenced:  # within its list or quote
                start += len(opening) - len(opening.lstrip(" \t>"))
            inline = opening in ("$", "$`", "\\(")
            first, last = (start, after) if opening.startswith("\\begin") else (at, end)
            if last - first > _LONGEST or (opening == "$" and _is_money(text, start, end)) or ends.blank(first, last):
                continue
            if inline and ends.block(first, last):
                continue
            formula = text[first:last]
            at = after
            made += [text[done:start], self._mark(formula, text[start:after], display=not inline)]
            done = at
        return "".join((*made, text[done:]))

    def _mark(self, formula: str, source: str, *, display: bool) -> str:
        self.kept.append(Formula(_QUOTED.sub("", formula).strip(), display, source))
        return f"{OPEN}{len(self.kept) - 1}{self.close}"

    def restore(self, html: str, element: Callable[[Formula], str] | None = None) -> str:
        """Safe `html` with its formulas as elements (by default those that pandoc's HTML reader recognises).

        In code and in attributes they are what was written.
        """
        if OPEN not in html and quote(OPEN) not in html:
            return html
        depth = 0

        def one(found: re.Match[str]) -> str:
            nonlocal depth
            if found[0][0] == "<":
                depth += (-1 if found[1] else 1) if found[2] in ("code", "pre") else 0
                return self._mark_anywhere.sub(lambda mark: escape(self.kept[int(mark[1] or mark[2])].source), found[0])
            formula = self.kept[int(found[3])]
            return escape(formula.source, quote=False) if depth else (element or script)(formula)

        return self._tag_or_mark.sub(one, html)


def script(formula: Formula) -> str:
    """A formula as an HTML element for pandoc; its source as code if it can't be one."""
    if "</" in formula.tex or "<!" in formula.tex:
        return f"<code>{escape(formula.tex)}</code>"
    mode = "; mode=display" if formula.display else ""
    return f'<script type="math/tex{mode}">{formula.tex}</script>'


def _closing(opening: str, environment: str | None) -> str | None:
    if environment is not None:
        return f"\\end{{{environment}}}" if environment.rstrip("*") in _ENVIRONMENTS else None
    return {"\\(": "\\)", "\\[": "\\]", "$`": "`$"}.get(opening, opening)


def _is_money(text: str, start: int, end: int) -> bool:
    """Whether the dollar signs at `start` and `end` are no marks of a formula, but prices or names of variables."""
    at = start + 1
    beside = text[max(start - 1, 0) : start] + text[end + 1 : end + 2]
    if end == at or any(each.isalnum() or each == "$" for each in beside):
        return True
    return text[at].isspace() or text[end - 1].isspace() or _PRICE.match(text, at, end) is not None
