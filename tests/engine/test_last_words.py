"""Notes that explain a fault: at the end of the error log while they hold, and gone afterwards."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pyarrow
import pytest
from pyarrow import orc

from engine.families.data.orc import reading
from engine.toolkit import last_words
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BinaryIO]:
    with Path(tmp_path, "log").open("w+b", buffering=0) as file:
        monkeypatch.setattr(last_words, "_LOG", file.fileno())
        yield file
        last_words.take_back()


def said(log: BinaryIO) -> bytes:
    log.seek(0)
    return log.read()


def test_a_note_is_taken_back(log: BinaryIO) -> None:
    log.write(b"before\n")
    last_words.leave("a note\n")
    last_words.leave("another\n")
    assert said(log) == b"before\na note\nanother\n"
    last_words.take_back()
    assert said(log) == b"before\n"


def test_a_note_that_something_was_written_behind_stays(log: BinaryIO) -> None:
    last_words.leave("a note\n")
    log.write(b"Fatal Python error\n")
    last_words.take_back()
    assert said(log) == b"a note\nFatal Python error\n"


def test_a_fault_of_orc_is_explained_until_the_job_has_answered(log: BinaryIO, tmp_path: Path) -> None:
    made = io.BytesIO()
    orc.write_table(pyarrow.table({"a": [1]}), made)
    source = tmp_path / "input.orc"
    source.write_bytes(made.getvalue()[:-30] + bytes(30))
    with pytest.raises(Unreadable):
        reading.read(source, None, Warn())
    assert b"bad_alloc" in said(log)
    last_words.take_back()
    assert not said(log)
