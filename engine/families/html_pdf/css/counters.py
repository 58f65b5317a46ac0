"""CSS counters and counter styles (CSS Lists 3, 4; CSS Counter Styles 3)."""

from __future__ import annotations

import re

from engine.toolkit.numerals import roman

_WHOLE = re.compile(r"[+-]?\d{1,9}")


class Counters:
    """Counters in document order; each has one value, whatever its scope."""

    def __init__(self) -> None:
        self._values: dict[str, int] = {}

    def count(self, reset: str, increment: str) -> None:
        """Apply an element's `counter-reset` and `counter-increment`."""
        for declaration, at in ((reset, 0), (increment, 1)):
            words = (declaration or "none").split()
            for counter, number in zip(words, [*words[1:], ""], strict=True):
                if not _WHOLE.fullmatch(counter) and counter != "none":
                    step = int(number) if _WHOLE.fullmatch(number) else at
                    self._values[counter] = step + (self._values.get(counter, 0) if at else 0)

    def filled(self, name: str, arguments: str) -> str | None:
        """The text of `counter()` or `counters()` with these arguments; None for any other function."""
        parts = [each.strip() for each in arguments.split(",")]
        return number(self._values.get(parts[0], 0), parts[-1]) if name.startswith("counter") else None


def number(at: int, kind: str) -> str:
    """A number in a counter style."""
    if "roman" in kind and 0 < at < 4000:
        return roman(at) if "upper" in kind else roman(at).lower()
    if ("alpha" in kind or "latin" in kind) and at > 0:
        label = ""
        while at:
            at, letter = divmod(at - 1, 26)
            label = chr(97 + letter) + label
        return label.upper() if "upper" in kind else label
    return str(at)
