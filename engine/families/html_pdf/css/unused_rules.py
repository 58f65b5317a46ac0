"""Drop unused rules from a style sheet in one pass over its text."""

from __future__ import annotations

import re
from collections.abc import Callable

_MARK = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?|[{};]", re.DOTALL)


def sifted(sheet: str, matches: Callable[[str], bool]) -> str:
    """The sheet without innermost rules for which `matches` rejects the selector."""
    sheet = _without_comments(sheet)
    kept: list[str] = []
    copied = begun = 0
    opened: tuple[int, int] | None = None
    """The start of the last rule's selector and of its block, while it may be an innermost one."""
    for mark in _MARK.finditer(sheet):
        sign = mark[0]
        if sign == "{":
            opened = begun, mark.start()
        elif sign == "}" and opened is not None:
            start, block = opened
            if not matches(sheet[start:block]):
                kept.append(sheet[copied:start])
                copied = mark.end()
            opened = None
        if sign in ("{", "}", ";"):
            begun = mark.end() if sign != ";" or opened is None else begun
    kept.append(sheet[copied:])
    return "".join(kept)


def _without_comments(sheet: str) -> str:
    first, *others = sheet.split("/*")
    return " ".join([first, *(rest for _, end, rest in (each.partition("*/") for each in others) if end)])
