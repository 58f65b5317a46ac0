"""Protect TeX formulas in Markdown from the parser and restore them in the page."""

from __future__ import annotations

import re
from html import escape

_OPEN, _CLOSE = "\ue000", "\ue001"
_START = re.compile(r"\\[\\$`]|`+|\$\$?|\\[(\[]|\\begin\{([a-zA-Z]+\*?)\}")
_ENVIRONMENTS = {"equation", "align", "gather", "multline", "eqnarray", "alignat", "displaymath", "math", "array"}
_MARK = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_TAG_OR_MARK = re.compile(f'<(?:[^<>"]|"[^"]*")*>|{_OPEN}[0-9]+{_CLOSE}')
_LONGEST = 20_000


class Formulas:
    """The formulas of a document: `keep` replaces them by marks in Markdown, `restore` inserts them into its HTML."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, bool]] = []

    def keep(self, text: str) -> str:
        """`text` with a mark in place of each formula outside code, by the rules of notebooks and GitHub."""
        text = text.replace(_OPEN, "").replace(_CLOSE, "")
        missing: set[str] = set()
        made, done, at = [], 0, 0
        while found := _START.search(text, at):
            start, opening = found.start(), found[0]
            at = found.end()
            if opening[0] == "\\" and opening[1] in "\\$`":
                continue
            closing = _closing(opening, found[1])
            if closing is None or closing in missing:
                continue
            end = _end(text, at, opening, closing)
            if end is None:
                continue
            if end < 0:
                missing.add(closing)
                continue
            if opening[0] == "`":
                at = end + len(closing)
                continue
            whole = opening.startswith("\\begin")
            formula = text[start : end + len(closing)] if whole else text[at:end]
            at = end + len(closing)
            if "\n\n" in formula.strip() or len(formula) > _LONGEST:
                at = start + len(opening)
                continue
            made += [text[done:start], self._mark(formula, opening not in ("$", "\\("))]
            done = at
        return "".join((*made, text[done:]))

    def _mark(self, formula: str, display: bool) -> str:
        self._kept.append((formula.strip(), display))
        return f"{_OPEN}{len(self._kept) - 1}{_CLOSE}"

    def restore(self, html: str) -> str:
        """Safe `html` with its formulas as elements that pandoc's HTML reader recognises."""
        return _TAG_OR_MARK.sub(self._element, html)

    def _element(self, found: re.Match[str]) -> str:
        if found[0][0] == "<":
            return _MARK.sub(lambda mark: escape(self._kept[int(mark[1])][0]), found[0])
        return element(*self._kept[int(found[0][1:-1])])


def element(formula: str, display: bool) -> str:
    """A formula as an HTML element; its source as code if it can't be one."""
    if "</" in formula or "<!" in formula:
        return f"<code>{escape(formula)}</code>"
    mode = "; mode=display" if display else ""
    return f'<script type="math/tex{mode}">{formula}</script>'


def _closing(opening: str, environment: str | None) -> str | None:
    if environment is not None:
        return f"\\end{{{environment}}}" if environment.rstrip("*") in _ENVIRONMENTS else None
    return {"\\(": "\\)", "\\[": "\\]"}.get(opening, opening)


def _end(text: str, at: int, opening: str, closing: str) -> int | None:
    """The end of a formula or code span; negative if it is never closed, None if none starts here."""
    if opening == "$":
        end = text.find("$", at)
        while end > 0 and text[end - 1] == "\\":
            end = text.find("$", end + 1)
        if end < 0:
            return end
        money = text[at].isspace() or text[end - 1].isspace() or text[end + 1 : end + 2].isdigit()
        return None if money or end == at or "\n\n" in text[at:end] else end
    if opening[0] == "`":
        found = re.compile(rf"(?<!`){opening}(?!`)").search(text, at)
        return found.start() if found else -1
    return text.find(closing, at)
