"""Fill up the last row of AsciiDoc tables, which pandoc takes for text otherwise, and count cells that are repeated."""

from __future__ import annotations

import re

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

_MOST_REPEATED = 5_000
"""The maximum cells that signs such as `3*|` stand for: pandoc takes 0.3 ms for each, so 90 bytes took it 3 s."""
_REPEATED_CELL = re.compile(r"(?<![\d.+])(\d+)\*[<^>.a-z]*\|")

_TABLE = re.compile(
    r"^(?:\[([^\n]*)\][ \t]*\n)?(?:\.[^ .\n][^\n]*\n)?\|={3,}[ \t]*\n(.*?)^(\|={3,}[ \t]*)$", re.MULTILINE | re.DOTALL
)
_CELL = re.compile(r"(?<!\\)\|")
_SPAN = re.compile(r"(?<!\S)(?:\d+(?:\.\d+)?|\.\d+)[+*][<^>.a-z]*\|")
"""The sign of a cell that stands for several, whose rows are not counted here."""
_COLUMNS = re.compile(r"""\bcols\s*=\s*(?:"([^"]*)"|([^\s,\]]+))""")
_REPEATED = re.compile(r"\s*(\d{1,3})\*")
_OTHER_SIGN = re.compile(r"\b(?:format|separator)\s*=")


def filled(text: str) -> str:
    """The text with full rows in all tables, which are as wide as their `cols` or their first line says.

    Raises OverLimit if too many cells are repeated.
    """
    cells = 0
    for found in _REPEATED_CELL.finditer(text):
        cells += int(found[1].lstrip("0")[:9] or 0)
        if cells > _MOST_REPEATED:
            raise OverLimit("limit", say("Cells are repeated more than {most} times.", most=_MOST_REPEATED))
    return _TABLE.sub(_filled, text)


def _filled(found: re.Match[str]) -> str:
    given, body = found[1] or "", found[2]
    if _SPAN.search(body) or _OTHER_SIGN.search(given):
        return found[0]
    wide = _declared(given) or next((len(_CELL.findall(line)) for line in body.splitlines() if line.strip()), 0)
    missing = -len(_CELL.findall(body)) % wide if wide else 0
    if not missing:
        return found[0]
    at = found.start(3) - found.start()
    return f"{found[0][:at]}{'|' * missing}\n{found[3]}"


def _declared(attributes: str) -> int:
    """The number of columns that `cols` says; 0 if it says none."""
    columns = _COLUMNS.search(attributes)
    if columns is None:
        return 0
    return sum(
        int(repeated[1]) if (repeated := _REPEATED.match(each)) else 1
        for each in re.split("[,;]", columns[1] or columns[2])
    )
