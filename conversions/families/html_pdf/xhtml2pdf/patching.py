"""How a function of a library is replaced: only where it is still what it was when the replacement was written."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import linecache
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any


@dataclass(frozen=True)
class Patch:
    """One function of a library that stands for something of ours.

    `owner` is the module that has the name, `expected` the fingerprint of what it stands for in the release `checked`,
    such as `xhtml2pdf 0.2.28`, and `replacement` a module, a colon and a name in it.
    """

    owner: str
    name: str
    expected: str
    replacement: str
    why: str
    checked: str


class LibraryChanged(ImportError):
    """A library is not what was patched; says of each change what was expected, and of which release."""


def fingerprint(found: Any) -> str:
    """What a function is, by its own name and its source: any change of these shows."""
    digest = hashlib.sha256(inspect.getsource(found).encode()).hexdigest()[:12]
    return f"{found.__module__}.{found.__qualname__} {digest}"


def apply_all(patches: Sequence[Patch]) -> None:
    """Replace all names, or none: raises LibraryChanged where one is not what is expected."""
    changes = []
    for each in patches:
        try:
            found = fingerprint(getattr(importlib.import_module(each.owner), each.name))
        except (ImportError, AttributeError, TypeError, OSError) as error:
            found = f"nothing ({error})"
        if found != each.expected:
            library = each.checked.partition(" ")[0]
            changes.append(
                f"{each.owner}: {each.name} is to be replaced ({each.why}), but is not what it was: expected"
                f" {each.expected}, found {found}; checked with {each.checked}, installed is"
                f" {metadata.version(library)}"
            )
    linecache.clearcache()  # or the sources stay in every child's memory
    if changes:
        raise LibraryChanged("\n".join(changes))
    for each in patches:
        module, _, name = each.replacement.partition(":")
        setattr(importlib.import_module(each.owner), each.name, getattr(importlib.import_module(module), name))
