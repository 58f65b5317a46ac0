"""Counters of a page, and numbers as they are written (CSS Lists 3, 4; CSS Counter Styles 3)."""

from __future__ import annotations

import re

from conversions.toolkit.numerals import roman

_WHOLE = re.compile(r"[+-]?\d{1,9}")


class Counters:
    """Counts as elements say, in the order of the page; a counter has one value, wherever it is counted."""

    def __init__(self) -> None:
        self._values: dict[str, int] = {}

    def count(self, reset: str, increment: str) -> None:
        """What an element declares of `counter-reset` and `counter-increment`."""
        for said, at in ((reset, 0), (increment, 1)):
            words = (said or "none").split()
            for counter, number in zip(words, [*words[1:], ""], strict=True):
                if not _WHOLE.fullmatch(counter) and counter != "none":
                    step = int(number) if _WHOLE.fullmatch(number) else at
                    self._values[counter] = step + (self._values.get(counter, 0) if at else 0)

    def filled(self, name: str, arguments: str) -> str | None:
        """The text of `counter()` or `counters()` with these arguments; None for any other function."""
        said = [each.strip() for each in arguments.split(",")]
        return number(self._values.get(said[0], 0), said[-1]) if name.startswith("counter") else None


def number(at: int, kind: str) -> str:
    """A number as counters of a kind are written."""
    if "roman" in kind and 0 < at < 4000:
        return roman(at) if "upper" in kind else roman(at).lower()
    if ("alpha" in kind or "latin" in kind) and at > 0:
        letters = ""
        while at:
            at, letter = divmod(at - 1, 26)
            letters = chr(97 + letter) + letters
        return letters.upper() if "upper" in kind else letters
    return str(at)
