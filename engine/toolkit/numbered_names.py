"""Number names that are in use already."""

from __future__ import annotations

from collections.abc import Callable


def _underscored(wanted: str, number: int) -> str:
    return f"{wanted}_{number}"


class NumberedNames:
    """The names in use; those that `fold` makes equal, such as `str.lower`, count as one."""

    def __init__(self, fold: Callable[[str], str] = str) -> None:
        self._fold = fold
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}
        """The last number that each name got: to try all of them again takes quadratic time."""

    def __contains__(self, name: str) -> bool:
        return self._fold(name) in self._taken

    def free(self, wanted: str, numbered: Callable[[str, int], str] = _underscored) -> str:
        """`wanted`, or the first of its `numbered` names from 2 on that is free; it is in use from now on."""
        name, key = wanted, self._fold(wanted)
        number = self._last.get(key, 1)
        while name in self:
            number += 1
            name = numbered(wanted, number)
        self._last[key] = number
        self._taken.add(self._fold(name))
        return name
