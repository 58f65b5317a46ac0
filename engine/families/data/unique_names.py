"""Tell equal names apart by numbers."""

from __future__ import annotations

from collections.abc import Callable


def unlike(name: str, taken: set[str], *, fold: Callable[[str], str] = str, longest: int | None = None) -> str:
    """The name, with `_2`, `_3` and so on if it is taken; what names have in common after `fold` is the same.

    The result, folded, is added to `taken`. It is cut to `longest` characters, as the name already is.
    """
    unique, number = name, 2
    while fold(unique) in taken:
        suffix = f"_{number}"
        unique = name[: None if longest is None else longest - len(suffix)] + suffix
        number += 1
    taken.add(fold(unique))
    return unique
