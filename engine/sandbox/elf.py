"""Find the dynamic loader of an ELF program."""

from __future__ import annotations

import struct

_PT_INTERP = 3


def loader_of(program: str) -> str | None:
    """The path of a program's loader, None if it is static (ELF-64, "Program Header", PT_INTERP)."""
    with open(program, "rb") as file:
        head = file.read(64)
        if head[:5] != b"\x7fELF\x02":
            return None
        order = "<" if head[5] == 1 else ">"
        (offset,) = struct.unpack_from(f"{order}Q", head, 32)
        size, count = struct.unpack_from(f"{order}HH", head, 54)
        file.seek(offset)
        table = file.read(size * count)
        for at in range(0, len(table) - 55 if size == 56 else 0, 56):
            kind, _, begins, _, _, length = struct.unpack_from(f"{order}IIQQQQ", table, at)
            if kind == _PT_INTERP:
                file.seek(begins)
                return file.read(length).rstrip(b"\0").decode()
    return None
