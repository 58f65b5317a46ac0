"""Read elements of XML by their local names, which the strict and the transitional form of office files share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def local(element: Any) -> str:
    """The name of an element without its namespace, which the strict variant spells otherwise."""
    return str(element.tag).rpartition("}")[2]


def given(element: Any, name: str) -> str | None:
    """An attribute by its local name."""
    found: str | None = element.get(name)
    if found is None:
        found = next((value for key, value in element.items() if key.endswith("}" + name)), None)
    return found


def children(element: Any, *names: str) -> Iterator[Any]:
    """The children with one of these names; all if none is given."""
    for each in element if element is not None else ():
        if isinstance(each.tag, str) and (not names or local(each) in names):
            yield each


def child(element: Any, *path: str) -> Any:
    """The first descendant at a path of names; None if there is none."""
    for name in path:
        element = next(children(element, name), None)
        if element is None:
            return None
    return element


def number(text: str | None, otherwise: float = 0.0) -> float:
    """A finite number as written; `otherwise` if it is none."""
    try:
        found = float(text) if text else otherwise
    except ValueError:
        return otherwise
    return found if abs(found) < 1e12 else otherwise


def is_on(text: str | None, otherwise: bool = False) -> bool:
    """A truth value as written."""
    return otherwise if text is None else text.strip().lower() in ("1", "true", "on")
