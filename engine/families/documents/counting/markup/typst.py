"""Separate the text of Typst from its code, formulas and comments."""

from __future__ import annotations

import re

from engine.families.documents.counting.markup.found import ADDRESS, Found

_MARKUP = re.compile(
    r"//[^\n]*|/\*.*?\*/|\\.|(`+)|\$(?:\\.|[^$\\])*\$|#|\[|\]|<[\w:.-]+>|@[\w:.-]+|https?://[^\s\[\]()]+", re.DOTALL
)
_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|(`+)|\$(?:\\.|[^$\\])*\$|[\[\](){}\n;]|[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*",
    re.DOTALL,
)
_NAME = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*")
_DEFINED = re.compile(r"\blet[ \t]+([^\W\d][\w-]*)")
_LANGUAGE = re.compile(r"[\w+-]++[ \n]")
_STATEMENTS = frozenset({
    "let", "set", "show", "import", "include", "if", "for", "while", "context", "return", "break", "continue",
})  # fmt: skip
_SHOWN = frozenset({
    "text", "strong", "emph", "align", "block", "box", "figure", "table", "grid", "footnote", "quote", "link",
    "heading", "par", "pad", "list", "enum", "terms", "smallcaps", "highlight", "underline", "overline", "strike",
    "super", "sub", "columns", "image", "title",
})  # fmt: skip
"""Functions of Typst that show their content where they are called."""
_OPENS = {"(": ")", "{": "}"}


def read(text: str) -> Found:
    """Return the markup text, and the content of functions that show it."""
    found = Found()
    _Scanner(text, found).markup(0, shown=True, closes=False)
    return found


class _Scanner:
    def __init__(self, text: str, found: Found) -> None:
        self._text = text
        self._found = found
        self._own = {*_DEFINED.findall(text)}

    def markup(self, at: int, *, shown: bool, closes: bool) -> int:
        """Read markup up to the end or the bracket that closes it; return the offset after it."""
        text, depth = self._text, 0
        while token := _MARKUP.search(text, at):
            self._show(text[at : token.start()], shown=shown)
            at, mark = token.end(), token[0]
            if token[1]:
                at = self._raw(token.start(), len(mark), shown=shown)
            elif mark == "#":
                at = self._expression(at, shown=shown)
            elif mark == "[":
                depth += 1
            elif mark == "]":
                if closes and not depth:
                    return at
                depth = max(depth - 1, 0)
            elif shown and ADDRESS.match(mark):
                self._found.links += 1
        self._show(text[at:], shown=shown)
        return len(text)

    def _show(self, piece: str, *, shown: bool) -> None:
        if shown and piece:
            self._found.text.append(piece)

    def _raw(self, at: int, ticks: int, *, shown: bool) -> int:
        if ticks == 2:
            return at + 2
        end = self._text.find("`" * ticks, at + ticks)
        if end < 0:
            return len(self._text)
        content = self._text[at + ticks : end]
        if ticks > 2 and (language := _LANGUAGE.match(content)):
            content = content[language.end() :]
        self._show(content, shown=shown)
        return end + ticks

    def _expression(self, at: int, *, shown: bool) -> int:
        """Read the code after a hash."""
        text = self._text
        if text[at : at + 1] == "[":
            return self.markup(at + 1, shown=shown, closes=True)
        if text[at : at + 1] in _OPENS:
            return self._code(at + 1, _OPENS[text[at]], shown=False)
        if named := _NAME.match(text, at):
            if named[0] in _STATEMENTS:
                return self._statement(named.end())
            return self._call(named, shown=shown)
        if quoted := re.compile(r'"(?:\\.|[^"\\])*"', re.DOTALL).match(text, at):
            return quoted.end()
        return at

    def _call(self, named: re.Match[str], *, shown: bool) -> int:
        text, at = self._text, named.end()
        root = named[0].split(".")[0]
        shown = shown and root in _SHOWN and root not in self._own
        if shown and text[at : at + 1] in ("(", "["):
            self._found.notes += root == "footnote"
            self._found.pictures += root == "image"
            self._found.links += root == "link" and bool(re.match(r'\(\s*"(?:https?|mailto):', text[at : at + 40]))
        while text[at : at + 1] in ("(", "["):
            if text[at] == "(":
                at = self._code(at + 1, ")", shown=shown)
            else:
                at = self.markup(at + 1, shown=shown, closes=True)
        if (
            text[at : at + 1] == "."
            and (further := _NAME.match(text, at + 1))
            and text[further.end() :][:1] in ("(", "[")
        ):
            return self._call(further, shown=False)
        return at

    def _statement(self, at: int) -> int:
        """Skip a statement, up to the end of its line or of what it opens."""
        while token := _CODE.search(self._text, at):
            at = token.end()
            if token[0] in ("\n", ";"):
                rest = self._text[at : at + 200].lstrip()
                if not rest.startswith(("else", ".")):
                    return at
            elif token[0] in ("]", ")", "}"):
                return token.start()
            else:
                at = self._piece(token, shown=False)
        return len(self._text)

    def _code(self, at: int, closing: str, *, shown: bool) -> int:
        while token := _CODE.search(self._text, at):
            at = token.end()
            if token[0] == closing:
                return at
            at = self._piece(token, shown=shown)
        return len(self._text)

    def _piece(self, token: re.Match[str], *, shown: bool) -> int:
        mark, at = token[0], token.end()
        if token[1]:
            return self._raw(token.start(), len(mark), shown=shown)
        if mark == "[":
            return self.markup(at, shown=shown, closes=True)
        if mark in _OPENS:
            return self._code(at, _OPENS[mark], shown=shown and mark == "(")
        if mark[0].isalpha() and self._text[at : at + 1] in ("(", "["):
            named = _NAME.match(self._text, token.start())
            return self._call(named, shown=shown) if named else at
        return at
