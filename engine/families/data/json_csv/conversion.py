"""Convert JSON to CSV in one pass, or in two if new keys appear late."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from engine.families.data import garbage
from engine.families.data.json_csv.careful import CarefulDecoder
from engine.families.data.json_csv.cells import MARK, CellWriter, line_end
from engine.families.data.json_csv.lines import Lines
from engine.families.data.json_csv.options import CsvOptions, TsvOptions
from engine.families.data.json_csv.shape import Batch, Cells, Node, Shape
from engine.families.data.json_input.pieces import Piece, Pieces, pieces
from engine.families.data.json_input.source import COPY, Source, Window, prepare
from engine.families.data.json_input.syntax import Reader
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

if TYPE_CHECKING:
    from engine.families.data.json_csv.alike import AlikeLines, Rows
    from engine.families.data.json_csv.fast import FastDecoder

SMALL = 1 << 16
"""File size in bytes up to which the standard library is faster than importing msgspec."""

LARGE = 1 << 26
"""File size in bytes from which importing polars pays off for JSON lines."""
_MORE = 16
"""Factor on the read size while rows are converted column by column."""

SPARE_CELLS = 20_000_000


def convert(source: Path, target: Path, options: CsvOptions | TsvOptions, warn: Warn) -> None:
    """Convert every file as the package documents."""
    part = target.with_name(f"{target.name}.part")
    try:
        with garbage.gc_disabled(), part.open("w+b") as output:
            _Conversion(prepare(source, warn), output, options, lines_only=source.suffix == ".ndjson").run(warn)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
        source.with_name(COPY).unlink(missing_ok=True)


class _Conversion:
    def __init__(self, source: Source, output: BinaryIO, options: CsvOptions | TsvOptions, *, lines_only: bool) -> None:
        self._source = source
        self._output = output
        self._options = options
        self._lines_only = lines_only
        self._shape = Shape()
        self._writer = CellWriter(options)
        self._line_end = line_end(options)
        self._joined = Lines(joints=(self._writer.delimiter, self._line_end))
        self._repeated: dict[str, None] = {}
        self._reader = Reader(
            flatten=options.flatten, columns=options.arrays == "columns", repeated=self._repeated.setdefault
        )
        self._careful = CarefulDecoder(source, self._reader)
        self._fast = _fast(self._shape, self._writer, self._reader, options) if source.size > SMALL else None
        self._alike: AlikeLines | None = None
        self._beside: Piece | None = None
        self._begun = False
        self._stale = False

    def run(self, warn: Warn) -> None:
        rows = self._pass()
        if self._stale:
            self._output.seek(0)
            self._output.truncate()
            self._begun = self._stale = False
            self._shape.settle()
            self._pass()
        if rows and not self._shape.columns:
            warn.account("rows", rows)
            warn(
                "CONTENT_DROPPED",
                say("All {rows} items are empty: there are no columns, so nothing was written.", rows=rows),
            )
        for key in self._repeated:
            warn(
                "DUPLICATE_KEY",
                say('The key "{key}" occurs more than once in one object; the last value was kept.', key=_shown(key)),
            )
        for name in self._collisions():
            warn(
                "COLUMN_COLLISION",
                say('Different keys give the column name "{name}"; each has a separate column.', name=_shown(name)),
            )
        self._writer.report(warn)

    def _pass(self) -> int:
        """Read all pieces, and write rows until a new column appears. Returns the number of rows."""
        rows = 0
        with self._source.path.open("rb") as file:
            window = Window(file, self._source.start)
            cutter = pieces(window, self._source, lines_only=self._lines_only, guess=self._fast is not None)
            piece = next(cutter, None)
            step = window.step
            try:
                while piece is not None:
                    cut = self._alike.cut(piece.data) if self._alike and self._may_go_by_columns(piece) else None
                    rows += self._end(rows, step)
                    count = self._take_by_columns(piece, rows, cut)
                    window.step = step if count is None else step * _MORE
                    rows += count or 0
                    if count is None:
                        count = self._take_parts(piece, rows, step)
                        rows += count or 0
                    piece = _next(cutter, proven=count is not None)
                rows += self._end(rows, step)
            finally:
                if self._alike:
                    self._alike.close()
        if not self._begun:
            self._begin()
        return rows

    def _may_go_by_columns(self, piece: Piece) -> bool:
        """Return whether a piece is lines of a large file whose columns are known."""
        if not (self._begun and self._fast and piece.style == "lines" and self._source.size > LARGE):
            return False
        return not self._stale and self._shape.settled and self._writer.is_usual

    def _take_by_columns(self, piece: Piece, before: int, cut: Rows | None) -> int | None:
        """As `_take`, for uniform lines; None for others.

        Lines that are already `cut` are written in a thread. `_end` waits for it, and counts their rows.
        """
        if not self._may_go_by_columns(piece):
            return None
        self._alike = self._alike or _alike(self._shape, self._writer, self._line_end)
        if cut and self._alike.begin(cut, self._output):
            self._beside = piece
            return 0
        count = self._alike.write(piece.data, self._output)
        self._limit(before + (count or 0))
        return count

    def _end(self, before: int, step: int) -> int:
        """Finish the piece that is being written in a thread, if any. Returns its number of rows.

        If the lines turn out not to be uniform, they are parsed again in parts.
        """
        if self._alike is None or self._beside is None:
            return 0
        piece, self._beside = self._beside, None
        count = self._alike.end()
        if count is None:
            return self._take_parts(piece, before, step) or 0
        self._limit(before + count)
        return count

    def _take_parts(self, piece: Piece, before: int, step: int) -> int | None:
        """As `_take`, in parts of about `step` bytes; None if the last part was a guessed cut that failed."""
        rows, count = 0, None
        for part in piece.parts(step):
            count = self._take(part, before + rows)
            rows += count or 0
        return None if count is None else rows

    def _take(self, piece: Piece, before: int) -> int | None:
        """Parse a piece and write its rows; `before` is the number of earlier rows.

        Returns the number of rows, or None for a guessed cut that failed.
        """
        batch = None
        if self._fast and self._careful.kind:
            batch = self._fast.decode(piece, self._careful.kind, self._line_end)
        if batch is None and piece.guessed:
            return None
        self._careful.check_encoding(piece)
        if batch is None:
            rows = self._careful.rows(piece, before)
            batch = Batch(len(rows), None, self._shape.spread(rows))
        count, text, cells = batch.count, batch.lines, batch.cells
        if not self._stale and not self._shape.settled:
            if self._begun:
                self._stale = True
            else:
                self._shape.settle()
        self._limit(before + count)
        if not self._stale:
            if not self._begun and count:
                self._begin()
            if self._shape.columns and count:
                for part in self._lines(cells) if cells else (text or "",):
                    self._output.write(part.encode("latin-1"))
        if self._fast and cells is not None:
            self._fast.learn(cells)
        return count

    def _limit(self, rows: int) -> None:
        """Raise OverLimit where the delimiters of empty cells would make a small input large."""
        columns = len(self._shape.columns)
        if rows * columns > SPARE_CELLS + 2 * self._source.size:
            raise OverLimit(
                "output",
                say(
                    "{rows} rows with {columns} columns would be almost all empty. Use the same keys in all "
                    "items, or leave nested objects as JSON text.",
                    rows=rows,
                    columns=columns,
                ),
            )

    def _begin(self) -> None:
        self._begun = True
        if self._options.bom:
            self._output.write(MARK)
        if self._options.sep_line:
            self._output.write(f"sep={self._writer.delimiter}{self._line_end}".encode("latin-1"))
        if self._options.header and self._shape.columns:
            names = [self._writer.text(self._writer.real(self._name(node))) for node in self._shape.columns]
            self._output.write((self._writer.delimiter.join(names) + self._line_end).encode("latin-1"))

    def _name(self, node: Node) -> str:
        return self._options.separator.join(node.path)

    def _lines(self, cells: Cells) -> Iterator[str]:
        """Yield the lines of rows whose cells are sparse and in any order."""
        written: list[str] | None = []
        if cells.nodes:
            joined = "\n".join(cells.tokens) if cells.joined is None else cells.joined
            written = self._writer.column(joined, len(cells.nodes))
        if written is None:
            written = list(map(self._writer.cell, cells.tokens))
        places = [node.at for node in cells.nodes]
        return self._joined.lines(places, written, cells.ends, width=len(self._shape.columns))

    def _collisions(self) -> list[str]:
        names = sorted(self._name(node) for node in self._shape.columns)
        return sorted({one for one, other in itertools.pairwise(names) if one == other})


def _shown(text: str) -> str:
    """Return a key for a message, without lone surrogates."""
    return text.encode(errors="replace").decode()


def _next(cutter: Pieces, *, proven: bool) -> Piece | None:
    try:
        return cutter.send(proven)
    except StopIteration:
        return None


def _fast(shape: Shape, writer: CellWriter, reader: Reader, options: CsvOptions | TsvOptions) -> FastDecoder:
    from engine.families.data.json_csv.fast import FastDecoder  # heavy: not for small files

    return FastDecoder(shape, writer, reader, flatten=options.flatten, columns=options.arrays == "columns")


def _alike(shape: Shape, writer: CellWriter, line_end: str) -> AlikeLines:
    from engine.families.data.json_csv.alike import AlikeLines  # heavy: not for most files

    return AlikeLines(shape, writer, line_end)
