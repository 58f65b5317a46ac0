"""Write times outside a day as the numbers that are stored, because no type of polars has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pyarrow
import pyarrow.compute

from engine.toolkit.messages import say
from engine.toolkit.warnings import MAX_EXAMPLES, Kind, Warn

_OUTSIDE = Kind("VALUE_CONVERTED", "Times outside a day stay numbers, and their columns became text: {count}{places}.")
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86_400


@dataclass
class Outside:
    """The numbers of the columns with such times, their count, and the first of them."""

    columns: set[int] = field(default_factory=set)
    count: int = 0
    examples: list[str] = field(default_factory=list)

    def tell(self, warn: Warn) -> None:
        warn.tally(_OUTSIDE, self.count, self.examples)


def are_in(schema: Any) -> bool:
    """Whether a schema of Arrow has columns of times."""
    return any(map(pyarrow.types.is_time, schema.types))


def outside(schema: Any, batches: Iterable[Any]) -> Outside:
    """Return the columns of these record batches that have times outside a day."""
    found, first = Outside(), 1
    places = [at for at, kind in enumerate(schema.types) if pyarrow.types.is_time(kind)]
    for batch in batches:
        for at in places:
            numbers = _numbers(batch.column(at))
            odd = pyarrow.compute.invert(_is_inside(numbers, schema.types[at]))
            if count := pyarrow.compute.sum(odd).as_py() or 0:
                found.columns.add(at)
                found.count += count
                rows = pyarrow.compute.indices_nonzero(odd.fill_null(False))
                for row in rows[: MAX_EXAMPLES - len(found.examples)].to_pylist():
                    found.examples.append(
                        say(
                            "“{column}” in row {row}: {value}",
                            column=schema.names[at],
                            row=first + row,
                            value=str(numbers[row]),
                        )
                    )
        first += batch.num_rows
    return found


def as_text(times: Any) -> Any:
    """Return an array of times as texts: `12:30:00`, and the stored number of one outside a day."""
    numbers, unit = _numbers(times), _UNITS[times.type.unit]
    inside = _is_inside(numbers, times.type).to_pylist()
    texts = (
        None if number is None else _clock(number, unit) if is_time else str(number)
        for number, is_time in zip(numbers.to_pylist(), inside, strict=True)
    )
    return pyarrow.array(texts, pyarrow.string())


def _numbers(times: Any) -> Any:
    return times.cast(pyarrow.int32() if times.type.bit_width == 32 else pyarrow.int64())


def _is_inside(numbers: Any, kind: Any) -> Any:
    compute, end = pyarrow.compute, _DAY * _UNITS[kind.unit]
    return compute.and_(compute.greater_equal(numbers, 0), compute.less(numbers, end))


def _clock(number: int, unit: int) -> str:
    seconds, fraction = divmod(number, unit)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    digits = len(str(unit)) - 1
    return f"{clock}.{fraction:0{digits}}".rstrip("0") if fraction else clock
