"""Damage: what libraries raise for broken files, turned into the one error that users see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from conversions.toolkit.failures import Unreadable


@contextmanager
def unreadable(message: str, *errors: type[Exception]) -> Iterator[None]:
    """Raise Unreadable with this message for any of `errors`, and for the panics of libraries written in Rust."""
    try:
        yield
    except errors as error:
        raise Unreadable(message) from error
    except BaseException as error:
        # Panics have a type of their own that is no Exception and can't be imported.
        if type(error).__module__ != "pyo3_runtime":
            raise
        raise Unreadable(message) from error
