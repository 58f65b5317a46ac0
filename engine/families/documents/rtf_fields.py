r"""Reduce RTF fields to the form that pandoc 3.9 reads: an instruction and a result.

pandoc drops fields whose `\fldinst` has no `\*`, and those with titles or words after the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_PIECE = re.compile(rb"[{}]|(?:[^\\{}]+|\\[\\{}]?)+")
_FIELD = re.compile(rb"\s*\\field(?![a-zA-Z])")
_INSTRUCTION = re.compile(rb"\s*+(?:\\\*\s*+)?\\fldinst(?![a-zA-Z])")
_RESULT = re.compile(rb"\s*+(?:\\\*\s*+)?\\fldrslt(?![a-zA-Z])")
_IGNORED = re.compile(rb"\s*\\\*")

Group = list[Any]
"""The content of a group: bytes and nested groups."""


def simplified(data: bytes) -> bytes:
    """The same file with each field reduced to an instruction and a result."""
    if b"\\field" not in data:
        return data
    whole: Group = []
    open_ones = [whole]
    for match in _PIECE.finditer(data):
        piece = match[0]
        if piece == b"{":
            group: Group = []
            open_ones[-1].append(group)
            open_ones.append(group)
        elif piece == b"}":
            if len(open_ones) == 1:
                return data  # malformed: no reader accepts it
            _settle(open_ones.pop(), open_ones[-1])
        else:
            open_ones[-1].append(piece)
    return data if len(open_ones) > 1 else b"".join(_written(whole))


def _settle(group: Group, around: Group) -> None:
    """Reduce a field to its instruction and result; anything else is moved after it."""
    first = _first(group)
    if first is None or not (opening := _FIELD.match(first)):
        return
    instruction = result = None
    behind: Group = []
    words = [first[opening.end() :]]
    for each in group[1:]:
        begun = _first(each) if isinstance(each, list) else None
        if isinstance(each, bytes):
            (words if result is None else behind).append(each)
        elif begun is not None and instruction is None and (name := _INSTRUCTION.match(begun)):
            instruction = [rb"\*\fldinst" + begun[name.end() :], *each[1:]]
        elif begun is not None and result is None and (name := _RESULT.match(begun)):
            result = [rb"\fldrslt" + begun[name.end() :], *each[1:]]
        elif begun is None or not _IGNORED.match(begun):
            behind.append(each)
    if instruction is None or result is None:
        return
    head = b"".join(words)
    if head.strip() and not head.strip().startswith(b"\\fld"):
        behind.insert(0, head)
        head = b""
    group[:] = [rb"\field" + head, instruction, result]
    around += behind


def _first(group: Group) -> bytes | None:
    return group[0] if group and isinstance(group[0], bytes) else None


def _written(whole: Group) -> Iterator[bytes]:
    waiting: list[Any] = [iter(whole)]
    while waiting:
        for each in waiting[-1]:
            if isinstance(each, list):
                yield b"{"
                waiting.append(iter(each))
                break
            yield each
        else:
            waiting.pop()
            if waiting:
                yield b"}"
