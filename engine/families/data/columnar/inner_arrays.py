"""Find and replace values of some types in arrays of Arrow, inside lists, maps, structs and dictionaries as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow
import pyarrow.compute

from engine.families.data.columnar import lists
from engine.toolkit.messages import say
from engine.toolkit.warnings import MAX_EXAMPLES, Kind, Warn

Wanted = Callable[[Any], bool]
"""Whether a type of Arrow, such as that of times, is one of those."""


@dataclass
class Odd:
    """The numbers of the columns with odd values, the count of these values, and the first of them."""

    columns: set[int] = field(default_factory=set)
    count: int = 0
    examples: list[str] = field(default_factory=list)

    def tell(self, kind: Kind, warn: Warn) -> None:
        warn.tally(kind, self.count, self.examples)


def odd(
    schema: Any, batches: Iterable[Any], wanted: Wanted, *, is_odd: Callable[[Any], Any], as_texts: Callable[[Any], Any]
) -> Odd:
    """Return the columns of these record batches that have odd values of the wanted types.

    `is_odd` gives an array of booleans for an array of values, `as_texts` what a message shows of each. No batch is
    read if there is no column of these types.
    """
    result, first = Odd(), 1
    places = [at for at, kind in enumerate(schema.types) if has(kind, wanted)]
    for batch in batches if places else ():
        for at in places:
            for values, rows in found(batch.column(at), wanted):
                mask = is_odd(values)
                if count := pyarrow.compute.sum(mask).as_py() or 0:
                    result.columns.add(at)
                    result.count += count
                    few = pyarrow.compute.indices_nonzero(mask.fill_null(False))[: MAX_EXAMPLES - len(result.examples)]
                    numbers = few if rows is None else rows.take(few)
                    result.examples += [
                        say("“{column}” in row {row}: {value}", column=schema.names[at], row=first + row, value=value)
                        for row, value in zip(numbers.to_pylist(), as_texts(values.take(few)), strict=True)
                    ]
        first += batch.num_rows
    return result


def has(kind: Any, wanted: Wanted) -> bool:
    """Return whether a type is a wanted one, or has one in it."""
    types = pyarrow.types
    if types.is_dictionary(kind) or types.is_run_end_encoded(kind) or _is_list(kind) or _is_view(kind):
        return has(kind.value_type, wanted)
    if types.is_map(kind):
        return has(kind.key_type, wanted) or has(kind.item_type, wanted)
    if types.is_struct(kind):
        return any(has(each.type, wanted) for each in kind)
    return wanted(kind)


def found(array: Any, wanted: Wanted, rows: Any = None) -> Iterator[tuple[Any, Any]]:
    """Yield the wanted arrays in an array, each with the index of the row of each value; None where it is its own."""
    if not has(array.type, wanted):
        return
    array = _plain(array)
    kind = array.type
    if pyarrow.types.is_map(kind):
        yield from found(_pairs(array), wanted, rows)
    elif _is_list(kind):
        parents = pyarrow.compute.list_parent_indices(array)
        yield from found(array.flatten(), wanted, parents if rows is None else rows.take(parents))
    elif pyarrow.types.is_struct(kind):
        for part in array.flatten():
            yield from found(part, wanted, rows)
    else:
        yield array, rows


def replaced(array: Any, wanted: Wanted, change: Callable[[Any], Any]) -> Any:
    """Return an array whose wanted arrays are changed; `change` keeps their length."""
    if not has(array.type, wanted):
        return array
    array = _plain(array)
    kind = array.type
    if pyarrow.types.is_map(kind):
        pairs = replaced(_pairs(array), wanted, change)
        keys, items = pairs.values.flatten()
        return pyarrow.MapArray.from_arrays(pairs.offsets.cast(pyarrow.int32()), keys, items, mask=array.is_null())
    if _is_list(kind):
        return lists.with_items(array, replaced(array.flatten(), wanted, change))
    if pyarrow.types.is_struct(kind):
        parts = [replaced(each, wanted, change) for each in array.flatten()]
        return pyarrow.StructArray.from_arrays(parts, [each.name for each in kind], mask=array.is_null())
    return change(array)


def replaced_type(kind: Any, wanted: Wanted, change: Callable[[Any], Any]) -> Any:
    """Return the type of an array after `replaced`."""
    return replaced(pyarrow.nulls(0, kind), wanted, change).type


def _plain(array: Any) -> Any:
    """Return an array without what spares space: a dictionary, runs, or views."""
    if pyarrow.types.is_dictionary(array.type):
        return _plain(array.dictionary_decode())
    if pyarrow.types.is_run_end_encoded(array.type):
        return _plain(pyarrow.compute.run_end_decode(array))
    # A cast uses the offsets of the views directly, and has one too few.
    return lists.with_items(array, array.flatten()) if _is_view(array.type) else array


def _pairs(maps: Any) -> Any:
    """Return maps as lists of keys and values."""
    kind = maps.type
    pair = pyarrow.struct([pyarrow.field("key", kind.key_type), pyarrow.field("value", kind.item_type)])
    return maps.cast(pyarrow.list_(pair))


def _is_list(kind: Any) -> bool:
    types = pyarrow.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _is_view(kind: Any) -> bool:
    return bool(pyarrow.types.is_list_view(kind) or pyarrow.types.is_large_list_view(kind))
