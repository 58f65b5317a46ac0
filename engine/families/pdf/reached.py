"""Walk through the objects of a PDF, each once: those that others lead to, or all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pikepdf


def reached(roots: Iterable[Any], led_to: Callable[[pikepdf.Object], Iterable[Any]]) -> Iterator[pikepdf.Object]:
    """Yield the arrays, dictionaries and streams among the roots and, in the end, all that `led_to` returns for them.

    Other values are skipped. `led_to` is called after the object was yielded.
    """
    seen: set[tuple[int, int]] = set()
    ahead = [*roots]
    while ahead:
        found = ahead.pop()
        if not isinstance(found, pikepdf.Array | pikepdf.Dictionary | pikepdf.Stream):
            continue
        if found.is_indirect:
            if found.objgen in seen:
                continue
            seen.add(found.objgen)
        yield found
        ahead.extend(led_to(found))  # an array of the library as the right operand of += is taken for a number


def dictionaries(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """All dictionaries of a document, including nested ones and those of streams."""
    for whole in (*pdf.objects, pdf.trailer):
        waiting: list[Any] = [whole]
        while waiting:
            now = waiting.pop()
            if isinstance(now, pikepdf.Array):
                inner = list(now)
            elif isinstance(now, pikepdf.Dictionary | pikepdf.Stream):
                yield now
                inner = [now[key] for key in now.keys()]  # noqa: SIM118
            else:
                continue
            waiting += [
                each for each in inner if isinstance(each, pikepdf.Array | pikepdf.Dictionary) and not each.is_indirect
            ]
