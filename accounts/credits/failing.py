"""Which payer is charged for failed work. Free of models, because the sandbox's client imports it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Count = Callable[[float], None]
"""Takes seconds of processor time."""

_counted_by: ContextVar[Count | None] = ContextVar("who counts work that fails", default=None)


@contextmanager
def counted_by(count: Count) -> Iterator[None]:
    """Count all failed work in the block, including that of nested calls, with `count`."""
    before = _counted_by.set(count)
    try:
        yield
    finally:
        _counted_by.reset(before)


@contextmanager
def counted_if_it_fails() -> Iterator[list[float]]:
    """Count failed and unpaid work in the block only if the block raises: otherwise its result pays for it.

    Yields the seconds of that work, for a result that is refused later.
    """
    held: list[float] = []
    try:
        with counted_by(held.append):
            yield held
    except BaseException:
        for seconds in held:
            failed(seconds)
        raise


def failed(seconds: float) -> None:
    """Count failed work; outside counted_by() it is the service's own and not counted."""
    count = _counted_by.get()
    if count is not None:
        count(seconds)
