"""Remove unused outlines from Type 1 fonts, leaving everything else unchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.misc.psCharStrings import T1CharString

from engine.families.pdf.tasks.type1 import decrypted

_OUTLINES = re.compile(rb"/CharStrings\s+(\d{1,6})\s+dict\s+dup\s+begin\s*")
_OUTLINE = re.compile(rb"/([^\s/]{1,127})\s+(\d{1,5})\s+(?:RD|-\|)\s")
_BEHIND_OUTLINE = re.compile(rb"\s*(?:ND|\|-|noaccess\s+def)\s*")
_ROUTINES = re.compile(rb"/Subrs\s+\d{1,6}\s+array\s*")
_ROUTINE = re.compile(rb"dup\s+(\d{1,6})\s+(\d{1,5})\s+(?:RD|-\|)\s")
_BEHIND_ROUTINE = re.compile(rb"\s*(?:NP|\||noaccess\s+put)\s*")
_SKIPPED = re.compile(rb"/lenIV\s+(-?\d{1,3})\b")
_PROGRAM, _PART = 55665, 4330
"""Keys of the two encryptions (Adobe Type 1 Font Format, 7.1)."""

_RANDOM = 4
"""The random bytes before encrypted data, unless a font sets another number for its outlines (lenIV)."""

_WORTH = 0.95
"""The maximum share that may remain: encrypting a font again takes longer than everything else."""

_OWN = 5
"""The standard subroutines (8.4 and 9), whose use does not show in outlines."""

_HINTS = 3
"""The PostScript routine that returns the subroutine number it was given (8.1)."""


@dataclass(frozen=True, slots=True)
class _Part:
    """An outline or subroutine: its start, the range of its encrypted data, and its end."""

    name: str
    at: int
    start: int
    end: int
    after: int


def without_outlines(data: bytes, clear: int, hidden: int, kept: set[str]) -> tuple[bytes, int] | None:
    """The font with only the outlines in `kept`, and the new length of its encrypted portion.

    The first `clear` bytes of `data` are not encrypted, and the `hidden` ones after them are. None if the font has an
    unusual syntax: nothing is guessed.
    """
    if not data[:clear].rstrip().endswith(b"eexec") or re.match(rb"[0-9A-Fa-f\s]{4}", data[clear : clear + 4]):
        return None
    program = decrypted(data[clear : clear + hidden], _PROGRAM)
    begin = _OUTLINES.search(program)
    skipped = int(match[1]) if (match := _SKIPPED.search(program)) else _RANDOM
    if begin is None or program.count(b"/CharStrings") != 1 or skipped < 0:
        return None
    outlines = _parts(program, begin.end(), _OUTLINE, _BEHIND_OUTLINE)
    names = {each.name for each in outlines}
    if len(names) != len(outlines) or not names & kept - {".notdef"}:
        return None
    if not program[outlines[-1].after :].startswith(b"end"):
        return None

    wanted, read = {".notdef"}, dict[str, list[object]]()
    by_name = {each.name: each for each in outlines}
    waiting = [by_name[name] for name in names & kept]
    while waiting:
        each = waiting.pop()
        wanted.add(each.name)
        read[each.name] = _instructions(program, each, skipped)
        if read[each.name][-1:] not in (["endchar"], ["seac"]):
            return None
        if read[each.name][-1] == "seac":
            parts = {StandardEncoding[int(str(code))] for code in read[each.name][-3:-1]}
            waiting += [by_name[name] for name in parts & names - wanted]
    left = [program[each.at : each.after] for each in outlines if each.name in wanted]
    told_count = program[begin.start() : begin.start(1)] + b"%d" % len(left) + program[begin.end(1) : begin.end()]
    before = _with_routines(program[: begin.start()], list(read.values()), skipped)
    bare = before + told_count + b"".join(left) + program[outlines[-1].after :]
    if len(bare) > _WORTH * len(program):
        return None
    packed = _encrypted(bare, _PROGRAM)
    return data[:clear] + packed + data[clear + hidden :], len(packed)


def _parts(program: bytes, at: int, begin: re.Pattern[bytes], behind: re.Pattern[bytes]) -> list[_Part]:
    found = []
    while (first := begin.match(program, at)) and (
        last := behind.match(program, first.end() + int(first[first.lastindex or 1]))
    ):
        end = first.end() + int(first[first.lastindex or 1])
        found.append(_Part(first[1].decode("latin-1"), at, first.end(), end, last.end()))
        at = last.end()
    return found


def _instructions(program: bytes, part: _Part, skipped: int) -> list[object]:
    read = T1CharString(decrypted(program[part.start : part.end], _PART)[skipped:])
    read.decompile()
    return list(read.program)


def _encrypted(data: bytes, key: int) -> bytes:
    out = bytearray(len(data))
    for at, clear in enumerate(data):
        code = clear ^ (key >> 8)
        out[at] = code
        key = ((code + key) * 52845 + 22719) & 0xFFFF
    return bytes(out)


def _with_routines(program: bytes, outlines: list[list[object]], skipped: int) -> bytes:
    """The part before the outlines, with subroutines emptied that none of `outlines` calls."""
    begin = _ROUTINES.search(program)
    routines = _parts(program, begin.end(), _ROUTINE, _BEHIND_ROUTINE) if begin else []
    by_number = {int(each.name): each for each in routines}
    called = set[int]()
    waiting: list[Sequence[object]] = [*outlines, [word for number in range(_OWN) for word in (number, "callsubr")]]
    while waiting:
        numbers = _called(waiting.pop())
        if numbers is None:
            return program
        for number in numbers - called:
            called.add(number)
            if number in by_number:
                waiting.append(_instructions(program, by_number[number], skipped))
    nothing = _encrypted(bytes(skipped) + b"\x0b", _PART)  # a return
    pieces, at = [], 0
    for each in routines:
        if int(each.name) not in called and each.end - each.start > len(nothing):
            length = program.rindex(str(each.end - each.start).encode(), each.at, each.start)
            size = str(each.end - each.start).encode()
            pieces += [program[at:length], b"%d" % len(nothing), program[length + len(size) : each.start], nothing]
            at = each.end
    return b"".join([*pieces, program[at:]])


def _called(instructions: Sequence[object]) -> set[int] | None:
    """The numbers of subroutines that may be called; None if that is unknown."""
    found: set[int] = set()
    for at, each in enumerate(instructions):
        if each != "callsubr":
            continue
        before = instructions[max(0, at - 5) : at]
        if before[-2:] == ["callothersubr", "pop"]:
            # Subroutine 4 is this without the number, which precedes its call.
            if before[-4:-2] != [1, _HINTS]:
                return None
            before = before[:-4]
        elif not before or not isinstance(before[-1], int):
            return None
        found.update(number for number in before[-2:] if isinstance(number, int))
    return found
