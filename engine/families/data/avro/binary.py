"""How whole columns of numbers are stored (Apache Avro 1.12, Binary Encoding)."""

from __future__ import annotations

from typing import Any

import numpy
import numpy.typing

Array = numpy.typing.NDArray[Any]

BITS = 7
"""Bits of a number in each of its bytes."""
_LONGEST = 10
"""Bytes of a 64-bit number."""


def branches(missing: Array, null: int) -> Array:
    """Return the byte before each optional value: the index of its branch in the union; `null` is that of null."""
    return numpy.where(missing, 2 * null, 2 - 2 * null).astype(numpy.uint8)


def zigzag(numbers: Array) -> Array:
    """Return the unsigned numbers that stand for signed ones."""
    wide = numbers.astype(numpy.int64)
    return ((wide << 1) ^ (wide >> 63)).view(numpy.uint64)


def sizes(unsigned: Array) -> Array:
    """Return how many bytes each of these numbers takes."""
    most = int(unsigned.max(initial=0))
    found = numpy.ones(len(unsigned), numpy.int64)
    for at in range(1, _LONGEST):
        if most < 1 << (BITS * at):
            break
        found += unsigned >= numpy.uint64(1 << (BITS * at))
    return found
