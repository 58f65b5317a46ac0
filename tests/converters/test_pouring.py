"""Polars writes into files that are open, and what they raise stays what it is."""

from __future__ import annotations

import errno
import io
from collections.abc import Callable
from typing import IO

import polars
import pytest

from engine.families.data.columnar.pouring import into

FRAME = polars.DataFrame({"a": ["x" * 100] * 1000, "b": [1] * 1000})
WRITE: list[Callable[[IO[bytes]], object]] = [FRAME.write_csv, FRAME.write_ndjson]


class Full(io.BytesIO):
    def write(self, part: object) -> int:
        raise OSError(errno.EFBIG, "File too large")


@pytest.mark.parametrize("write", WRITE)
def test_rows_follow_on_what_was_written_before(write: Callable[[IO[bytes]], object]) -> None:
    file, alone = io.BytesIO(), io.BytesIO()
    write(alone)
    file.write(b"before\n")
    with into(file) as target:
        write(target)
    assert file.getvalue() == b"before\n" + alone.getvalue()


@pytest.mark.parametrize("write", WRITE)
def test_the_error_of_a_file_keeps_its_number(write: Callable[[IO[bytes]], object]) -> None:
    with pytest.raises(OSError, match="File too large") as raised, into(Full()) as target:
        write(target)
    assert raised.value.errno == errno.EFBIG
