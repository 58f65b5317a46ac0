"""Put lists of Arrow together again from other items."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pyarrow
import pyarrow.compute


def with_items(lists: Any, items: Any) -> Any:
    """Return large lists that are as long as these; `items` are those of all lists, without those of nulls."""
    lengths = pyarrow.compute.list_value_length(lists).fill_null(0).to_pylist()
    ends = pyarrow.array([0, *accumulate(lengths)], pyarrow.int64())
    return pyarrow.LargeListArray.from_arrays(ends, items, mask=lists.is_null())
