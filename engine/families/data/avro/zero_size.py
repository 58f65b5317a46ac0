"""Limit values of zero bytes, of which a tiny file can declare any number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from fastavro import _read_py
from fastavro.io.binary_decoder import BinaryDecoder

from engine.families.data.table import MAX_COLUMNS
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MOST = 100_000
_EACH_BYTE = 10
"""Values of no bytes in lists and maps per byte of the file, beyond MOST. An optional value is a union and takes a
byte; only fields that are always empty take none, and records have few of those."""


class ZeroSized:
    """The zero-byte values in a parsed schema.

    `records` is true if a whole record takes no bytes, `values` counts such values in a record outside lists and maps,
    `in_items` is their largest number in one item of a list or map. Raises OverLimit for a record with more than
    MAX_COLUMNS.
    """

    def __init__(self, schema: Any) -> None:
        self._sizes: dict[str, tuple[bool, int]] = {}
        self.in_items = 0
        self.records, self.values = self._measure(schema)

    def _measure(self, schema: Any) -> tuple[bool, int]:
        """Whether a value takes no bytes, and how many such values it contains, including itself."""
        if isinstance(schema, str):
            # An unresolved type is recursive, through a union or a list, and so takes a byte.
            return self._sizes.get(schema, (schema == "null", int(schema == "null")))
        if isinstance(schema, list):
            return False, max((self._measure(each)[1] for each in schema), default=0)
        kind = schema["type"]
        if kind == "fixed":
            found = not schema["size"], int(not schema["size"])
        elif kind in ("record", "error"):
            fields = [self._measure(each["type"]) for each in schema["fields"]]
            empty = all(each for each, _ in fields)
            found = empty, empty + sum(values for _, values in fields)
        elif kind in ("array", "map"):
            _, values = self._measure(schema["items" if kind == "array" else "values"])
            self.in_items = max(self.in_items, values)
            found = False, 0
        else:
            found = self._measure(kind)
        if found[1] > MAX_COLUMNS:
            raise OverLimit(
                "limit",
                say("The Avro records have more than {max_columns} fields.", max_columns=MAX_COLUMNS),
            )
        if "name" in schema:
            self._sizes[str(schema["name"])] = found
        return found

    def reader(self, file: BinaryIO) -> Iterator[Any]:
        """Yield the records of a file. Raises OverLimit if its lists and maps declare too many zero-byte values."""
        allowed = MOST
        for block in _read_py.block_reader(file):
            allowed += _EACH_BYTE * len(block.bytes_.getbuffer())
            decoder = _Counting(block.bytes_, allowed // self.in_items)
            for _ in range(block.num_records):
                yield _read_py.read_data(  # type: ignore[no-untyped-call]
                    decoder, block.writer_schema, block._named_schemas, block.reader_schema, block.options
                )
            allowed = decoder.allowed * self.in_items


class _Counting(BinaryDecoder):
    """A decoder with a limit on the items of lists and maps."""

    def __init__(self, data: Any, allowed: int) -> None:
        super().__init__(data)  # type: ignore[no-untyped-call]
        self.allowed = allowed

    def _items(self) -> Iterator[None]:
        while self._block_count:
            if self._block_count < 0:
                self._block_count = -self._block_count
                self.read_long()  # type: ignore[no-untyped-call]
            count = self._block_count
            self.allowed -= count
            if self.allowed < 0:
                raise OverLimit(
                    "limit", "The lists in the Avro file claim more items than a file of its size can have."
                )
            for _ in range(count):
                yield
            self._block_count = self.read_long()  # type: ignore[no-untyped-call]

    iter_array = iter_map = _items
