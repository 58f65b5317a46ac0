"""Repeat documents for each item of a list in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.families.data.values import Value
from engine.toolkit.failures import InvalidOption
from engine.toolkit.messages import say

Path = tuple[str, ...]
_NOTHING = object()


@dataclass
class Unwinding:
    """Repeats documents for each item of the list at a path, and remembers whether one was `found` there."""

    name: str
    path: Path
    found: bool = False

    def values(self, documents: Iterable[Value]) -> Iterator[Value]:
        """Yield a document for each item; those without a list stay."""
        for value in documents:
            inner = value
            for key in self.path:
                inner = inner.get(key, _NOTHING) if isinstance(inner, dict) else _NOTHING
            self.found = self.found or inner is not _NOTHING
            if isinstance(inner, list):
                yield from (replaced(value, self.path, item) for item in inner or [None])
            else:
                yield value

    def check(self) -> None:
        """Raise InvalidOption if no document had the path."""
        if not self.found:
            raise InvalidOption(
                "unwind",
                say("There is no column “{unwind}”. List the keys starting from the row.", unwind=self.name),
            )


def replaced(document: Value, path: Path, value: Value) -> Value:
    """Return a copy of a document with another value at a path."""
    if not path:
        return value
    return {key: replaced(inner, path[1:], value) if key == path[0] else inner for key, inner in document.items()}
