"""A file in blocks of whole lines."""

from __future__ import annotations

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from engine.families.data import whole_lines


@given(text=st.text("ab\n\r", max_size=40), size=st.integers(1, 50))
def test_blocks_are_all_of_the_file_and_end_with_a_line(text: str, size: int) -> None:
    file = BytesIO(text.encode())
    blocks = []
    while block := whole_lines.read(file, size):
        blocks.append(block)
    assert b"".join(blocks).decode() == text
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    assert all(len(block) < size or block.find(b"\n", size - 1) in (-1, len(block) - 1) for block in blocks)


def test_no_more_of_a_line_is_read_than_the_longest() -> None:
    file = BytesIO(b"a" * 100)
    assert whole_lines.read(file, 10, longest=5) == b"a" * 14
