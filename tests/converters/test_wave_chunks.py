"""Chunks of WAVE files that no output has a place for are named, and those of sound and padding are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert
from tests.families.media import files


@pytest.mark.parametrize("output", ["mp3", "flac"])
@pytest.mark.parametrize(("name", "is_named"), [(b"iXML", True), (b"cart", True), (b"JUNK", False)])
def test_a_chunk_that_is_left_out_is_named(output: str, name: bytes, is_named: bool, tmp_path: Path) -> None:
    done = Convert(tmp_path, f"wav-to-{output}", files.with_chunk(name, b"<BWFXML/>"))
    assert ("METADATA_DROPPED" in done.codes) is is_named
    assert (name.decode() in done.messages) is is_named
