"""Blocks of delimited text with another delimiter, byte for byte what Python's csv writes of the same rows."""

from __future__ import annotations

import re
from operator import itemgetter

from conversions.families.data.delimited.block import SEAM, Block, first, woven
from conversions.toolkit.formulas import MARKS, is_formula

_BEGINS, _MARK = b"\xfe", b"\xfd"
"""Stand for what a cell begins after, and for what a formula begins with; no UTF-8 has them."""
_SUSPECT = re.compile(_BEGINS + _MARK)
_MARKS = "".join(MARKS).encode()


class Rewriting:
    """Writes rows with quotes where they need to be; `formulas` counts the cells that a spreadsheet would run.

    `delimiter` divides the cells of blocks, `new` those that are written, `end` the lines.
    """

    def __init__(self, *, delimiter: bytes, new: bytes, end: bytes) -> None:
        self.formulas = 0
        self._delimiter = delimiter
        self._new = new
        self._end = end
        begins, marks = delimiter + b"\n", bytes({*_MARKS} - {*b"\r"} - {*delimiter})
        self._classes = bytes.maketrans(begins + marks + SEAM, _BEGINS * len(begins) + _MARK * len(marks) + SEAM)
        self._cell = re.compile(b"[^\r\n" + re.escape(delimiter) + b"]*")
        special = b'"\r\n' + re.escape(new)
        self._in_quotes = re.compile(b'"(?:([^' + special + b']*+)"(?!")|(?:[^"]++|"")*+")')
        start, end = b"(?<![^\n" + re.escape(new) + b']")', b"(?![^\r\n" + re.escape(new) + b"])"
        self._with_new = re.compile(re.escape(new) + b"[^\r\n" + re.escape(delimiter) + b"]*")
        self._needless = re.compile(b'"' + start + b"([^" + special + b']++)"' + end)
        self._renamed = bytes.maketrans(delimiter, new)

    def of(self, block: Block) -> bytes | None:
        """Lines of at least one row; None where it takes less to look at every cell."""
        around = block.around
        formulas = self._formulas(around, most=block.rows)
        if formulas is None:
            return None
        if self._new != self._delimiter and self._new in around:
            found = self._quoted(around, most=block.rows)
            if found is None:
                return None
            around = found
        text = self._with_ends(around, block)
        if block.inside:
            formulas += self._formulas_in_quotes(block)
            text = self._without_needless_quotes(block, text)
        self.formulas += formulas
        return text

    def _formulas(self, around: bytes, *, most: int) -> int | None:
        """How many cells without quotes a spreadsheet would run; None where more than `most` begin like one."""
        starts = [0] if around[:1] in _FIRST else []
        for match in _SUSPECT.finditer(around.translate(self._classes)):
            starts.append(match.end() - 1)
            if len(starts) > most:
                return None
        return sum(is_formula(self._cell.match(around, at)[0].decode()) for at in starts)  # type: ignore[index]

    def _quoted(self, around: bytes, *, most: int) -> bytes | None:
        """With quotes around the cells in which the new delimiter is, and no other; None for more than `most` cells."""
        parts: list[bytes] = []
        done = 0
        for match in self._with_new.finditer(around):
            at, end = match.span()
            start = around.rfind(self._delimiter, done, at) + 1 or done
            start = around.rfind(b"\n", start, at) + 1 or start
            parts += around[done:start], around[start:end]
            done = end
            if len(parts) > 2 * most:
                return None
        parts.append(around[done:])
        return b'"'.join(parts)

    def _formulas_in_quotes(self, block: Block) -> int:
        if _FIRST.isdisjoint(map(first, block.inside)):
            return 0
        cells = (match[0][1:-1] for match in self._in_quotes.finditer(block.text))
        return sum(is_formula(cell.replace(b'""', b'"').decode()) for cell in cells if cell[:1] in _FIRST)

    def _with_ends(self, around: bytes, block: Block) -> bytes:
        """What is around the quotes of a block, with the new delimiter and line ends."""
        if block.line_end == self._end:
            text = around if self._new == self._delimiter else around.translate(self._renamed)
        else:
            text = around.translate(self._renamed, b"\r").replace(b"\n", self._end)
        return text if block.ended else text + self._end

    def _without_needless_quotes(self, block: Block, around: bytes) -> bytes:
        """What was in quotes amid what is now `around` it, in quotes where it has to be."""
        text = block.text if around is block.around else b'"'.join(woven(around.split(SEAM), block.inside))
        if b"" in block.inside:
            # These may be empty cells, or begin or end with a quote: all are looked at.
            return self._in_quotes.sub(_without_needless, text)
        return self._needless.sub(_content, text)


_FIRST = {bytes([each]) for each in _MARKS}
_content = itemgetter(1)


def _without_needless(match: re.Match[bytes]) -> bytes:
    return match[0] if match[1] is None else match[1]
