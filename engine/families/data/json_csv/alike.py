"""Convert large files of uniformly written JSON objects to CSV, column by column.

One block of lines is converted and written in a thread while the next is split.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, BinaryIO

import msgspec
import polars

from engine.families.data.columnar.json_parts import Kind, Parts
from engine.families.data.columnar.json_templates import Templates
from engine.families.data.columnar.pouring import write_rows
from engine.families.data.json_csv.cells import CellWriter
from engine.families.data.json_csv.shape import Node, Shape

_SAMPLE = 1 << 14
"""Bytes of lines that are sampled for which columns are text."""
_MAX_COLUMNS = 500
_MAX_FAILURES = 8
"""Blocks of lines that are not uniform, after which this is no longer tried."""
_FORMULAS = "^[=+@-]"
_NESTED = {b"[", b"{"}

Rows = Callable[[], polars.DataFrame | None]
"""Returns the rows of lines that were split, or None where they are not uniform."""

_OBJECT: Any = msgspec.json.Decoder(dict[str, msgspec.Raw])


class AlikeLines:
    """Writes lines with objects that have all columns of the shape, in order, and no other keys."""

    def __init__(self, shape: Shape, writer: CellWriter, line_end: str) -> None:
        self._shape = shape
        self._writer = writer
        self._line_end = line_end
        self._columns: list[Node] = []
        self._templates: Templates | None = None
        self._failures = 0
        self._beside: ThreadPoolExecutor | None = None
        self._begun: Future[int | None] | None = None

    def cut(self, data: bytes) -> Rows | None:
        """Split lines by the template of earlier lines; None if there is no template yet."""
        known = self._templates if self._columns is self._shape.columns else None
        return known.cut(data) if known else None

    def begin(self, rows: Rows, file: BinaryIO) -> bool:
        """Start writing rows in a thread; call `end` before any other write to the file.

        Returns False, with nothing started, if the columns have changed since the rows were split.
        """
        if self._columns is not self._shape.columns:
            return False
        self._beside = self._beside or ThreadPoolExecutor(1)
        self._begun = self._beside.submit(lambda: self._write(rows(), file))
        return True

    def end(self) -> int | None:
        """Return how many rows were written; None, with nothing written, for lines that need another parser."""
        assert self._begun
        begun, self._begun = self._begun, None
        return begun.result()

    def close(self) -> None:
        """Wait for the thread to finish."""
        if self._beside:
            self._beside.shutdown(cancel_futures=True)
        self._beside = self._begun = None

    def write(self, data: bytes, file: BinaryIO) -> int | None:
        """Write the rows of lines.

        Returns their number, or None, with nothing written, for lines that need another parser.
        """
        if self._failures == _MAX_FAILURES:
            return None
        if self._templates is None or self._columns is not self._shape.columns:
            self._columns = self._shape.columns
            self._templates = self._learned(data)
        frame = self._templates.frame(data, in_list=False) if self._templates else None
        count = self._write(frame, file)
        if count is None:
            self._failures += 1
            self._templates = None
        return count

    def _write(self, frame: polars.DataFrame | None, file: BinaryIO) -> int | None:
        if frame is None:
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
        except (msgspec.DecodeError, UnicodeError):  # keys may have lone surrogates
            return None
