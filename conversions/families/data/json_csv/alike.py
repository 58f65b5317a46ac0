"""Lines with objects that are all written alike as rows of CSV, column by column, for large files."""

from __future__ import annotations

from functools import partial
from typing import Any, BinaryIO

import msgspec

from conversions.families.data.columnar.json_parts import Kind, Parts
from conversions.families.data.columnar.json_templates import Templates
from conversions.families.data.columnar.pouring import write_rows
from conversions.families.data.json_csv.cells import CellWriter
from conversions.families.data.json_csv.shape import Node, Shape

_SAMPLE = 1 << 14
"""Bytes of lines that tell which columns are of text."""
_MAX_COLUMNS = 500
_MAX_FAILURES = 8
"""Lines that are not as they were hoped to be, after which none are."""
_FORMULAS = "^[=+@-]"
_NESTED = {b"[", b"{"}

_OBJECT: Any = msgspec.json.Decoder(dict[str, msgspec.Raw])


class AlikeLines:
    """Writes lines with objects that have all columns of the shape, in their order, and nothing else."""

    def __init__(self, shape: Shape, writer: CellWriter, line_end: str) -> None:
        self._shape = shape
        self._writer = writer
        self._line_end = line_end
        self._columns: list[Node] = []
        self._templates: Templates | None = None
        self._failures = 0

    def write(self, data: bytes, file: BinaryIO) -> int | None:
        """Write the rows of lines; how many they are, or None, with nothing written, for those to be read otherwise."""
        if self._failures == _MAX_FAILURES:
            return None
        if self._templates is None or self._columns is not self._shape.columns:
            self._columns = self._shape.columns
            self._templates = self._learned(data)
        frame = self._templates.frame(data, in_list=False) if self._templates else None
        if frame is None:
            self._failures += 1
            self._templates = None
            return None
        write_rows(frame, file, delimiter=self._writer.delimiter, line_end=self._line_end)
        return frame.height

    def _learned(self, data: bytes) -> Templates | None:
        keys = [node.key for node in self._columns]
        nested = len(self._shape.root.kids) != len(keys) or any(node.kids or not node.valued for node in self._columns)
        if nested or not 1 < len(keys) <= _MAX_COLUMNS:
            return None
        try:
            rows = _OBJECT.decode_lines(data[: data.rfind(b"\n", 0, _SAMPLE) + 1 or len(data)])
            first = {key: {bytes(row[key])[:1] for row in rows if key in row} for key in keys}
            if any(each & _NESTED for each in first.values()):
                return None
            kinds: dict[str, Kind] = {key: "text" if b'"' in each else "literal" for key, each in first.items()}
            return Templates(kinds, read=partial(Parts, marks=_FORMULAS, see=self._writer.see))
        except (msgspec.DecodeError, UnicodeError):  # keys may have halves of surrogate pairs
            return None
