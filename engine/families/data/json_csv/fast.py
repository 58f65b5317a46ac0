"""Decode whole pieces with msgspec: uniform rows as records, others as mappings."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, chain
from typing import Any

import msgspec

from engine.families.data.json_csv.careful import Kind
from engine.families.data.json_csv.cells import ALONE, CellWriter
from engine.families.data.json_csv.dense import DenseDecoder, Unfit, join
from engine.families.data.json_csv.shape import Batch, Cells, Node, Shape
from engine.families.data.json_csv.tally import Tally
from engine.families.data.json_input.pieces import Piece
from engine.families.data.json_input.syntax import MAX_LEVELS, Reader

_MAX_RECORD_TYPES = 24
_DENSITY = 0.3
"""Share of the cells of a piece that must have a value for records to be faster than mappings."""

_AROUND = 3
"""Bytes of two quotes and a colon."""

_OBJECT: Any = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ARRAY: Any = msgspec.json.Decoder(list[msgspec.Raw])
_OBJECTS: Any = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])
_ARRAYS: Any = msgspec.json.Decoder(list[list[msgspec.Raw]])
_RAW: Any = msgspec.json.Decoder(msgspec.Raw)


class FastDecoder:
    """Decodes pieces whose items are of one kind, and adds new keys to the shape."""

    def __init__(self, shape: Shape, writer: CellWriter, reader: Reader, *, flatten: bool, columns: bool) -> None:
        self._shape = shape
        self._writer = writer
        self._reader = reader
        self._flatten = flatten
        self._columns = columns
        self._dense: DenseDecoder | None = None
        self._types_left = 0 if columns else _MAX_RECORD_TYPES

    def decode(self, piece: Piece, kind: Kind, line_end: str) -> Batch | None:
        """Return the rows of a piece in UTF-8; None if they can't be decoded this way.

        A result accounts for all bytes of a valid piece, so that it also proves a guessed cut.
        """
        data = piece.data
        if piece.style != "lines":
            if piece.style == "array" and piece.last:
                data = data.rstrip(b" \t\r\n")
                if not data.endswith(b"]"):
                    return None
                data = data[:-1]
                if not data.strip(b" \t\r\n"):
                    return None
            data = b"[%b]" % data
        try:
            if kind == "value":
                return self._values(data, piece, line_end)
            if self._dense is not None and self._dense.made_for is not self._shape.columns:
                self._dense = None
            if self._dense is not None and kind == "object":
                try:
                    return self._records(self._dense, data, piece, line_end)
                except (msgspec.ValidationError, Unfit):
                    self._dense = None
            return self._mappings(data, piece, kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, _Refused):
            return None

    def learn(self, cells: Cells) -> None:
        """Create a record type from the keys seen so far if rows as dense as those of `cells` decode faster with it."""
        if self._dense is not None or not self._types_left:
            return
        if 0 < len(cells.nodes) >= _DENSITY * len(self._shape.columns) * len(cells.ends):
            self._types_left -= 1
            try:
                self._dense = DenseDecoder(self._shape, self._writer, flatten=self._flatten)
            except Unfit:
                self._dense = None

    def _items(self, data: bytes, piece: Piece, one: Any, all_: Any, tally: Tally) -> list[Any]:
        if piece.style == "lines":
            items: list[Any] = one.decode_lines(data)
            tally.quotes = _quotes_of_objects(data, len(items))
            if tally.quotes is None and not _one_a_line(data, len(items)):
                raise _Refused
            return items
        items = all_.decode(data)
        if not items or (piece.style == "single" and len(items) != 1):
            raise _Refused
        tally.structure += 2 + len(items) - 1
        return items

    def _records(self, dense: DenseDecoder, data: bytes, piece: Piece, line_end: str) -> Batch:
        tally = Tally(self._reader.spelled)
        try:
            records = self._items(data, piece, dense.lines, dense.records, tally)
        except msgspec.ValidationError:
            if not dense.whole:
                raise
            dense.loosen()
            return self._records(dense, data, piece, line_end)
        if not records:
            return Batch(0, "", None)
        columns = dense.columns(records, tally)
        if not tally.accounts_for(data):
            raise _Refused
        return Batch(len(records), join(columns, self._writer.delimiter, line_end), None)

    def _values(self, data: bytes, piece: Piece, line_end: str) -> Batch:
        values = self._items(data, piece, _RAW, _ARRAY, Tally({}))
        tokens = [str(raw, "latin-1") for raw in values]
        if any(token[0] in "[{" for token in tokens):
            raise _Refused
        lines = [self._writer.cell(token) or ALONE for token in tokens]
        return Batch(len(values), line_end.join((*lines, "")), None)

    def _mappings(self, data: bytes, piece: Piece, kind: Kind) -> Batch:
        tally = Tally(self._reader.spelled)
        if kind == "object":
            rows = self._items(data, piece, _OBJECT, _OBJECTS, tally)
        else:
            rows = self._items(data, piece, _ARRAY, _ARRAYS, tally)
        cells = self._known(rows, tally) if kind == "object" and rows else None
        if cells is not None:
            if not tally.accounts_for(data):
                raise _Refused
            return Batch(len(rows), None, cells)
        cells = Cells()
        for row in rows:
            self._spread(row, self._shape.root, cells, tally, 0)
            cells.ends.append(len(cells.tokens))
        cells.joined = "\n".join(cells.tokens)
        tally.values(cells.joined.encode("latin-1"), len(cells.tokens) or 1)
        if not tally.accounts_for(data):
            raise _Refused
        return Batch(len(rows), None, cells)

    def _known(self, rows: list[dict[str, msgspec.Raw]], tally: Tally) -> Cells | None:
        """Return the cells of rows without new keys and without objects that become columns; else None."""
        keys = list(chain.from_iterable(rows))
        different = set(keys)
        kids = self._shape.root.kids
        if not keys or not different <= kids.keys():
            return None
        if self._columns or any(node.kids or not node.valued for node in map(kids.__getitem__, different)):
            return None
        joined = b"\n".join(chain.from_iterable(map(dict.values, rows)))
        text = joined.decode("latin-1")
        if text.count("\n") != len(keys) - 1 or (self._flatten and "{" in text and (text[0] == "{" or "\n{" in text)):
            return None
        tally.values(joined, len(keys))
        if different.isdisjoint(tally.spelled) and all(kids[key].size == len(key) + _AROUND for key in different):
            tally.structure += len("".join(keys)) + _AROUND * len(keys)
            tally.members = len(keys)
        else:
            for key, count in Counter(keys).items():
                tally.key(key, kids[key].size, count)
        lengths = list(map(len, rows))
        tally.structure += 2 * len(rows) + len(keys) - (len(rows) - lengths.count(0))
        return Cells(list(map(kids.__getitem__, keys)), [], list(accumulate(lengths)), text)

    def _spread(self, row: Any, parent: Node, cells: Cells, tally: Tally, level: int) -> None:
        if level > MAX_LEVELS:
            raise _Refused
        named = isinstance(row, dict)
        kids = parent.kids
        size = 2 + max(len(row) - 1, 0)
        shape, nodes, tokens, spelled = self._shape, cells.nodes, cells.tokens, self._reader.spelled
        for key, raw in row.items() if named else zip(map(str, range(len(row))), row, strict=True):
            node = kids.get(key)
            if node is None:
                node = shape.add(parent, key)
            if named:
                size += node.size
                if spelled and key in spelled:
                    size -= node.size
                    tally.key(key, node.size, 1)
            token = str(raw, "latin-1")
            first = token[0]
            if (first == "{" and self._flatten) or (first == "[" and self._columns):
                inner = (_OBJECT if first == "{" else _ARRAY).decode(raw)
                if inner:
                    self._spread(inner, node, cells, tally, level + 1)
                    continue
            if not node.valued or node.order is None:
                shape.see(node, token)
            nodes.append(node)
            tokens.append(token)
        tally.structure += size
        tally.members = None


class _Refused(Exception):
    """The piece needs the careful parser."""


_STARTS = frozenset(b'{["-0123456789tfn')
_STOPS = frozenset(b'}]"0123456789el')
_NO_MARKS = bytes(sorted({*range(256)} - {*b'"{}\n'}))
_BETWEEN: dict[bytes, bytes] = {b"{": b"}\n{", b"[": b"]\n["}


def _quotes_of_objects(data: bytes, count: int) -> int | None:
    """Return the number of quotes if `data` is `count` flat objects, each on its own line; else None."""
    marks = data.translate(None, _NO_MARKS)
    braces = marks.translate(None, b'"')
    if not braces.endswith(b"\n"):
        braces += b"\n"
        marks += b"\n"
    return len(marks) - len(braces) if braces == b"{}\n" * count else None


def _one_a_line(data: bytes, count: int) -> bool:
    """Return whether each of the `count` values decoded from `data` has its own line.

    Two adjacent values without a comma are valid only at the top level.
    """
    text = data.strip(b" \t\r\n")
    between = _BETWEEN.get(text[:1])
    if between is not None and text.count(b"\n") == text.count(between) == count - 1:
        return True
    lines = [line for each in text.split(b"\n") if (line := each.strip(b" \t\r"))]
    return len(lines) == count and all(line[0] in _STARTS and line[-1] in _STOPS for line in lines)
