"""The families of converters: modules that declare conversions, one a line, those that are quick to import first."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conversions.converters.base import Converter

FAMILIES = (
    "rows",
    "markup",
    "documents",
    "images",
    "pdfs",
    "data",
    "office",
    "libreoffice",
)


def load(family: str) -> None:
    """Import a family, which declares its conversions."""
    importlib.import_module(f"{__name__}.{family}")


def find(slug: str) -> Converter:
    """The converter of one slug for a process that needs no other: families are imported until one has declared it.

    Raises KeyError. What is declared twice, or can't work here, is seen by the registry alone.
    """
    from conversions.converters.base import declared

    for family in FAMILIES:
        load(family)
        for each in declared():
            if each.slug == slug and each.alternative is None:
                return each
    raise KeyError(slug)
