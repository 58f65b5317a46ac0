"""Write columns of JSON values in source form as delimited text (RFC 4180), as `delimited_lines` writes values.

Text is byte text: UTF-8 decoded as Latin-1, one character for each byte. Splits and joins then work on one-byte
strings, and the result is written without encoding multi-byte characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from engine.families.data.json_input.syntax import real_text
from engine.families.data.json_input.tokens import Tokens
from engine.toolkit.formulas import MARKS, is_formula

_IN_LITERALS = frozenset("0123456789+-.eEtrufals")
_STARTS = tuple(f'"{mark}' for mark in (*(each for each in MARKS if each.isprintable()), "\\t", "\\r"))
"""How texts begin that may be formulas, in source form."""
_MARKED = tuple((start[1], start) for start in _STARTS)
_KEPT = 1 << 22
"""Characters of text after which the cache of cells is cleared."""


class Lines:
    """Formats lines; `formulas` counts the cells that begin like one."""

    def __init__(self, *, delimiter: str, end: str, quote_all: bool, escape_formulas: bool) -> None:
        self.formulas = 0
        self._delimiter = _byte_text(delimiter)
        self._end = end
        self._all = quote_all
        self._escape = escape_formulas
        self._special = re.compile(f'["\r\n]|{re.escape(self._delimiter)}')
        self._plain = not (quote_all or escape_formulas) and delimiter.isascii() and delimiter not in _IN_LITERALS
        self._known = _Known(self._inside)
        self._kept = 0

    def encode(self, tokens: Tokens) -> bytes:
        """The lines of some rows."""
        nothing = [""] * tokens.rows
        columns = [
            nothing if each is None else self._cells(each.decode("latin-1"), tokens.rows) for each in tokens.columns
        ]
        if len(columns) == 1:  # where nothing would be an empty line
            lines = [cell or '""' for cell in columns[0]]
        else:
            lines = list(map(self._delimiter.join, zip(*columns, strict=True)))
        return self._end.join(chain(lines, ("",))).encode("latin-1")

    def _cells(self, joined: str, rows: int) -> list[str]:
        """Return the cells of values joined with line feeds."""
        if '"' not in joined and self._plain and "[" not in joined and "{" not in joined:
            return joined.replace("null", "").split("\n")
        if _may_be_formulas(joined):
            self.formulas += sum(map(_is_formula, joined.split("\n")))
        if not self._plain:
            return list(map(self._cell, joined.split("\n")))
        if joined[0] == joined[-1] == '"':
            texts = joined[1:-1].split('"\n"')
            if len(texts) == rows:
                return self._texts(texts, joined)
        joined = _without_nulls(joined)
        if "[" in joined or "{" in joined:
            if joined[:1] == '"' or '\n"' in joined:
                return list(map(self._cell, joined.split("\n")))
            lists, delimiter = joined.replace('"', '""').split("\n"), self._delimiter
            return [f'"{each}"' if '"' in each or delimiter in each else each for each in lists]
        if "\\" not in joined and self._delimiter not in joined:
            # Quotes now occur only around texts, and doubled only for the empty text.
            return joined.replace('""', "\0").replace('"', "").replace("\0", '""').split("\n")
        return [self._inside(token[1:-1]) if token[:1] == '"' else token for token in joined.split("\n")]

    def _texts(self, texts: list[str], joined: str) -> list[str]:
        """Return the cells of texts, given as the source between their quotes; `joined` has them all."""
        delimiter = self._delimiter
        if "\\" in joined:
            self._kept += len(joined)
            if self._kept > _KEPT:
                self._known.clear()
                self._kept = len(joined)
            return list(map(self._known.__getitem__, texts))
        if delimiter in joined:
            return [f'"{text}"' if delimiter in text or not text else text for text in texts]
        if '""' in joined:
            return [text or '""' for text in texts]
        return texts

    def _inside(self, text: str) -> str:
        """Return the cell of a text, given as the source between its quotes, that is not guarded."""
        if "\\" in text:
            doubled = text.replace('\\"', '""')
            return self._text(_decoded(f'"{text}"')) if "\\" in doubled else f'"{doubled}"'
        return f'"{text}"' if self._delimiter in text or not text else text

    def _cell(self, token: str) -> str:
        """Return the cell of a value, or of a missing one, given as the empty token."""
        if token in ("", "null"):
            return ""
        if token[0] != '"':
            return self._quoted(token)
        text = _decoded(token)
        return self._text(f"'{text}" if self._escape and _is_formula(token) else text)

    def _text(self, text: str) -> str:
        return self._quoted(text) if text else '""'

    def _quoted(self, text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if self._all or self._special.search(text) else text


class _Known(dict[str, str]):
    """A cache of the cells of texts: most columns with quotes or commas repeat a few values."""

    def __init__(self, cell: Callable[[str], str]) -> None:
        self._cell = cell

    def __missing__(self, text: str) -> str:
        cell = self[text] = self._cell(text)
        return cell


def _byte_text(text: str) -> str:
    return text if text.isascii() else text.encode().decode("latin-1")


def _decoded(token: str) -> str:
    """Return the text of a JSON string, both as byte text."""
    return _byte_text(real_text(token)) if "\\" in token else token[1:-1]


def _is_formula(token: str) -> bool:
    return token.startswith(_STARTS) and is_formula(real_text(token))


def _may_be_formulas(joined: str) -> bool:
    # Single characters are found much faster.
    return any(mark in joined and start in joined for mark, start in _MARKED)


def _without_nulls(joined: str) -> str:
    """Replace the nulls among values joined with line feeds by empty text."""
    if "null" not in joined:
        return joined
    # Twice, because two adjacent nulls share a line feed.
    framed = f"\n{joined}\n".replace("\nnull\n", "\n\n").replace("\nnull\n", "\n\n")
    return framed[1:-1]
