"""Selectors of style sheets, compiled (Selectors 4)."""

from __future__ import annotations

from typing import Any

import cssselect2


def compiled(selectors: Any) -> list[Any]:
    """A list of selectors, from its text or its tokens; raises cssselect2.SelectorError.

    The library stumbles over a list that ends behind the `|` of a namespace.
    """
    try:
        found: list[Any] = cssselect2.compile_selector_list(selectors)
    except AttributeError as error:
        raise cssselect2.SelectorError("a name is missing at the end") from error
    return found
