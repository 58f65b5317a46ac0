"""Let polars write to open files without a copy in memory, preserving the files' errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO, Literal, cast

import polars

Quotes = Literal["always", "necessary"]


class _Pouring:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.failed: OSError | None = None

    def write(self, part: bytes) -> int:
        try:
            return self._file.write(part)
        except OSError as error:
            self.failed = error
            raise


@contextmanager
def into(file: BinaryIO) -> Iterator[IO[bytes]]:
    """Return a file for polars to write to; reraises the file's own OSError, as the one from polars lacks `errno`."""
    pouring = _Pouring(file)
    try:
        yield cast("IO[bytes]", pouring)
    except OSError as error:
        raise pouring.failed or error from None


def write_rows(
    cells: polars.DataFrame, file: BinaryIO, *, delimiter: str, line_end: str, quotes: Quotes = "necessary"
) -> None:
    """Write one line for each row, without a header."""
    with into(file) as target:
        cells.write_csv(target, include_header=False, separator=delimiter, line_terminator=line_end, quote_style=quotes)
