"""Write times outside a day as the numbers that are stored, because no type of polars has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow
import pyarrow.compute

from engine.families.data.columnar import lists
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


def outside(schema: Any, batches: Iterable[Any]) -> Outside:
    """Return the columns of these record batches that have times outside a day; none is read if there are no times."""
    found, first = Outside(), 1
    places = [at for at, kind in enumerate(schema.types) if has_times(kind)]
    for batch in batches if places else ():
        for at in places:
            for times, rows in _times(batch.column(at), None):
                _find(found, at, schema.names[at], times, rows, first)
        first += batch.num_rows
    return found


def _find(found: Outside, at: int, name: str, times: Any, rows: Any, first: int) -> None:
    numbers = _numbers(times)
    odd = pyarrow.compute.invert(_is_inside(numbers, times.type))
    if count := pyarrow.compute.sum(odd).as_py() or 0:
        found.columns.add(at)
        found.count += count
        places = pyarrow.compute.indices_nonzero(odd.fill_null(False))
        for place in places[: MAX_EXAMPLES - len(found.examples)].to_pylist():
            row = first + (place if rows is None else rows[place].as_py())
            value = str(numbers[place])
            found.examples.append(say("“{column}” in row {row}: {value}", column=name, row=row, value=value))


def as_text(times: Any) -> Any:
    """Return an array with its times as texts: `12:30:00`, and the stored number of one outside a day."""
    kind = times.type
    if pyarrow.types.is_dictionary(kind):
        return as_text(times.dictionary_decode())
    if _is_list(kind):
        return lists.with_items(times, as_text(times.flatten()))
    if pyarrow.types.is_struct(kind):
        parts = list(map(as_text, times.flatten()))
        return pyarrow.StructArray.from_arrays(parts, [each.name for each in kind], mask=times.is_null())
    return _clocks(times) if pyarrow.types.is_time(kind) else times


def text_type(kind: Any) -> Any:
    """Return the type of such an array of texts."""
    return as_text(pyarrow.nulls(0, kind)).type


def _clocks(times: Any) -> Any:
    numbers, unit = _numbers(times), _UNITS[times.type.unit]
    inside = _is_inside(numbers, times.type).to_pylist()
    texts = (
        None if number is None else _clock(number, unit) if is_time else str(number)
        for number, is_time in zip(numbers.to_pylist(), inside, strict=True)
    )
    return pyarrow.array(texts, pyarrow.string())


def _is_list(kind: Any) -> bool:
    types = pyarrow.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def has_times(kind: Any) -> bool:
    """Return whether a type of Arrow is or has times, be it in lists, structs or dictionaries."""
    if pyarrow.types.is_dictionary(kind) or _is_list(kind):
        return has_times(kind.value_type)
    if pyarrow.types.is_struct(kind):
        return any(has_times(each.type) for each in kind)
    return bool(pyarrow.types.is_time(kind))


def _times(array: Any, rows: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the arrays of times in an array, each with the index of the row of each time; None where it is its own."""
    kind = array.type
    if pyarrow.types.is_dictionary(kind):
        yield from _times(array.dictionary_decode(), rows)
    elif _is_list(kind):
        parents = pyarrow.compute.list_parent_indices(array)
        yield from _times(array.flatten(), parents if rows is None else rows.take(parents))
    elif pyarrow.types.is_struct(kind):
        for part in array.flatten():
            yield from _times(part, rows)
    elif pyarrow.types.is_time(kind):
        yield array, rows


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
