"""Convert JSON values from their source text to CSV cells (RFC 4180)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from engine.families.data.json_csv.options import CsvOptions, TsvOptions
from engine.families.data.json_input.syntax import NULL, byte_text, compact, compact_lines, elements, real_text
from engine.toolkit.warnings import Warn

MARK = b"\xef\xbb\xbf"
ALONE = '""'
"""The cell of a missing value in a single column: readers skip an empty line."""

_LINE_ENDS = {"crlf": "\r\n", "lf": "\n"}
_SURROGATES = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?(\d++\.?\d*+|\.\d++)([eE][+-]?\d+)?", re.ASCII)
_FORMULA_MARKS = "=+-@"
_FORMULA_STARTS = frozenset("=+-@\t\r\n")
"""OWASP, "CSV Injection": the characters that make a spreadsheet take a cell for a formula."""
_IN_LITERALS = frozenset("0123456789+-.eEtrufals")


def line_end(options: CsvOptions | TsvOptions) -> str:
    """Return the line terminator."""
    return _LINE_ENDS[options.line_ending]


_KEPT = 1 << 22
"""Characters of text after which the cache of cells is cleared."""


class _Known(dict[str, str]):
    """A cache of the cells of texts: most columns with quotes or commas repeat a few values."""

    def __init__(self, cell: Callable[[str], str]) -> None:
        self._cell = cell

    def __missing__(self, text: str) -> str:
        cell = self[text] = self._cell(text)
        return cell


class CellWriter:
    """Writes cells as the options say; all text is byte text.

    `plain_literals` is true where numbers and booleans never need quotes.
    """

    def __init__(self, options: CsvOptions | TsvOptions) -> None:
        self.delimiter = byte_text(options.delimiter)
        self._special = re.compile("|".join(map(re.escape, (self.delimiter, '"', "\r", "\n"))))
        self._all = options.quote == "all"
        self._escape = options.escape_formulas
        self._join = byte_text(options.join_with) if options.arrays == "join" else None
        self.plain_literals = not self._all and options.delimiter not in _IN_LITERALS
        self._formula = False
        self._replaced = False
        self._known = _Known(self._inside)
        self._kept = 0

    def report(self, warn: Warn) -> None:
        """Warn of characters that were replaced, and of texts that a spreadsheet may run as formulas."""
        if self._replaced:
            warn(
                "ENCODING_REPLACED",
                "Unpaired surrogates are not characters and were replaced by U+FFFD.",
            )
        if self._formula and not self._escape:
            warn(
                "FORMULA_TEXT",
                "A text starts with =, +, -, @ or a control character, so a spreadsheet may run it as a "
                "formula. Use escapeFormulas to put an apostrophe before it.",
            )

    @property
    def is_usual(self) -> bool:
        """Whether formulas are not escaped, numbers and booleans are unquoted, and the delimiter is one byte."""
        return self.plain_literals and not self._escape and len(self.delimiter) == 1

    def see(self, texts: Iterable[str]) -> None:
        """Record texts, written elsewhere, that may be formulas."""
        self._formula = self._formula or any(map(_is_formula, texts))

    def real(self, text: str) -> str:
        """Return text as byte text, with lone surrogates replaced by U+FFFD."""
        try:
            return byte_text(text)
        except UnicodeEncodeError:
            self._replaced = True
            return byte_text(_SURROGATES.sub("\ufffd", text))

    def text(self, text: str) -> str:
        """Return the cell of a text; the empty text is quoted, a missing value is not."""
        if not text:
            return '""'
        if _is_formula(text):
            self._formula = True
            if self._escape:
                return "\"'" + text.replace('"', '""') + '"'
        if self._all or self._special.search(text):
            return '"' + text.replace('"', '""') + '"'
        return text

    def cell(self, token: str) -> str:
        """Return the cell of one JSON value, or of a missing one, given as the empty token."""
        first = token[:1]
        if first == '"':
            return self.text(self._string(token))
        if not first or token == NULL:
            return ""
        if first in "[{":
            return self._nested(token)
        if self.plain_literals:
            return token
        return f'"{token}"' if self._all or self.delimiter in token else token

    def column(self, joined: str, count: int) -> list[str] | None:
        """Return the cells of `count` values joined with line feeds, or None where a value contains a line feed.

        Equal to `cell` of each value, but whole columns of one kind are converted at once.
        """
        nested = "[" in joined or "{" in joined
        if not self.plain_literals or (nested and joined.count("\n") != count - 1):
            tokens = joined.split("\n")
            return list(map(self.cell, tokens)) if len(tokens) == count else None
        if not nested and '"' not in joined:
            return joined.replace("null", "").split("\n")
        if self._suspicious(joined):
            return list(map(self.cell, joined.split("\n")))
        if joined[0] == joined[-1] == '"':
            texts = joined[1:-1].split('"\n"')
            if len(texts) == count:
                return self._texts(texts, joined)
        if nested:
            return list(map(self.cell, compact_lines(joined).split("\n")))
        joined = _without_nulls(joined)
        if "\\" not in joined and self.delimiter not in joined:
            # Quotes now occur only around texts, and doubled only for the empty text.
            return joined.replace('""', "\0").replace('"', "").replace("\0", '""').split("\n")
        escaped, delimiter = self._escaped, self.delimiter
        return [
            token
            if token[:1] != '"'
            else escaped(token)
            if "\\" in token
            else token
            if delimiter in token
            else token[1:-1] or token
            for token in joined.split("\n")
        ]

    def _escaped(self, token: str) -> str:
        """Return the cell of a text with escapes. If it escapes only quotes, these are doubled without decoding."""
        doubled = token.replace('\\"', '""')
        return self.cell(token) if "\\" in doubled else doubled

    def _texts(self, texts: list[str], joined: str) -> list[str]:
        """Return the cells of texts, given as the source between their quotes; `joined` has them all."""
        delimiter = self.delimiter
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
        """Return the cell of a text, given as the source between its quotes, that does not begin like a formula."""
        if "\\" in text:
            return self._escaped(f'"{text}"')
        return f'"{text}"' if self.delimiter in text or not text else text

    def _suspicious(self, joined: str) -> bool:
        """Return whether a text may be a formula that is not yet recorded, or has to be escaped."""
        if self._formula and not self._escape:
            return False
        return any(
            mark in joined and (joined.startswith(f'"{mark}') or f'\n"{mark}' in joined) for mark in _FORMULA_MARKS
        )

    def _string(self, token: str) -> str:
        return self.real(real_text(token)) if "\\" in token else token[1:-1]

    def _nested(self, token: str) -> str:
        if self._join is None or token[0] == "{":
            text = compact(token)
            if self._all or '"' in text or self.delimiter in text:
                return '"' + text.replace('"', '""') + '"'
            return text
        return self.text(self._join.join(map(self._element, elements(token))))

    def _element(self, token: str) -> str:
        if token[0] == '"':
            return self._string(token)
        if token == NULL:
            return ""
        return compact(token)


def _is_formula(text: str) -> bool:
    return text[:1] in _FORMULA_STARTS and not _NUMBER.fullmatch(text)


def _without_nulls(joined: str) -> str:
    """Replace the nulls among values joined with line feeds by empty text."""
    if NULL not in joined:
        return joined
    # Twice, because two adjacent nulls share a line feed.
    framed = f"\n{joined}\n".replace("\nnull\n", "\n\n").replace("\nnull\n", "\n\n")
    return framed[1:-1]
