"""Change the delimiter of blocks of text, byte for byte as Python's csv module writes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter

from engine.families.data.delimited.block import SEAM, Block, first, woven
from engine.toolkit.formulas import MARKS, is_formula

_BEGINS, _MARK = b"\xfe", b"\xfd"
"""Placeholders for a byte before a cell and for the first byte of a formula; they never occur in UTF-8."""
_KEPT = b"\xfc"
"""Placeholder for a delimiter inside a quoted cell."""
_SUSPECT = re.compile(_BEGINS + _MARK)
_MARKS = "".join(MARKS).encode()


class Rewriting:
    """Writes rows with quotes only where needed; `formulas` counts the cells that a spreadsheet would run.

    `delimiter` is that of the input, `new` and `end` are the delimiter and the line end of the output.
    """

    def __init__(self, *, delimiter: bytes, new: bytes, end: bytes) -> None:
        self.formulas = 0
        self._delimiter = delimiter
        self._new = new
        self._end = end
        begins, marks = delimiter + b"\n", bytes({*_MARKS} - {*b"\r"} - {*delimiter})
        self._classes = bytes.maketrans(begins + marks + SEAM, _BEGINS * len(begins) + _MARK * len(marks) + SEAM)
        self._cell = re.compile(b"[^\r\n" + re.escape(delimiter) + b"]*")
        self._from_new_on = re.compile(re.escape(new) + self._cell.pattern)
        self._special = (*_BREAKS, new)
        self._needs_quotes = re.compile(b"[\r\n" + re.escape(new) + b"]")
        special = b'"\r\n' + re.escape(new)
        start, end = b"(?<![^\n" + re.escape(delimiter) + b']")', b"(?![^\r\n" + re.escape(delimiter) + b"])"
        self._needless = re.compile(b'"' + start + b"([^" + special + b']++)"' + end)
        self._names = bytes.maketrans(delimiter + _KEPT, new + delimiter)

    def rewrite(self, block: Block) -> bytes | None:
        """Return the lines of a block of at least one row; None where parsing every cell is cheaper."""
        around = block.around
        formulas = self._formulas(around, most=block.rows)
        if formulas is None:
            return None
        apart = self._has_marks_in_quotes(block)
        text = given = around if apart else block.text
        if self._new != self._delimiter and self._new in around:
            found = self._quoted(given, most=block.rows)
            if found is None:
                return None
            text = found
        if block.line_end != self._end:
            text = text.translate(None, b"\r").replace(b"\n", self._end)
        self.formulas += formulas + self._formulas_in_quotes(block)
        if apart:
            text = self._renamed(block.outside if text is given else text.split(SEAM), block.inside)
        else:
            text = self._needless.sub(_content, text)
            if self._new != self._delimiter:
                text = text.translate(self._names)
        return text if block.ended else text + self._end

    def _has_marks_in_quotes(self, block: Block) -> bool:
        """Return whether a replacement outside quotes would change quoted text, or some quotes have nothing inside."""
        marks: tuple[bytes, ...] = _BREAKS if block.line_end != self._end else ()
        if self._new != self._delimiter:
            marks = (*_BREAKS, self._delimiter)
        some = SEAM.join(block.inside) if marks else b""
        return any(each in some for each in marks) or b"" in block.inside

    def _formulas(self, around: bytes, *, most: int) -> int | None:
        """Count the unquoted cells that a spreadsheet would run; None where more than `most` begin like one."""
        starts = [0] if around[:1] in _FIRST else []
        for match in _SUSPECT.finditer(around.translate(self._classes)):
            starts.append(match.end() - 1)
            if len(starts) > most:
                return None
        return sum(is_formula(self._cell.match(around, at)[0].decode()) for at in starts)  # type: ignore[index]

    def _quoted(self, text: bytes, *, most: int) -> bytes | None:
        """Quote the unquoted cells that contain the new delimiter; quotes that are there stay.

        Returns None for more than `most` cells.
        """
        rfind, delimiter = text.rfind, self._delimiter
        parts: list[bytes] = []
        done = last = 0
        for match in self._from_new_on.finditer(text):
            at, end = match.span()
            start = rfind(delimiter, last, at) + 1 or last
            start = rfind(b"\n", start, at) + 1 or start
            last = end
            if text[start] != _QUOTE:
                parts += text[done:start], text[start:end]
                if len(parts) > 2 * most:
                    return None
                done = end
        parts.append(text[done:])
        return b'"'.join(parts)

    def _formulas_in_quotes(self, block: Block) -> int:
        if _FIRST.isdisjoint(map(first, block.inside)):
            return 0
        cells = (match[0][1:-1] for match in _IN_QUOTES.finditer(block.text))
        return sum(is_formula(cell.replace(b'""', b'"').decode()) for cell in cells if cell[:1] in _FIRST)

    def _renamed(self, outside: list[bytes], inside: list[bytes]) -> bytes:
        """Replace the delimiter, and quote the `inside` parts that still need it."""
        if b"" in outside[1:-1]:
            # Empty text outside is a doubled quote inside a cell.
            whole = zip([_OUTSIDE, *outside[1:-1]], inside, [*outside[1:-1], _OUTSIDE], strict=True)
            simple = [each if left and right else b'"%b"' % each for left, each, right in whole]
        else:
            simple = inside
        some = SEAM.join(inside)
        if any(each in some for each in self._special):
            special: Callable[[bytes], object] = self._needs_quotes.search
            simple = [b'"%b"' % each if special(each) else mended for each, mended in zip(inside, simple, strict=True)]
        if self._delimiter in some and self._new != self._delimiter:
            simple = SEAM.join(simple).replace(self._delimiter, _KEPT).split(SEAM)
        return b"".join(woven(outside, simple)).translate(self._names)


_BREAKS = (b"\r", b"\n")
_FIRST = {bytes([each]) for each in _MARKS}
_content = itemgetter(1)
_OUTSIDE, _QUOTE = b"\n", ord('"')
_IN_QUOTES = re.compile(b'"(?:[^"]++|"")*+"')
