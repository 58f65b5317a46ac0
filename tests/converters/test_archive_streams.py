"""Streams of archives: their pieces are bounded, and may be cut anywhere."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import pytest

from engine.families.archives import deflate64
from engine.families.archives.seven_zip import bcj2
from tests.families.archives import sevens

PIECE = 10_000_000


def in_blocks(data: bytes, size: int) -> Iterator[bytes]:
    return iter([data[at : at + size] for at in range(0, len(data), size)])


@pytest.mark.parametrize("size", [100, 256, 1000, 1 << 16])
def test_deflate64_comes_in_pieces_that_are_bounded(size: int) -> None:
    whole, packed = sevens.long_repeats(400)
    pieces = [len(each) for each in deflate64.unpacked(in_blocks(packed, size))]
    assert sum(pieces) == whole
    assert max(pieces) < PIECE < whole


def test_deflate64_keeps_nothing_of_what_it_read() -> None:
    _, packed = sevens.long_repeats(400)
    blocks = [packed[at : at + 256] for at in range(0, len(packed) - 256, 256)]
    before = [sys.getrefcount(each) for each in blocks]
    with pytest.raises(EOFError):
        list(deflate64.unpacked(iter(blocks)))
    assert [sys.getrefcount(each) for each in blocks] == before


def test_deflate64_that_ends_too_soon_is_an_error() -> None:
    with pytest.raises(EOFError):
        list(deflate64.unpacked(in_blocks(sevens.far_repeats()[1][:-3], 256)))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
def test_the_streams_of_a_program_may_be_cut_anywhere(size: int) -> None:
    chance = random.Random(3)
    marks = (b"\xe8", b"\xe9", b"\x0f\x84", b"\x0f", b"\x0f\xe8")
    ends = (b"\0", b"\x0f")
    program = b"".join(chance.choice(marks) + chance.randbytes(3) + chance.choice(ends) for _ in range(2000))
    streams = [in_blocks(each, size) for each in sevens.split(program)]
    assert b"".join(bcj2.joined(streams, len(program))) == program


def test_a_program_ends_where_its_size_says_even_at_a_branch() -> None:
    program = b"\x90\xe8\0\0\0\0" * 3
    for size in range(len(program)):
        streams = [in_blocks(each, 4) for each in sevens.split(program)]
        assert b"".join(bcj2.joined(streams, size)) == program[:size]
