"""Turn the errors of libraries for damaged files into Unreadable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.toolkit.failures import Unreadable


@contextmanager
def unreadable(message: str, *errors: type[Exception]) -> Iterator[None]:
    """Raise Unreadable with this message for any of `errors`, and for panics of Rust libraries."""
    try:
        yield
    except errors as error:
        raise Unreadable(message, reason="damaged") from error
    except BaseException as error:
        # Panics are of a class that can't be imported and is no Exception.
        if type(error).__module__ != "pyo3_runtime":
            raise
        raise Unreadable(message, reason="damaged") from error
