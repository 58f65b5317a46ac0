"""Compile CSS selectors (Selectors 4)."""

from __future__ import annotations

from typing import Any

import cssselect2


def compiled(selectors: Any) -> list[Any]:
    """Compile a list of selectors from text or tokens; raises cssselect2.SelectorError.

    cssselect2 crashes on a list that ends after the `|` of a namespace.
    """
    try:
        found: list[Any] = cssselect2.compile_selector_list(selectors)
    except AttributeError as error:
        raise cssselect2.SelectorError("a name is missing at the end") from error
    return found


def of_elements(selectors: Any) -> list[Any]:
    """The selectors of a list that select elements, not pseudo-elements; none if the list is invalid."""
    try:
        return [each for each in compiled(selectors) if each.pseudo_element is None]
    except cssselect2.SelectorError:
        return []
