"""Undo BCJ2, the branch filter of 7-Zip for x86 programs (Bcj2.h of the LZMA SDK, which is in the public domain).

A program is split into four streams. Targets of CALL (E8) are in the second, those of JMP (E9) and of the conditional
jumps (0F 80 to 0F 8F) in the third, as absolute addresses of four bytes, big endian; all else is in the first. The
fourth is a range coder's: a bit for each branch says whether its target was moved.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from itertools import chain, islice

_BRANCH = re.compile(rb"[\xe8\xe9]|(?<=\x0f)[\x80-\x8f]", re.DOTALL)
_CALL, _JUMP, _PREFIX = 0xE8, 0xE9, 0x0F
_TARGET = struct.Struct(">I")
_WHOLE = 0xFFFFFFFF
_NORMAL = 1 << 24
_SCALE = 11
"""Bits of a probability."""
_SPEED = 5
"""A probability moves to what it was told by a 32nd of the distance."""


def joined(streams: Sequence[Iterator[bytes]], size: int) -> Iterator[bytes]:
    """Yield the `size` bytes of the program that is in four streams.

    Raises EOFError if one of the last three ends too soon, ValueError for damaged bits.
    """
    # All of it stands in one function, as a call for each bit takes as long again.
    main, calls, jumps, bits = streams
    called, jumped, coded = _targets(calls), _targets(jumps), chain(chain.from_iterable(bits), iter(_end, -1))
    code, span = -1, _WHOLE
    chances = [1 << _SCALE - 1] * 258
    done = before = 0
    for block in main:
        out = bytearray()
        at, end = 0, len(block)
        while at < end:
            if before == _PREFIX and block[at] & 0xF0 == 0x80:
                place = at
            elif found := _BRANCH.search(block, at):
                place = found.start()
            else:
                break
            if place > at:
                before = block[place - 1]
            mark = block[place]
            out += block[at : place + 1]
            at = place + 1
            if done + len(out) >= size:
                break
            # A call's bit depends on the byte before it; all jumps share one, and all conditional jumps another.
            kind = before if mark == _CALL else 256 if mark == _JUMP else 257
            if code < 0:
                code = _first(coded)
            if span < _NORMAL:
                span <<= 8
                code = code << 8 | next(coded)
            chance = chances[kind]
            bound = (span >> _SCALE) * chance
            if code < bound:
                span = bound
                chances[kind] = chance + (((1 << _SCALE) - chance) >> _SPEED)
                before = mark
                continue
            span -= bound
            code -= bound
            chances[kind] = chance - (chance >> _SPEED)
            target = (next(called if mark == _CALL else jumped) - done - len(out) - 4) & _WHOLE
            out += target.to_bytes(4, "little")
            before = target >> 24
        if at < end:
            out += block[at:]
            before = block[-1]
        del out[size - done :]
        done += len(out)
        yield bytes(out)
        if done == size:
            return


def _first(coded: Iterator[int]) -> int:
    """The first number of a range coder, of which four bytes count."""
    lead, *others = islice(coded, 5)
    code = int.from_bytes(bytes(others), "big")
    if lead or code == _WHOLE:
        raise ValueError("no range coder begins so")
    return code


def _targets(stream: Iterator[bytes]) -> Iterator[int]:
    """The addresses in a stream; reading past its end raises EOFError."""
    left = b""
    for block in stream:
        data = left + block
        whole = len(data) & ~3
        for (each,) in _TARGET.iter_unpack(data[:whole]):
            yield each
        left = data[whole:]
    raise EOFError


def _end() -> int:
    raise EOFError
