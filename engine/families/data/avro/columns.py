"""Write data frames as Avro blocks, byte for byte as fastavro writes their rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import Any

import fastavro
import numpy
import polars
from fastavro import _write_py
from fastavro.io.binary_encoder import BinaryEncoder

from engine.families.data.avro.binary import Array
from engine.families.data.avro.encoding import encoded
from engine.families.data.columnar.typed import of_kind
from engine.families.data.exactness import Inexact

_BLOCK = 16_000
"""Bytes from which a block is complete, as in fastavro."""
_FRACTION = "[.eE]"


def of_fractions(given: Iterator[tuple[polars.DataFrame, Collection[int]]]) -> Iterator[polars.DataFrame]:
    """Yield frames with numbers in source form as floats. Raises Inexact if one is an integer, or has more digits."""
    for frame, numbers in given:
        columns = list(frame)
        for at in numbers:
            found = of_kind(columns[at], "number") if columns[at].str.contains(_FRACTION).all() else None
            if found is None:
                raise Inexact
            columns[at] = found.alias(frame.columns[at])
        yield polars.DataFrame(columns)


def write(frames: Iterator[polars.DataFrame], file: Any, schema: Any, codec: str, marker: bytes) -> None:
    """Write a file of optional values. Raises Inexact."""
    fastavro.writer(file, schema, [], codec=codec, sync_marker=marker)
    write_block = partial(_write_block, file, codec, marker)
    rest = b""
    count = 0
    for frame in frames:
        for data, ends in encoded(frame):
            at = start = 0
            while (more := _complete(ends, at, start + _BLOCK - len(rest))) is not None:
                end = int(ends[more])
                write_block(count + more + 1 - at, b"".join((rest, data[start:end])))
                at, start, rest, count = more + 1, end, b"", 0
            rest += data[start : int(ends[-1]) if len(ends) else 0]
            count += len(ends) - at
    if count:
        write_block(count, rest)


def _complete(ends: Array, at: int, least: int) -> int | None:
    """Return the first record from `at` on that ends at this offset or behind it; None if there is none."""
    found = max(at, int(numpy.searchsorted(ends, least)))
    return found if found < len(ends) else None


def _write_block(file: Any, codec: str, marker: bytes, count: int, data: bytes) -> None:
    encoder: Any = BinaryEncoder(file)  # type: ignore[no-untyped-call]
    encoder.write_long(count)
    write: Any = _write_py.BLOCK_WRITERS[codec]
    write(encoder, data, None)
    file.write(marker)
